"""The table of a deal: what lies where, who may capture what. Common to all rulesets (C2, C3).

Cards are masks. Unknown cards of a partial record (kafu.md §5) are counted, and every card that is
known to lie somewhere is remembered, so that a hidden hand can only play what it can hold.
"""

from __future__ import annotations

from typing import NamedTuple

from records import cards
from records.engine import codes
from records.engine.actions import Deal, Illegal, Play, Turn


class Table(NamedTuple):
    """Who holds what. Masks; lists a seat; ``stock`` the known cards to come, next first (one bit
    each).

    ``hidden`` counts unknown cards a hand. ``left`` counts the whole stock, ``stock`` may be
    shorter (its rest unknown). ``seen`` is every card whose place is or was known.
    """

    hands: tuple[int, ...]
    hidden: tuple[int, ...]
    field: int
    captured: tuple[int, ...]
    stock: tuple[int, ...]
    left: int
    seen: int

    def play(self, seat: int, card: int, named: int) -> tuple[Table, int]:
        """The table after ``seat`` played ``card`` from the hand, and what it captured (C2).

        ``named`` is the capture as it was named, 0 for none. Raises Illegal if the hand cannot hold
        the card, or if it must capture otherwise.
        """
        i = seat - 1
        hands, hidden, seen = self.hands, self.hidden, self.seen
        if hands[i] & card:
            hands = _put(hands, i, hands[i] ^ card)
        elif hidden[i] and not seen & card:
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
        return Table(hands, hidden, field, captured, self.stock, self.left, seen), take

    def turn(self, seat: int, card: int, named: int) -> tuple[Table, int]:
        """The table after ``seat`` turned ``card`` from the stock, and what it captured; as `play`.

        Raises Illegal if another card lies on top, or if the card is known to lie elsewhere.
        """
        stock, seen = self.stock, self.seen
        if stock:
            if stock[0] != card:
                due = cards.letters(stock[0])
                raise Illegal(codes.WRONG_STOCK, expected=(due,), due=due, card=cards.letters(card))
            stock = stock[1:]
        elif seen & card:
            raise Illegal(codes.NOT_IN_STOCK, card=cards.letters(card))
        take = capture(self.field, card, named)
        field, captured = self._lay(seat - 1, card, take)
        seen |= card
        return Table(self.hands, self.hidden, field, captured, stock, self.left - 1, seen), take

    def _lay(self, i: int, card: int, take: int) -> tuple[int, tuple[int, ...]]:
        if not take:
            return self.field | card, self.captured
        return self.field & ~take, _put(self.captured, i, self.captured[i] | take | card)

    def reveal(self, seat: int, shown: int) -> Table | None:
        """The table with ``shown`` cards of a hand laid open; None if the hand cannot hold them."""
        i = seat - 1
        fresh = shown & ~self.hands[i]
        if fresh.bit_count() > self.hidden[i] or fresh & self.seen:
            return None
        return self._replace(
            hands=_put(self.hands, i, self.hands[i] | fresh),
            hidden=_put(self.hidden, i, self.hidden[i] - fresh.bit_count()),
            seen=self.seen | fresh,
        )

    def plays(self, seat: int) -> list[Play]:
        """Every card that ``seat`` can play from the hand with every capture it may make.

        A hidden hand can play any card that was not seen elsewhere.
        """
        unseen = cards.ALL & ~self.seen if self.hidden[seat - 1] else 0
        playable = self.hands[seat - 1] | unseen
        return [
            Play(card, take) for card in cards.bits(playable) for take in captures(self.field, card)
        ]

    def turns(self) -> list[Turn]:
        """Every card that can lie on top of the stock with every capture it may make."""
        turnable = self.stock[0] if self.stock else cards.ALL & ~self.seen
        return [
            Turn(card, take) for card in cards.bits(turnable) for take in captures(self.field, card)
        ]


def _put(row: tuple[int, ...], i: int, value: int) -> tuple[int, ...]:
    return (*row[:i], value, *row[i + 1 :])


def captures(field: int, card: int) -> tuple[int, ...]:
    """What ``card`` may capture from ``field`` (C2), each choice a mask; ``(0,)`` where nothing
    matches.

    Of two matching cards the player chooses one, of three he takes all.
    """
    match = field & cards.MATCH[card.bit_length() - 1]
    if match.bit_count() == 2:
        low = match & -match
        return (low, match ^ low)
    return (match,)


def capture(field: int, card: int, take: int) -> int:
    """The capture of ``card`` as the rules have it, ``take`` being what was named (0: nothing).

    Where just one card can be taken it need not be named (kafu.md §4). Raises Illegal otherwise.
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


def lay_out(deal: Deal, *, seats: tuple[int, ...], players: int, hand: int, field: int) -> Table:
    """The table of a fresh deal, checked: hands of ``hand`` cards for ``seats``, ``field`` cards,
    the rest stock; each card of the pack once (C3). ``players`` is the number of seats at the
    table.

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
    stock = deal.stock or ""
    whole = deal.stock is not None and not deal.stock_cut
    if checked and (len(stock) != pile if whole else len(stock) > pile):
        raise Illegal(codes.STOCK_SIZE, count=len(stock), due=pile, where="stock")
    seen = 0
    for where, group in (
        *((f"hand.{seat}", dealt) for seat, dealt in sorted(deal.hands.items())),
        ("field", deal.field or ""),
        ("stock", stock),
    ):
        for letter in group:
            if letter == cards.UNKNOWN:
                continue
            bit = cards.BIT[letter]
            if checked and letter == cards.BLANK:
                raise Illegal(codes.CARD_ALIEN, card=letter, where=where)
            if checked and seen & bit:
                raise Illegal(codes.CARD_TWICE, card=letter, where=where)
            seen |= bit
    hands = tuple(deal.hands.get(seat, "") for seat in range(1, players + 1))
    return Table(
        hands=tuple(cards.mask(h.replace(cards.UNKNOWN, "")) for h in hands),
        hidden=tuple(h.count(cards.UNKNOWN) for h in hands),
        field=cards.mask(deal.field or ""),
        captured=(0,) * players,
        stock=tuple(cards.BIT[letter] for letter in stock),
        left=pile,
        seen=seen,
    )


def fours(group: int) -> int:
    """The cards of every month of which all four are in ``group`` (シマ, 手四)."""
    return sum(month for month in cards.MONTHS[1:] if group & month == month)
