"""The facts of a game beyond its verdict, collected in the replay that judges it.

Statistics count these facts, and games are compared by them (`kafu.comparing.situations`). Only
what is certain is recorded: a hand only if all its cards are known, a decision only if there was a
choice. Every judged game pays for the collecting and few are queried, so slow computations are done
on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kafu.rules.play.actions import Deal, Say
from kafu.rules.play.machine import Machine, State
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS

#: The turns of a deal, from its beginning, of which the hand cards are recorded.
TURNS: Final = 3


class HandPlay(NamedTuple):
    """A card played from a hand, and what lay on the table before it; cards are masks.

    ``step`` is the number of the step before it (from 0, as `kafu.judging.replay` counts),
    ``paid`` what the deal had brought the seat before, ``captured`` the captured cards by seat,
    ``taken`` what the card captured.
    """

    step: int
    seat: int
    paid: int
    field: int
    captured: tuple[int, ...]
    card: int
    taken: int


class SpokenDecision(NamedTuple):
    """A word that may decide, in the state ``before``; ``step`` and ``paid`` as of `HandPlay`."""

    step: int
    seat: int
    paid: int
    before: Any
    word: str


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
    was misdealt), ``laid`` the field when the first card was played, ``plays`` the hand cards of
    the first `TURNS` turns, ``playing`` the seats in play then, ``spoken`` the words that may
    decide, ``ended`` the state after the end or None.
    """

    hands: tuple[int, ...] = ()
    laid: int = 0
    plays: list[HandPlay] = field(default_factory=list)
    playing: tuple[int, ...] = ()
    spoken: list[SpokenDecision] = field(default_factory=list)
    ended: Any = None

    @property
    def opening(self) -> tuple[int, int] | None:
        """The first card and what it captured (0: nothing); None before it is played."""
        return (self.plays[0].card, self.plays[0].taken) if self.plays else None

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

    def free_decisions(self, deal: DealFacts) -> Iterator[SpokenDecision]:
        """Yield the decisions of a deal that were due and had more than one legal word."""
        for spoken in deal.spoken:
            if len(self.rules.legal_actions(spoken.before)) > 1:
                yield spoken

    def decisions(self, deal: DealFacts) -> Iterator[Decision]:
        """Yield what is known of each of `free_decisions`."""
        choice = RULESETS[self.rules.id].choice
        if choice is None:
            return
        for _step, seat, _paid, before, word in self.free_decisions(deal):
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


class Observer:
    """Collects the facts of one game while it is played through.

    It is shown the hand cards of the first `TURNS` turns of each deal, and every decision.
    ``stated`` is the number of statements, calls and decisions of the deal so far.
    """

    __slots__ = ("choice", "deal", "facts", "stated", "stock")

    def __init__(self, rules: Machine[Any]) -> None:
        """Begin with no facts of a game by ``rules``."""
        self.facts = GameFacts(rules)
        self.choice = RULESETS[rules.id].choice or ()
        self.deal = DealFacts()
        self.stated = self.stock = 0

    def begin(self) -> None:
        """Forget everything: the game is played from its beginning (again)."""
        self.facts.deals = []

    def dealt(self, deal: Deal, state: State) -> None:
        """Record a deal that was laid out."""
        self.deal, self.stated = DealFacts(), 0
        if not deal.misdealt:
            held = zip(state.table.hands, state.table.hidden, strict=True)
            self.deal.hands = tuple([0 if hidden else hand for hand, hidden in held])
        self.facts.deals.append(self.deal)

    def plays(self, state: State, card: int, taken: int) -> None:
        """Record a hand card of ``state``, which may change, and what it captures (masks)."""
        table = state.table
        if not state.turn:
            self.stock = table.left
            self.deal.playing = self.facts.rules.in_play(state)
        # Each turn so far is two steps: a card from the hand and one from the stock.
        step = self.stated + 2 * state.turn
        there = state.seat, _paid_to(state), table.field, tuple(table.captured)
        self.deal.plays.append(HandPlay(step, *there, card, taken & ~card))

    def decides(self, state: State, word: str) -> None:
        """Record a decision that is about to be made in ``state``, which will change."""
        if word in self.choice:
            step = self.stated + state.turn + self.stock - state.table.left
            spoken = SpokenDecision(step, state.seat, _paid_to(state), state.copy(), word)
            self.deal.spoken.append(spoken)


def _paid_to(state: Any) -> int:
    """Return what the deal has brought the seat in turn so far, before its end."""
    lines = (entry.line for entry in getattr(state, "entries", ()))
    return sum([line.amounts[state.seat - 1] for line in lines if not line.void])
