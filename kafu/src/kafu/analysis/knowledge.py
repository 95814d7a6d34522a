"""What a seat knows at its choice, and the deals that fit it.

It knows its hand, field, captured cards, how many cards each hand has, cards laid open in
declarations, and the stock card that it has turned. All else is equally likely, with the hands and
the stock as large as they are, as long as

- each declared hand is one for which that declaration is right (with the cards that its player
  played since),
- where dealt hands are paid without a declaration (B6), what was paid lies open as if it had been
  declared, and a hand that was not paid is one for which nothing was due, and
- where a dealt hand would have had the month dealt again (K15), no hand is such a one.

Nothing is concluded from what others chose: not from a bid, a hand that might have been declared
and was not, a card not captured, or a decision; nor from a claim of exemption (免除), or from what
those who were shut out got.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, perm
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.rules.play.actions import Action, Begin, Bid, Call, Deal, Draw, Play, Say, Show
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.table import TableCards, captures

#: How many deals are tried for one that fits the declarations.
_TRIES: Final = 5_000


class Silent(NamedTuple):
    """A seat does not say what it may: its hand is not declared, an exemption not claimed, and it
    does not go in blind.
    """

    seat: int


#: What a choice may be made of.
Option = Action | Silent


class Unknowable(Exception):
    """A choice that cannot be analysed; ``reason`` is one of `REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


#: Why a choice cannot be analysed.
REASONS: Final = {
    "hand": "the hand of the seat is not known",
    "count": "the cards of the record do not make a whole pack",
    "rare": "hardly any deal fits what was declared",
}


class Deals:
    """What all saw of the deal in play; `after` follows its actions.

    ``opened`` and ``played`` are the cards (masks, a seat each) laid open in declarations, and
    played from the hands; ``shows`` the declarations by seat, and ``silent`` the seats whose hands
    are known to bring nothing; ``rest`` how many cards are left of the stock when the hands are
    played out. ``laid`` is the state when hands could be declared.
    """

    def __init__(self, rules: Machine[Any]) -> None:
        """Before the first deal."""
        self.rules = rules
        self.opened: list[int] = []
        self.played: list[int] = []
        self.shows: dict[int, tuple[tuple[str, ...], int]] = {}
        self.rest = 0
        self.laid: State | None = None
        self.silent: set[int] = set()

    def copy(self) -> Deals:
        """What was seen so far."""
        other = Deals(self.rules)
        other.opened, other.played = list(self.opened), list(self.played)
        other.shows, other.silent, other.laid = dict(self.shows), self.silent, self.laid
        other.rest = self.rest
        return other

    def after(self, before: State, action: Action, state: State) -> None:
        """An action was applied to ``before``, which stays as it was; ``state`` is the next."""
        if isinstance(action, Deal):
            self.opened, self.played = [0] * self.rules.players, [0] * self.rules.players
            self.shows, self.silent, self.laid = {}, set(), None
        elif isinstance(action, Show) and not action.disputed:
            self.shows[action.seat] = action.yaku, action.cards
            self.opened[action.seat - 1] = action.cards
        elif isinstance(action, Play):
            self.played[before.seat - 1] |= action.card
        if state.phase is Phase.SHOW and self.laid is None:
            self.laid = state
            if self.rules.pays_hands:
                self._paid(state)
        if state.phase is Phase.HAND and not state.turn:
            table = state.table
            held = sum(hand.bit_count() for hand in table.hands) + sum(table.hidden)
            self.rest = table.left - held

    def _paid(self, state: State) -> None:
        """The known hands of those who play lie open as far as they are paid."""
        for seat in self.rules.in_play(state):
            if not state.table.hidden[seat - 1]:
                right = _shows(self.rules, state, seat)
                if right:
                    self.shows[seat] = min(right)
                    self.opened[seat - 1] = self.shows[seat][1]
                else:
                    self.silent.add(seat)

    def fits(self, seat: int, hands: Sequence[int]) -> bool:
        """Whether the present ``hands``, as masks, fit what the others of ``seat`` declared."""
        laid = self.laid
        if laid is None:
            return True
        state = laid.copy()
        for i, hand in enumerate(hands):
            if hand or self.played[i]:
                state.table.hands[i] = hand | self.played[i]
                state.table.hidden[i] = 0
        actions = self.rules.legal_actions(state)
        if Begin() not in actions:
            return False
        for other in range(1, self.rules.players + 1):
            if other == seat:
                continue
            right = {(a.yaku, a.cards) for a in actions if isinstance(a, Show) and a.seat == other}
            show = self.shows.get(other)
            if show is not None and show not in right:
                return False
            if other in self.silent and right:
                return False
        return True

    def binds(self, seat: int) -> bool:
        """Whether some hands would not fit what the others of ``seat`` declared."""
        declared = any(other != seat for other in self.shows)
        return declared or self.rules.pays_hands or self.rules.bars_hands


def _shows(rules: Machine[Any], state: State, seat: int) -> set[tuple[tuple[str, ...], int]]:
    actions = rules.legal_actions(state)
    return {(a.yaku, a.cards) for a in actions if isinstance(a, Show) and a.seat == seat}


class View:
    """What a ``seat`` of ``state`` knows, that in turn unless one is given. Raises Unknowable if
    that is not enough.

    ``turned`` is the stock card (mask) that lies open, if one does; ``blind``: the seat has not
    looked at its hand.
    """

    def __init__(
        self,
        deals: Deals,
        state: State,
        turned: int = 0,
        *,
        seat: int = 0,
        blind: bool = False,
    ) -> None:
        table = state.table
        seat = seat or state.seat
        #: The cards of its hand.
        self.own = 0 if blind else table.hands[seat - 1]
        if table.hidden[seat - 1] and not blind:
            raise Unknowable("hand")
        self.deals, self.state, self.seat, self.turned = deals, state, seat, turned
        seen = self.own | table.field | turned
        for taken in table.captured:
            seen |= taken
        #: A seat's place, the cards of its hand that lie open, and how many do not: of each hand
        #: that the seat does not see.
        self.others: list[tuple[int, int, int]] = []
        for i, hand in enumerate(table.hands):
            count = hand.bit_count() + table.hidden[i]
            if (i == seat - 1 and not blind) or not count:
                continue
            opened = deals.opened[i] & ~deals.played[i]
            seen |= opened
            self.others.append((i, opened, count - opened.bit_count()))
        self.unseen = cards.ALL & ~seen
        self.covered = sum(count for _, _, count in self.others)
        self.stock = table.left - (1 if turned else 0)
        if self.unseen.bit_count() != self.covered + self.stock:
            raise Unknowable("count")
        #: Whether only some of all deals fit.
        self.bound = deals.binds(seat)
        self._loose = list(cards.bits(self.unseen))

    def sample(self, random: Random) -> State:
        """A state in which the hidden cards lie by chance, all that fit as likely. Raises
        Unknowable.
        """
        loose = self._loose
        for _ in range(_TRIES):
            random.shuffle(loose)
            hands = self._hands(loose)
            if not self.bound or self.deals.fits(self.seat, hands):
                return self._state(hands, loose[self.covered :])
        raise Unknowable("rare")

    def _hands(self, order: Sequence[int]) -> list[int]:
        hands = [0] * len(self.state.table.hands)
        hands[self.seat - 1] = self.own
        at = 0
        for i, opened, count in self.others:
            hand = opened
            for card in order[at : at + count]:
                hand |= card
            hands[i] = hand
            at += count
        return hands

    def _state(self, hands: list[int], stock: Sequence[int]) -> State:
        """The state with these hidden cards, whose next stock card is the first."""
        state = self.state.copy()
        table = state.table
        if state.phase is Phase.BID:  # the stock is laid after the bids, from all that is not seen
            held = sum(hands) | table.field
            state.table = table.replace(hands=hands, hidden=[0] * len(hands), seen=held)
            return state
        order = (self.turned, *stock) if self.turned else tuple(stock)
        state.table = TableCards(
            hands, [0] * len(hands), table.field, table.captured, order, table.left, cards.ALL
        )
        return state

    # All of them ----------------------------------------------------------------------------------

    @property
    def drawn(self) -> int:
        """How many cards of the stock that are not open yet will be turned at the most."""
        return self.stock - self.deals.rest

    @property
    def count(self) -> int:
        """In how many ways the hidden cards may lie, as far as they may come to be seen."""
        ways, left = 1, self.unseen.bit_count()
        for _, _, count in self.others:
            ways *= comb(left, count)
            left -= count
        return ways * perm(left, self.drawn)

    def every(self) -> Iterator[State]:
        """A state for each of `count` ways that fits; all are as likely."""
        for hands, rest in self._divided(0, self._hands([0] * self.covered), self.unseen):
            if self.bound and not self.deals.fits(self.seat, hands):
                continue
            loose = list(cards.bits(rest))
            for drawn in permutations(loose, self.drawn):
                beneath = [card for card in loose if card not in drawn]
                yield self._state(list(hands), [*drawn, *beneath])

    def _divided(self, at: int, hands: list[int], rest: int) -> Iterator[tuple[list[int], int]]:
        """The ways to fill the hands from the place ``at`` on, with the cards left over."""
        if at == len(self.others):
            yield hands, rest
            return
        i, opened, count = self.others[at]
        for group in combinations(list(cards.bits(rest)), count):
            hand = sum(group)
            filled = list(hands)
            filled[i] = opened | hand
            yield from self._divided(at + 1, filled, rest & ~hand)


def alternatives(rules: Machine[Any], state: State, turned: int = 0) -> list[Option]:
    """What the seat in turn may do at a choice: to go in or out; hand cards with their captures
    (and 下げの取消し), captures of the ``turned`` card, decisions; none elsewhere.
    """
    phase = state.phase
    if phase is Phase.BID:
        return [action for action in rules.legal_actions(state) if isinstance(action, Bid)]
    if phase is AT_STOCK:  # where no card is turned, a claim was made
        takes = captures(state.table.field, turned) if turned else ()
        return [Draw(turned, take) for take in takes]
    if phase is not AT_HAND and phase is not AT_DECISION:
        return []
    found: list[Option] = []
    for action in rules.legal_actions(state):
        own = isinstance(action, Call) and action.seat == state.seat
        if own or isinstance(action, Play | Say):
            found.append(action)
    return found
