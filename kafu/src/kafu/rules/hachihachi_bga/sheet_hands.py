"""The hands of 八八 that are shut out and paid a value (B4), as automata."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import CHAFF
from kafu.rules.hachihachi.sheet_hands import (
    Groups,
    Pictures,
    add_group,
    add_pictures,
    list_pictures,
    name_pictures,
    read_group,
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

    def read(month: int, dealt: int) -> tuple[int | None, Pictures, int, int]:
        (pictures,) = list_pictures(month, dealt, chooses=False)
        return read_group(month, dealt), pictures, *_read_prizes(month, dealt)

    def step(
        state: tuple[Groups, int, int, int], added: tuple[int | None, Pictures, int, int]
    ) -> Hashable | None:
        groups = add_group(state[0], added[0])
        return groups and (
            *(groups, add_pictures(state[1], added[1]), state[2] + added[2], state[3] & added[3]),
        )

    return HandClasses((Groups(), 0, 0, (1 << len(_SETS)) - 1), read, step, _compute_value)


def _compute_value(state: tuple[Groups, int, int, int]) -> int | None:
    """Return the value in mon of a hand with a last state, None for fewer than seven cards."""
    groups, pictures, prized, sets = state
    if groups.size < HAND:
        return None
    ids = {row.id for number, row in enumerate(_SETS) if sets >> number & 1}
    ids |= {"nanatan"} if pictures == HAND else set()
    rows = [row for row in YAKU if row.id in ids]
    replaced = {id for row in rows for id in row.over}
    kan = sum(row.value for row in rows if row.id not in replaced)
    kan += COUNT.get(groups.yaku or "", 0) + CHAFF.get(name_pictures(pictures) or "", 0)
    return kan * KAN // 2 + PRIZE * prized


@cache
def find_shut_out_kind(value: int) -> HandKind:
    """Return the hands that are paid a value in mon by each of the three in a small field (B4)."""
    return _classify_shut_out().find(value.__eq__)
