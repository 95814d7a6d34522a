"""The fast playthrough of a record, on a state that changes in place.

Faults, omitted captures and unknown cards need a place in the text or the state before; records
with such places are played again by `careful`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kafu import cards
from kafu.judging.facts import TURNS
from kafu.judging.walk import UNSTATED, Walk, read_mask
from kafu.notation.game import Call, Month, Move, Turn
from kafu.rules.play.actions import Action, CallAction
from kafu.rules.play.machine import AT_DECISION, AT_STOCK


class OutOfOrder(Exception):
    """Raised if the record must be played with care."""


class FastPlaythrough(Walk):
    """The playthrough of a game in order; `run` raises Illegal or OutOfOrder for any other game."""

    keeps_states = False

    def _apply(self, action: Action, comments: list[str]) -> None:
        self.state = self.machine.step(self.state, action)
        if self.state.unproved:
            raise OutOfOrder
        if self.observer and not isinstance(action, UNSTATED):
            self.observer.stated += 1

    def _add_seen_cards(self, month: Month, *, last: bool) -> Month:
        raise OutOfOrder

    def _say(self, word: str, comments: list[str]) -> None:
        if self.observer and self.state.phase is AT_DECISION:
            self.observer.decides(self.state, word)
        self.machine.say(self.state, word)
        if self.state.unproved:
            raise OutOfOrder
        if self.observer:
            self.observer.stated += 1

    def _play_turns(self, month: Month) -> None:
        state, observer, machine = self.state, self.observer, self.machine
        moves = month.moves
        for played, turned in self._read_moves(month) if moves is None else moves:
            if state.phase is AT_DECISION:
                self._decide_by_default()
            card, take, words = played
            if observer and state.turn < TURNS:  # an unnamed capture needs care
                observer.plays(state, card, take)
            machine.hand_card(state, card, take)
            if words:
                self._say_all(words)
            if turned is None:
                if state.phase is AT_STOCK:
                    raise OutOfOrder
                continue
            if state.phase is AT_DECISION:
                self._decide_by_default()
            card, take, words = turned
            machine.stock_card(state, card, take)
            if words:
                self._say_all(words)
        if state.table.unnamed:
            raise OutOfOrder

    def _say_all(self, words: tuple[str, ...]) -> None:
        for word in words:
            self._say(word, [])

    def _read_moves(self, month: Month) -> Iterator[Move]:
        """Yield the turns of a month, making the calls between them.

        Raises OutOfOrder at a wrong round or seat, Illegal for a capture that names a card twice.
        """
        number, has_seats = 0, False
        for item in month.turns:
            if isinstance(item, Call):
                self._apply(CallAction(item.word, item.seat), [])
                continue
            if item.round is not None and (item.round - 1) * self.machine.round != number:
                raise OutOfOrder
            number += 1
            if item.seat is not None:
                self._decide_by_default()
                if item.seat != self.state.seat:
                    raise OutOfOrder
                has_seats = True
            yield _make_move(item)
        if has_seats:
            self._remove_seats(month)

    def _remove_seats(self, month: Month) -> None:
        """Replace the month in the outcome by a copy without the correct seats of its turns."""
        turns = [item if isinstance(item, Call) else item.without_seat() for item in month.turns]
        game = self.outcome.game
        months = list(game.months)
        months[self.number - 1] = replace(month, turns=turns)
        self.outcome.game = replace(game, months=months)


def _make_move(turn: Turn) -> Move:
    """Convert a turn for the engine. Raise Illegal for a capture that names a card twice."""
    card, take = cards.BIT[turn.play], read_mask(turn.take)
    if not turn.turn:
        return (card, take, turn.say), None
    return (card, take, turn.say1), (cards.BIT[turn.turn], read_mask(turn.take2), turn.say)
