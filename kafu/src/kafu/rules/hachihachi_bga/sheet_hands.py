"""The hands of 八八 that are shut out and paid a value (B4), as automata."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import CHAFF
from kafu.rules.hachihachi.sheet_hands import (
    ANY_COUNT,
    Groups,
    add_groups,
    add_pictures,
    list_groups,
    may_become,
    name_pictures,
)
from kafu.rules.hachihachi_bga.hands import COUNT, PRIZE, PRIZED
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.sheets.hand_kinds import HAND, HandClasses, HandKind

#: The captured yaku that a hand that is shut out has if it has all their cards.
_SETS: Final = tuple(row for row in YAKU if row.need == row.cards.bit_count())


@cache
def _read_prizes(month: int, dealt: int) -> tuple[int, int]:
    """Return the number of prized cards, and the sets of which no card of the month is missing."""
    held = dealt << 4 * month
    sets = 0
    for number, row in enumerate(_SETS):
        if not row.cards & 0b1111 << 4 * month & ~held:
            sets |= 1 << number
    return (held & PRIZED).bit_count(), sets


@cache
def _classify_shut_out() -> HandClasses:
    """Return all hands of seven by the value in mon that they have when shut out (B4).

    A state has the groups, the pictures, the prized cards, and the sets (a mask of their positions)
    of which no card is missing so far.
    """

    def step(state: tuple[Groups, int, int, int], month: int, dealt: int) -> Hashable | None:
        groups, pictures, prized, sets = state
        groups = add_groups(groups, month, dealt)
        count, whole = _read_prizes(month, dealt)
        if not may_become(groups, ANY_COUNT):
            return None
        held = dealt << 4 * month & ~cards.WILLOW
        return groups, add_pictures(pictures, held), prized + count, sets & whole

    def compute_value(state: tuple[Groups, int, int, int]) -> int | None:
        groups, pictures, prized, sets = state
        if groups not in list_groups():
            return None
        ids = {row.id for number, row in enumerate(_SETS) if sets >> number & 1}
        ids |= {"nanatan"} if pictures == HAND else set()
        rows = [row for row in YAKU if row.id in ids]
        replaced = {id for row in rows for id in row.over}
        kan = sum(row.value for row in rows if row.id not in replaced)
        kan += COUNT.get(groups.yaku or "", 0) + CHAFF.get(name_pictures(pictures) or "", 0)
        return kan * KAN // 2 + PRIZE * prized

    return HandClasses((Groups(), 0, 0, (1 << len(_SETS)) - 1), step, compute_value)


@cache
def find_shut_out_kind(value: int) -> HandKind:
    """Return the hands that are paid a value in mon by each of the three in a small field (B4)."""
    return _classify_shut_out().find(value)
