"""The dealt hands of the hachi-hachi games that a score sheet can name (H2–H4, B6), as automata."""

from __future__ import annotations

from functools import cache, partial
from operator import add
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.year import CHAFF
from kafu.rules.sheets.hand_kinds import ANY, HAND, HandClasses, HandKind

#: The yaku of a family that a hand may have, None for a hand without one.
Family = frozenset[str | None]
ANY_COUNT: Final[Family] = frozenset({None, *hands.COUNT})
ANY_CHAFF: Final[Family] = frozenset({None, *hands.CHAFF})
#: The number for the groups of a month, by its cards in the hand: each kind of group has a digit.
_GROUPS: Final = (0, 0, 1, 8, 8**3)
_STANDING: Final = 8**2
#: The numbers for a bright or an animal as the only picture, and for a mixture. A ribbon is 1.
_BRIGHT: Final = 20
_ANIMAL: Final = 50
_MIXED: Final = 100


class HandCards(NamedTuple):
    """The numbers by which the cards of a hand make yaku.

    ``groups`` are equal for hands with as many groups of each kind, and ``pictures`` for hands with
    as many ribbons, or the same single picture, or a mixture. ``willow`` are the cards of willow (a
    mask), which may count as chaff and are not among the pictures.
    """

    groups: int = 0
    pictures: int = 0
    willow: int = 0


def read_cards(month: int, dealt: int, *, willow: int = 0) -> HandCards:
    """Return the numbers of the cards of a month (a mask of four bits), and those of ``willow``."""
    held, size = dealt << 4 * month, dealt.bit_count()
    pictures = held & ~CHAFF
    return HandCards(
        _STANDING if size == 3 and hands.stands(held) else _GROUPS[size],
        (pictures & cards.RIBBONS).bit_count()
        + _ANIMAL * (pictures & cards.ANIMALS).bit_count()
        + _BRIGHT * (pictures & cards.BRIGHTS).bit_count(),
        held & willow,
    )


@cache
def join_cards(held: HandCards, added: HandCards) -> HandCards:
    """Return the numbers of cards with those of another month."""
    groups, pictures, willow = map(add, held, added)
    if pictures > HAND and pictures not in (_ANIMAL, _BRIGHT):
        pictures = _MIXED
    return HandCards(groups, pictures, willow)


@cache
def _classify_hands(*, chooses: bool) -> HandClasses:
    """Return all hands by their yaku by count, and those by chaff that they may have."""

    def classify(hand: int) -> tuple[str | None, Family]:
        chaffs: Family = frozenset({hands.read_chaff(hand & ~CHAFF)})
        if chooses:
            chaffs = frozenset(yaku for yaku, _, _ in hands.chaff_yaku(hand)) or chaffs
        return hands.count_yaku(hand), chaffs

    willow = cards.WILLOW & ~cards.CHAFF if chooses else 0
    return HandClasses(HandCards(), partial(read_cards, willow=willow), join_cards, classify)


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
