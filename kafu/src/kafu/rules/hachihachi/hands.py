"""手役 of 三人はちはち: the yaku of a dealt hand, and the cards laid open with it (H2–H4).

There are two families: by count (No. 1–10) and by chaff (No. 11–15). A hand has at most one count
yaku; in the chaff family it may have several, by the choice that willow gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.actions import ShowAction
from kafu.rules.play.declaring import HiddenCheck
from kafu.rules.play.table import alike
from kafu.rules.teyaku import pattern

#: Values in kan.
COUNT: Final[Mapping[str, int]] = {
    "sanbon": 2,
    "tatesanbon": 3,
    "kuttsuki": 4,
    "teshi": 6,
    "haneken": 7,
    "ichinishi": 9,
    "shiso": 40,
    "futasanbon": 8,
    "sanbon-tatesanbon": 9,
    "futatatesanbon": 10,
}
CHAFF: Final[Mapping[str, int]] = {"aka": 2, "tanichi": 3, "toichi": 3, "pikaichi": 4, "karasu": 4}
#: The yaku of the chaff family that give 抜け: all except 光一 (H17).
NUKE: Final = frozenset({"aka", "tanichi", "toichi", "karasu"})
NUKE_KAN: Final = 1
#: Yaku whose threes may make a 飛込み (H15).
TOBIKOMI: Final = frozenset(
    {"sanbon", "tatesanbon", "haneken", "futasanbon", "sanbon-tatesanbon", "futatatesanbon"}
)
#: Number of ribbons that 赤 may keep covered (supplement, section 6).
AKA_HIDDEN: Final = 4

#: The possible covered cards of a hand, by chaff yaku.
_REST_BY_CHAFF: Final = {
    "aka": cards.RIBBONS,
    "tanichi": cards.RIBBONS,
    "toichi": cards.ANIMALS,
    "pikaichi": cards.BRIGHTS,
}

#: The groups of cards on which the chaff family depends: the kinds, and each willow card.
_KINDS: Final = (
    *(kind & ~cards.WILLOW for kind in (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS)),
    *cards.bits(cards.WILLOW),
    cards.CHAFF & ~cards.WILLOW,
)

_BY_PATTERN: Final = {
    (2, 2, 2, 1): "kuttsuki",
    (4, 1, 1, 1): "teshi",
    (3, 2, 2): "haneken",
    (4, 2, 1): "ichinishi",
    (4, 3): "shiso",
}
#: The yaku of a hand with threes, by whether each three is a 立三本.
_BY_THREES: Final = {
    (False,): "sanbon",
    (True,): "tatesanbon",
    (False, False): "futasanbon",
    (False, True): "sanbon-tatesanbon",
    (True, True): "futatatesanbon",
}
#: The least number of cards of a month in hand for which a count yaku lays the month open.
_OPEN_FROM: Final = {"kuttsuki": 2, "teshi": 4, "haneken": 1, "ichinishi": 1, "shiso": 1}
_STANDING: Final = (cards.WISTERIA, cards.IRIS, cards.CLOVER)
_KIRI_CHAFF: Final = cards.PAULOWNIA & cards.CHAFF
#: Willow cards that may be counted as chaff or as themselves.
_WILLOW: Final = cards.WILLOW & ~cards.CHAFF


class HachihachiDeclaration(NamedTuple):
    """A valid declaration: yaku ids (chaff family first: ``aka+sanbon``), kan, cards laid open."""

    yaku: tuple[str, ...]
    kan: int
    cards: int


def threes(hand: int) -> list[int]:
    """Return the exact threes of a month in a hand (C6), as masks."""
    return [hand & first * 0b1111 for first in cards.bits(cards.by_count(hand)[2])]


def stands(three: int) -> bool:
    """Return whether a three is a 立三本: of month 4, 5 or 7, or the chaff of paulownia (H4)."""
    return three == _KIRI_CHAFF or any(three & month == three for month in _STANDING)


def count_yaku(hand: int) -> str | None:
    """Return the count yaku (No. 1–10) of a hand of seven, by its exact groups (C6, H4)."""
    standing = tuple(sorted(map(stands, threes(hand))))
    return _BY_PATTERN.get(pattern(hand)) or _BY_THREES.get(standing)


def count_threes(yaku: str) -> int:
    """Return the number of threes that a yaku has for a 飛込み."""
    if yaku not in TOBIKOMI:
        return 0
    return 2 if yaku.startswith("futa") or "-" in yaku else 1


def count_tobikomi(hand: int, captured: int) -> int:
    """Return the number of threes of a hand of which all four cards are captured (H15)."""
    months = (cards.MATCH[three & -three] for three in threes(hand))
    return sum(not month & ~captured for month in months)


def count_open(hand: int, yaku: str) -> int:
    """Return the cards laid open by a count yaku (H3): for はねけん, 一二四 and 四三 all seven."""
    limit = _OPEN_FROM.get(yaku, 3)
    return alike(hand, limit)


def chaff_yaku(hand: int) -> Iterator[tuple[str, int, int]]:
    """Yield every chaff yaku of a hand: id, cards counted as chaff, cards counted as ribbons.

    Each willow card except the chaff counts as chaff or as itself, so a hand may have several (H2).
    """
    fixed_pictures = hand & ~(cards.CHAFF | _WILLOW)
    if fixed_pictures & ~cards.RIBBONS and fixed_pictures.bit_count() > 1:
        return  # no choice for the willow cards makes a yaku
    willow = list(cards.bits(hand & _WILLOW))
    for count in range(len(willow) + 1):
        for pictures in combinations(willow, count):
            chaff = hand & (cards.CHAFF | _WILLOW) & ~sum(pictures)
            if yaku := read_chaff(hand & ~chaff):
                ribbons = hand & ~chaff if yaku in ("aka", "tanichi") else 0
                yield yaku, chaff, ribbons


def read_chaff(pictures: int) -> str | None:
    """Return the chaff yaku of a hand by its ``pictures``, the cards not counted as chaff.

    Returns None without a yaku.
    """
    if not pictures:
        return "karasu"
    is_single = pictures.bit_count() == 1
    if not pictures & ~cards.RIBBONS:
        return "tanichi" if is_single else "aka"
    if is_single:
        return "pikaichi" if pictures & cards.BRIGHTS else "toichi"
    return None


def rest(yaku: tuple[str, ...]) -> int:
    """Return the possible covered cards (mask) of a declared hand, apart from its chaff."""
    return next((_REST_BY_CHAFF[id] for id in yaku if id in _REST_BY_CHAFF), cards.ALL)


def declarations(hand: int) -> Iterator[HachihachiDeclaration]:
    """Yield every valid declaration of a hand of seven: by count, by chaff, or both (H2).

    A compound lays open the cards of both yaku; 赤 lays open all ribbons except any four (H3, H23).
    """
    count = count_yaku(hand)
    open_by_count = count_open(hand, count) if count else 0
    if count:
        yield HachihachiDeclaration((count,), COUNT[count], open_by_count)
    for yaku, chaff, ribbons in chaff_yaku(hand):
        open_ribbons = max(0, ribbons.bit_count() - AKA_HIDDEN) if yaku == "aka" else 0
        for chosen_ribbons in combinations(cards.bits(ribbons), open_ribbons):
            opened = chaff | sum(chosen_ribbons)
            yield HachihachiDeclaration((yaku,), CHAFF[yaku], opened)
            if count:
                yield HachihachiDeclaration(
                    (yaku, count), CHAFF[yaku] + COUNT[count], opened | open_by_count
                )


def look(show: ShowAction) -> HiddenCheck:
    """Return the condition for the hand of a declaration.

    A disputed declaration must be false: no valid declaration of the hand has its yaku (H22).
    """

    def is_right(hand: int) -> bool:
        valid = declarations(hand)
        if show.disputed:
            return all(declaration.yaku != show.yaku for declaration in valid)
        return any(
            (declaration.yaku, declaration.cards) == (show.yaku, show.cards)
            for declaration in valid
        )

    by_month = any(name in COUNT for name in show.yaku)
    kinds = _KINDS if any(name in CHAFF for name in show.yaku) else ()
    return HiddenCheck(is_right, by_month, kinds, cards.ALL if show.disputed else rest(show.yaku))


def value(yaku: tuple[str, ...], values: Mapping[str, int] = COUNT) -> int | None:
    """Return the value of a declaration in kan, None unless it has at most one yaku of each family.

    ``values`` are the values of the count family.
    """
    count = [values[id] for id in yaku if id in values]
    chaff = [CHAFF[id] for id in yaku if id in CHAFF]
    if len(count) > 1 or len(chaff) > 1 or not yaku or len(count) + len(chaff) < len(yaku):
        return None
    return sum(count) + sum(chaff)
