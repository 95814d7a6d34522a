"""The dealt hands of 三人はちはち that a score sheet can name (H2–H4), as automata."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.sheets.hand_kinds import ANY, HAND, HandKind

_WILLOW_MONTH: Final = 10
#: The cards of each chaff yaku that are no chaff, and the limits of their number.
_PICTURES: Final = {
    "karasu": (0, 0, 0),
    "aka": (cards.RIBBONS, 2, HAND),
    "tanichi": (cards.RIBBONS, 1, 1),
    "toichi": (cards.ANIMALS, 1, 1),
    "pikaichi": (cards.BRIGHTS, 1, 1),
}


class Groups(NamedTuple):
    """The numbers of single cards, pairs, 立三本, other threes and fours of a month in a hand."""

    singles: int = 0
    pairs: int = 0
    standing: int = 0
    threes: int = 0
    fours: int = 0

    def add(self, month: int, dealt: int) -> Groups:
        """Return the numbers with the cards of one more month (a mask of four bits)."""
        position = (None, 0, 1, 3, 4)[dealt.bit_count()]
        if position is None:
            return self
        if position == 3 and hands.stands(dealt << 4 * month):
            position = 2
        return Groups(*(count + (i == position) for i, count in enumerate(self)))

    def is_within(self, other: Groups) -> bool:
        """Return whether no number is greater than that of ``other``."""
        return all(count <= limit for count, limit in zip(self, other, strict=True))

    @property
    def yaku(self) -> str | None:
        """The count yaku of a whole hand."""
        threes = self.standing + self.threes
        shape = (4,) * self.fours + (3,) * threes + (2,) * self.pairs + (1,) * self.singles
        return hands.name_groups(shape, (False,) * self.threes + (True,) * self.standing)


#: The groups and the number of cards, the pictures other than willow, and whether willow has one.
_State = tuple[Groups, int, int, bool]


@cache
def list_groups() -> tuple[Groups, ...]:
    """Return all groups of a hand of seven."""
    return tuple(
        Groups(HAND - used, pairs, standing, threes, fours)
        for fours in range(2)
        for threes in range(3)
        for standing in range(3)
        for pairs in range(4)
        for used in (4 * fours + 3 * (threes + standing) + 2 * pairs,)
        if used <= HAND
    )


@cache
def find_kind(yaku: frozenset[str]) -> HandKind:
    """Return the hands that can be declared as these yaku, one of a family at the most (H2).

    Each willow card other than the chaff may count as chaff or as itself.
    """
    count = next((id for id in yaku if id in hands.COUNT), None)
    chaff = next((id for id in yaku if id in hands.CHAFF), None)
    if not yaku:
        return ANY
    goals = [groups for groups in list_groups() if groups.yaku == count]
    pictures, least, most = _PICTURES.get(chaff or "", (cards.ALL, 0, HAND))

    def step(state: _State, month: int, dealt: int) -> _State | None:
        groups, size, kept, has_willow = state
        size += dealt.bit_count()
        if count is not None:
            groups = groups.add(month, dealt)
            if not any(groups.is_within(goal) for goal in goals):
                return None
        if chaff is not None:
            held = dealt << 4 * month & ~cards.CHAFF
            if month == _WILLOW_MONTH:
                has_willow = bool(held & pictures)
            elif held & ~pictures:
                return None
            else:
                kept = min(kept + held.bit_count(), least + 1 if most == HAND else most + 1)
        return (groups, size, kept, has_willow) if size <= HAND and kept <= most else None

    def accepts(state: _State) -> bool:
        groups, size, kept, has_willow = state
        has_count = count is None or groups in goals
        return size == HAND and has_count and kept + has_willow >= least

    return HandKind((Groups(), 0, 0, False), step, accepts)
