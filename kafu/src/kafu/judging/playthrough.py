"""Plays a recorded game on its ruleset's machine, up to its end or the first fault."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kafu import cards
from kafu.judging.foresight import Seen
from kafu.judging.places import placed
from kafu.notation import game as kafu
from kafu.notation.faults import Code, Fault, Spot
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    Blind,
    Call,
    Deal,
    Draw,
    Event,
    Illegal,
    Pile,
    Play,
    Redeal,
    Say,
    Show,
    Swap,
    Void,
)
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.verdict import DealResult

#: Called after every action: the deal's number, the action, the state after it, its events, and the
#: comments of the record at this place.
Watch = Callable[[int, Action, State, tuple[Event, ...], list[str]], None]

_IN_DEAL: Final = (
    Phase.BID,
    Phase.PILE,
    Phase.SHOW,
    Phase.HAND,
    Phase.STOCK,
    Phase.DECIDE,
)
_MISDEALT: Final = ("misdeal", "mismatch")


@dataclass(slots=True)
class Outcome:
    """How far a record could be played. ``game`` has omitted captures filled in, and seats that
    were rightly named before turns removed.

    ``deals`` are the deals that ended, ``state`` the last state, ``unknown`` whether a card of some
    deal is not recorded, ``unit`` as in `Machine`, ``stopped`` whether the record stops before the
    game ends (rightly, if it says so). ``rules`` are those that it was played by, ``hidden`` the
    states after the deals with unknown cards in a hand, by their numbers. With a ``fault`` the
    state is the one before it, ``refused`` the action that the rules do not allow, None if the
    fault is in no action (a wrong round number, an omitted decision).
    """

    game: kafu.Game
    state: Any
    deals: list[DealResult] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    fault: Fault | None = None
    refused: Action | None = None
    unit: int = 1
    unknown: bool = False
    stopped: bool = False
    rules: Machine[Any] | None = None
    hidden: dict[int, Any] = field(default_factory=dict)


def play(game: kafu.Game, rules: Machine[Any], watch: Watch | None = None) -> Outcome:
    """Play a record by ``rules``. Never raises for what the record says: see `Outcome.fault`."""
    player = _Player(game, rules, watch)
    try:
        player.run()
    except Illegal as illegal:
        player.outcome.fault = player.fault(illegal)
        player.outcome.state = player.state
        player.outcome.refused = illegal.action
    return player.outcome


class _Player:
    """The playthrough of one game: its position, and its results."""

    def __init__(self, game: kafu.Game, rules: Machine[Any], watch: Watch | None) -> None:
        self.rules = rules
        self.watch = watch
        self.state: Any = rules.start()
        game = replace(game, months=list(game.months))
        self.outcome = Outcome(game, self.state, unit=rules.unit, rules=rules)
        self.open_end = game.termination != "normal"
        self.scouting = False
        self.number = 0
        self.turn: int | None = None
        #: Where the walk stands, best spot first.
        self.where: tuple[Spot, ...] = ()

    def run(self) -> None:
        months = self.outcome.game.months
        for i, month in enumerate(months):
            self.number, self.turn = i + 1, None
            self.where = ("month",)
            self._month(month, last=i == len(months) - 1)
            self.outcome.state = self.state
        if self.state.phase is not Phase.OVER:
            self.outcome.stopped = True
            if not self.open_end:
                self.turn, self.where = None, ("month",)
                raise Illegal(codes.GAME_SHORT)

    def fault(self, illegal: Illegal) -> Fault:
        """The fault at the current place, or at the statement that it names."""
        turn, where = self.turn, self.where
        if illegal.where:
            turn, where = None, (illegal.where, *where)
        return self._fault(illegal.code, illegal.values, illegal.expected, turn, where)

    def _fault(
        self,
        code: Code,
        values: dict[str, Any],
        expected: tuple[str, ...],
        turn: int | None,
        where: tuple[Spot, ...],
    ) -> Fault:
        fault = Fault(code, None, None, self.number, turn, values, expected, where)
        return placed(fault, self.outcome.game)

    def _apply(self, action: Action, comments: list[str]) -> tuple[Event, ...]:
        try:
            self.state, events = self.rules.apply(self.state, action)
        except Illegal as illegal:
            illegal.action = action
            raise
        if events and events[-1].kind == "unproved":
            self._warn(codes.NOT_CHECKABLE, seat=events[-1].seat, what=events[-1].label)
        if self.watch is not None:
            self.watch(self.number, action, self.state, events, comments)
        return events

    # A month --------------------------------------------------------------------------------------

    def _month(self, month: kafu.Month, *, last: bool) -> None:
        self._no_alien_statements(month)
        misdealt = month.redeal == "misdeal" or month.void in _MISDEALT
        dealt = month if misdealt else self._foreseen(month, last=last)
        self._apply(
            _deal(dealt, misdealt),
            _notes(month, "month", "draw", "split", "hand", "field", "stock"),
        )
        if not misdealt:
            # No card of the stock is ever turned if the month is dealt again.
            whole = bool(month.redeal) or (month.stock is not None and not month.stock_cut)
            self.outcome.unknown |= not whole or _is_hidden(month)
            self._bids(dealt)
            self._shows(month)
        elif month.redeal:
            self._before_misdeal(month)
        elif month.void:
            try:  # the declarations keep their lines, as far as the dealt cards allow it (H25)
                self._bids(month)
                self._shows(month)
            except Illegal:
                pass
        if month.redeal:
            self.where = ("redeal",)
            self._apply(Redeal(month.redeal), _notes(month, "redeal"))
        if month.redeal or not misdealt:  # of a void deal they need not be playable (H25)
            self._turns(month, open_end=last and self.open_end)
        if month.void:
            self.turn, self.where = None, ("void",)
            played = any(isinstance(item, kafu.Turn) for item in month.turns)
            self._apply(Void(month.void, played), _notes(month, "void"))
        if self.state.phase in _IN_DEAL:
            if last and self.open_end:
                return
            self._silence()
            raise Illegal(codes.DEAL_SHORT, seat=self.state.seat)
        self.outcome.deals.append(self.state.result)
        if _is_hidden(month):
            self.outcome.hidden[self.number] = self.state

    def _before_misdeal(self, month: kafu.Month) -> None:
        """Bids and declarations before a misdeal was found are checked like any other (C10, H22). A
        hand written with a wrong number of cards says nothing about a declaration.
        """
        self._bids(month, misdealt=True)
        for i, show in enumerate(month.shows):
            table = self.state.table
            held, hidden = table.hands[show.seat - 1], table.hidden[show.seat - 1]
            tells = held.bit_count() + hidden == self.rules.hand
            self.outcome.unknown |= bool(hidden) or not tells
            may_show = self.state.phase is Phase.SHOW and show.seat in self.rules.in_play(
                self.state
            )
            if tells or not may_show:
                self._show(month, i)

    def _foreseen(self, month: kafu.Month, *, last: bool) -> kafu.Month:
        """C9: the deal with what is later seen of its hidden hands, as far as it can be played."""
        if self.scouting or not _is_hidden(month):
            return month
        seen = Seen(self.rules)
        scout = _Player(replace(self.outcome.game, months=[month]), self.rules, seen.watch)
        scout.scouting, scout.state, scout.number = True, self.state, 1
        try:
            scout._month(month, last=last)
        except Illegal:
            pass  # what was seen before the fault
        return seen.complete(month)

    def _no_alien_statements(self, month: kafu.Month) -> None:
        present = {
            "draw.0": month.draws,
            "split": month.split,
            "blind": month.blind,
            "swap.0": month.swaps,
            "bid": month.bids,
            "ba": month.ba,
        }
        for where, value in present.items():
            statement = where.partition(".")[0]
            if value and statement not in self.rules.statements:
                raise Illegal(codes.NO_PLACE, where=where, statement=statement)

    def _bids(self, month: kafu.Month, *, misdealt: bool = False) -> None:
        """The statements before the declarations: who goes in, with which hand; then the stock,
        which ``misdealt`` cards leave open.
        """
        if month.blind is not None:
            self.where = ("blind", *self.where)
            self._apply(Blind(month.blind), _notes(month, "blind"))
        for i, seat in enumerate(month.swaps):
            self.where = (f"swap.{i}", *self.where)
            self._apply(Swap(seat), _notes(month, f"swap.{i}"))
        for i, (seat, goes_in) in enumerate(month.bids, 1):
            self.where = ("bid", *self.where)
            last = i == len(month.bids)
            self._apply(Bid(seat, goes_in), _notes(month, "bid") if last else [])
        if self.state.phase is Phase.PILE:
            self._apply(Pile(None, True) if misdealt else Pile(month.stock, month.stock_cut), [])

    def _shows(self, month: kafu.Month) -> None:
        for i in range(len(month.shows)):
            self._show(month, i)

    def _show(self, month: kafu.Month, i: int) -> None:
        """The declaration number ``i`` (from 0), which the record may strike out later."""
        show = month.shows[i]
        self.where = (f"show.{i}", *self.where)
        disputed = any(
            isinstance(call, kafu.Call) and (call.word, call.seat) == ("void-show", show.seat)
            for call in month.turns
        )
        action = Show(show.seat, show.yaku, _mask(show.cards), disputed)
        self._apply(action, _notes(month, f"show.{i}"))

    def _turns(self, month: kafu.Month, *, open_end: bool) -> None:
        played_on = bool(month.turns or month.shows) or not (month.void or open_end)
        if self.state.phase is Phase.SHOW and played_on:
            self._apply(Begin(), _notes(month, "turns"))
        number = 0
        for i, item in enumerate(month.turns):
            if isinstance(item, kafu.Call):
                self.where = ((i, 1),)
                self._apply(Call(item.word, item.seat), item.comments)
                continue
            self._silence()
            number += 1
            self.turn, self.where = number, ((i, 1),)
            self._check_prefix(item, number)
            self._turn(month, i, item)

    def _check_prefix(self, turn: kafu.Turn, number: int) -> None:
        """A round number precedes the first turn of its round; a seat prefix names who moves."""
        if self.state.phase not in _IN_DEAL:
            raise Illegal(codes.DEAL_OVER)
        round, place = divmod(number - 1, self.rules.round)
        due = round + 1
        if turn.round is not None and (turn.round != due or place):
            raise Illegal(codes.WRONG_ROUND, expected=(str(due),), round=turn.round, due=due)
        if turn.seat is not None and turn.seat != self.state.seat:
            due = self.state.seat
            if turn.seat not in self.rules.in_play(self.state):
                raise Illegal(codes.SEAT_OUT, expected=(str(due),), seat=turn.seat)
            raise Illegal(codes.WRONG_SEAT, expected=(str(due),), seat=turn.seat, due=due)

    def _turn(self, month: kafu.Month, index: int, turn: kafu.Turn) -> None:
        quiet = [] if turn.turn or turn.say else turn.comments
        take = self._capture(Play(cards.BIT[turn.play], _mask(turn.take)), quiet)
        for word in turn.say1:
            self._apply(Say(word), [])
        if turn.turn:
            self._silence()
        take2 = turn.take2
        if turn.turn:
            self.where = ((index, 2), (index, 1))
            quiet = [] if turn.say else turn.comments
            take2 = self._capture(Draw(cards.BIT[turn.turn], _mask(turn.take2)), quiet)
        elif self.state.phase is Phase.STOCK:
            raise Illegal(codes.STOCK_MISSING)
        for i, word in enumerate(turn.say, 1):
            self._apply(Say(word), turn.comments if i == len(turn.say) else [])
        if self.state.phase is Phase.STOCK:  # the decision was to go on
            raise Illegal(codes.STOCK_MISSING)
        if (take, take2, None) != (turn.take, turn.take2, turn.seat):
            self._complete(month, index, replace(turn, take=take, take2=take2, seat=None))

    def _silence(self) -> None:
        """Nothing more is declared: an awaited decision is made by the rules' default."""
        if decision := self.rules.unsaid(self.state):
            self._apply(decision, [])
        self.rules.undecided(self.state)

    def _capture(self, action: Play | Draw, comments: list[str]) -> str:
        """Apply a part of a turn; the captured letters, with a warning if they were not written."""
        events = self._apply(action, comments)
        if not action.take:
            for event in events:
                if event.kind == "capture":
                    take = cards.letters(event.cards & ~action.card)
                    self._warn(codes.CAPTURE_LEFT_OUT, card=cards.letters(action.card), take=take)
                    return take
        return cards.letters(action.take)

    def _warn(self, code: Code, **values: Any) -> None:
        self.outcome.warnings.append(self._fault(code, values, (), self.turn, self.where))

    def _complete(self, month: kafu.Month, index: int, turn: kafu.Turn) -> None:
        """Put a completed turn of ``month`` into the outcome's game, leaving the original record
        alone.
        """
        months = self.outcome.game.months
        if months[self.number - 1] is month:
            months[self.number - 1] = replace(month, turns=list(month.turns))
        months[self.number - 1].turns[index] = turn


def _is_hidden(month: kafu.Month) -> bool:
    """Whether a dealt hand has cards that are not recorded."""
    return any(cards.UNKNOWN in hand for hand in month.hands.values())


def _deal(month: kafu.Month, misdealt: bool) -> Deal:
    return Deal(
        month.month,
        month.dealer,
        month.hands,
        month.field,
        month.stock,
        month.stock_cut,
        tuple(month.draws),
        month.split,
        misdealt,
    )


def _mask(letters: str) -> int:
    """A written set of cards as a mask. Raises Illegal if a card stands in it twice."""
    mask = cards.mask(letters)
    if mask.bit_count() != len(letters):
        twice = next(card for card in letters if letters.count(card) > 1)
        raise Illegal(codes.CARD_TWICE, card=twice)
    return mask


def _notes(month: kafu.Month, *keys: str) -> list[str]:
    return [
        text
        for key, texts in month.notes.items()
        if key in keys or key.partition(".")[0] in keys
        for text in texts
    ]
