"""The facts of a game beyond its verdict, collected in the replay that judges it.

Statistics count these facts (`records.totals.tally`). Only what is certain is recorded: a hand only
if all its cards are known, a decision only if there was a choice. Every judged game pays for the
collecting and few are queried, so slow computations are done on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kafu.native import mypyc_attr
from kafu.rules.play.actions import Deal, Say
from kafu.rules.play.machine import Machine, State
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS


class Decision(NamedTuple):
    """A seat that could stop or go on, and its decision.

    ``yaku`` are the captured yaku it had, ``left`` its cards in hand, ``opponent`` the captured
    cards of the opponent who had most, ``stopped`` the scores by seat had it stopped.
    """

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stopped: tuple[int, ...]


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

    ``hands`` are the dealt hands, a seat each, 0 for one whose cards are not all known (none if it
    was misdealt), ``laid`` the field when the first card was played, ``opening`` that card and what
    it captured (0: nothing), or None, ``playing`` the seats in play then.
    ``decisions_made`` are the words that may decide, by seat, with the states before them,
    ``ended`` the state after the end or None.
    """

    hands: tuple[int, ...] = ()
    laid: int = 0
    opening: tuple[int, int] | None = None
    playing: tuple[int, ...] = ()
    decisions_made: list[tuple[Any, int, str]] = field(default_factory=list)
    ended: Any = None

    @property
    def captured(self) -> tuple[int, ...]:
        """What each seat had captured at the end."""
        return tuple(self.ended.table.captured)

    @property
    def thrown(self) -> set[Thrown]:
        """The hatto cards: for captured yaku (H12, B10) and for 飛込み (H15)."""
        thrown = {Thrown(one.by, one.card) for one in getattr(self.ended, "throws", ())}
        thrown |= {Thrown(owes.seat, owes.card) for _, owes in getattr(self.ended, "debts", ())}
        # Who let a three go and has the fourth at the end, which nobody has seen.
        return thrown | {
            Thrown(owes.seat, owes.card)
            for three, owes in getattr(self.ended, "let_go", ())
            if self.ended.table.hands[owes.seat - 1] & three.fourth
        }

    @property
    def paid(self) -> list[PaidFor]:
        """The payments for hatto that were not struck out in the end."""
        return [
            PaidFor(Thrown(entry.payer.seat, entry.payer.card), entry.line.amounts)
            for entry in getattr(self.ended, "entries", ())
            if entry.payer.why == "hatto" and not entry.line.void
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
        for before, seat, word in deal.decisions_made:
            if len(self.rules.legal_actions(before)) < 2:
                continue
            stopped, _ = self.rules.apply(before, Say(choice.stop))
            table = before.table
            others = (taken for i, taken in enumerate(table.captured, start=1) if i != seat)
            yield Decision(
                seat,
                word,
                tuple(one.id for one in self.rules.yaku(before, seat)),
                table.hands[seat - 1].bit_count() + table.hidden[seat - 1],
                max(taken.bit_count() for taken in others),
                tuple(stopped.result.score),
            )


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer:
    """Collects the facts of one game while it is played through.

    It is shown the first ``turns`` turns of each deal. ``stated`` counts what was said of the deal
    so far besides its cards: statements, calls, decisions.
    """

    __slots__ = ("choice", "deal", "facts", "stated", "turns")

    def __init__(self, rules: Machine[Any], turns: int = 1) -> None:
        """The facts of a game by ``rules``."""
        self.facts = GameFacts(rules)
        self.choice = RULESETS[rules.id].choice or ()
        self.deal = DealFacts()
        self.turns, self.stated = turns, 0

    def begin(self) -> None:
        """The game is played from its beginning (again)."""
        self.facts.deals = []

    def dealt(self, deal: Deal, state: State) -> None:
        """A deal was laid out."""
        self.deal, self.stated = DealFacts(), 0
        if not deal.misdealt:
            held = zip(state.table.hands, state.table.hidden, strict=True)
            self.deal.hands = tuple([0 if hidden else hand for hand, hidden in held])
        self.facts.deals.append(self.deal)

    def plays(self, state: State, card: int, taken: int) -> None:
        """In ``state``, which may change, a card is played and captures others (masks)."""
        if not state.turn:
            self.deal.opening = card, taken & ~card
            self.deal.playing = self.facts.rules.in_play(state)

    def decides(self, state: State, word: str) -> None:
        """A decision is about to be made in ``state``, which will change."""
        if word in self.choice:
            self.deal.decisions_made.append((state.copy(), state.seat, word))
