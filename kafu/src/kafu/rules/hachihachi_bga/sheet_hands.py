"""The hands of 八八 that are shut out and paid a value (B4), as automata."""

from __future__ import annotations

from functools import cache
from typing import Final

from kafu.rules.hachihachi.sheet_hands import HandCards, join_cards, read_cards
from kafu.rules.hachihachi_bga.hands import PRIZED, shut_out
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.sheets.hand_kinds import HandClasses, HandKind

#: The cards of captured yaku that a hand that is shut out has if it has all of them.
_SETS: Final = tuple(row.cards for row in YAKU if row.need == row.cards.bit_count())
#: The numbers of a hand: as of any hand, the prized cards, and the sets (a mask of their positions)
#: of which a card is missing.
ShutOut = tuple[HandCards, int, int]


def _read(month: int, dealt: int) -> ShutOut:
    """Return the numbers of the cards of a month (a mask of four bits)."""
    held = dealt << 4 * month
    lacking = sum(
        1 << number for number, whole in enumerate(_SETS) if whole & 0b1111 << 4 * month & ~held
    )
    return read_cards(month, dealt), (held & PRIZED).bit_count(), lacking


def _join(held: ShutOut, added: ShutOut) -> ShutOut:
    """Return the numbers of cards with those of another month."""
    return join_cards(held[0], added[0]), held[1] + added[1], held[2] | added[2]


@cache
def _classify_shut_out() -> HandClasses:
    """Return all hands of seven by the value in mon that they have when shut out (B4)."""
    return HandClasses((HandCards(), 0, 0), _read, _join, shut_out)


@cache
def find_shut_out_kind(value: int) -> HandKind:
    """Return the hands that are paid a value in mon by each of the three in a small field (B4)."""
    return _classify_shut_out().find(value.__eq__)
