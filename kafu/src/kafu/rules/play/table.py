"""The table of a deal: the places of cards, and the legal captures, in all rulesets.

Each card lies in one place (C3), and what is played or turned must capture if it can (C2).

Cards are masks. Unknown cards of a partial record (C9) are counted, and every card with a known
place is recorded, so that a hidden hand can only play what it can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Deal, Draw, Illegal, Pile, Play


class TableCards(NamedTuple):
    """Who holds what. Masks; lists a seat; ``stock`` the known cards to come, next first (one bit
    each).

    ``hidden`` counts unknown cards a hand. ``left`` counts the whole stock, ``stock`` may be
    shorter (its rest unknown). ``seen`` is every card whose place is or was known, ``sunk`` those
    known to lie in the stock, though not where: no hand can hold them.
    """

    hands: tuple[int, ...]
    hidden: tuple[int, ...]
    field: int
    captured: tuple[int, ...]
    stock: tuple[int, ...]
    left: int
    seen: int
    sunk: int = 0

    def play(self, seat: int, card: int, named: int) -> tuple[TableCards, int]:
        """The table after ``seat`` played ``card`` from the hand, and what it captured (C2).

        ``named`` is the capture as written, 0 for none. Raises Illegal if the hand cannot hold the
        card, or if it must capture otherwise.
        """
        i = seat - 1
        hands, hidden, seen = self.hands, self.hidden, self.seen
        if hands[i] & card:
            hands = _put(hands, i, hands[i] ^ card)
        elif hidden[i] and not (seen | self.sunk) & card:
            hidden = _put(hidden, i, hidden[i] - 1)
            seen |= card
        else:
            raise Illegal(
                codes.NOT_IN_HAND,
                expected=tuple(cards.letters(hands[i])) if not hidden[i] else (),
                card=cards.letters(card),
                seat=seat,
            )
        take = capture(self.field, card, named)
        field, captured = self._lay(i, card, take)
        laid = TableCards(hands, hidden, field, captured, self.stock, self.left, seen, self.sunk)
        return laid, take

    def turn(self, seat: int, card: int, named: int) -> tuple[TableCards, int]:
        """The table after ``seat`` turned ``card`` from the stock, and what it captured; as `play`.

        Raises Illegal if another card lies on top, if the card is known to lie elsewhere, or if it
        leaves no room for those known to lie in the stock.
        """
        stock, seen = self.stock, self.seen
        if stock:
            if stock[0] != card:
                due = cards.letters(stock[0])
                raise Illegal(codes.WRONG_STOCK, expected=(due,), due=due, card=cards.letters(card))
            stock = stock[1:]
        elif not self._turnable() & card:
            if seen & card:
                raise Illegal(codes.NOT_IN_STOCK, card=cards.letters(card))
            raise _lacking(self.sunk)
        take = capture(self.field, card, named)
        field, captured = self._lay(seat - 1, card, take)
        seen |= card
        sunk, left = self.sunk & ~card, self.left - 1
        return TableCards(self.hands, self.hidden, field, captured, stock, left, seen, sunk), take

    def _lay(self, i: int, card: int, take: int) -> tuple[int, tuple[int, ...]]:
        if not take:
            return self.field | card, self.captured
        return self.field & ~take, _put(self.captured, i, self.captured[i] | take | card)

    def reveal(self, seat: int, shown: int) -> TableCards:
        """The table with ``shown`` cards of a hand laid open.

        Raises Illegal if the hand cannot hold them (C3).
        """
        i = seat - 1
        fresh = shown & ~self.hands[i]
        if fresh.bit_count() > self.hidden[i] or fresh & (self.seen | self.sunk):
            opened = cards.letters(shown)
            raise Illegal(codes.SHOW_CARDS, seat=seat, cards=opened, ruling="C3")
        return self._replace(
            hands=_put(self.hands, i, self.hands[i] | fresh),
            hidden=_put(self.hidden, i, self.hidden[i] - fresh.bit_count()),
            seen=self.seen | fresh,
        )

    def may_hold_four(self) -> int:
        """The first seat whose hand, as far as its cards are known, may have four of a month; 0 for
        none.
        """
        unseen = cards.ALL & ~(self.seen | self.sunk)
        for seat, (hand, hidden) in enumerate(zip(self.hands, self.hidden, strict=True), 1):
            for month in cards.MONTHS[1:]:
                if not month & ~(hand | unseen) and (month & ~hand).bit_count() <= hidden:
                    return seat
        return 0

    def give_fours(self, seat: int) -> TableCards:
        """The table with every four of a month on the field taken up by ``seat`` (シマ)."""
        taken = fours(self.field)
        captured = _put(self.captured, seat - 1, self.captured[seat - 1] | taken)
        return self._replace(field=self.field & ~taken, captured=captured)

    def swap(self, one: int, other: int) -> TableCards:
        """The table with the hands of two seats exchanged."""
        hands, hidden = list(self.hands), list(self.hidden)
        i, j = one - 1, other - 1
        hands[i], hands[j] = hands[j], hands[i]
        hidden[i], hidden[j] = hidden[j], hidden[i]
        return self._replace(hands=tuple(hands), hidden=tuple(hidden))

    def fold(self, seats: Sequence[int]) -> TableCards:
        """The table with the hands of those who are out given to the stock, to be shuffled in."""
        hands, hidden, sunk = list(self.hands), list(self.hidden), 0
        left = self.left
        for i in (seat - 1 for seat in seats):
            sunk |= hands[i]
            left += hands[i].bit_count() + hidden[i]
            hands[i] = hidden[i] = 0
        return self._replace(
            hands=tuple(hands), hidden=tuple(hidden), left=left, seen=self.seen & ~sunk, sunk=sunk
        )

    def stack(self, pile: Pile) -> TableCards:
        """The table with the stock as it lies after the bids, checked as in `lay_out`; the cards
        known to have gone into it must have room in it (B5, T3).
        """
        stock = pile.stock or ""
        _check_stock(stock, self.left, whole=pile.stock is not None and not pile.stock_cut)
        seen = self.seen
        for letter in stock:
            seen |= _known(letter, seen)
        missing = self.sunk & ~seen
        if missing.bit_count() > self.left - len(stock):
            raise _lacking(missing, where="stock")
        return self._replace(
            stock=tuple(cards.BIT[letter] for letter in stock), seen=seen, sunk=missing
        )

    def plays(self, seat: int) -> list[Play]:
        """Every card that ``seat`` can play from the hand with every capture it may make.

        A hidden hand can play any card that was not seen elsewhere.
        """
        unseen = cards.ALL & ~(self.seen | self.sunk) if self.hidden[seat - 1] else 0
        playable = self.hands[seat - 1] | unseen
        return [
            Play(card, take) for card in cards.bits(playable) for take in captures(self.field, card)
        ]

    def turns(self) -> list[Draw]:
        """Every card that can lie on top of the stock with every capture it may make."""
        turnable = self.stock[0] if self.stock else self._turnable()
        return [
            Draw(card, take) for card in cards.bits(turnable) for take in captures(self.field, card)
        ]

    def _turnable(self) -> int:
        """The possible top cards of a stock of unknown order."""
        if self.sunk and self.sunk.bit_count() == self.left:
            return self.sunk
        return cards.ALL & ~self.seen


def _put(row: tuple[int, ...], i: int, value: int) -> tuple[int, ...]:
    return (*row[:i], value, *row[i + 1 :])


def captures(field: int, card: int) -> tuple[int, ...]:
    """What ``card`` may capture from ``field`` (C2), each choice a mask; ``(0,)`` where nothing
    matches.

    Of two matching cards the player chooses one, of three they take all.
    """
    match = field & cards.MATCH[card.bit_length() - 1]
    if match.bit_count() == 2:
        low = match & -match
        return (low, match ^ low)
    return (match,)


def capture(field: int, card: int, take: int) -> int:
    """The capture of ``card`` by the rules, ``take`` being the written one (0: nothing).

    If only one capture is possible it need not be written (kafu.md §5). Raises Illegal otherwise.
    """
    choices = captures(field, card)
    if take in choices:
        return take
    if not take and len(choices) == 1 and choices[0].bit_count() == 1:
        return choices[0]
    name, named = cards.letters(card), cards.letters(take)
    due = tuple(cards.letters(choice) for choice in choices if choice)
    if not due:
        raise Illegal(codes.CAPTURE_NOTHING, card=name, take=named)
    if not take:
        raise Illegal(codes.CAPTURE_MISSING, expected=due, card=name, due=" / ".join(due))
    raise Illegal(codes.CAPTURE_WRONG, expected=due, card=name, due=" / ".join(due), take=named)


def shuffle(
    random: Random, *, seats: Sequence[int], hand: int, field: int, pack: str = cards.LETTERS
) -> tuple[dict[int, str], str, str]:
    """A pack dealt by chance: the hands, the field, the rest as it lies."""
    left = list(pack)
    random.shuffle(left)
    hands = {seat: cards.sort(left[i * hand : (i + 1) * hand]) for i, seat in enumerate(seats)}
    dealt = hand * len(seats)
    return hands, cards.sort(left[dealt : dealt + field]), "".join(left[dealt + field :])


def lay_out(
    deal: Deal,
    *,
    seats: tuple[int, ...],
    players: int,
    hand: int,
    field: int,
    stocked: bool = True,
) -> TableCards:
    """The table of a fresh deal, checked: hands of ``hand`` cards for ``seats``, ``field`` cards,
    the rest stock; each card of the pack once (C3). ``players`` is the number of seats at the
    table.

    ``stocked``: the stock lies as it was recorded; else it will only after the bids (`Pile`).

    Raises Illegal with ``where`` the statement at fault. A misdealt deal is laid out as it is.
    """
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
        _check_stock(stock, pile, whole=deal.stock is not None and not deal.stock_cut)
    seen = 0
    for where, group in (
        *((f"hand.{seat}", dealt) for seat, dealt in sorted(deal.hands.items())),
        ("field", deal.field or ""),
        ("stock", stock),
    ):
        for letter in group:
            if letter == cards.UNKNOWN:
                continue
            seen |= _known(letter, seen, where) if checked else cards.BIT[letter]
    hands = tuple(deal.hands.get(seat, "") for seat in range(1, players + 1))
    return TableCards(
        hands=tuple(cards.mask(h.replace(cards.UNKNOWN, "")) for h in hands),
        hidden=tuple(h.count(cards.UNKNOWN) for h in hands),
        field=cards.mask(deal.field or ""),
        captured=(0,) * players,
        stock=tuple(cards.BIT[letter] for letter in stock),
        left=pile,
        seen=seen,
    )


def _check_stock(stock: str, due: int, *, whole: bool) -> None:
    """Raise Illegal unless a stock has its number of cards, or fewer if its rest is unknown."""
    if len(stock) != due if whole else len(stock) > due:
        raise Illegal(codes.STOCK_SIZE, count=len(stock), due=due, where="stock")


def _lacking(missing: int, where: str = "") -> Illegal:
    """The fault of a stock without room for the cards that went into it (B5, T3)."""
    letters = cards.letters(missing)
    return Illegal(codes.STOCK_LACKS, where=where, expected=tuple(letters), cards=letters)


def _known(letter: str, seen: int, where: str = "stock") -> int:
    """A dealt card as a mask. Raises Illegal if it is none of the 48, or was ``seen`` before."""
    if letter == cards.BLANK:
        raise Illegal(codes.CARD_ALIEN, card=letter, where=where)
    if seen & cards.BIT[letter]:
        raise Illegal(codes.CARD_TWICE, card=letter, where=where)
    return cards.BIT[letter]


def fours(group: int) -> int:
    """The cards of every month of which all four are in ``group`` (シマ, 手四)."""
    return alike(group, 4)


def alike(group: int, least: int) -> int:
    """The cards in ``group`` of every month of which at least ``least`` are in it."""
    months = (group & month for month in cards.MONTHS[1:])
    return sum(held for held in months if held.bit_count() >= least)
