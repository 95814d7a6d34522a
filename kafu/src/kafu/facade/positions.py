"""Cards laid out in the middle of a deal, and the comparison of positions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.facade.errors import BadValue
from kafu.rules.play.actions import Action, Begin, Bid, Deal, Pile
from kafu.rules.play.machine import AT_HAND, AT_STOCK, Machine, Phase, State
from kafu.rules.play.seating import turn_order
from kafu.rules.play.table import TableCards
from kafu.rules.rulesets import RULESETS, complete_options

#: Fields of a state without an effect on later actions.
_PAST: Final = frozenset(("deals", "heard", "result", "table", "unproved"))
#: The chaff of each month: a field of these has no grade, and needs no new deal.
_CHAFF: Final = cards.LETTERS[3::4]
#: The cards that the field and the stock can have.
_LYING: Final = cards.LETTERS + cards.BLANK


class Laid(NamedTuple):
    """The cards of a table as laid out: masks and numbers by seat, as in `TableCards`.

    ``stock`` are the known cards, the next one first. ``calls`` are the decisions to play on before
    the position; None if the state has them already.
    """

    hands: tuple[int, ...]
    hidden: tuple[int, ...]
    field: int
    captured: tuple[int, ...]
    stock: tuple[int, ...]
    left: int
    seat: int
    turn: int
    month: int
    calls: tuple[int, ...] | None = None

    @classmethod
    def of(cls, state: State) -> Laid:
        """Return the cards of a state."""
        table = state.table
        return cls(
            tuple(table.hands),
            tuple(table.hidden),
            table.field,
            tuple(table.captured),
            table.ahead,
            table.left,
            *(state.seat, state.turn, state.month),
        )

    def lay(self, machine: Machine[Any], state: State) -> State:
        """Return a copy of a state with these cards. Raises BadValue for impossible calls."""
        after = state.copy()
        seen = sum(self.hands) + self.field + sum(self.captured) + sum(self.stock)
        after.table = TableCards(
            self.hands, self.hidden, self.field, self.captured, self.stock, self.left, seen
        )
        after.seat, after.turn, after.month = self.seat, self.turn, self.month
        if self.calls is not None:
            try:
                machine.resume(after, self.calls)
            except ValueError as error:
                raise BadValue(str(error), code="bad-position") from None
        return after

    def hide(self, held: int, view: State) -> Laid:
        """Return the cards that a seat knows: the hand ``held``, and those of its ``view`` before.

        Masks; ``held`` may come from another seat, by a swap.
        """
        hands, hidden = list(self.hands), list(self.hidden)
        for i, hand in enumerate(self.hands):
            if hand != held:
                hands[i] = hand & view.table.hands[i]
                hidden[i] += (hand ^ hands[i]).bit_count()
        stock = self.stock[: view.phase is AT_STOCK]
        return self._replace(hands=tuple(hands), hidden=tuple(hidden), stock=stock)


class Position(NamedTuple):
    """A position before a hand card of ``seat``, in letters, as the arguments of `Table.at`."""

    hands: Sequence[str]
    field: str
    captured: Sequence[str]
    stock: str | None
    seat: int
    month: int
    calls: Sequence[int]
    dealer: int | None
    out: Sequence[int]


def lay_deal(
    machine: Machine[Any],
    state: State,
    hands: Sequence[str],
    field: str | None,
    stock: str | None,
    dealer: int | None,
) -> Deal:
    """Return the due deal of a state with the cards of `Table.lay_out`, which are not checked."""
    cards_ahead = stock and stock.removesuffix("...")
    due = machine.deal(state, Random(0))
    return due._replace(
        dealer=due.dealer if dealer is None else dealer,
        hands={seat: hand for seat, hand in enumerate(hands, 1) if hand},
        field=field,
        stock=cards_ahead,
        stock_cut=cards_ahead != stock,
    )


def open_deal(
    machine: Machine[Any], dealer: int, out: Sequence[int] = ()
) -> tuple[list[Action], State]:
    """Return the actions of a deal of unknown hands, and the state before the first card.

    The field has no grade, the seats ``out`` stay out, and nobody declares anything.
    """
    first = machine.deal(machine.start(), Random(0))
    hands = dict.fromkeys(range(1, machine.players + 1), cards.UNKNOWN * machine.hand)
    field: str | None = _CHAFF[: RULESETS[machine.id].field]
    if first.field is None:  # the seat with the blank card lays its hand on the field (T3)
        hands[out[0]] = f"{cards.BLANK}{field}"
        field = None
    deal = first._replace(dealer=dealer, hands=hands, field=field, stock=None)
    opening: list[Action] = [deal]
    state: State = machine.step(machine.start(), deal)
    while state.phase is not AT_HAND:
        action: Action = Begin()
        if state.phase is Phase.PILE:
            action = Pile(None)
        elif state.phase is Phase.BID:
            bids = [bid for bid in machine.legal_actions(state) if isinstance(bid, Bid)]
            action = next(bid for bid in bids if bid.goes_in != (bid.seat in out))
        opening.append(action)
        state = machine.step(state, action)
    return opening, state


def read_position(machine: Machine[Any], position: Position) -> tuple[list[Action], Laid]:
    """Return the actions that begin the deal of a position, and its cards.

    Raises BadValue unless the hands are those of a turn, and each card lies in one place.
    """
    hands, field, captured, stock, seat, month, calls, *_ = position
    players = machine.players
    if (len(hands), len(captured), len(calls or hands)) != (players,) * 3:
        _refuse(f"{players} hands need as many entries of captured cards and calls")
    out = _find_seats_out(machine, position)
    if seat in out:
        _refuse(f"seat {seat} stays out")
    turn = machine.hand * machine.round - sum(map(len, hands))
    seats = [number for number in turn_order(seat, players) if number not in out]
    dealer = position.dealer or seats[-turn % machine.round]
    order = [number for number in turn_order(dealer, players) if number not in out]
    if order[turn % machine.round] != seat:
        _refuse(f"after {turn} turns and dealer {dealer}, seat {order[turn % machine.round]} plays")
    for number, player in enumerate(order):
        due = machine.hand - turn // machine.round - (number < turn % machine.round)
        if len(hands[player - 1]) != due or not hands[seat - 1]:
            _refuse(f"hand {player} has {len(hands[player - 1])} cards before a turn of {seat}")
    known = (stock or "").removesuffix("...")
    left = 48 - machine.hand * machine.round - RULESETS[machine.id].field - turn
    lying = "".join([field, *captured])
    if len(lying) != 48 - sum(map(len, hands)) - left:
        _refuse(f"{len(lying)} cards on the field and captured, with {left} in the stock")
    is_whole = stock is not None and known == stock
    if len(known) != left if is_whole else len(known) > left:
        _refuse(f"{len(known)} cards in the stock, not {left}")
    placed = [card for card in "".join([*hands, lying, known]) if card != cards.UNKNOWN]
    if twice := {card for card in placed if placed.count(card) > 1}:
        _refuse(f"{min(twice)} lies in two places")
    return open_deal(machine, dealer, out)[0], Laid(
        tuple(cards.mask(hand.replace(cards.UNKNOWN, "")) for hand in hands),
        tuple(hand.count(cards.UNKNOWN) for hand in hands),
        cards.mask(field),
        tuple(map(cards.mask, captured)),
        tuple(cards.BIT[card] for card in known),
        left,
        *(seat, turn, month),
        tuple(calls),
    )


def _find_seats_out(machine: Machine[Any], position: Position) -> Sequence[int]:
    """Return the seats that stay out of a deal. Raises BadValue if their number is wrong."""
    count = machine.players - machine.round
    held = zip(position.hands, position.captured, strict=True)
    bare = [seat for seat, letters in enumerate(held, 1) if not any(letters)]
    out = tuple(set(position.out)) or (bare if count else ())
    if len(out) != count or not set(out) <= set(bare):
        _refuse(f"expected {count} seats out, without cards; found {len(out)}")
    return out


def _refuse(message: str) -> None:
    raise BadValue(message, code="bad-position")


def make_key(machine: Machine[Any], options: Mapping[str, str], state: State) -> Hashable:
    """Return a value that is equal for states with the same continuations, under equal rules."""
    table = state.table
    skipped = _PAST | (state.of_turn if state.phase is AT_HAND else frozenset())
    house = frozenset(complete_options(machine.id, options).items())
    cards_ = Laid.of(state)
    rest = tuple(_freeze(getattr(state, name)) for name in state.fields if name not in skipped)
    return machine.id, machine.players, house, cards_, table.sunk, rest


def _freeze(value: object) -> Hashable:
    """Return a value that can be hashed."""
    if isinstance(value, TableCards):
        lists = value.hands, value.hidden, value.captured
        return (*map(tuple, lists), value.field, value.ahead, value.left)
    assert isinstance(value, Hashable)
    return value


def check_letters(hands: Sequence[str], field: str | None, stock: str | None) -> None:
    """Raise BadValue for a letter that is no card of a hand, the field or the stock.

    A stock may end in ``...``.
    """
    lying = (field or "") + (stock or "").removesuffix("...")
    for group, letters in (("".join(hands), cards.ORDER), (lying, _LYING)):
        for letter in group:
            if letter not in letters:
                raise BadValue(
                    f"no such card: {letter!r}", code="unknown-card", values={"found": letter}
                )
