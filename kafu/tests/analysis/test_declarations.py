"""Choices outside of turns: declaring a dealt hand, going in blind, claiming exemption."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kafu.analysis.choices import ChoicePoint, analyse, default_effort, find_choices, format_option
from kafu.analysis.knowledge import Silent
from kafu.analysis.report import find_costly
from kafu.analysis.search import ChoiceValue
from kafu.notation.actions import Action
from kafu.notation.game import Game
from kafu.simulation.simulate import simulate
from lengths import part
from rare.simulation import simulate_rare
from turns import make_turn

pytestmark = pytest.mark.long

MENJO = Action("say", say="menjo")
#: Rulesets with payment of a dealt hand only after a declaration, each with the seed of a game with
#: a declaration in the first deal.
DECLARED = {"hachihachi": 15, "hanaawase": 0, "ten-five-one": 0}


def _declarations(game: Game) -> list[ChoicePoint]:
    return [point for point in find_choices(game) if isinstance(point.actions[-1], Silent)]


def _valued(game: Game) -> Iterator[tuple[ChoicePoint, ChoiceValue]]:
    effort = default_effort(game.rules)._replace(first=8, most=48, games=6)
    for point, valued in analyse(game, _declarations(game), effort=effort):
        assert valued is not None
        yield point, valued


def _first_deal(rules: str, seed: int) -> Game:
    """Return a game cut after the first turn of a deal with a declaration."""
    game = simulate(rules, seed=seed, claims=False)
    month = game.months[0]
    assert month.actions("show")
    game.months, month.turns = [month], month.turns[:1]
    game.tags["Termination"] = "unfinished"
    return game


@pytest.mark.parametrize("rules", part(tuple(DECLARED)))
def test_paying_hand_that_is_not_declared_is_a_blunder(rules: str) -> None:
    """Declaring the same hand is no loss, and the choice offers both options."""
    game = _first_deal(rules, DECLARED[rules])
    (point, valued), *_ = _valued(game)
    assert point.kind == "show" and not find_costly([valued])[0]
    (shown, *_) = game.months[0].actions("show")
    assert format_option(point.actions[point.played]) == f"{shown.say} {shown.take}"
    game.months[0].put("show", [])
    (silent, valued), *_ = (point for point in _valued(game) if point[0].seat == shown.seat)
    assert silent.step == point.step - 1 and format_option(silent.actions[silent.played]) == "-"
    assert find_costly([valued])[0] and valued.chance.mean > 0


def test_great_koikoi_hand_that_is_not_shown_is_a_blunder() -> None:
    """Showing it would have won the month immediately (K3), with 20 mon."""
    game = simulate_rare("koikoi", seed=0, claims=False)
    month = game.months[0]
    assert [show.say for show in month.actions("show")] == ["futasanbon-kuttsuki"]
    month.turns = [make_turn(f"{month.hands[month.dealer][0]}/{(month.stock or '')[0]}")]
    month.put("show", [])
    del game.months[1:]
    game.tags["Termination"] = "unfinished"
    [(point, valued)] = _valued(game)
    assert point.kind == "show" and find_costly([valued])[0] and valued.better > 10


def test_dealer_chooses_to_go_in_blind_before_any_bid() -> None:
    """みずてん is open to the dealer before any bid (B3); its value does not depend on the hand."""
    game = simulate("hachihachi-bga", seed=1, players=5, claims=False)
    bids = [point for point in _declarations(game) if point.kind == "bid"]
    assert [point.seat for point in bids] == [month.dealer for month in game.months]
    assert {point.view is not None and point.view.hand for point in bids} == {0}
    assert {format_option(action) for point in bids for action in point.actions} == {"blind", "-"}
    three = simulate("hachihachi-bga", seed=1)
    assert not _declarations(three), "nobody bids, and hands are paid without a word (B6)"


def test_exemption_not_claimed_is_a_choice() -> None:
    """免除 (H14): a claim costs nothing, and a silent seat pays for yaku that its card makes."""
    game = simulate_rare("hachihachi", seed=41, claims=False)
    turn = next(turn for turn in game.months[2].turns if turn.value[1:2] == (MENJO,))
    claims = {point.deal: point for point in _declarations(game) if point.kind == "say"}
    assert format_option(claims[3].actions[claims[3].played]) == "menjo"
    turn.value = tuple(action for action in turn.value if action != MENJO)
    silent = next(point for point in _declarations(game) if (point.deal, point.kind) == (3, "say"))
    assert silent.step == claims[3].step and format_option(silent.actions[silent.played]) == "-"
    effort = default_effort("hachihachi")._replace(first=8, most=32, games=2)
    [(_, valued)] = analyse(game, [silent], effort=effort)
    assert valued is not None and valued.better >= 0


def test_swap_of_an_unseen_hand_is_no_choice() -> None:
    """親手をもらう (T4): both hands are unseen, so their values are equal."""
    games = (simulate("ten-five-one", seed=seed, players=4, player="random") for seed in range(9))
    game = next(game for game in games if any(month.actions("swap") for month in game.months))
    assert {point.kind for point in find_choices(game)} == {"hand", "stock", "bid", "show"}
    assert {point.kind for point in _declarations(game)} == {"show"}
