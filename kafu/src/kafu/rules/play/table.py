"""The table of a deal: the places of cards, and the legal captures, in all rulesets.

Each card lies in one place (C3), and what is played or turned must capture if it can (C2).

Cards are masks. Unknown cards of a partial record (C9) are counted, and every card with a known
place is recorded, so that a hidden hand can only play what it can hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Draw, Illegal, Pile, Play

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


class TableCards:
    """Who holds what; it changes as cards are played. Masks; lists a seat; ``stock`` the known
    cards of the stock as it lay, of which ``turned`` are gone (one bit each).

    ``hidden`` counts unknown cards a hand. ``left`` counts the whole stock, ``stock`` may be
    shorter (its rest unknown). ``seen`` is every card whose place is or was known, ``sunk`` those
    known to lie in the stock, though not where: no hand can hold them. ``unnamed`` counts the
    captures that were not named, though they must be made.
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
        """Another table of the same cards, which changes on its own."""
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
        """A copy with some fields changed, by name; lists may be any sequences."""
        other = self.copy()
        for name, value in changes.items():
            setattr(other, name, list(value) if name in ("hands", "hidden", "captured") else value)
        return other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableCards) and all(
            getattr(self, name) == getattr(other, name) for name in _FIELDS
        )

    @property
    def ahead(self) -> tuple[int, ...]:
        """The known cards of the stock that were not turned yet, next first."""
        return self.stock[self.turned :]

    def play(self, i: int, card: int, named: int) -> int:
        """Play ``card`` from the hand of place ``i`` (seat ``i + 1``); return its capture (C2).

        ``named`` is the capture as written, 0 for none. Raises Illegal if the hand cannot hold the
        card, or if it must capture otherwise.
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
        return self._lay(i, card, named)

    def turn(self, i: int, card: int, named: int) -> int:
        """Turn ``card`` from the stock for place ``i``; return its capture, as `play`.

        Raises Illegal if another card lies on top, if the card is known to lie elsewhere, or if it
        leaves no room for those known to lie in the stock.
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
                raise _lacking(self.sunk)
            self.seen |= card
            self.sunk &= ~card
        self.left -= 1
        return self._lay(i, card, named)

    def _lay(self, i: int, card: int, named: int) -> int:
        """Lay ``card`` on the field, or capture with it; return the cards that it captured."""
        match = self.field & _MATCH[card]
        if match != named or match.bit_count() == 2:
            named = self._chosen(card, named)
        if named:
            self.field ^= named
            self.captured[i] |= named | card
        else:
            self.field |= card
        return named

    def _chosen(self, card: int, named: int) -> int:
        """Return the capture of ``card`` where not all that matches was named, or two cards do."""
        self.unnamed += not named
        return capture(self.field, card, named)

    def before_discard(self, i: int, card: int, *, was_hidden: bool) -> TableCards:
        """The table as it was before ``card``, which captured nothing, was played from the hand of
        place ``i``; ``was_hidden``: as one of its unknown cards.
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
        """Lay ``shown`` cards of a hand open.

        Raises Illegal if the hand cannot hold them (C3).
        """
        i = seat - 1
        fresh = shown & ~self.hands[i]
        if fresh.bit_count() > self.hidden[i] or fresh & (self.seen | self.sunk):
            opened = cards.letters(shown)
            raise Illegal(codes.SHOW_CARDS, seat=seat, cards=opened, ruling="C3")
        self.hands[i] |= fresh
        self.hidden[i] -= fresh.bit_count()
        self.seen |= fresh

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

    def give_fours(self, seat: int) -> None:
        """Every four of a month on the field is taken up by ``seat`` (シマ)."""
        taken = fours(self.field)
        self.captured[seat - 1] |= taken
        self.field &= ~taken

    def swap(self, one: int, other: int) -> None:
        """Exchange the hands of two seats."""
        i, j = one - 1, other - 1
        hands, hidden = self.hands, self.hidden
        hands[i], hands[j] = hands[j], hands[i]
        hidden[i], hidden[j] = hidden[j], hidden[i]

    def fold(self, seats: Iterable[int]) -> None:
        """The hands of those who are out go to the stock, to be shuffled in."""
        for i in (seat - 1 for seat in seats):
            self.sunk |= self.hands[i]
            self.left += self.hands[i].bit_count() + self.hidden[i]
            self.hands[i] = self.hidden[i] = 0
        self.seen &= ~self.sunk

    def stack(self, pile: Pile) -> None:
        """The stock as it lies after the bids, checked as in `lay_out`; the cards known to have
        gone into it must have room in it (B5, T3).
        """
        stock = pile.stock or ""
        check_stock(stock, self.left, whole=pile.stock is not None and not pile.stock_cut)
        seen = self.seen
        for letter in stock:
            seen |= known(letter, seen)
        missing = self.sunk & ~seen
        if missing.bit_count() > self.left - len(stock):
            raise _lacking(missing, where="stock")
        self.stock = tuple(cards.BIT[letter] for letter in stock)
        self.seen, self.sunk = seen, missing

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
        turnable = self.ahead[0] if self.ahead else self._turnable()
        return [
            Draw(card, take) for card in cards.bits(turnable) for take in captures(self.field, card)
        ]

    def _turnable(self) -> int:
        """The possible top cards of a stock of unknown order."""
        if self.sunk and self.sunk.bit_count() == self.left:
            return self.sunk
        return cards.ALL & ~self.seen


def captures(field: int, card: int) -> tuple[int, ...]:
    """What ``card`` may capture from ``field`` (C2), each choice a mask; ``(0,)`` where nothing
    matches.

    Of two matching cards the player chooses one, of three they take all.
    """
    match = field & cards.MATCH[card]
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


def check_stock(stock: str, due: int, *, whole: bool) -> None:
    """Raise Illegal unless a stock has its number of cards, or fewer if its rest is unknown."""
    if len(stock) != due if whole else len(stock) > due:
        raise Illegal(codes.STOCK_SIZE, count=len(stock), due=due, where="stock")


def _lacking(missing: int, where: str = "") -> Illegal:
    """The fault of a stock without room for the cards that went into it (B5, T3)."""
    letters = cards.letters(missing)
    return Illegal(codes.STOCK_LACKS, where=where, expected=tuple(letters), cards=letters)


def known(letter: str, seen: int, where: str = "stock") -> int:
    """A dealt card as a mask. Raises Illegal if it is none of the 48, or was ``seen`` before."""
    if letter == cards.BLANK:
        raise Illegal(codes.CARD_ALIEN, card=letter, where=where)
    if seen & cards.BIT[letter]:
        raise Illegal(codes.CARD_TWICE, card=letter, where=where)
    return cards.BIT[letter]


def fours(group: int) -> int:
    """The cards of every month of which all four are in ``group`` (シマ, 手四)."""
    return (group & group >> 1 & group >> 2 & group >> 3 & cards.FIRSTS) * 0b1111


def alike(group: int, least: int) -> int:
    """The cards in ``group`` of every month of which at least ``least`` are in it."""
    return group & sum(cards.by_count(group)[least - 1 :]) * 0b1111
