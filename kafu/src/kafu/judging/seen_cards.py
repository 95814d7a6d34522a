"""Cards of hidden hands that are seen later in a deal (C9).

A card played, laid open or shown was in the hand since the deal; a turned card was in the stock. A
deal with hidden hands is played once to see the cards, and again with the seen cards known. Then
the same functions as in a deal without hidden cards check the effects: H15 (b), a false
declaration, a false claim of exemption.
"""

from __future__ import annotations

from typing import Any

from kafu import cards
from kafu.notation.game import Month
from kafu.rules.play.actions import Action, Deal, Draw, Play, ShowAction, Swap
from kafu.rules.play.machine import Machine, State


class SeenCards:
    """The cards seen during a deal; `add` takes its actions in order."""

    def __init__(self, machine: Machine[Any]) -> None:
        self.machine = machine
        #: Seen cards (mask) of each dealt hand, by seat.
        self.hands: dict[int, int] = {}
        #: The cards turned, in order.
        self.turned = ""
        self.playing: tuple[int, ...] = ()
        self._holds: dict[int, int] = {}
        self._lead = 0

    def add(self, action: Action, state: State) -> None:
        """Record the cards shown by an action that led to ``state``."""
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
        return self._fill_last_hand(month.replace(hands=hands, stock=stock, stock_cut=cut))

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
        return month.replace(
            hands=month.hands | {seat: hand.replace(cards.UNKNOWN, "") + remaining}
        )
