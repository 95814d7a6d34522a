"""The table of a deal, in all rulesets: places of cards, legal captures, and the layout of deals.

Each card lies in one place (C3). A played or turned card must capture if possible (C2). Cards are
masks. The unknown cards of a partial record (C9) are counted, and every card with a known place is
recorded. Therefore a hidden hand can only play a card without a known place.

`shuffle` returns random deals, `lay_out` the checked table of a recorded deal (C3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Deal, Draw, Illegal, Pile, Play

_MATCH: Final = cards.MATCH

_FIELDS: Final = (
    "captured",
    "field",
    "hands",
    "hidden",
    "left",
    "seen",
    "stock",
    "sunk",
    "turned",
    "unnamed",
)
_bit: Final = cards.BIT.__getitem__


class TableCards:
    """The cards of a table, changed in place; masks, and lists with an item for each seat.

    ``stock`` are the known cards of the draw pile (one bit each) as dealt, ``turned`` the number of
    cards turned so far. ``left`` counts the whole remaining pile; ``stock`` may be shorter, with an
    unknown end. ``hidden`` counts the unknown cards of each hand. ``seen`` is every card with a
    place known now or earlier, ``sunk`` the cards at an unknown place of the draw pile, which no
    hand can have. ``unnamed`` counts the due captures not named by the record.
    """

    __slots__ = _FIELDS

    def __init__(
        self,
        hands: Iterable[int],
        hidden: Iterable[int],
        field: int,
        captured: Iterable[int],
        stock: tuple[int, ...],
        left: int,
        seen: int,
        sunk: int = 0,
        turned: int = 0,
        unnamed: int = 0,
    ) -> None:
        self.hands = list(hands)
        self.hidden = list(hidden)
        self.field = field
        self.captured = list(captured)
        self.stock = stock
        self.left = left
        self.seen = seen
        self.sunk = sunk
        self.turned = turned
        self.unnamed = unnamed

    def copy(self) -> TableCards:
        """Return an independent copy of the table."""
        return TableCards(
            self.hands,
            self.hidden,
            self.field,
            self.captured,
            self.stock,
            self.left,
            self.seen,
            self.sunk,
            self.turned,
            self.unnamed,
        )

    def replace(self, **changes: Any) -> TableCards:
        """Return a copy with some fields changed, by name; lists may be any sequences."""
        table = self.copy()
        for name, value in changes.items():
            setattr(table, name, list(value) if name in ("hands", "hidden", "captured") else value)
        return table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableCards) and all(
            getattr(self, name) == getattr(other, name) for name in _FIELDS
        )

    @property
    def ahead(self) -> tuple[int, ...]:
        """The known unturned cards of the draw pile, next first."""
        return self.stock[self.turned :]

    def play(self, i: int, card: int, take: int) -> int:
        """Play ``card`` from the hand at index ``i`` (seat ``i + 1``); return its capture (C2).

        ``take`` is the capture as written, 0 for none. Raise Illegal if the hand cannot have the
        card, or if the card must capture otherwise.
        """
        hand = self.hands[i]
        if hand & card:
            self.hands[i] = hand ^ card
        elif self.hidden[i] and not (self.seen | self.sunk) & card:
            self.hidden[i] -= 1
            self.seen |= card
        else:
            raise Illegal(
                codes.NOT_IN_HAND,
                expected=tuple(cards.letters(hand)) if not self.hidden[i] else (),
                card=cards.letters(card),
                seat=i + 1,
            )
        return self._lay(i, card, take)

    def turn(self, i: int, card: int, take: int) -> int:
        """Turn ``card`` from the draw pile for index ``i``; return the captured cards, as `play`.

        Raise Illegal if another card is on top, if the card is known to be elsewhere, or if the
        pile then has no room for the cards known to be in it.
        """
        turned = self.turned
        if turned < len(self.stock):
            if self.stock[turned] != card:
                due = cards.letters(self.stock[turned])
                raise Illegal(codes.WRONG_STOCK, expected=(due,), due=due, card=cards.letters(card))
            self.turned = turned + 1
        else:
            if not self._turnable() & card:
                if self.seen & card:
                    raise Illegal(codes.NOT_IN_STOCK, card=cards.letters(card))
                raise _no_room(self.sunk)
            self.seen |= card
            self.sunk &= ~card
        self.left -= 1
        return self._lay(i, card, take)

    def _lay(self, i: int, card: int, take: int) -> int:
        """Lay ``card`` on the field, or capture with it; return the captured cards."""
        match = self.field & _MATCH[card]
        if match != take or match.bit_count() == 2:
            take = self._resolve_capture(card, take)
        if take:
            self.field ^= take
            self.captured[i] |= take | card
        else:
            self.field |= card
        return take

    def _resolve_capture(self, card: int, take: int) -> int:
        """Return the checked capture of ``card``, and count a capture that the record left out."""
        self.unnamed += not take
        return capture(self.field, card, take)

    def before_discard(self, i: int, card: int, *, was_hidden: bool) -> TableCards:
        """Return the table as before ``card`` was discarded from the hand at index ``i``.

        The card captured nothing. ``was_hidden``: the card was an unknown card of the hand.
        """
        before = self.copy()
        before.field ^= card
        if was_hidden:
            before.hidden[i] += 1
            before.seen ^= card
        else:
            before.hands[i] |= card
        return before

    def reveal(self, seat: int, shown: int) -> None:
        """Lay ``shown`` cards of a hand open. Raise Illegal if the hand cannot have them (C3)."""
        i = seat - 1
        new = shown & ~self.hands[i]
        if new.bit_count() > self.hidden[i] or new & (self.seen | self.sunk):
            opened = cards.letters(shown)
            raise Illegal(codes.SHOW_CARDS, seat=seat, cards=opened, ruling="C3")
        self.hands[i] |= new
        self.hidden[i] -= new.bit_count()
        self.seen |= new

    def may_hold_four(self) -> int:
        """Return the first seat with a hand that may have four of a month; 0 for none.

        Unknown cards of a hand may be any unseen cards.
        """
        unseen = cards.ALL & ~(self.seen | self.sunk)
        for seat, (hand, hidden) in enumerate(zip(self.hands, self.hidden, strict=True), 1):
            for month in cards.MONTHS[1:]:
                if not month & ~(hand | unseen) and (month & ~hand).bit_count() <= hidden:
                    return seat
        return 0

    def give_fours(self, seat: int) -> None:
        """Give every four of a month on the field (シマ) to ``seat`` as captured cards."""
        group = fours(self.field)
        self.captured[seat - 1] |= group
        self.field &= ~group

    def swap(self, seat: int, partner: int) -> None:
        """Exchange the hands of two seats."""
        i, j = seat - 1, partner - 1
        hands, hidden = self.hands, self.hidden
        hands[i], hands[j] = hands[j], hands[i]
        hidden[i], hidden[j] = hidden[j], hidden[i]

    def fold(self, seats: Iterable[int]) -> None:
        """Move the hands of ``seats``, which are out, into the draw pile, to be shuffled in."""
        for i in (seat - 1 for seat in seats):
            self.sunk |= self.hands[i]
            self.left += self.hands[i].bit_count() + self.hidden[i]
            self.hands[i] = self.hidden[i] = 0
        self.seen &= ~self.sunk

    def stack(self, pile: Pile) -> None:
        """Set the draw pile as it is after the bids, checked as in `lay_out` (B5, T3).

        The pile must have room for the cards known to have gone into it.
        """
        stock = pile.stock or ""
        check_stock(stock, self.left, whole=pile.stock is not None and not pile.stock_cut)
        placed = self.seen
        for letter in stock:
            placed |= card_bit(letter, placed)
        missing = self.sunk & ~placed
        if missing.bit_count() > self.left - len(stock):
            raise _no_room(missing, where="stock")
        self.stock = tuple(cards.BIT[letter] for letter in stock)
        self.seen, self.sunk = placed, missing

    def plays(self, seat: int) -> list[Play]:
        """Return every card that ``seat`` can play from the hand, with every possible capture.

        A hidden hand can play any card that was not seen elsewhere.
        """
        unseen = cards.ALL & ~(self.seen | self.sunk) if self.hidden[seat - 1] else 0
        playable = self.hands[seat - 1] | unseen
        return [
            Play(card, take) for card in cards.bits(playable) for take in captures(self.field, card)
        ]

    def turns(self) -> list[Draw]:
        """Return every card that can be on top of the draw pile, with every possible capture."""
        turnable = self.ahead[0] if self.ahead else self._turnable()
        return [
            Draw(card, take) for card in cards.bits(turnable) for take in captures(self.field, card)
        ]

    def _turnable(self) -> int:
        """Return the possible top cards of a draw pile of unknown order."""
        if self.sunk and self.sunk.bit_count() == self.left:
            return self.sunk
        return cards.ALL & ~self.seen


def captures(field: int, card: int) -> tuple[int, ...]:
    """Return the possible captures of ``card`` from ``field`` (C2).

    Each is a mask; the result is ``(0,)`` for no match. Of two matching cards the player chooses
    one, of three all are captured.
    """
    match = field & cards.MATCH[card]
    if match.bit_count() == 2:
        low = match & -match
        return (low, match ^ low)
    return (match,)


def capture(field: int, card: int, take: int) -> int:
    """Return the capture of ``card`` by the rules.

    ``take`` is the written capture (0: nothing). A single possible capture need not be written
    (kafu.md §5). Raise Illegal for any other difference.
    """
    choices = captures(field, card)
    if take in choices:
        return take
    if not take and len(choices) == 1 and choices[0].bit_count() == 1:
        return choices[0]
    name, written = cards.letters(card), cards.letters(take)
    due = tuple(cards.letters(choice) for choice in choices if choice)
    if not due:
        raise Illegal(codes.CAPTURE_NOTHING, card=name, take=written)
    if not take:
        raise Illegal(codes.CAPTURE_MISSING, expected=due, card=name, due=" / ".join(due))
    raise Illegal(codes.CAPTURE_WRONG, expected=due, card=name, due=" / ".join(due), take=written)


def check_stock(stock: str, due: int, *, whole: bool) -> None:
    """Raise Illegal unless a draw pile has ``due`` cards, or at most ``due`` if not ``whole``."""
    if len(stock) != due if whole else len(stock) > due:
        raise Illegal(codes.STOCK_SIZE, count=len(stock), due=due, where="stock")


def _no_room(missing: int, where: str = "") -> Illegal:
    """Return the fault of a draw pile without room for cards that went into it (B5, T3)."""
    letters = cards.letters(missing)
    return Illegal(codes.STOCK_LACKS, where=where, expected=tuple(letters), cards=letters)


def card_bit(letter: str, placed: int, where: str = "stock") -> int:
    """Return a dealt card as a mask.

    Raise Illegal for a card outside the pack of 48, and for a card ``placed`` before.
    """
    if letter == cards.BLANK:
        raise Illegal(codes.CARD_ALIEN, card=letter, where=where)
    if placed & cards.BIT[letter]:
        raise Illegal(codes.CARD_TWICE, card=letter, where=where)
    return cards.BIT[letter]


def fours(group: int) -> int:
    """Return the cards of every month that is complete in ``group`` (シマ, 手四)."""
    return (group & group >> 1 & group >> 2 & group >> 3 & cards.FIRSTS) * 0b1111


def alike(group: int, least: int) -> int:
    """Return the cards in ``group`` of every month with at least ``least`` cards in it."""
    return group & sum(cards.by_count(group)[least - 1 :]) * 0b1111


def shuffle(
    random: Random, *, seats: Sequence[int], hand: int, field: int, pack: str = cards.LETTERS
) -> tuple[dict[int, str], str, str]:
    """Return a random deal: the hands, the field, and the remaining cards in order."""
    order = list(pack)
    random.shuffle(order)
    hands = {seat: cards.sort(order[i * hand : (i + 1) * hand]) for i, seat in enumerate(seats)}
    dealt = hand * len(seats)
    return hands, cards.sort(order[dealt : dealt + field]), "".join(order[dealt + field :])


def lay_out(
    deal: Deal,
    *,
    seats: tuple[int, ...],
    players: int,
    hand: int,
    field: int,
    stocked: bool = True,
) -> TableCards:
    """Return the checked table of a new deal.

    Each of ``seats`` has ``hand`` cards, the field ``field`` cards, and the draw pile the others.
    Each card of the pack must occur once (C3). ``players`` is the number of seats at the table.
    ``stocked``: the draw pile is recorded with the deal; otherwise it comes after the bids
    (`Pile`).

    Raise Illegal with ``where`` set to the statement at fault. A misdealt deal is not checked.
    """
    if plain := _lay_out_plain(deal, seats, players, hand, field, stocked=stocked):
        return plain
    checked = not deal.misdealt
    if checked:
        for seat in seats:
            dealt = deal.hands.get(seat)
            if dealt is None:
                raise Illegal(codes.HAND_MISSING, seat=seat, where="month")
            if len(dealt) != hand:
                raise Illegal(
                    codes.HAND_SIZE, seat=seat, count=len(dealt), due=hand, where=f"hand.{seat}"
                )
        if deal.field is None:
            raise Illegal(codes.FIELD_MISSING, where="month")
        if len(deal.field) != field:
            raise Illegal(codes.FIELD_SIZE, count=len(deal.field), due=field, where="field")
    pile = 48 - hand * len(seats) - field
    stock = (deal.stock or "") if stocked else ""
    if checked and stocked:
        check_stock(stock, pile, whole=deal.stock is not None and not deal.stock_cut)
    placed = 0
    for where, group in (
        *((f"hand.{seat}", dealt) for seat, dealt in sorted(deal.hands.items())),
        ("field", deal.field or ""),
        ("stock", stock),
    ):
        for letter in group:
            if letter == cards.UNKNOWN:
                continue
            placed |= card_bit(letter, placed, where) if checked else cards.BIT[letter]
    hands = tuple(deal.hands.get(seat, "") for seat in range(1, players + 1))
    return TableCards(
        hands=tuple(cards.mask(h.replace(cards.UNKNOWN, "")) for h in hands),
        hidden=tuple(h.count(cards.UNKNOWN) for h in hands),
        field=cards.mask(deal.field or ""),
        captured=(0,) * players,
        stock=tuple(cards.BIT[letter] for letter in stock),
        left=pile,
        seen=placed,
    )


def _lay_out_plain(
    deal: Deal, seats: tuple[int, ...], players: int, hand: int, field: int, *, stocked: bool
) -> TableCards | None:
    """Return the table of a deal with all cards known and right, else None.

    Nearly all deals are plain, and this way is faster.
    """
    count = hand * len(seats) + field
    laid, stock = deal.field, deal.stock if stocked else ""
    if laid is None or stock is None or deal.misdealt or len(deal.hands) != len(seats):
        return None
    if len(laid) != field or (stocked and len(stock) != 48 - count):
        return None
    hands = [0] * players
    try:
        for seat in seats:
            dealt = deal.hands[seat]
            if len(dealt) != hand:
                return None
            hands[seat - 1] = sum(map(_bit, dealt))
        lying = sum(map(_bit, laid))
        order = tuple(map(_bit, stock))
    except KeyError:
        return None
    placed = sum(hands) + lying + sum(order)
    # A card that occurs twice makes the sum exceed the pack, or have fewer bits than cards.
    if placed > cards.ALL or placed.bit_count() != count + len(order):
        return None
    nothing = (0,) * players
    return TableCards(hands, nothing, lying, nothing, order, 48 - count, placed)
