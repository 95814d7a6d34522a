"""The careful playthrough of a record, for faults, warnings and watchers.

Each state is retained, and each place in the text is known.

`SeenCards` collects later knowledge about a hidden hand (C9). A card played, laid open or shown was
in the hand since the deal; a turned card was in the stock. A deal with hidden hands is played once
to see the cards, and again with the seen cards known. Then the same functions as in a deal without
hidden cards check the effects: H15 (b), a false declaration, a false claim of exemption.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafu import cards
from kafu.judging.facts import TURNS, Observer
from kafu.judging.walk import IN_DEAL, UNSTATED, Known, Walk, place_fault, read_mask
from kafu.notation.faults import Code, Fault, Spot
from kafu.notation.game import Call, Game, Month, Turn
from kafu.rules import codes
from kafu.rules.play.actions import (
    Action,
    CallAction,
    Deal,
    Draw,
    Illegal,
    Play,
    PlayEvent,
    ShowAction,
    Swap,
)
from kafu.rules.play.machine import Machine, Phase, State

#: Called after every action with the deal's number, the action, the new state, its events, and the
#: record's comments on the action.
Watch = Callable[[int, Action, State, tuple[PlayEvent, ...], list[str]], None]


class SeenCards:
    """The cards seen during a deal; the method `watch` is a `Watch`."""

    def __init__(self, machine: Machine[Any]) -> None:
        self.machine = machine
        #: Seen cards (mask) of each dealt hand, by seat.
        self.hands: dict[int, int] = {}
        #: The cards turned, in order.
        self.turned = ""
        self.playing: tuple[int, ...] = ()
        self._holds: dict[int, int] = {}
        self._lead = 0

    def watch(
        self,
        number: int,
        action: Action,
        state: State,
        events: tuple[PlayEvent, ...],
        comments: list[str],
    ) -> None:
        """Record the cards shown by an action."""
        self.playing = self.machine.in_play(state)
        match action:
            case Deal():
                self._lead = action.dealer
            case Swap(seat):  # exchange with the hand dealt to the dealer (T4)
                own_hand, dealer_hand = (
                    self._find_dealt_seat(seat),
                    self._find_dealt_seat(self._lead),
                )
                self._holds[seat], self._holds[self._lead] = dealer_hand, own_hand
                self._lead = seat
            case ShowAction(seat, _, shown):
                self._add(seat, shown)
            case Play(card):
                self._add(state.seat, card)
            case Draw(card):
                self.turned += cards.letters(card)

    def _find_dealt_seat(self, seat: int) -> int:
        """Return the seat to which the present hand of ``seat`` was dealt."""
        return self._holds.get(seat, seat)

    def _add(self, seat: int, shown: int) -> None:
        dealt = self._find_dealt_seat(seat)
        self.hands[dealt] = self.hands.get(dealt, 0) | shown

    def complete(self, month: Month) -> Month:
        """Return the deal with all seen cards at their original places."""
        hands = {seat: self._fill_in(seat, hand) for seat, hand in month.hands.items()}
        stock = month.stock or ""
        cut = month.stock is None or month.stock_cut
        stock += self.turned[len(stock) :] if cut else ""
        completed = month.with_hands(hands)
        completed.stock, completed.stock_cut = stock, cut
        return self._fill_last_hand(completed)

    def _fill_in(self, seat: int, hand: str) -> str:
        """Return a hand with its unknown cards filled in from the seen cards."""
        if cards.UNKNOWN not in hand:
            return hand
        known_cards = hand.replace(cards.UNKNOWN, "")
        fresh = self.hands.get(seat, 0) & ~cards.mask(known_cards)
        return (known_cards + cards.letters(fresh)).ljust(len(hand), cards.UNKNOWN)

    def _fill_last_hand(self, month: Month) -> Month:
        """Fill in the last hidden hand from the remaining cards of the pack (C3).

        All other places must be known.
        """
        hidden = [seat for seat in self.playing if cards.UNKNOWN in month.hands.get(seat, "")]
        if len(hidden) != 1:
            return month
        seat = hidden[0]
        hand = month.hands[seat]
        lying = "".join([*month.hands.values(), month.field or "", month.stock or ""])
        remaining = "".join(card for card in cards.LETTERS if card not in lying)
        if len(remaining) != hand.count(cards.UNKNOWN):
            return month
        return month.with_hands(month.hands | {seat: hand.replace(cards.UNKNOWN, "") + remaining})


class CarefulPlaythrough(Walk):
    """The playthrough of any game; `run` raises Illegal at a fault, with the action."""

    keeps_states = True

    def __init__(
        self,
        game: Game,
        machine: Machine[Any],
        watch: Watch | None,
        observer: Observer | None,
        played_deals: Known | None = None,
    ) -> None:
        """Start before the first month that was not played; call ``watch`` after every action."""
        super().__init__(replace(game, months=list(game.months)), machine, observer)
        self.watch = watch
        self.scouting = False
        if played_deals is not None:
            self._take_over(played_deals)

    def _take_over(self, played_deals: Known) -> None:
        deals, before, outcome = played_deals.deals, played_deals.outcome, self.outcome
        self.known, self.state = deals, played_deals.state
        outcome.state = played_deals.state
        outcome.game.months[:deals] = before.game.months[:deals]
        outcome.deals += before.deals[:deals]
        outcome.warnings += [
            warning for warning in before.warnings if warning.deal and warning.deal <= deals
        ]
        outcome.hidden |= {i: state for i, state in before.hidden.items() if i <= deals}
        outcome.unknown = before.unknown

    def make_fault(self, illegal: Illegal) -> Fault:
        """Return the fault at the current place, or at the statement that it names."""
        turn, where = self.turn, self.where
        if illegal.where:
            turn, where = None, (illegal.where, *where)
        return self._make_fault(illegal.code, illegal.values, illegal.expected, turn, where)

    def _make_fault(
        self,
        code: Code,
        values: dict[str, Any],
        expected: tuple[str, ...],
        turn: int | None,
        where: tuple[Spot, ...],
    ) -> Fault:
        fault = Fault(code, None, None, self.number, turn, values, expected, where)
        return place_fault(fault, self.outcome.game)

    def _apply(self, action: Action, comments: list[str]) -> None:
        try:
            self.state, events = self.machine.apply(self.state, action)
        except Illegal as illegal:
            illegal.action = action
            raise
        if unproved := self.state.unproved:
            self._warn(codes.NOT_CHECKABLE, seat=unproved[0], what=unproved[1])
        if self.observer and not isinstance(action, UNSTATED):
            self.observer.stated += 1
        if self.watch is not None:
            self.watch(self.number, action, self.state, events, comments)

    def _add_seen_cards(self, month: Month, *, last: bool) -> Month:
        if self.scouting:
            return month
        observer = SeenCards(self.machine)
        game = replace(self.outcome.game, months=[month])
        scout = CarefulPlaythrough(game, self.machine, observer.watch, None)
        scout.scouting, scout.state, scout.number = True, self.state, 1
        try:
            scout._play_month(month, last=last)
        except Illegal:
            pass  # the cards seen before the fault count
        return observer.complete(month)

    def _play_turns(self, month: Month) -> None:
        number = 0
        for i, item in enumerate(month.turns):
            if isinstance(item, Call):
                self.where = ((i, 1),)
                self._apply(CallAction(item.word, item.seat), item.comments)
                continue
            self._decide_by_default()
            number += 1
            self.turn, self.where = number, ((i, 1),)
            self._check_prefix(item, number)
            self._play_turn(month, i, item)

    def _check_prefix(self, turn: Turn, number: int) -> None:
        """Check the prefixes of a turn: its round number and its seat."""
        if self.state.phase not in IN_DEAL:
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

    def _play_turn(self, month: Month, index: int, turn: Turn) -> None:
        quiet = [] if turn.turn or turn.say else turn.comments
        take = self._play_card(Play(cards.BIT[turn.play], read_mask(turn.take)), quiet)
        for word in turn.say1:
            self._say(word, [])
        if turn.turn:
            self._decide_by_default()
        take2 = turn.take2
        if turn.turn:
            self.where = ((index, 2), (index, 1))
            quiet = [] if turn.say else turn.comments
            take2 = self._play_card(Draw(cards.BIT[turn.turn], read_mask(turn.take2)), quiet)
        elif self.state.phase is Phase.STOCK:
            raise Illegal(codes.STOCK_MISSING)
        for i, word in enumerate(turn.say, 1):
            self._say(word, turn.comments if i == len(turn.say) else [])
        if self.state.phase is Phase.STOCK:  # the decision was to go on
            raise Illegal(codes.STOCK_MISSING)
        if (take, take2, None) != (turn.take, turn.take2, turn.seat):
            self._complete(month, index, replace(turn, take=take, take2=take2, seat=None))

    def _play_card(self, action: Play | Draw, comments: list[str]) -> str:
        """Apply a part of a turn and return the captured letters; warn of an omitted capture."""
        before, i = self.state, self.state.seat - 1
        self._apply(action, comments)
        captured = self.state.table.captured[i] & ~before.table.captured[i]
        if self.observer and isinstance(action, Play) and before.turn < TURNS:
            self.observer.plays(before, action.card, captured)
        if captured and not action.take:
            take = cards.letters(captured & ~action.card)
            self._warn(codes.CAPTURE_LEFT_OUT, card=cards.letters(action.card), take=take)
            return take
        return cards.letters(action.take)

    def _warn(self, code: Code, **values: Any) -> None:
        self.outcome.warnings.append(self._make_fault(code, values, (), self.turn, self.where))

    def _complete(self, month: Month, index: int, turn: Turn) -> None:
        """Write a completed turn of ``month`` into the outcome's game, not into the record."""
        months = self.outcome.game.months
        if months[self.number - 1] is month:
            months[self.number - 1] = replace(month, turns=list(month.turns))
        months[self.number - 1].turns[index] = turn
