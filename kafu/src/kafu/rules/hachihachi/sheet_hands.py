"""The dealt hands of the hachi-hachi games that a score sheet can name (H2–H4, B6), as automata."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.sheets.hand_kinds import ANY, HAND, HandKind

#: The yaku of a family that a hand may have, None for a hand without one.
Family = frozenset[str | None]
ANY_COUNT: Final[Family] = frozenset({None, *hands.COUNT})
ANY_CHAFF: Final[Family] = frozenset({None, *hands.CHAFF})

#: The pictures of a hand, its cards that are no chaff: a number of ribbons, or one of these.
_ANIMAL: Final = -1
_BRIGHT: Final = -2
_MIXED: Final = -3


class Groups(NamedTuple):
    """The numbers of single cards, pairs, 立三本, other threes and fours of a month in a hand."""

    singles: int = 0
    pairs: int = 0
    standing: int = 0
    threes: int = 0
    fours: int = 0

    def is_within(self, other: Groups) -> bool:
        """Return whether no number is greater than that of ``other``."""
        return all(count <= limit for count, limit in zip(self, other, strict=True))

    @property
    def yaku(self) -> str | None:
        """The count yaku of a whole hand."""
        threes = self.standing + self.threes
        shape = (4,) * self.fours + (3,) * threes + (2,) * self.pairs + (1,) * self.singles
        return hands.name_groups(shape, (False,) * self.threes + (True,) * self.standing)


@cache
def add_groups(groups: Groups, month: int, dealt: int) -> Groups:
    """Return the groups with the cards of one more month (a mask of four bits)."""
    position = (None, 0, 1, 3, 4)[dealt.bit_count()]
    if position == 3 and hands.stands(dealt << 4 * month):
        position = 2
    return Groups(*(count + (i == position) for i, count in enumerate(groups)))


@cache
def list_groups() -> tuple[Groups, ...]:
    """Return all groups of a hand of seven."""
    numbers = product(range(HAND + 1), range(4), range(3), range(3), range(2))
    sizes = (1, 2, 3, 3, 4)
    return tuple(
        groups
        for groups in map(Groups._make, numbers)
        if sum(count * size for count, size in zip(groups, sizes, strict=True)) == HAND
    )


@cache
def may_become(groups: Groups, counts: Family) -> bool:
    """Return whether more cards can make one of these yaku of groups."""
    return any(groups.is_within(goal) for goal in list_groups() if goal.yaku in counts)


@cache
def add_pictures(pictures: int, held: int) -> int:
    """Return the pictures with some more cards (a mask), of which chaff does not count."""
    kinds = (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS)
    brights, animals, ribbons = ((held & kind).bit_count() for kind in kinds)
    if pictures >= 0 and not brights and not animals:
        return pictures + ribbons
    if pictures == 0 and brights + animals == 1 and not ribbons:
        return _BRIGHT if brights else _ANIMAL
    return _MIXED if brights or animals or ribbons else pictures


def name_pictures(pictures: int) -> str | None:
    """Return the chaff yaku of a hand by its pictures."""
    names = {0: "karasu", 1: "tanichi", _ANIMAL: "toichi", _BRIGHT: "pikaichi", _MIXED: None}
    return names.get(pictures, "aka")


@cache
def _list_choices(choices: frozenset[int], held: int, *, chooses: bool) -> frozenset[int]:
    """Return the pictures that a hand may have, with some more cards (a mask).

    Willow counts as chaff; if the player ``chooses``, also as itself.
    """
    for card in cards.bits(held & ~cards.CHAFF):
        added = {min(2, add_pictures(pictures, card)) for pictures in choices}
        if not card & cards.WILLOW:
            choices = frozenset(added)
        elif chooses:
            choices |= added
    return choices


def _may_name(pictures: int, chaffs: Family) -> bool:
    """Return whether these pictures, perhaps with more of them, give one of the yaku."""
    names = {None, name_pictures(pictures), "aka" if pictures == 1 else None}
    return pictures == 0 or not chaffs.isdisjoint(names)


@cache
def find_kind(counts: Family, chaffs: Family, *, chooses: bool = False) -> HandKind:
    """Return the hands that have one of these yaku of each family.

    Willow is chaff. If the player ``chooses``, its other cards may also count as themselves (H2).
    """
    is_counted, is_pictured = counts != ANY_COUNT, chaffs != ANY_CHAFF
    if not is_counted and not is_pictured:
        return ANY

    def step(state: tuple[Groups, frozenset[int]], month: int, dealt: int) -> Hashable | None:
        groups, choices = state
        if is_counted:
            groups = add_groups(groups, month, dealt)
        else:  # only the number of cards counts
            groups = groups._replace(singles=groups.singles + dealt.bit_count())
        if is_pictured:
            choices = _list_choices(choices, dealt << 4 * month, chooses=chooses)
        may_have_pictures = any(_may_name(pictures, chaffs) for pictures in choices)
        return (groups, choices) if may_have_pictures and may_become(groups, counts) else None

    def accepts(state: tuple[Groups, frozenset[int]]) -> bool:
        groups, choices = state
        has_count = groups in list_groups() and (not is_counted or groups.yaku in counts)
        return has_count and not chaffs.isdisjoint(map(name_pictures, choices))

    return HandKind((Groups(), frozenset({0})), step, accepts)
