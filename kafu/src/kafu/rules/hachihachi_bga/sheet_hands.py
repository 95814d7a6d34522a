"""The dealt hands of 八八 that a score sheet can name (B4, B6), as automata."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import CHAFF
from kafu.rules.hachihachi.sheet_hands import Groups, list_groups
from kafu.rules.hachihachi_bga.hands import COUNT, KINDS, PRIZE, PRIZED
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.sheets.hand_kinds import HAND, HandClasses, HandKind

#: The yaku of a family that a hand may have, None for a hand without one.
Family = frozenset[str | None]
ANY_COUNT: Final[Family] = frozenset({None, *COUNT})
ANY_CHAFF: Final[Family] = frozenset({None, *CHAFF})

#: The cards of a hand that are no chaff: a number of ribbons, or one of these.
_ANIMAL: Final = -1
_BRIGHT: Final = -2
_MIXED: Final = -3
#: The captured yaku that a hand that is shut out has if it has all their cards.
_SETS: Final = tuple(row for row in YAKU if row.need == row.cards.bit_count())
_add_groups = cache(Groups.add)


@cache
def _add_picture(picture: int, held: int) -> int:
    """Return the cards that are no chaff with the cards of one more month (a mask)."""
    brights, animals, ribbons = ((held & kind).bit_count() for kind in KINDS)
    if not brights and not animals and not ribbons:
        return picture
    if picture >= 0 and not brights and not animals:
        return picture + ribbons
    if picture == 0 and brights + animals == 1 and not ribbons:
        return _BRIGHT if brights else _ANIMAL
    return _MIXED


def _name_picture(picture: int) -> str | None:
    """Return the chaff yaku of a hand by its cards that are no chaff."""
    names = {0: "karasu", 1: "tanichi", _ANIMAL: "toichi", _BRIGHT: "pikaichi", _MIXED: None}
    return names.get(picture, "aka")


@cache
def _may_become(groups: Groups, counts: Family) -> bool:
    """Return whether more cards can make one of these yaku of groups."""
    return any(groups.is_within(goal) for goal in list_groups() if goal.yaku in counts)


@cache
def find_kind(counts: Family, chaffs: Family) -> HandKind:
    """Return the hands that have one of these yaku of each family."""

    def step(state: tuple[Groups, int], month: int, dealt: int) -> Hashable | None:
        groups = _add_groups(state[0], month, dealt)
        if not _may_become(groups, counts):
            return None
        return groups, min(2, _add_picture(state[1], dealt << 4 * month))

    def accepts(state: tuple[Groups, int]) -> bool:
        groups, picture = state
        return (
            groups in list_groups() and groups.yaku in counts and _name_picture(picture) in chaffs
        )

    return HandKind((Groups(), 0), step, accepts)


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

    A state has the groups, the cards that are no chaff, the prized cards, and the sets (a mask of
    their positions) of which no card is missing so far.
    """

    def step(state: tuple[Groups, int, int, int], month: int, dealt: int) -> Hashable | None:
        groups, picture, prized, sets = state
        groups = _add_groups(groups, month, dealt)
        count, whole = _read_prizes(month, dealt)
        if not _may_become(groups, ANY_COUNT):
            return None
        return groups, _add_picture(picture, dealt << 4 * month), prized + count, sets & whole

    def compute_value(state: tuple[Groups, int, int, int]) -> int | None:
        groups, picture, prized, sets = state
        if groups not in list_groups():
            return None
        ids = {row.id for number, row in enumerate(_SETS) if sets >> number & 1}
        ids |= {"nanatan"} if picture == HAND else set()
        rows = [row for row in YAKU if row.id in ids]
        replaced = {id for row in rows for id in row.over}
        kan = sum(row.value for row in rows if row.id not in replaced)
        kan += COUNT.get(groups.yaku or "", 0) + CHAFF.get(_name_picture(picture) or "", 0)
        return kan * KAN // 2 + PRIZE * prized

    return HandClasses((Groups(), 0, 0, (1 << len(_SETS)) - 1), step, compute_value)


@cache
def find_shut_out_kind(value: int) -> HandKind:
    """Return the hands that are paid a value in mon by each of the three in a small field (B4)."""
    return _classify_shut_out().find(value)
