"""Facts of a game beyond the verdict, collected while the game is judged.

Statistics count these facts, and `kafu.comparing.situations` compares games by them. Only certain
facts are recorded: a hand with all cards known, a decision with a choice. Collecting costs time in
every judged game, and few games are queried; slow computations run on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kafu.judging.playthrough import Playthrough
from kafu.rules.play.actions import Begin, Deal, Draw, Play, Say
from kafu.rules.play.ledger import Thrown
from kafu.rules.play.machine import AT_DECISION, AT_HAND, Machine, State
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
    ``spoken`` is the word with its place and state.
    """

    seat: int
    word: str
    yaku: tuple[str, ...]
    left: int
    opponent: int
    stopped: tuple[int, ...]
    spoken: SpokenDecision


class Completion(NamedTuple):
    """A captured yaku that a seat completed in a deal, whether paid for or not.

    ``turn`` is the number of the seat's own turn, from 1.
    """

    seat: int
    yaku: str
    turn: int


class PaidFor(NamedTuple):
    """A ledger payment that the thrower of a hatto card made for other players too."""

    thrown: Thrown
    amounts: tuple[int, ...]


@dataclass(slots=True)
class DealFacts:
    """Facts of one deal; states are retained for later comparison, and cards are masks.

    ``hands`` are the dealt hands by seat, 0 for a hand with unknown cards (empty after a misdeal).
    ``laid`` is the field before the first card, ``plays`` are the hand cards of the first `TURNS`
    turns, ``playing`` the seats in play then, ``spoken`` the words with a decision. ``completed``
    are the captured yaku of all seats. ``ended`` is the state after the end, or None.
    """

    hands: tuple[int, ...] = ()
    laid: int = 0
    plays: list[HandPlay] = field(default_factory=list)
    playing: tuple[int, ...] = ()
    spoken: list[SpokenDecision] = field(default_factory=list)
    completed: list[Completion] = field(default_factory=list)
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

    def decisions(self, deal: DealFacts) -> Iterator[Decision]:
        """Yield the due decisions of a deal with more than one legal word."""
        choice = RULESETS[self.machine.id].choice
        if choice is None:
            return
        for spoken in deal.spoken:
            _step, seat, _paid, before, word = spoken
            if len(self.machine.legal_actions(before)) < 2:
                continue
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
                spoken,
            )


def collect_facts(playthrough: Playthrough) -> GameFacts:
    """Play a game through and return its facts.

    They are the hand cards of the first `TURNS` turns of each deal, every decision, and each yaku
    when a seat first has it.
    """
    machine, deal = playthrough.machine, DealFacts()
    facts, words = GameFacts(machine), RULESETS[machine.id].choice or ()
    #: The state before a decision, and the beginning of a `HandPlay` before a hand card.
    before: State | None = None
    situation: tuple[int, int, int, int, tuple[int, ...]] | None = None
    seat, judged = 0, [0] * machine.players
    for played in playthrough.advance():
        state, action = played.state, played.action
        if isinstance(action, Play | Draw):
            captured_by_seat = state.table.captured[seat - 1]
            if captured_by_seat != judged[seat - 1]:
                judged[seat - 1] = captured_by_seat
                _add_completions(deal, machine, state, seat)
        if isinstance(action, Play):
            if situation is not None:
                captured, i = state.table.captured, situation[1] - 1
                taken = captured[i] & ~situation[4][i] & ~action.card
                deal.playing = deal.playing or machine.in_play(state)
                deal.plays.append(HandPlay(*situation, action.card, taken))
        elif isinstance(action, Say):
            judged[seat - 1] = 0  # Houses have yaku that count after こいこい only.
            if before is not None and action.word in words:
                place = played.step - 1, before.seat, _paid_to(before)
                deal.spoken.append(SpokenDecision(*place, before, action.word))
        elif isinstance(action, Deal):
            deal, judged = _begin_deal(action, state), [0] * machine.players
            facts.deals.append(deal)
        elif isinstance(action, Begin):
            deal.laid = state.table.field
        before, situation, seat = None, None, state.seat
        if state.phase is AT_HAND:
            if state.turn < TURNS:
                table, paid = state.table, _paid_to(state)
                situation = (played.step, state.seat, paid, table.field, tuple(table.captured))
        elif state.phase is AT_DECISION and words:
            before = state.copy()
    outcome = playthrough.outcome
    for deal, state in zip(facts.deals, [*outcome.begun[1:], outcome.state], strict=False):
        if state.result is not None:
            deal.ended = state
    return facts


def _begin_deal(deal: Deal, state: State) -> DealFacts:
    """Return the facts of a deal before its first card."""
    if deal.misdealt:
        return DealFacts()
    held = zip(state.table.hands, state.table.hidden, strict=True)
    return DealFacts(tuple([0 if hidden else hand for hand, hidden in held]))


def _add_completions(deal: DealFacts, machine: Machine[Any], state: State, seat: int) -> None:
    """Add the yaku that a seat has for the first time after its card."""
    for yaku in machine.yaku(state, seat):
        if not any(made[:2] == (seat, yaku.id) for made in deal.completed):
            turn = (state.turn - 1) // len(machine.in_play(state)) + 1
            deal.completed.append(Completion(seat, yaku.id, turn))


def _paid_to(state: State) -> int:
    """Return the payments to the seat in turn before the end of the deal."""
    if not state.entries:
        return 0
    lines = (entry.line for entry in state.entries)
    return sum([line.amounts[state.seat - 1] for line in lines if not line.void])
