"""The knowledge of a seat at its choice, and the deals consistent with it.

A seat knows its hand, the field, all captured cards, the size of each hand, cards laid open in
declarations, and a stock card turned by itself. All other cards are equally likely to be
anywhere, given the sizes of hands and stock, with three restrictions:

- A declared hand, with the cards played from it since, must justify the declaration.
- If dealt hands are paid automatically (B6), paid hands lie open like declared ones, and an unpaid
  hand must be worth nothing.
- If certain dealt hands require a redeal of the month (K15), no such hand was dealt.

Nothing is inferred from choices: not from bids, silence, uncaptured cards, decisions, claims of
exemption (免除), or payments to seats that are out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import comb, perm
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.rules.play.actions import (
    Action,
    Begin,
    Bid,
    CallAction,
    Deal,
    Draw,
    Play,
    Say,
    ShowAction,
)
from kafu.rules.play.machine import AT_DECISION, AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.table import TableCards, captures

#: Maximum number of deals sampled until a deal is consistent with the declarations.
_TRIES: Final = 5_000
#: Hands at most whose fit is cached at a choice.
_CACHED: Final = 1 << 16


class Silent(NamedTuple):
    """The omission of an optional declaration: a dealt hand, a claim of exemption, going blind."""

    seat: int


#: An option at a choice.
Option = Action | Silent


class Unknowable(Exception):
    """A choice that cannot be analysed; ``reason`` is a key of `REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(REASONS[reason])
        self.reason = reason


#: Messages by the reason against an analysis.
REASONS: Final = {
    "hand": "the hand of the seat is not known",
    "count": "the cards of the record do not make a whole pack",
    "rare": "hardly any deal fits what was declared",
}


class PublicKnowledge:
    """Public information about the deal in play; `follow` updates it action by action.

    Attributes, with a card mask per seat: ``opened`` (laid open in declarations) and ``played``
    (played from the hand). By seat: ``shows`` (declarations) and ``worthless`` (seats whose hands
    are known to be worth nothing). ``undrawn`` is the size of the stock after the last turn,
    ``laid`` the state in which hands could be declared.
    """

    def __init__(self, machine: Machine[Any]) -> None:
        self.machine = machine
        self.opened: list[int] = []
        self.played: list[int] = []
        self.shows: dict[int, tuple[tuple[str, ...], int]] = {}
        self.undrawn = 0
        self.laid: State | None = None
        self.worthless: set[int] = set()
        #: Cache of `_fits_seat`, by seat and hand.
        self._fitting: dict[tuple[int, int], bool] = {}

    def copy(self) -> PublicKnowledge:
        """Return a copy, independent of later calls of `follow`."""
        copy = PublicKnowledge(self.machine)
        copy.opened, copy.played = list(self.opened), list(self.played)
        copy.shows, copy.worthless, copy.laid = dict(self.shows), self.worthless, self.laid
        copy.undrawn = self.undrawn
        return copy

    def follow(self, before: State, action: Action, state: State) -> None:
        """Add an action that led from ``before`` to ``state``."""
        self._fitting = {}
        if isinstance(action, Deal):
            self.opened, self.played = [0] * self.machine.players, [0] * self.machine.players
            self.shows, self.worthless, self.laid = {}, set(), None
        elif isinstance(action, ShowAction) and not action.disputed:
            self.shows[action.seat] = action.yaku, action.cards
            self.opened[action.seat - 1] = action.cards
        elif isinstance(action, Play):
            self.played[before.seat - 1] |= action.card
        if state.phase is Phase.SHOW and self.laid is None:
            self.laid = state
            if self.machine.pays_hands:
                self._open_paid_hands(state)
        if state.phase is Phase.HAND and not state.turn:
            table = state.table
            in_hands = sum(hand.bit_count() for hand in table.hands) + sum(table.hidden)
            self.undrawn = table.left - in_hands

    def _open_paid_hands(self, state: State) -> None:
        legal = self.machine.legal_actions(state)
        for seat in self.machine.in_play(state):
            if not state.table.hidden[seat - 1]:
                justified = _justified_shows(legal, seat)
                if justified:
                    self.shows[seat] = min(justified)
                    self.opened[seat - 1] = self.shows[seat][1]
                else:
                    self.worthless.add(seat)

    def fits(self, seat: int, hands: Sequence[int]) -> bool:
        """Return whether current ``hands`` (masks) justify the declarations of all other seats.

        ``seat`` is the observer, whose own declaration is not checked. No declaration depends on
        the hands of other seats.
        """
        for i, hand in enumerate(hands):
            dealt = hand | self.played[i]
            if dealt and i != seat - 1 and not self._fits_seat(i + 1, dealt):
                return False
        return True

    def _fits_seat(self, seat: int, dealt: int) -> bool:
        """Return whether a dealt hand (a mask) justifies what its seat has declared."""
        laid, show = self.laid, self.shows.get(seat)
        is_free = show is None and seat not in self.worthless
        if laid is None or (is_free and not self.machine.bars_hands):
            return True
        fit = self._fitting.get((seat, dealt))
        if fit is None:
            state, players = laid.copy(), range(1, self.machine.players + 1)
            table = state.table
            table.hands = [dealt if player == seat else 0 for player in players]
            table.hidden = [int(player != seat) for player in players]
            actions = self.machine.legal_actions(state)
            justified = set() if is_free else _justified_shows(actions, seat)
            fit = Begin() in actions and (not justified if show is None else show in justified)
            if len(self._fitting) >= _CACHED:
                self._fitting.clear()
            self._fitting[seat, dealt] = fit
        return fit

    def restricts_hands(self, seat: int) -> bool:
        """Return whether `fits` can be false for some hands unseen by ``seat``."""
        is_declared = any(opponent != seat for opponent in self.shows)
        return is_declared or self.machine.pays_hands or self.machine.bars_hands


def _justified_shows(legal: Sequence[Action], seat: int) -> set[tuple[tuple[str, ...], int]]:
    return {
        (show.yaku, show.cards)
        for show in legal
        if isinstance(show, ShowAction) and show.seat == seat
    }


def shuffle(cards_: list[int], random: Random) -> None:
    """Shuffle cards in place as `Random.shuffle` does, in half of its time."""
    getrandbits = random.getrandbits
    for i in range(len(cards_) - 1, 0, -1):
        bits = (i + 1).bit_length()
        j = getrandbits(bits)
        while j > i:
            j = getrandbits(bits)
        cards_[i], cards_[j] = cards_[j], cards_[i]


class View:
    """The knowledge of a seat at its choice, with the states consistent with it.

    ``seat`` is by default the seat in turn. ``turned`` is the mask of the open stock
    card, if any. A seat that ``is_blind`` has not looked at its hand. Raises Unknowable if the
    hand of the seat is not recorded or the recorded cards do not make a pack.
    """

    def __init__(
        self,
        public: PublicKnowledge,
        state: State,
        turned: int = 0,
        *,
        seat: int = 0,
        is_blind: bool = False,
    ) -> None:
        table = state.table
        seat = seat or state.seat
        #: The hand of the seat (a mask).
        self.hand = 0 if is_blind else table.hands[seat - 1]
        if table.hidden[seat - 1] and not is_blind:
            raise Unknowable("hand")
        self.public, self.state, self.seat, self.turned = public, state, seat, turned
        visible = self.hand | table.field | turned
        for captured in table.captured:
            visible |= captured
        #: For each unseen hand: seat index, open cards (a mask), and the number of covered cards.
        self.covered_hands: list[tuple[int, int, int]] = []
        for i, hand in enumerate(table.hands):
            count = hand.bit_count() + table.hidden[i]
            if (i == seat - 1 and not is_blind) or not count:
                continue
            opened = public.opened[i] & ~public.played[i]
            visible |= opened
            self.covered_hands.append((i, opened, count - opened.bit_count()))
        self.unseen = cards.ALL & ~visible
        self.covered = sum(count for _, _, count in self.covered_hands)
        self.stock = table.left - (1 if turned else 0)
        if self.unseen.bit_count() != self.covered + self.stock:
            raise Unknowable("count")
        #: Whether declarations exclude some deals.
        self.is_restricted = public.restricts_hands(seat)
        self._loose = list(cards.bits(self.unseen))

    def sample(self, random: Random) -> State:
        """Return a random consistent state; all consistent states are equally likely.

        Raises Unknowable if hardly any deal is consistent with the declarations.
        """
        loose = self._loose
        for _ in range(_TRIES):
            shuffle(loose, random)
            hands = self._fill_hands(loose)
            if not self.is_restricted or self.public.fits(self.seat, hands):
                return self._make_state(hands, loose[self.covered :])
        raise Unknowable("rare")

    def _fill_hands(self, order: Sequence[int]) -> list[int]:
        hands = [0] * len(self.state.table.hands)
        hands[self.seat - 1] = self.hand
        start = 0
        for i, opened, count in self.covered_hands:
            hand = opened
            for card in order[start : start + count]:
                hand |= card
            hands[i] = hand
            start += count
        return hands

    def _make_state(self, hands: list[int], stock: Sequence[int]) -> State:
        """Return the state with these hands; the first card of ``stock`` is turned next."""
        state = self.state.copy()
        table = state.table
        if state.phase is Phase.BID:
            # The stock is laid after the bids, from all cards not dealt.
            dealt = sum(hands) | table.field
            state.table = table.replace(hands=hands, hidden=[0] * len(hands), seen=dealt)
            return state
        order = (self.turned, *stock) if self.turned else tuple(stock)
        state.table = TableCards(
            hands, [0] * len(hands), table.field, table.captured, order, table.left, cards.ALL
        )
        return state

    # Enumeration ----------------------------------------------------------------------------------

    @property
    def draws(self) -> int:
        """Return the maximum number of covered stock cards still to be turned."""
        return self.stock - self.public.undrawn

    @property
    def count(self) -> int:
        """Return the number of arrangements of the hidden cards that can still be seen."""
        ways, left = 1, self.unseen.bit_count()
        for _, _, count in self.covered_hands:
            ways *= comb(left, count)
            left -= count
        return ways * perm(left, self.draws)

    def enumerate_states(self) -> Iterator[State]:
        """Yield a state for each consistent arrangement of the `count`; all are equally likely."""
        opened = self._fill_hands([0] * self.covered)
        for hands, stock in self._divide(0, opened, self.unseen):
            if self.is_restricted and not self.public.fits(self.seat, hands):
                continue
            loose = list(cards.bits(stock))
            for drawn in permutations(loose, self.draws):
                beneath = [card for card in loose if card not in drawn]
                yield self._make_state(list(hands), [*drawn, *beneath])

    def _divide(self, place: int, hands: list[int], unseen: int) -> Iterator[tuple[list[int], int]]:
        """Yield all fillings of the covered hands from index ``place`` on, and the cards left."""
        if place == len(self.covered_hands):
            yield hands, unseen
            return
        i, opened, count = self.covered_hands[place]
        for group in combinations(list(cards.bits(unseen)), count):
            hand = sum(group)
            filled = list(hands)
            filled[i] = opened | hand
            yield from self._divide(place + 1, filled, unseen & ~hand)


def list_turn_options(machine: Machine[Any], state: State, turned: int = 0) -> list[Option]:
    """Return the options of the seat in turn; an empty list outside of a choice.

    They are bids, hand cards with their captures (with 下げの取消し), captures of the stock card
    ``turned`` (a mask), or decisions.
    """
    phase = state.phase
    if phase is Phase.BID:
        return [action for action in machine.legal_actions(state) if isinstance(action, Bid)]
    if phase is AT_STOCK:  # a claim has no turned card
        takes = captures(state.table.field, turned) if turned else ()
        return [Draw(turned, take) for take in takes]
    if phase is not AT_HAND and phase is not AT_DECISION:
        return []
    options: list[Option] = []
    for action in machine.legal_actions(state):
        is_own_call = isinstance(action, CallAction) and action.seat == state.seat
        if is_own_call or isinstance(action, Play | Say):
            options.append(action)
    return options
