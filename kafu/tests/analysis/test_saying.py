"""What seats may say beside their turns: hands declared or not, going in blind, exemptions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafu.analysis.game import Point, analyse, effort_of, move, points
from kafu.analysis.knowledge import Silent
from kafu.analysis.marking import costly
from kafu.analysis.search import Valued
from kafu.notation.game import Game, Turn
from kafu.simulation.simulate import simulate

#: Rulesets in which a dealt hand brings nothing unless it is declared, each with a game whose first
#: deal has a declaration.
DECLARED = {"hachihachi": 15, "hanaawase": 0, "ten-five-one": 0}


def _sayings(game: Game) -> list[Point]:
    return [one for one in points(game) if isinstance(one.actions[-1], Silent)]


def _valued(game: Game) -> Iterator[tuple[Point, Valued]]:
    effort = effort_of(game.rules)._replace(first=8, most=96, games=12)
    for point, valued in analyse(game, _sayings(game), effort=effort):
        assert valued is not None
        yield point, valued


def _first_deal(rules: str, seed: int) -> Game:
    """One with a declaration, up to its first turn."""
    game = simulate(rules, seed=seed, claims=False)
    assert game.months[0].shows
    del game.months[1:], game.months[0].turns[1:]
    game.tags["Termination"] = "unfinished"
    return game


@pytest.mark.parametrize("rules", tuple(DECLARED))
def test_who_does_not_declare_a_hand_that_pays_blunders(rules: str) -> None:
    """The same hand declared is no loss, and its choice offers both."""
    game = _first_deal(rules, DECLARED[rules])
    (point, valued), *_ = _valued(game)
    assert point.kind == "show" and not costly([valued])[0]
    shown = game.months[0].shows[0]
    assert move(point.actions[point.played]) == f"{'+'.join(shown.yaku)} {shown.cards}"
    game.months[0].shows = []
    (silent, valued), *_ = (one for one in _valued(game) if one[0].seat == shown.seat)
    assert silent.step == point.step - 1 and move(silent.actions[silent.played]) == "-"
    assert costly([valued])[0] and valued.chance.mean > 0


def test_a_great_hand_that_is_not_shown_in_koikoi_is_a_blunder() -> None:
    """It would have won the month at once (K3), with 20 mon."""
    game = simulate("koikoi", seed=0, claims=False, rare=True)
    month = game.months[0]
    assert [show.yaku for show in month.shows] == [("futasanbon-kuttsuki",)]
    month.turns = [Turn(month.hands[month.dealer][0], "", (month.stock or "")[0])]
    month.shows = []
    del game.months[1:]
    game.tags["Termination"] = "unfinished"
    [(point, valued)] = _valued(game)
    assert point.kind == "show" and costly([valued])[0] and valued.better > 10


def test_a_dealer_chooses_whether_to_look() -> None:
    """みずてん is for the dealer before any bid (B3), and as good or bad whatever the hand is."""
    game = simulate("hachihachi-bga", seed=1, players=5, claims=False)
    found = [one for one in _sayings(game) if one.kind == "bid"]
    assert [one.seat for one in found] == [month.dealer for month in game.months]
    assert {one.view is not None and one.view.own for one in found} == {0}
    assert {move(one) for point in found for one in point.actions} == {"blind", "-"}
    three = simulate("hachihachi-bga", seed=1)
    assert not _sayings(three), "nobody bids, and hands are paid without a word (B6)"


def test_an_exemption_is_claimed_or_not() -> None:
    """免除 (H14): who does not claim it pays for what the card helps to; a claim costs nothing."""
    game = simulate("hachihachi", seed=41, claims=False, rare=True)
    turn = next(
        turn for turn in game.months[2].turns if isinstance(turn, Turn) and turn.say1 == ("menjo",)
    )
    claims = {one.deal: one for one in _sayings(game) if one.kind == "say"}
    assert move(claims[3].actions[claims[3].played]) == "menjo"
    turn.say1 = ()
    silent = next(one for one in _sayings(game) if (one.deal, one.kind) == (3, "say"))
    assert silent.step == claims[3].step and move(silent.actions[silent.played]) == "-"
    effort = effort_of("hachihachi")._replace(first=8, most=96, games=2)
    [(_, valued)] = analyse(game, [silent], effort=effort)
    assert valued is not None and valued.better >= 0


def test_a_hand_that_nobody_has_seen_is_no_choice() -> None:
    """親手をもらう (T4): both hands are as good."""
    games = (simulate("ten-five-one", seed=seed, players=4, player="random") for seed in range(9))
    game = next(game for game in games if any(month.swaps for month in game.months))
    assert {one.kind for one in points(game)} == {"hand", "stock", "bid", "show"}
    assert {one.kind for one in _sayings(game)} == {"show"}
