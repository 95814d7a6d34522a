"""What a deal brought each seat, part by part: chance, its own choices and those of the others.

From what a seat may expect of any deal (``start``) the luck of the deal, that of each card of the
stock, and what each choice brought lead to the ``result``: each is the value after it less the
value before it, with the hands as they lie and the rest of the stock in any order, and everybody
playing on by the policy (`kafu.analysis.luck`). Each is measured by play-outs of its own, so that
what is left over (``rest``) is within its ``error``: it is noise, and nothing else.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from kafu import cards
from kafu.analysis.luck import PLAYOUTS, Amounts, Meter, nothing
from kafu.analysis.policy import Policy
from kafu.analysis.search import margin
from kafu.judging import playthrough
from kafu.notation.game import Game, Month
from kafu.rules.play.actions import Action, Begin, Deal, Draw, Event, Pile, Redeal, Void
from kafu.rules.play.machine import Machine, State
from kafu.rules.rulesets import Unsupported, machine_of


class Expected(NamedTuple):
    """What the seats could expect after a step, which `kafu.judging.replay` counts."""

    step: int
    amounts: Amounts


class Account(NamedTuple):
    """A deal of a game: its parts, ``result`` by seat in the small unit, ``rest`` with its error,
    and ``course``, what was to be expected at the steps at which that changed.

    ``own`` is what a seat's choices brought it, ``others`` what those of the others did.
    """

    start: Amounts
    deal: Amounts
    stock: Amounts
    own: Amounts
    others: Amounts
    rest: Amounts
    result: tuple[int, ...]
    course: tuple[Expected, ...]


class _Measurer:
    """Measures one deal, by its ``number``, while a game is played through."""

    def __init__(self, number: int, rules: Machine[Any], meter: Meter) -> None:
        self.number, self.meter = number, meter
        self.before: State = rules.start()
        self.players = rules.players
        self.step = -1
        zero = nothing(rules.players)
        self.start = self.opening = self.deal = self.stock = self.own = self.others = zero
        self.course: list[Expected] = []
        self.result: tuple[int, ...] | None = None
        self.is_void = False

    def watch(
        self,
        number: int,
        action: Action,
        state: State,
        events: tuple[Event, ...],
        comments: list[str],
    ) -> None:
        """One more action of the record."""
        if number == self.number and not self.is_void:
            if not isinstance(action, Begin | Pile):
                self.step += 1
            self._measure(action, state)
        self.before = state

    def _measure(self, action: Action, state: State) -> None:
        if isinstance(action, Deal):
            self.is_void = action.misdealt
            if not self.is_void:
                dealt = self.meter.dealt(self.before, action)
                self.start, self.opening = dealt.before, dealt.after
                self.deal = dealt.difference
                self.course.append(Expected(0, dealt.after))
            return
        if isinstance(action, Void) or (isinstance(action, Redeal) and action.reason == "misdeal"):
            self.is_void = True
            return
        if isinstance(action, Draw):
            turned = self.meter.turned(self.before)
            if turned is not None:
                self.stock = self.stock.plus(turned.difference)
                self._expect(turned.after)
        if not isinstance(action, Pile):
            for seat, chosen in self.meter.chosen(self.before, action):
                self._choose(seat, chosen.difference)
                self._expect(chosen.after)
        if state.result is not None:
            score = state.result.score
            self.result = tuple(margin(score, seat) for seat in range(1, self.players + 1))
            self.step += 1  # the end is a step of its own
            self._expect(Amounts(tuple(map(float, self.result)), (0.0,) * self.players))

    def _choose(self, seat: int, brought: Amounts) -> None:
        self.own = self.own.plus(_part(brought, lambda i: i == seat - 1))
        self.others = self.others.plus(_part(brought, lambda i: i != seat - 1))

    def _expect(self, amounts: Amounts) -> None:
        if self.course[-1].step == self.step:
            self.course.pop()
        self.course.append(Expected(self.step, amounts))

    @property
    def account(self) -> Account | None:
        """All of it, if the deal came to its end."""
        if self.result is None or self.is_void:
            return None
        # Start and deal are of the same play-outs: together they are what was worth the deal.
        sums = self.opening.plus(self.stock).plus(self.own).plus(self.others)
        left = tuple(one - sum_ for one, sum_ in zip(self.result, sums.value, strict=True))
        return Account(
            *(self.start, self.deal, self.stock, self.own, self.others),
            Amounts(left, sums.error),
            self.result,
            tuple(self.course),
        )


def _part(amounts: Amounts, belongs: Callable[[int], bool]) -> Amounts:
    """The sums of some seats, by their index; 0 for the others."""
    value, error = (
        tuple(one if belongs(i) else 0.0 for i, one in enumerate(row)) for row in amounts
    )
    return Amounts(value, error)


def of_deal(game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS) -> Account | None:
    """The account of a deal of a game by its number, from 1; None where not all cards are recorded,
    where the deal was thrown in, and where it has no end. The same seed gives the same figures.

    Raises `kafu.rules.rulesets.Unsupported`, for a score sheet too.
    """
    if game.is_sheet:
        raise Unsupported(f"{game.rules} sheet")
    rules = machine_of(game.rules, game.options, len(game.players))
    if not _is_whole(game.months[number - 1]):
        return None
    meter = Meter(Policy(rules), Random(f"luck {seed} {number}"), playouts)
    measurer = _Measurer(number, rules, meter)
    upto = dataclasses.replace(game, months=game.months[:number])
    playthrough.play(upto, rules, measurer.watch)
    return measurer.account


def _is_whole(month: Month) -> bool:
    """Whether all cards of a deal are recorded."""
    if month.stock is None or month.stock_cut:
        return False
    return cards.UNKNOWN not in month.stock + "".join(month.hands.values())
