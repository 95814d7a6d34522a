"""An account of a deal: its result, split into chance and the choices of the seats.

The value of a state is the mean result of play-outs by the policy, with all hands known and the
undrawn stock in random order. The luck of the deal is its value minus the mean value of all deals.
The luck of a turned card is the value with the card minus the value before it. These are the chance
corrections of White and Bowling ("Learning a value analysis tool for agent evaluation", IJCAI 2009)
and of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: A new variance reduction
technique for agent evaluation in imperfect information games", AAAI 2018), used there as control
variates. Their mean is zero for any value function.

The contribution of a choice is the value after the choice minus the value after the policy's
choice, which equals the value before. All differences therefore add up from the mean value of all
deals (``start``) to the result. Between two choices only cards are turned, so the luck of these
cards is the value before a choice minus the value after the choice before it. If no card was turned
between two choices, these are two measurements of the same value: the remainder adds up their
differences, which are pure noise, within its standard error. All other values are measured for the
course of the deal alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from math import ceil, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.analysis.knowledge import shuffle
from kafu.analysis.policy import Policy
from kafu.analysis.search import margin
from kafu.judging.playthrough import Playthrough
from kafu.notation.game import Game, Month
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Draw,
    Pile,
    Redeal,
    ShowAction,
    Void,
)
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.play.table import TableCards
from kafu.rules.rulesets import Unsupported, machine_of

#: Play-outs for the values of a deal, and pairs of play-outs for each choice.
PLAYOUTS: Final = 128
#: The part of these play-outs for a value that is needed for the course of the deal alone.
_COURSE: Final = 0.5


class Amounts(NamedTuple):
    """Measured amounts by seat, in the small unit, and their standard errors."""

    value: tuple[float, ...]
    error: tuple[float, ...]

    def plus(self, addend: Amounts) -> Amounts:
        """Add two independent measurements."""
        return Amounts(
            tuple(map(float.__add__, self.value, addend.value)),
            tuple(map(_add_errors, self.error, addend.error)),
        )

    def minus(self, subtrahend: Amounts) -> Amounts:
        """Subtract an independent measurement."""
        return self.plus(Amounts(tuple(-value for value in subtrahend.value), subtrahend.error))

    def restricted_to(self, seats: Sequence[int]) -> Amounts:
        """Return the amounts of some seats, with 0 for all other seats."""
        value, error = (
            tuple(amount if seat in seats else 0.0 for seat, amount in enumerate(row, 1))
            for row in self
        )
        return Amounts(value, error)


def _add_errors(first: float, second: float) -> float:
    return sqrt(first * first + second * second)


def _zero(players: int) -> Amounts:
    return Amounts((0.0,) * players, (0.0,) * players)


class Contribution(NamedTuple):
    """The contribution of a choice to the result, by seat.

    ``before`` is the value with the policy's choice, ``after`` the value with the choice. The error
    of ``difference`` is smaller than both errors, because values are measured in pairs.
    """

    before: Amounts
    after: Amounts
    difference: Amounts


class DealMeter:
    """A meter for the contributions to a deal whose cards are all known."""

    def __init__(self, policy: Policy, random: Random, playouts: int = PLAYOUTS) -> None:
        self.policy, self.random, self.playouts = policy, random, playouts
        self.machine = policy.machine

    def measure_start(self, before: State, deal: Deal) -> Amounts:
        """Return the value of a random deal by the dealer of ``deal``, in the state before it."""
        start = before.copy()
        if deal.dealer != start.dealer:
            start.dealer = 0  # Drawn or split cards decided who deals (K1).
        results = []
        for _ in range(self.playouts):
            random_deal = self.machine.deal(start, self.random)._replace(dealer=deal.dealer)
            dealt = self.machine.step(start.copy(), random_deal)
            results.append(_list_margins(self._play_out(dealt)))
        return _average(results)

    def measure_value(self, state: State, fixed: int, part: float) -> Amounts:
        """Return the value of a state whose stock is random but for the ``fixed`` cards on top.

        It is measured by a ``part`` of the play-outs, or by one if the deal ends before a random
        card is turned.
        """
        results = []
        for _ in range(ceil(part * self.playouts)):
            end = self._play_out(self._reshuffle(state, fixed))
            results.append(_list_margins(end))
            if end.table.turned <= fixed:
                break
        return _average(results)

    def measure_choice(self, before: State, action: Action) -> Iterator[tuple[int, Contribution]]:
        """Compare an action with the policy's choice; yield its seat unless both are equal.

        The end of the declarations is a choice of each seat with a hand still to show. The value
        after the choice of a seat is then the value before that of the next one.
        """
        if isinstance(action, Begin):
            yield from reversed(list(self._measure_silence(before)))
        elif not self._is_policy_choice(before, action):
            yield getattr(action, "seat", before.seat), self._measure_action(before, action)

    def _is_policy_choice(self, before: State, action: Action) -> bool:
        if before.phase is Phase.SHOW:
            return (
                isinstance(action, ShowAction)
                and action in self._list_shows(before, action.seat)[:1]
            )
        if before.phase is Phase.BID:
            return action == self.policy.choose_opening(before)
        by_policy = before.copy()
        self.policy.step(by_policy)
        after: State = self.machine.step(before.copy(), action)
        return by_policy == after

    def _list_shows(self, state: State, seat: int = 0) -> list[ShowAction]:
        """Return the possible declarations of a seat, or of all (0), with the most yaku first."""
        actions = self.machine.legal_actions(state)
        shows = [
            show for show in actions if isinstance(show, ShowAction) and seat in (0, show.seat)
        ]
        return sorted(shows, key=lambda show: -len(show.yaku))

    def _measure_action(self, before: State, action: Action) -> Contribution:
        pairs = _Pairs()
        fixed = 1 if isinstance(action, Draw) else 0
        for _ in range(self.playouts):
            state = self._reshuffle(before, fixed)
            after = self.machine.step(state.copy(), action)
            pairs.add(self._play_out(after), self._play_out(state))
        return pairs.contribution

    def _measure_silence(self, before: State) -> Iterator[tuple[int, Contribution]]:
        """Yield each seat with a hand still to show, and the contribution of its silence."""
        state = before
        while shows := self._list_shows(state):
            after_show = self.machine.step(state.copy(), shows[0])
            pairs = _Pairs()
            for _ in range(self.playouts):
                order = self._shuffle_stock(state)
                silent = self._end_declarations(_stack(state, order))
                shown = self._end_declarations(_stack(after_show, order))
                pairs.add(self._play_out(silent), self._play_out(shown))
            yield shows[0].seat, pairs.contribution
            state = after_show

    def _end_declarations(self, state: State) -> State:
        """Begin play, or redeal if the declared hands require it (A1)."""
        actions = self.machine.legal_actions(state)
        end = next(action for action in actions if isinstance(action, Begin | Redeal))
        after: State = self.machine.step(state, end)
        return after

    def _play_out(self, state: State) -> State:
        """Play a deal to its end; ``state`` must not be used any more."""
        return self.policy.play_out(self.policy.begin(state, self.random))

    def _shuffle_stock(self, state: State, fixed: int = 0) -> tuple[int, ...]:
        """Return the undrawn stock in random order, except for the ``fixed`` cards on top."""
        ahead = state.table.ahead
        loose = list(ahead[fixed:])
        shuffle(loose, self.random)
        return (*ahead[:fixed], *loose)

    def _reshuffle(self, state: State, fixed: int = 0) -> State:
        return _stack(state, self._shuffle_stock(state, fixed))


class _Pairs:
    """Results of paired play-outs, by seat."""

    def __init__(self) -> None:
        self.actual: list[list[int]] = []
        self.alternative: list[list[int]] = []

    def add(self, actual: State, alternative: State) -> None:
        self.actual.append(_list_margins(actual))
        self.alternative.append(_list_margins(alternative))

    @property
    def contribution(self) -> Contribution:
        pairs = zip(self.actual, self.alternative, strict=True)
        differences = [[a - b for a, b in zip(*pair, strict=True)] for pair in pairs]
        return Contribution(*map(_average, (self.alternative, self.actual, differences)))


def _list_margins(end: State) -> list[int]:
    """Return the result of each seat at the end of a deal."""
    assert end.result is not None, "the deal was played out"
    scores = end.result.score
    return [margin(scores, seat) for seat in range(1, len(scores) + 1)]


def _average(results: list[list[int]]) -> Amounts:
    """Return the mean of results by seat, with its standard error."""
    count = len(results)
    means, errors = [], []
    for amounts in zip(*results, strict=True):
        mean = sum(amounts) / count
        squares = sum((amount - mean) ** 2 for amount in amounts)
        means.append(mean)
        errors.append(sqrt(squares / (count - 1) / count) if count > 1 else 0.0)
    return Amounts(tuple(means), tuple(errors))


def _stack(state: State, ahead: tuple[int, ...]) -> State:
    """Return the state with the undrawn stock in this order; a stock not yet laid stays empty."""
    stacked = state.copy()
    if ahead:
        table = stacked.table
        stacked.table = TableCards(
            table.hands, table.hidden, table.field, table.captured, ahead, table.left, cards.ALL
        )
    return stacked


# Accounts -----------------------------------------------------------------------------------------


class Expectation(NamedTuple):
    """The expected result by seat after a ``step``, counted as in `kafu.judging.replay`."""

    step: int
    amounts: Amounts


class DealLuck(NamedTuple):
    """The account of a deal: contributions by seat that add up to ``result`` (small unit).

    ``choices`` are the contributions of a seat's own choices, ``opponents`` of its opponents'.
    ``remainder`` is left over by measurement errors. ``course`` has the expected result at each
    step that changed it.
    """

    start: Amounts
    deal: Amounts
    stock: Amounts
    choices: Amounts
    opponents: Amounts
    remainder: Amounts
    result: tuple[int, ...]
    course: tuple[Expectation, ...]


class _Accountant:
    """A meter of the actions of a deal, which is begun in the state ``before``."""

    def __init__(self, before: State, machine: Machine[Any], meter: DealMeter) -> None:
        self.meter = meter
        self.before = before
        self.seats = range(1, machine.players + 1)
        self.step = -1
        zero = _zero(machine.players)
        self.start = self.deal = self.stock = self.choices = self.opponents = zero
        self.remainder = zero
        #: The value after the deal or the last choice, from which the luck of cards counts.
        self.base: Amounts | None = None
        #: The state after the last card, before its value is measured: its step, and the number of
        #: known cards on the draw pile.
        self.pending: tuple[int, State, int] | None = None
        self.course: list[Expectation] = []
        self.result: tuple[int, ...] | None = None
        self.is_void = False

    def add(self, played: Playthrough) -> None:
        """Measure the last action."""
        state = played.state.copy()
        if not self.is_void:
            self.step = played.step
            self._measure(played.action, state)
        self.before = state

    def _measure(self, action: Action, state: State) -> None:
        if isinstance(action, Deal):
            self.is_void = action.misdealt
            if not self.is_void:
                self.start = self.meter.measure_start(self.before, action)
                self.pending = 0, state, 0
            return
        if isinstance(action, Void) or (isinstance(action, Redeal) and action.reason == "misdeal"):
            self.is_void = True
            return
        if isinstance(action, Draw) and len(set(self.before.table.ahead)) > 1:
            self._measure_pending()
            self.pending = self.step, self.before, 1
        if not isinstance(action, Pile):
            for seat, choice in self.meter.measure_choice(self.before, action):
                self._add_choice(seat, choice)
        if state.result is not None:
            self._measure_pending()
            scores = state.result.score
            self.result = tuple(margin(scores, seat) for seat in self.seats)
            self.step += 1  # The end is a separate step.
            zero = (0.0,) * len(self.seats)
            value = Amounts(tuple(map(float, self.result)), zero)
            self._add_luck(value)
            self._expect(self.step, value)

    def _measure_pending(self) -> None:
        """Measure the value after the last card, unless a choice has shown it."""
        if self.pending is not None:
            step, state, fixed = self.pending
            is_deal = self.base is None
            value = self.meter.measure_value(state, fixed, 1.0 if is_deal else _COURSE)
            if is_deal:
                self._add_luck(value)
                self.base = value
            self._expect(step, value)

    def _add_choice(self, seat: int, choice: Contribution) -> None:
        if self.pending is not None:
            self._add_luck(choice.before)
            self._expect(self.pending[0], choice.before)
        elif self.base is not None:
            self.remainder = self.remainder.plus(choice.before.minus(self.base))
        opponents = [opponent for opponent in self.seats if opponent != seat]
        self.choices = self.choices.plus(choice.difference.restricted_to([seat]))
        self.opponents = self.opponents.plus(choice.difference.restricted_to(opponents))
        self._expect(self.step, choice.after)
        self.base = choice.after

    def _add_luck(self, value: Amounts) -> None:
        """Add the luck that led to a value: of the deal, or of the cards since the last choice."""
        if self.base is None:
            self.deal = value.minus(self.start)
        else:
            self.stock = self.stock.plus(value.minus(self.base))

    def _expect(self, step: int, value: Amounts) -> None:
        """Add a value to the course. No value is pending after it."""
        self.pending = None
        if self.course and self.course[-1].step == step:
            self.course.pop()
        self.course.append(Expectation(step, value))

    @property
    def account(self) -> DealLuck | None:
        """Return the account of the deal, or None if the deal was thrown in or has no end."""
        if self.result is None or self.is_void:
            return None
        return DealLuck(
            *(self.start, self.deal, self.stock, self.choices, self.opponents, self.remainder),
            self.result,
            tuple(self.course),
        )


def account_for_deal(
    game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS
) -> DealLuck | None:
    """Return the account of a deal by its number, from 1. Equal seeds give equal figures.

    The account is None for a deal with unrecorded cards, thrown in, or without an end. Raises
    `kafu.rules.rulesets.Unsupported`, also for a score sheet.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    machine = machine_of(game.rules, game.options, len(game.players))
    if not _has_all_cards(game.months[number - 1]):
        return None
    meter = DealMeter(Policy(machine), Random(f"luck {seed} {number}"), playouts)
    playthrough = Playthrough(dataclasses.replace(game, months=game.months[:number]), machine)
    accountant = None
    for played in playthrough.advance():
        if played.number == number:
            begun = played.outcome.begun[-1]
            accountant = accountant or _Accountant(begun, machine, meter)
            accountant.add(played)
    return accountant.account if accountant is not None else None


def _has_all_cards(month: Month) -> bool:
    if month.stock is None or month.stock_cut:
        return False
    return cards.UNKNOWN not in month.stock + "".join(month.hands.values())
