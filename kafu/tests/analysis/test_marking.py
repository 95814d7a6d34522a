"""Marks of costly choices."""

from __future__ import annotations

from random import Random

import pytest

from kafu.analysis import report
from kafu.analysis.choices import analyse, default_effort, find_choices, format_option
from kafu.analysis.report import LEVEL, error_probability, find_costly
from kafu.analysis.search import ActionValue, ChoiceValue, Effort, Measure
from kafu.cards import BIT, LETTERS
from kafu.notation.game import Game, Month
from kafu.rules.play.actions import Begin, Deal, Draw, Play, Say
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import NAMES, simulate, write_down
from lengths import LONG
from turns import put_card

pytestmark = pytest.mark.long

#: Rulesets whose games are analysed.
SHORT = tuple(RULESETS) if LONG else ("koikoi",)
#: A hand with captures of three good pairs, with the moon, which has no capture, and with chaff.
HAND, FIELD = "AIchPTX", "BJgEYk"
MORE_FIELD = "ot"


def _valued(
    better: float, error: float, *, sought: bool = True, exact: bool = False
) -> ChoiceValue:
    chance = Measure(0.0, 0.0)
    worth = ActionValue(Say("shobu"), 32, 0.0, error, chance)
    return ChoiceValue((worth, worth), 0, 1, better, error, 32, exact, sought, chance)


def test_loss_that_may_be_chance_is_not_costly() -> None:
    """Two standard errors are significant for one choice, but not among a hundred."""
    assert find_costly([_valued(2.0, 1.0)]) == [True]
    assert find_costly([_valued(2.0, 1.0)] + [_valued(0.0, 1.0)] * 99) == [False] * 100
    assert find_costly([_valued(4.0, 1.0)] + [_valued(0.0, 1.0)] * 99) == [True] + [False] * 99


def test_each_costly_choice_lowers_the_bar_for_the_next() -> None:
    """Holm's steps: a choice is tested at the level divided by the number of remaining choices."""
    three = [_valued(3.0, 1.0), _valued(2.4, 1.0), _valued(1.7, 1.0)]
    assert find_costly(three) == [True, True, True]
    assert find_costly([three[2]] * 3) == [False] * 3
    assert 0.04 < error_probability(three[2]) < LEVEL


def test_choice_not_searched_or_with_a_tiny_loss_is_not_costly() -> None:
    assert find_costly([_valued(9.0, 1.0, sought=False)]) == [False]
    assert find_costly([_valued(0.1, 0.0, exact=True), _valued(2.0, 0.0, exact=True)]) == [
        False,
        True,
    ]


def test_loss_in_every_deal_is_costly() -> None:
    """The loss has no spread; its certainty follows from the number of deals."""
    assert find_costly([_valued(20.0, 0.0)] + [_valued(0.0, 1.0)] * 99) == [True] + [False] * 99
    assert error_probability(_valued(20.0, 0.0)._replace(deals=1)) == 0.5


def _record(rules: str, thrown: str, seed: int) -> Game:
    """Return a record of one turn, in which the first player with `HAND` throws a card."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    size = machine.hand
    remaining = [card for card in LETTERS if card not in HAND + FIELD + MORE_FIELD]
    Random(seed).shuffle(remaining)
    field = FIELD + (MORE_FIELD if RULESETS[rules].field > len(FIELD) else "")
    remaining += [] if len(field) > len(FIELD) else list(MORE_FIELD)
    hands = {1: HAND + "".join(remaining[: size - len(HAND)])}
    del remaining[: size - len(HAND)]
    for seat in range(2, machine.players + 1):
        hands[seat] = "".join(remaining[:size])
        del remaining[:size]
    stock = "".join(remaining)
    month = Month(1, 1, hands=hands, field=field, stock=stock)
    state = machine.step(machine.start(), Deal(1, 1, hands, field, stock))
    state = machine.step(state, Begin())
    card = BIT[stock[0]]
    play = Play(BIT[thrown])
    state = machine.step(state, play)
    write_down(month, play)
    write_down(month, Draw(card, captures(state.table.field, card)[0]))
    tags = {"Termination": "unfinished"}
    return Game(rules, NAMES[: machine.players], tags=tags, months=[month])


@pytest.mark.parametrize("rules", SHORT)
def test_blunder_is_costly(rules: str) -> None:
    """The moon is thrown instead of a capture of one of three pairs."""
    effort = default_effort(rules)._replace(first=16, most=160, games=2)
    choices = [
        choice for choice in analyse(_record(rules, "c", 3), effort=effort) if choice[1] is not None
    ]
    marks = find_costly([valued for _, valued in choices if valued is not None])
    (point, valued), mark = next(
        (choice, mark)
        for choice, mark in zip(choices, marks, strict=True)
        if choice[0].kind == "hand"
    )
    assert format_option(point.actions[point.played]) == "c" and mark
    assert valued is not None
    best = valued.options[valued.rival].action
    assert isinstance(best, Play) and best.take


def test_blunder_in_a_decided_game_costs_no_chance_to_win() -> None:
    """The blunder is marked nevertheless, because marks depend on the result of the deal."""
    game = _record("koikoi", "c", 3)
    effort = default_effort("koikoi")._replace(first=8, most=96, games=4)
    for lead, lost in ((0, True), (1_000, False)):
        (point, *_) = find_choices(game)
        assert point.view is not None
        point.view.state.totals = (lead, 0)
        [(_, valued)] = analyse(game, [point], effort=effort)
        assert valued is not None and find_costly([valued])[0]
        assert (valued.chance.mean > 0) == lost
        assert {option.chance.mean == 1 for option in valued.options} == {not lost}


def test_sound_move_is_not_costly() -> None:
    game = _record("koikoi", "c", 3)
    put_card(game.months[0].turns[0], "I", "J")
    _, first = next(analyse(game, effort=default_effort("koikoi")._replace(games=4)))
    assert first is not None and first.better < 1


@pytest.mark.parametrize("rules", SHORT)
def test_forced_move_has_no_value(rules: str) -> None:
    effort = default_effort(rules) if LONG else Effort(first=1, most=1, exact=0, games=1)
    game = simulate(rules, seed=2)
    game.months = game.months if LONG else game.months[:1]
    game.tags["Termination"] = "unfinished"
    choices = list(analyse(game, effort=effort))
    assert [point._replace(view=None) for point, _ in choices] == [
        point._replace(view=None) for point in find_choices(game)
    ]
    assert {valued is None for point, valued in choices if point.is_forced} == {True}
    assert all(valued is not None for point, valued in choices if not point.is_forced)
    assert report.count_choices(game) == sum(not point.is_forced for point, _ in choices)


def test_same_seed_gives_the_same_values() -> None:
    game = _record("koikoi", "c", 3)
    effort = Effort(first=8, most=64, games=4)
    first, again, another = (next(analyse(game, seed=n, effort=effort))[1] for n in (1, 1, 2))
    assert first == again != another
