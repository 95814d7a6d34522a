"""Which choices are called costly."""

from __future__ import annotations

from random import Random

import pytest

from kafu.analysis import report
from kafu.analysis.game import analyse, effort_of, move, points
from kafu.analysis.marking import LEVEL, costly, probability
from kafu.analysis.search import ActionValue, Effort, Measure, Valued
from kafu.cards import BIT, LETTERS
from kafu.notation.game import Game, Month
from kafu.rules.play.actions import Begin, Deal, Draw, Play, Say
from kafu.rules.play.table import captures
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.simulation.simulate import NAMES, simulate, write_down
from lengths import LONG

pytestmark = pytest.mark.long

#: Rulesets whose games are analysed: with two seats and three, with bids and without.
SHORT = tuple(RULESETS) if LONG else ("koikoi", "ten-five-one")
#: A hand that captures three good pairs at once, the moon, which captures nothing, and dregs.
HAND, FIELD = "AIchPTX", "BJgEYk"
MORE_FIELD = "ot"


def _valued(better: float, error: float, *, sought: bool = True, exact: bool = False) -> Valued:
    chance = Measure(0.0, 0.0)
    worth = ActionValue(Say("shobu"), 32, 0.0, error, chance)
    return Valued((worth, worth), 0, 1, better, error, 32, exact, sought, chance)


def test_loss_that_may_be_chance_is_not_costly() -> None:
    """Two standard errors are something for one choice, and nothing among a hundred."""
    assert costly([_valued(2.0, 1.0)]) == [True]
    assert costly([_valued(2.0, 1.0)] + [_valued(0.0, 1.0)] * 99) == [False] * 100
    assert costly([_valued(4.0, 1.0)] + [_valued(0.0, 1.0)] * 99) == [True] + [False] * 99


def test_each_costly_choice_lowers_the_bar_for_the_next() -> None:
    """Holm's steps: the third is compared with a third of the level only while two wait."""
    three = [_valued(3.0, 1.0), _valued(2.4, 1.0), _valued(1.7, 1.0)]
    assert costly(three) == [True, True, True]
    assert costly([three[2]] * 3) == [False] * 3
    assert 0.04 < probability(three[2]) < LEVEL


def test_choice_not_searched_or_with_a_tiny_loss_is_not_costly() -> None:
    assert costly([_valued(9.0, 1.0, sought=False)]) == [False]
    assert costly([_valued(0.1, 0.0, exact=True), _valued(2.0, 0.0, exact=True)]) == [False, True]


def test_loss_in_every_deal_is_costly() -> None:
    """It has no spread, and is as certain as so many deals are."""
    assert costly([_valued(20.0, 0.0)] + [_valued(0.0, 1.0)] * 99) == [True] + [False] * 99
    assert probability(_valued(20.0, 0.0)._replace(deals=1)) == 0.5


def _record(rules: str, thrown: str, seed: int) -> Game:
    """A record of one turn: the first player, with `HAND`, throws a card."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    size = machine.hand
    left = [card for card in LETTERS if card not in HAND + FIELD + MORE_FIELD]
    Random(seed).shuffle(left)
    field = FIELD + (MORE_FIELD if RULESETS[rules].field > len(FIELD) else "")
    left += [] if len(field) > len(FIELD) else list(MORE_FIELD)
    hands = {1: HAND + "".join(left[: size - len(HAND)])}
    del left[: size - len(HAND)]
    for seat in range(2, machine.players + 1):
        hands[seat] = "".join(left[:size])
        del left[:size]
    stock = "".join(left)
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
    """The moon is thrown where three pairs could be captured."""
    effort = effort_of(rules)._replace(first=16, most=160, games=2)
    choices = [
        choice for choice in analyse(_record(rules, "c", 3), effort=effort) if choice[1] is not None
    ]
    marks = costly([valued for _, valued in choices if valued is not None])
    (point, valued), mark = next(
        (choice, mark)
        for choice, mark in zip(choices, marks, strict=True)
        if choice[0].kind == "hand"
    )
    assert move(point.actions[point.played]) == "c" and mark
    assert valued is not None
    best = valued.options[valued.rival].action
    assert isinstance(best, Play) and best.take


def test_blunder_in_a_decided_game_costs_no_chance_to_win() -> None:
    """It is marked all the same: marks go by the deal."""
    game = _record("koikoi", "c", 3)
    effort = effort_of("koikoi")._replace(first=8, most=96, games=4)
    for lead, lost in ((0, True), (1_000, False)):
        (point, *_) = points(game)
        assert point.view is not None
        point.view.state.totals = (lead, 0)
        [(_, valued)] = analyse(game, [point], effort=effort)
        assert valued is not None and costly([valued])[0]
        assert (valued.chance.mean > 0) == lost
        assert {option.chance.mean == 1 for option in valued.options} == {not lost}


def test_sound_move_is_not_costly() -> None:
    game = _record("koikoi", "c", 3)
    turn = game.months[0].turns[0]
    turn.play, turn.take = "I", "J"  # type: ignore[union-attr]
    _, first = next(analyse(game, effort=effort_of("koikoi")._replace(games=4)))
    assert first is not None and first.better < 1


@pytest.mark.parametrize("rules", SHORT)
def test_forced_move_has_no_value(rules: str) -> None:
    """It has no value at all, so that there is nothing to be marked."""
    effort = effort_of(rules) if LONG else Effort(first=1, most=1, exact=0, games=1)
    game = simulate(rules, seed=2)
    game.months = game.months if LONG else game.months[:1]
    game.tags["Termination"] = "unfinished"
    choices = list(analyse(game, effort=effort))
    assert [point._replace(view=None) for point, _ in choices] == [
        point._replace(view=None) for point in points(game)
    ]
    assert {valued is None for point, valued in choices if point.forced} == {True}
    assert all(valued is not None for point, valued in choices if not point.forced)
    assert report.size(game) == sum(not point.forced for point, _ in choices)


def test_same_seed_gives_the_same_values() -> None:
    game = _record("koikoi", "c", 3)
    effort = Effort(first=8, most=64, games=4)
    first, again, other = (next(analyse(game, seed=n, effort=effort))[1] for n in (1, 1, 2))
    assert first == again != other
