"""Play of a recorded game on the ruleset's machine, up to the end or the first fault.

A record is played in place: the state changes with every action, and a consumer that needs a state
later copies it. After a fault the month is played again up to the fault, for the state before it.
Deals with kept steps have a new state for every action. A changed record of the same deals takes
over kept steps up to the change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Any, Final

from kafu import cards
from kafu.judging.actions import to_engine
from kafu.judging.months import check_statements, is_hidden, make_deal
from kafu.judging.outcome import Outcome, Step, make_fault
from kafu.judging.seen_cards import SeenCards
from kafu.notation import actions as letters
from kafu.notation.faults import Code
from kafu.notation.game import MOVES, Game, Half, Month, Statement
from kafu.notation.reading.canonical import find_halves
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    Begin,
    Deal,
    Draw,
    Illegal,
    Pile,
    Play,
    Say,
)
from kafu.rules.play.machine import (
    AT_DECISION,
    AT_STOCK,
    BETWEEN_DEALS,
    Machine,
    Phase,
    State,
)
from kafu.rules.rulesets import Unsupported, machine_of

#: Statements of the cards of a deal.
_DEALT: Final = frozenset(("month", "draw", "split", "hand", "field", "stock"))
#: Statements between the cards and the turns.
_DECLARED: Final = frozenset(("blind", "swap", "bid", "show"))
#: Statements after which no more hands are declared.
_BEGUN: Final = frozenset(("show", *MOVES))
_MISDEALT: Final = frozenset(("misdeal", "mismatch"))
#: Actions that are not written, and no steps of a replay.
_UNWRITTEN: Final = (Begin, Pile)


class Playthrough:
    """The playthrough of a game: the present position and the results so far.

    `steps` yields the actions with their events. `advance` is faster: it yields the playthrough
    itself after every action. ``number`` is the number of the deal from 1, ``count`` the number of
    its actions so far.
    """

    def __init__(
        self,
        game: Game,
        machine: Machine[Any],
        before: Outcome | None = None,
        known: int = 0,
        kept: Container[int] = (),
    ) -> None:
        """Start after the first ``known`` deals, whose results are in the outcome ``before``.

        ``before`` belongs to any record that begins with the same deals. The steps of the deals
        ``kept`` (numbers) are added to the outcome.
        """
        self.machine = machine
        self.state: State = machine.start()
        game = replace(game, months=list(game.months))
        self.outcome = Outcome(game, self.state, machine=machine)
        self.open_end = game.termination != "normal"
        self.known = known
        self.number = self.count = 0
        #: The last action.
        self.action: Action = Begin()
        #: Whether the cards of hidden hands are still to be seen.
        self.is_scout = False
        #: Whether somebody sees the cards of canonical movetext.
        self._is_watched = True
        #: The numbers of deals with kept steps, the steps of this deal if kept, and the steps that
        #: ``before`` has of this deal, as far as they are not known to differ.
        self.kept = kept
        self._steps: list[Step] | None = None
        self._played_before: Sequence[Step] = ()
        #: Whether each step is forgotten before the next one, and can be played in place.
        self._is_streamed = False
        self.turn: int | None = None
        #: The actions of the last turn of the month so far, as written, and its seat.
        self.parts: list[letters.Action] = []
        self.seat = 0
        #: Candidates for the place of a fault, the best first.
        self.where: tuple[str, ...] = ()
        #: The number of unwritten actions of the month.
        self._unwritten = 0
        #: Whether the month has unknown cards in a hand, and its canonical movetext, if played.
        self._is_hidden = False
        self._halves: Sequence[Half | None] | None = None
        if before is not None:
            self._take_over(before, known)

    @classmethod
    def of(cls, game: Game, kept: Container[int] = ()) -> Playthrough:
        """Return the playthrough of a record by its own rules, with the steps of ``kept`` deals.

        Raise `Unsupported` for a score sheet, and for rules that this version does not play.
        """
        if game.is_sheet:
            raise Unsupported(f"{game.rules} sheet")
        machine = machine_of(game.rules, game.options, len(game.players))
        return cls(game, machine, kept=kept)

    def _take_over(self, before: Outcome, known: int) -> None:
        outcome = self.outcome
        self.state = before.begun[known] if known < len(before.begun) else before.state
        outcome.state, self.state.heard = self.state, None
        outcome.game.months[:known] = before.game.months[:known]
        outcome.begun += before.begun[:known]
        outcome.deals += before.deals[:known]
        outcome.steps += before.steps[:known]
        outcome.warnings += [
            warning for warning in before.warnings if warning.deal and warning.deal <= known
        ]
        outcome.hidden |= {i: state for i, state in before.hidden.items() if i <= known}
        outcome.played |= {i: steps for i, steps in before.played.items() if i <= known}
        outcome.unknown = before.unknown
        self._played_before = before.played.get(known + 1, ())

    def run(self) -> Outcome:
        """Play up to the end or the first fault and return the outcome."""
        self._is_watched = False
        deque(self.advance(), 0)
        return self.outcome

    def steps(self) -> Iterator[Step]:
        """Play, and yield every action with its events. The next step changes the state."""
        self._is_streamed = True
        self.kept = range(1, len(self.outcome.game.months) + 1)
        for _ in self.advance():
            assert self._steps is not None
            yield self._steps.pop()

    def advance(self) -> Iterator[Playthrough]:
        """Play, and yield after every action."""
        outcome, months = self.outcome, self.outcome.game.months
        try:
            for i in range(self.known, len(months)):
                month, is_last = months[i], i == len(months) - 1
                self.number = i + 1
                outcome.begun.append(self.state)
                self._is_hidden = is_hidden(month)
                self._halves = None if self._is_hidden else find_halves(month)
                try:
                    yield from self._play_month(month, last=is_last)
                    is_plain = self._halves is None or not self.state.table.unnamed
                except Illegal:
                    if self._halves is None:
                        raise
                    is_plain = False
                if not is_plain:  # The turns have the places for a fault or warnings.
                    self.state, self._halves = outcome.begun[i], None
                    deque(self._play_month(month, last=is_last), 0)
                self._end_month()
            if self.state.phase is not Phase.OVER:
                outcome.stopped = True
                if not self.open_end:
                    self.turn, self.where = None, ("month",)
                    raise Illegal(codes.GAME_SHORT)
        except Illegal as illegal:
            self._stop(illegal)

    def _end_month(self) -> None:
        outcome, state = self.outcome, self.state
        outcome.state, self._played_before = state, ()
        outcome.steps.append(self.step + (state.result is not None))
        if state.result is not None:
            outcome.deals.append(state.result)
            if self._is_hidden:
                outcome.hidden[self.number] = state

    def _stop(self, illegal: Illegal) -> None:
        """Record a fault, and return to the state before it."""
        outcome, turn, where = self.outcome, self.turn, self.where
        if illegal.where:
            turn, where = None, (illegal.where, *where)
        outcome.fault = make_fault(
            outcome.game, self.number, illegal.code, where, illegal.values, illegal.expected, turn
        )
        outcome.refused, outcome.turn, outcome.turn_seat = illegal.action, self.parts, self.seat
        if illegal.action is not None:
            self._return_before_fault()
        if self.count and len(outcome.steps) < self.number:
            outcome.steps.append(self.step + (self.state.result is not None))
        outcome.state = self.state

    def _return_before_fault(self) -> None:
        """Return to the state before a refused action; played in place, play the month again."""
        if self._steps is None or self._is_streamed:
            again = Playthrough(self.outcome.game, self.machine, self.outcome, self.number - 1)
            again.is_scout = self.is_scout
            deque(islice(again.advance(), self.count), 0)
            self.state = again.state

    # The present position -------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The number of the last action in the deal, as in `kafu.judging.replay`."""
        return self.count - self._unwritten - 1

    def _warn(self, code: Code, **values: Any) -> None:
        game = self.outcome.game
        warning = make_fault(game, self.number, code, self.where, values, turn=self.turn)
        self.outcome.warnings.append(warning)

    def _apply(self, action: Action, comments: Sequence[str] = ()) -> Playthrough:
        """Apply an action to the state. Raise Illegal with the action."""
        try:
            if self._steps is None:
                state = self.machine.step(self.state, action)
            else:
                step = self._make_step(action, comments)
                self._steps.append(step)
                state = step.state
        except Illegal as illegal:
            illegal.action = action
            raise
        self.state, self.action = state, action
        self.count += 1
        self._unwritten += isinstance(action, _UNWRITTEN)
        if state.unproved:
            self._warn(codes.NOT_CHECKABLE, seat=state.unproved[0], what=state.unproved[1])
            if self._steps is None or self._is_streamed:
                state.unproved = None
        return self

    def _make_step(self, action: Action, comments: Sequence[str]) -> Step:
        """Return the step of an action; an action that was played before is not played again."""
        seat = 0 if isinstance(action, Deal) else self.state.seat
        if self.count < len(self._played_before):
            step = self._played_before[self.count]
            if type(step.action) is type(action) and step.action == action:
                return step._replace(comments=comments)
            self._played_before = ()
        play = self.machine.play if self._is_streamed else self.machine.apply
        return Step(self.number, action, seat, *play(self.state, action), comments)

    # A month --------------------------------------------------------------------------------------

    def _play_month(self, month: Month, *, last: bool) -> Iterator[Playthrough]:
        self.turn, self.where = None, ("month",)
        self.count = self._unwritten = 0
        self.parts, self._steps = [], None
        if self.number in self.kept:
            self._steps = self.outcome.played[self.number] = []
        written = month.statements if self._halves is None else month.written
        statements = {statement.keyword: statement for statement in written}
        check_statements(statements, self.machine)
        redeal, void = statements.get("redeal"), statements.get("void")
        ends = [end.value[0].say for end in (redeal, void) if end is not None]
        misdealt = not _MISDEALT.isdisjoint(ends)
        hidden = self._is_hidden
        dealt = self._add_seen_cards(month, last=last) if hidden and not misdealt else month
        is_kept = self._steps is not None
        dealing = [item.comments for item in written if item.keyword in _DEALT] if is_kept else ()
        comments = [text for texts in dealing for text in texts]
        yield self._apply(make_deal(dealt, misdealt), comments)
        if not misdealt:
            # No card of the stock is ever turned if the month is dealt again.
            whole = redeal or ("stock" in statements and not statements["stock"].value[1])
            self.outcome.unknown |= not whole or hidden
        if self.state.phase is Phase.PILE or not _DECLARED.isdisjoint(statements):
            try:
                is_redealt = redeal is not None and misdealt
                yield from self._play_declarations(dealt, misdealt=is_redealt)
            except Illegal:
                if redeal or not misdealt:
                    raise
                # Declarations stay valid as far as the dealt cards allow (H25).
                self._return_before_fault()
        if redeal:
            self.where = ()
            yield from self._play_statement("redeal", redeal)
        if redeal or not misdealt:  # the turns of a void deal need not be playable (H25)
            is_over = void or (last and self.open_end)
            is_begun = self._halves or not _BEGUN.isdisjoint(statements) or not is_over
            if self.state.phase is Phase.SHOW and is_begun:
                movetext = statements.get("turns")
                yield self._apply(Begin(), movetext.comments if movetext else ())
            if self._halves is None:
                yield from self._play_turns(month)
            else:
                yield from self._play_halves(self._halves)
        if void:
            self.turn, self.where = None, ()
            yield from self._play_statement("void", void, played=month.played > 0)
        if self.state.phase not in BETWEEN_DEALS and not (last and self.open_end):
            yield from self._decide_by_default()
            raise Illegal(codes.DEAL_SHORT, seat=self.state.seat)

    def _add_seen_cards(self, month: Month, *, last: bool) -> Month:
        """Return a deal with hidden hands, completed with cards that are seen later (C9)."""
        if self.is_scout:
            return month
        seen = SeenCards(self.machine)
        scout = Playthrough(self.outcome.game, self.machine, self.outcome, self.number - 1)
        scout.is_scout, scout.number, scout._is_hidden = True, self.number, True
        try:
            for _ in scout._play_month(month, last=last):
                seen.add(scout.action, scout.state)
        except Illegal:
            pass  # the cards seen before the fault count
        return seen.complete(month)

    def _play_declarations(self, month: Month, *, misdealt: bool) -> Iterator[Playthrough]:
        """Play the statements between cards and turns, and the stock between bids and shows.

        Statements before a misdeal was noticed are checked like any other (C10, H22), but
        ``misdealt`` cards leave the stock open.
        """
        declared = [(key, item) for key, item in month.keyed() if item.keyword in _DECLARED]
        for key, statement in declared:
            if statement.keyword != "show":
                yield from self._play_statement(key, statement)
        if self.state.phase is Phase.PILE:
            pile = Pile(None, True) if misdealt else Pile(month.stock, month.stock_cut)
            yield self._apply(pile)
        #: The seats whose declarations are struck out later; rows contain no calls.
        disputed = [call.seat for call in month.actions("call") if call.say == "void-show"]
        for key, statement in declared:
            if statement.keyword == "show":
                seat = statement.value[0].seat
                if not (misdealt and self._tells_nothing(seat)):
                    changes = {"disputed": True} if seat in disputed else {}
                    yield from self._play_statement(key, statement, **changes)

    def _tells_nothing(self, seat: int) -> bool:
        """Return whether a misdealt hand tells nothing about a declaration by its size."""
        table = self.state.table
        hidden = table.hidden[seat - 1]
        tells = table.hands[seat - 1].bit_count() + hidden == self.machine.hand
        self.outcome.unknown |= bool(hidden) or not tells
        may_show = self.state.phase is Phase.SHOW and seat in self.machine.in_play(self.state)
        return may_show and not tells

    def _play_statement(
        self, key: str, statement: Statement, **values: Any
    ) -> Iterator[Playthrough]:
        """Play the actions of a statement; ``values`` are further fields of its last action."""
        self.where = (key, *self.where)
        *actions, last = map(to_engine, statement.value)
        for action in actions:
            yield self._apply(action)
        yield self._apply(last._replace(**values) if values else last, statement.comments)

    def _play_halves(self, halves: Sequence[Half | None]) -> Iterator[Playthrough]:
        """Play canonical movetext, without places."""
        state, machine = self.state, self.machine
        hand_card, stock_card = machine.hand_card, machine.stock_card
        is_kept = self._steps is not None
        is_seen = is_kept or self._is_watched
        for half, play_card in zip(halves, cycle((hand_card, stock_card)), strict=False):
            if half is None:
                if state.phase is AT_STOCK:
                    raise Illegal(codes.STOCK_MISSING)
                continue
            if state.phase is AT_DECISION:
                yield from self._decide_by_default()
            card, take, words = half
            if not is_kept:
                play_card(state, card, take)
            if is_seen:
                make = Draw if play_card is stock_card else Play
                action = make(card, take)
                yield self._apply(action) if is_kept else self._count_action(action)
                state = self.state
            for word in words:
                yield self._apply(Say(word)) if is_kept else self._say(word)
                state = self.state
        if not is_seen:
            self.count += len(halves) - halves.count(None)

    def _count_action(self, action: Action) -> Playthrough:
        """Count a played action of canonical movetext, and return the playthrough."""
        self.action = action
        self.count += 1
        return self

    def _say(self, word: str) -> Playthrough:
        """Say a word of canonical movetext."""
        self.machine.say(self.state, word)
        return self._count_action(Say(word))

    def _decide_by_default(self) -> Iterator[Playthrough]:
        """Make an awaited decision by the rules' default, as nothing is declared."""
        if decision := self.machine.unsaid(self.state):
            self.parts.append(letters.Action("say", say=decision.word))
            yield self._apply(decision)
        self.machine.undecided(self.state)

    def _play_turns(self, month: Month) -> Iterator[Playthrough]:
        """Play the turns, and the calls between turns."""
        number = calls = 0
        for i, statement in enumerate(month.statements):
            if statement.keyword == "call":
                self.where = ()
                yield from self._play_statement(f"call.{calls}", statement)
                calls += 1
            elif statement.keyword == "turn":
                yield from self._decide_by_default()
                key = f"turn.{number}"
                number += 1
                self.turn, self.where = number, (key,)
                self._check_prefix(statement, number)
                yield from self._play_turn(month, i, key, statement)

    def _check_prefix(self, turn: Statement, number: int) -> None:
        """Check the prefixes of a turn: its round number and its seat."""
        if self.state.phase in BETWEEN_DEALS:
            raise Illegal(codes.DEAL_OVER)
        round, place = divmod(number - 1, self.machine.round)
        due = round + 1
        if turn.round is not None and (turn.round != due or place):
            raise Illegal(codes.WRONG_ROUND, expected=(str(due),), round=turn.round, due=due)
        if turn.seat is not None and turn.seat != self.state.seat:
            due = self.state.seat
            if turn.seat not in self.machine.in_play(self.state):
                raise Illegal(codes.SEAT_OUT, expected=(str(due),), seat=turn.seat)
            raise Illegal(codes.WRONG_SEAT, expected=(str(due),), seat=turn.seat, due=due)

    def _play_turn(
        self, month: Month, index: int, key: str, turn: Statement
    ) -> Iterator[Playthrough]:
        """Play a turn, and complete it with omitted captures."""
        actions, self.parts = list(turn.value), []
        for i, action in enumerate(turn.value):
            is_last = i == len(actions) - 1
            if action.kind == "stock":
                yield from self._decide_by_default()
                self.where = (f"{key}.2", key)
            seat = self.state.seat
            before = self.state.table.captured[seat - 1]
            self._apply(to_engine(action), turn.comments if is_last else ())
            if action.card and not action.take:
                captured = self.state.table.captured[seat - 1] & ~before
                if captured:
                    take = cards.letters(captured & ~cards.BIT[action.card])
                    self._warn(codes.CAPTURE_LEFT_OUT, card=action.card, take=take)
                    actions[i] = action._replace(take=take)
            self.parts.append(actions[i])
            self.seat = self.seat if i else self.state.seat
            yield self
            # A decision to go on may precede the drawn card.
            if self.state.phase is AT_STOCK and (is_last or (turn.is_half and not i)):
                raise Illegal(codes.STOCK_MISSING)
        if (tuple(actions), None) != (turn.value, turn.seat):
            self._complete(month, index, replace(turn, value=tuple(actions), seat=None))

    def _complete(self, month: Month, index: int, turn: Statement) -> None:
        """Write a completed turn of ``month`` into the outcome's game, not into the record."""
        months = self.outcome.game.months
        if months[self.number - 1] is month:
            months[self.number - 1] = Month.of(list(month.statements))
        months[self.number - 1].written[index] = turn
