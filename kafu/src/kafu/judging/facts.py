"""The facts of a game beyond its verdict, collected in the replay that judges it.

Statistics count these facts (`records.totals.tally`). Only what is certain is recorded: a hand only
if all its cards are known, a decision only if there was a choice. Every judged game pays for the
collecting and few are queried, so slow computations are done on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kafu.rules.play.actions import Action, Begin, Deal, Draw, Event, Play, Say
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS


class Decision(NamedTuple):
    """A seat that could stop or go on, and its decision.

    ``yaku`` are the captured yaku it had, ``left`` its cards in hand, ``opponent`` the captured
    cards of the opponent who had most, ``stop`` its score of the deal had it stopped.
    """

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stop: int


class Thrown(NamedTuple):
    """A hatto card (mask), and the seat that may have to pay for others because it played the
    card.
    """

    seat: int
    card: int


class PaidFor(NamedTuple):
    """A payment, as in the ledger, that the thrower of a hatto card made for others too."""

    thrown: Thrown
    amounts: tuple[int, ...]


@dataclass(slots=True)
class DealFacts:
    """Facts of one deal, collected as states to be compared later; cards are masks.

    ``dealt`` is the state after the deal (None if it was misdealt), ``laid`` the field when the
    first card was played, ``opening`` that card and what it captured (0: nothing), or None.
    ``decisions_made`` are the words that may decide, with the states before them, ``pays`` the
    payments for hatto, ``ended`` the state after the end or None.
    """

    dealt: Any = None
    laid: int = 0
    opening: tuple[int, int] | None = None
    decisions_made: list[tuple[Any, Event]] = field(default_factory=list)
    pays: list[Event] = field(default_factory=list)
    ended: Any = None

    @property
    def hands(self) -> tuple[int, ...]:
        """The dealt hands, a seat each; 0 for one whose cards are not all known."""
        if self.dealt is None:
            return ()
        table = self.dealt.table
        both = zip(table.hands, table.hidden, strict=True)
        return tuple(0 if hidden else hand for hand, hidden in both)

    @property
    def captured(self) -> tuple[int, ...]:
        """What each seat had captured at the end."""
        captured: tuple[int, ...] = self.ended.table.captured
        return captured

    @property
    def thrown(self) -> set[Thrown]:
        """The hatto cards: for captured yaku (H12, B10) and for 飛込み (H15)."""
        thrown = {Thrown(one.by, one.card) for one in getattr(self.ended, "throws", ())}
        debts = getattr(self.ended, "debts", ())
        return thrown | {Thrown(owes.seat, owes.card) for _, owes in debts}

    @property
    def paid(self) -> list[PaidFor]:
        """The payments for hatto that were not struck out in the end."""
        ledger = self.ended.result.ledger
        due = {(line.label, line.amounts) for line in ledger if not line.void}
        return [
            PaidFor(Thrown(event.payer, event.cards), event.amounts)
            for event in self.pays
            if (event.label, event.amounts) in due
        ]


@dataclass(slots=True)
class GameFacts:
    """The deals of a game in order; one more than the verdict has if the last did not end."""

    rules: Machine[Any]
    deals: list[DealFacts] = field(default_factory=list)

    def order(self, deal: DealFacts) -> tuple[int, ...]:
        """Who took part in a deal that ended, in order of play."""
        playing = self.rules.in_play(deal.ended)
        order = turn_order(deal.ended.result.dealer, self.rules.players)
        return tuple(seat for seat in order if seat in playing)

    def decisions(self, deal: DealFacts) -> Iterator[Decision]:
        """The decisions of a deal: where one was due, with more than one legal word."""
        choice = RULESETS[self.rules.id].choice
        if choice is None:
            return
        for before, decision in deal.decisions_made:
            if len(self.rules.legal_actions(before)) < 2:
                continue
            stopped, _ = self.rules.apply(before, Say(choice.stop))
            table, seat = before.table, decision.seat
            others = (taken for i, taken in enumerate(table.captured, start=1) if i != seat)
            yield Decision(
                seat,
                decision.label,
                tuple(one.id for one in self.rules.yaku(before, seat)),
                table.hands[seat - 1].bit_count() + table.hidden[seat - 1],
                max(taken.bit_count() for taken in others),
                stopped.result.score[seat - 1],
            )


class Observer:
    """Collects the facts of one game; its `watch` is a `kafu.judging.playthrough.Watch`."""

    __slots__ = ("choice", "deal", "deciding", "facts")

    def __init__(self, rules: Machine[Any]) -> None:
        self.facts = GameFacts(rules)
        self.choice = RULESETS[rules.id].choice or ()
        self.deal = DealFacts()
        self.deciding: Any = None

    def watch(
        self, number: int, action: Action, state: State, events: tuple[Event, ...], _: list[str]
    ) -> None:
        """Record the facts of an action; the most frequent case, an action without any, comes
        first.
        """
        kind = type(action)
        if kind is Draw or kind is Play:
            if self.deal.opening is None:
                self._open(action, events)
            if not events or (len(events) == 1 and events[0].kind == "capture"):
                return
            if state.phase is Phase.DECIDE:
                self.deciding = state
        elif isinstance(action, Deal):
            self.deal = DealFacts(dealt=None if action.misdealt else state)
            self.facts.deals.append(self.deal)
        elif isinstance(action, Begin):
            self.deal.laid = state.table.field
        elif isinstance(action, Say) and events and events[0].label in self.choice:
            self.deal.decisions_made.append((self.deciding, events[0]))
        for event in events:
            if event.why == "hatto":
                self.deal.pays.append(event)
        if state.result is not None:
            self.deal.ended = state

    def _open(self, action: Any, events: tuple[Event, ...]) -> None:
        taken = events[0].cards if events and events[0].kind == "capture" else 0
        self.deal.opening = action.card, taken & ~action.card
