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

pytestmark = pytest.mark.long

#: Rulesets in which a dealt hand brings nothing unless it is declared, each with a game whose first
#: deal has a declaration.
DECLARED = {"hachihachi": 15, "hanaawase": 0, "ten-five-one": 0}


def _sayings(game: Game) -> list[Point]:
    return [point for point in points(game) if isinstance(point.actions[-1], Silent)]


def _valued(game: Game) -> Iterator[tuple[Point, Valued]]:
    effort = effort_of(game.rules)._replace(first=8, most=48, games=6)
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
def test_paying_hand_that_is_not_declared_is_a_blunder(rules: str) -> None:
    """The same hand declared is no loss, and its choice offers both."""
    game = _first_deal(rules, DECLARED[rules])
    (point, valued), *_ = _valued(game)
    assert point.kind == "show" and not costly([valued])[0]
    shown = game.months[0].shows[0]
    assert move(point.actions[point.played]) == f"{'+'.join(shown.yaku)} {shown.cards}"
    game.months[0].shows = []
    (silent, valued), *_ = (point for point in _valued(game) if point[0].seat == shown.seat)
    assert silent.step == point.step - 1 and move(silent.actions[silent.played]) == "-"
    assert costly([valued])[0] and valued.chance.mean > 0


def test_great_koikoi_hand_that_is_not_shown_is_a_blunder() -> None:
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


def test_dealer_chooses_to_go_in_blind_before_any_bid() -> None:
    """みずてん is for the dealer before any bid (B3), and as good or bad whatever the hand is."""
    game = simulate("hachihachi-bga", seed=1, players=5, claims=False)
    bids = [point for point in _sayings(game) if point.kind == "bid"]
    assert [point.seat for point in bids] == [month.dealer for month in game.months]
    assert {point.view is not None and point.view.own for point in bids} == {0}
    assert {move(action) for point in bids for action in point.actions} == {"blind", "-"}
    three = simulate("hachihachi-bga", seed=1)
    assert not _sayings(three), "nobody bids, and hands are paid without a word (B6)"


def test_exemption_not_claimed_is_a_choice() -> None:
    """免除 (H14): who does not claim it pays for what the card helps to; a claim costs nothing."""
    game = simulate("hachihachi", seed=41, claims=False, rare=True)
    turn = next(
        turn for turn in game.months[2].turns if isinstance(turn, Turn) and turn.say1 == ("menjo",)
    )
    claims = {point.deal: point for point in _sayings(game) if point.kind == "say"}
    assert move(claims[3].actions[claims[3].played]) == "menjo"
    turn.say1 = ()
    silent = next(point for point in _sayings(game) if (point.deal, point.kind) == (3, "say"))
    assert silent.step == claims[3].step and move(silent.actions[silent.played]) == "-"
    effort = effort_of("hachihachi")._replace(first=8, most=32, games=2)
    [(_, valued)] = analyse(game, [silent], effort=effort)
    assert valued is not None and valued.better >= 0


def test_swap_of_an_unseen_hand_is_no_choice() -> None:
    """親手をもらう (T4): both hands are as good."""
    games = (simulate("ten-five-one", seed=seed, players=4, player="random") for seed in range(9))
    game = next(game for game in games if any(month.swaps for month in game.months))
    assert {point.kind for point in points(game)} == {"hand", "stock", "bid", "show"}
    assert {point.kind for point in _sayings(game)} == {"show"}
