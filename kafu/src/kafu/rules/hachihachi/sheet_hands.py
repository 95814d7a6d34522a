"""The dealt hands of the hachi-hachi games that a score sheet can name (H2–H4, B6), as automata."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.sheets.hand_kinds import ANY, HAND, HandClasses, HandKind

#: The yaku of a family that a hand may have, None for a hand without one.
Family = frozenset[str | None]
ANY_COUNT: Final[Family] = frozenset({None, *hands.COUNT})
ANY_CHAFF: Final[Family] = frozenset({None, *hands.CHAFF})

#: The pictures of a hand, its cards that are no chaff: a number of ribbons, or one of these.
_ANIMAL: Final = -1
_BRIGHT: Final = -2
_MIXED: Final = -3


#: The kinds of cards that are no chaff.
_KINDS: Final = (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS)


class Pictures(NamedTuple):
    """Numbers of cards that are no chaff."""

    brights: int
    animals: int
    ribbons: int


class Groups(NamedTuple):
    """The numbers of single cards, pairs, 立三本, other threes and fours of a month in a hand."""

    singles: int = 0
    pairs: int = 0
    standing: int = 0
    threes: int = 0
    fours: int = 0

    @property
    def size(self) -> int:
        """The number of cards."""
        return self.singles + 2 * self.pairs + 3 * (self.standing + self.threes) + 4 * self.fours

    @property
    def yaku(self) -> str | None:
        """The count yaku of a whole hand."""
        threes = self.standing + self.threes
        shape = (4,) * self.fours + (3,) * threes + (2,) * self.pairs + (1,) * self.singles
        return hands.name_groups(shape, (False,) * self.threes + (True,) * self.standing)


def read_group(month: int, dealt: int) -> int | None:
    """Return the position in `Groups` of the cards of a month (a mask of four bits), if any."""
    position = (None, 0, 1, 3, 4)[dealt.bit_count()]
    return 2 if position == 3 and hands.stands(dealt << 4 * month) else position


@cache
def add_group(groups: Groups, position: int | None) -> Groups | None:
    """Return the groups with one more at a position, None if no hand of seven has these."""
    after = Groups(*(count + (i == position) for i, count in enumerate(groups)))
    return after if after.size <= HAND else None


@cache
def list_pictures(month: int, dealt: int, *, chooses: bool) -> frozenset[Pictures]:
    """Return the pictures that the cards of a month (a mask of four bits) may count as.

    Willow counts as chaff; if the player ``chooses``, also as itself.
    """
    pictures = tuple(cards.bits(dealt << 4 * month & ~cards.CHAFF))
    least, most = 0, len(pictures)
    if dealt << 4 * month & cards.WILLOW:
        most = most if chooses else 0
    else:
        least = most
    return frozenset(
        Pictures(*(sum(map(bool, map(kind.__and__, chosen))) for kind in _KINDS))
        for count in range(least, most + 1)
        for chosen in combinations(pictures, count)
    )


@cache
def add_pictures(pictures: int, added: Pictures) -> int:
    """Return the pictures of a hand with some more."""
    brights, animals, ribbons = added
    if pictures >= 0 and not brights and not animals:
        return pictures + ribbons
    if pictures == 0 and brights + animals == 1 and not ribbons:
        return _BRIGHT if brights else _ANIMAL
    return _MIXED if any(added) else pictures


def name_pictures(pictures: int) -> str | None:
    """Return the chaff yaku of a hand by its pictures."""
    names = {0: "karasu", 1: "tanichi", _ANIMAL: "toichi", _BRIGHT: "pikaichi", _MIXED: None}
    return names.get(pictures, "aka")


@cache
def _classify_hands(*, chooses: bool) -> HandClasses:
    """Return all hands of seven by their yaku by count, and those by chaff that they may have."""

    def read(month: int, dealt: int) -> tuple[int | None, frozenset[Pictures]]:
        return read_group(month, dealt), list_pictures(month, dealt, chooses=chooses)

    def step(
        state: tuple[Groups, frozenset[int]], reading: tuple[int | None, frozenset[Pictures]]
    ) -> Hashable | None:
        groups = add_group(state[0], reading[0])
        return groups and (groups, _add_choices(state[1], reading[1]))

    def classify(state: tuple[Groups, frozenset[int]]) -> tuple[str | None, Family] | None:
        groups, choices = state
        if groups.size < HAND:
            return None
        return groups.yaku, frozenset(map(name_pictures, choices))

    return HandClasses((Groups(), frozenset({0})), read, step, classify)


@cache
def _add_choices(choices: frozenset[int], added: frozenset[Pictures]) -> frozenset[int]:
    """Return the pictures that a hand may have with some more cards."""
    return frozenset(min(2, add_pictures(*pair)) for pair in product(choices, added))


@cache
def find_kind(counts: Family, chaffs: Family, *, chooses: bool = False) -> HandKind:
    """Return the hands that have one of these yaku of each family.

    Willow is chaff. If the player ``chooses``, its other cards may also count as themselves (H2).
    """
    if counts == ANY_COUNT and chaffs == ANY_CHAFF:
        return ANY

    def accepts(yaku: tuple[str | None, Family]) -> bool:
        return yaku[0] in counts and not chaffs.isdisjoint(yaku[1])

    return _classify_hands(chooses=chooses).find(accepts)
