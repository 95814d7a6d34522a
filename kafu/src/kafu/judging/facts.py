"""Facts of a game beyond the verdict, collected while the game is judged.

Statistics count these facts, and `kafu.comparing.situations` compares games by them. Only certain
facts are recorded: a hand with all cards known, a decision with a choice. Collecting costs time in
every judged game, and few games are queried; slow computations run on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kafu.rules.play.actions import Deal, Say
from kafu.rules.play.ledger import Thrown
from kafu.rules.play.machine import Machine, State
from kafu.rules.play.seating import turn_order
from kafu.rules.rulesets import RULESETS

#: The number of turns, from the beginning of a deal, with recorded hand cards.
TURNS: Final = 3


class HandPlay(NamedTuple):
    """A card played from a hand, and the table before it; cards are masks.

    ``step`` is the number of the step before it (from 0, as in `kafu.judging.replay`), ``paid`` the
    seat's payments in the deal so far, ``captured`` the captured cards by seat, ``taken`` the
    card's capture.
    """

    step: int
    seat: int
    paid: int
    field: int
    captured: tuple[int, ...]
    card: int
    taken: int


class SpokenDecision(NamedTuple):
    """A word that may decide, in the state ``before``; for ``step`` and ``paid`` see `HandPlay`."""

    step: int
    seat: int
    paid: int
    before: Any
    word: str


class Decision(NamedTuple):
    """A decision of a seat that could stop or go on.

    ``yaku`` are the seat's captured yaku, ``left`` counts the cards in hand, ``opponent`` the
    captured cards of the strongest opponent; ``stopped`` are the scores by seat after a stop.
    """

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stopped: tuple[int, ...]


class PaidFor(NamedTuple):
    """A ledger payment that the thrower of a hatto card made for other players too."""

    thrown: Thrown
    amounts: tuple[int, ...]


@dataclass(slots=True)
class DealFacts:
    """Facts of one deal; states are retained for later comparison, and cards are masks.

    ``hands`` are the dealt hands by seat, 0 for a hand with unknown cards (empty after a misdeal).
    ``laid`` is the field before the first card, ``plays`` are the hand cards of the first `TURNS`
    turns, ``playing`` the seats in play then, ``spoken`` the words with a decision. ``ended`` is
    the state after the end, or None.
    """

    hands: tuple[int, ...] = ()
    laid: int = 0
    plays: list[HandPlay] = field(default_factory=list)
    playing: tuple[int, ...] = ()
    spoken: list[SpokenDecision] = field(default_factory=list)
    ended: Any = None

    @property
    def opening(self) -> tuple[int, int] | None:
        """The first card and its capture (0: none); None before the first card."""
        return (self.plays[0].card, self.plays[0].taken) if self.plays else None

    @property
    def captured(self) -> tuple[int, ...]:
        """The captured cards of each seat at the end."""
        return tuple(self.ended.table.captured)

    @property
    def thrown(self) -> set[Thrown]:
        """The hatto cards of the deal with the seats that threw them (H12, H15, B10)."""
        thrown: set[Thrown] = self.ended.thrown
        return thrown

    @property
    def paid(self) -> list[PaidFor]:
        """The payments for hatto that were not struck out."""
        return [
            PaidFor(Thrown(entry.payer.seat, entry.payer.card), entry.line.amounts)
            for entry in self.ended.entries
            if entry.payer.why == "hatto" and not entry.line.void
        ]


@dataclass(slots=True)
class GameFacts:
    """The deals of a game in order, including a last deal without an end."""

    machine: Machine[Any]
    deals: list[DealFacts] = field(default_factory=list)

    def order(self, deal: DealFacts) -> tuple[int, ...]:
        """Return the seats that took part in an ended deal, in order of play."""
        playing = self.machine.in_play(deal.ended)
        order = turn_order(deal.ended.result.dealer, self.machine.players)
        return tuple(seat for seat in order if seat in playing)

    def free_decisions(self, deal: DealFacts) -> Iterator[SpokenDecision]:
        """Yield the due decisions of a deal with more than one legal word."""
        for spoken in deal.spoken:
            if len(self.machine.legal_actions(spoken.before)) > 1:
                yield spoken

    def decisions(self, deal: DealFacts) -> Iterator[Decision]:
        """Yield the known facts of each of `free_decisions`."""
        choice = RULESETS[self.machine.id].choice
        if choice is None:
            return
        for _step, seat, _paid, before, word in self.free_decisions(deal):
            stopped, _ = self.machine.apply(before, Say(choice.stop))
            table = before.table
            opponents = (
                captured for i, captured in enumerate(table.captured, start=1) if i != seat
            )
            yield Decision(
                seat,
                word,
                tuple(yaku.id for yaku in self.machine.yaku(before, seat)),
                table.hands[seat - 1].bit_count() + table.hidden[seat - 1],
                max(captured.bit_count() for captured in opponents),
                tuple(stopped.result.score),
            )


class Observer:
    """A collector of the facts of a game during play.

    Input: the hand cards of the first `TURNS` turns of each deal, and every decision. ``stated``
    counts the statements, calls and decisions of the current deal.
    """

    __slots__ = ("choice", "deal", "facts", "stated", "stock")

    def __init__(self, machine: Machine[Any]) -> None:
        """Prepare to observe a game by ``machine``."""
        self.facts = GameFacts(machine)
        self.choice = RULESETS[machine.id].choice or ()
        self.deal = DealFacts()
        self.stated = self.stock = 0

    def begin(self) -> None:
        """Forget all facts, before the game is played from its beginning."""
        self.facts.deals = []

    def dealt(self, deal: Deal, state: State) -> None:
        """Record a deal."""
        self.deal, self.stated = DealFacts(), 0
        if not deal.misdealt:
            held = zip(state.table.hands, state.table.hidden, strict=True)
            self.deal.hands = tuple([0 if hidden else hand for hand, hidden in held])
        self.facts.deals.append(self.deal)

    def plays(self, state: State, card: int, captured: int) -> None:
        """Record a hand card and its capture (masks), before ``state`` changes."""
        table = state.table
        if not state.turn:
            self.stock = table.left
            self.deal.playing = self.facts.machine.in_play(state)
        # A turn has two steps: a card from the hand and a card from the stock.
        step = self.stated + 2 * state.turn
        situation = state.seat, _paid_to(state), table.field, tuple(table.captured)
        self.deal.plays.append(HandPlay(step, *situation, card, captured & ~card))

    def decides(self, state: State, word: str) -> None:
        """Record a decision before ``state`` changes."""
        if word in self.choice:
            step = self.stated + state.turn + self.stock - state.table.left
            spoken = SpokenDecision(step, state.seat, _paid_to(state), state.copy(), word)
            self.deal.spoken.append(spoken)


def _paid_to(state: State) -> int:
    """Return the payments to the seat in turn before the end of the deal."""
    lines = (entry.line for entry in state.entries)
    return sum([line.amounts[state.seat - 1] for line in lines if not line.void])
