"""The layout of a deal: random deals, and the checked table of a recorded deal (C3)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Deal, Illegal
from kafu.rules.play.table import TableCards, card_bit, check_stock

_bit: Final = cards.BIT.__getitem__


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
