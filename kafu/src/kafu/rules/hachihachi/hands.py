"""手役 of 三人はちはち: the yaku of a dealt hand, and the cards that a declaration lays open
(H2–H4).

Two families: by count (No. 1–10) and by dregs (No. 11–15). A hand has at most one count
yaku; in the dregs family it may have several only by the choice that willow gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.play.actions import Show
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
DREGS: Final[Mapping[str, int]] = {"aka": 2, "tanichi": 3, "toichi": 3, "pikaichi": 4, "karasu": 4}
#: Those of the dregs family that give 抜け: all but 光一 (H17).
NUKE: Final = frozenset({"aka", "tanichi", "toichi", "karasu"})
NUKE_KAN: Final = 1
#: Yaku whose threes may make a 飛込み (H15).
TOBIKOMI: Final = frozenset(
    {"sanbon", "tatesanbon", "haneken", "futasanbon", "sanbon-tatesanbon", "futatatesanbon"}
)
#: Slips that 赤 need not lay open (supplement, section 6).
AKA_HIDDEN: Final = 4

#: The possible other cards of a hand, by dregs yaku.
_REST_BY_DREGS: Final = {
    "aka": cards.SLIPS,
    "tanichi": cards.SLIPS,
    "toichi": cards.ANIMALS,
    "pikaichi": cards.BRIGHTS,
}

#: What the dregs family depends on: the kinds, willow card by card.
_KINDS: Final = (
    *(kind & ~cards.WILLOW for kind in (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS)),
    *cards.bits(cards.WILLOW),
    cards.DREGS & ~cards.WILLOW,
)

_BY_PATTERN: Final = {
    (2, 2, 2, 1): "kuttsuki",
    (4, 1, 1, 1): "teshi",
    (3, 2, 2): "haneken",
    (4, 2, 1): "ichinishi",
    (4, 3): "shiso",
}
#: By which of the threes stand.
_BY_THREES: Final = {
    (False,): "sanbon",
    (True,): "tatesanbon",
    (False, False): "futasanbon",
    (False, True): "sanbon-tatesanbon",
    (True, True): "futatatesanbon",
}
#: The cards that a count yaku lays open: months with at least so many cards, or the whole hand.
_OPEN_FROM: Final = {"kuttsuki": 2, "teshi": 4, "haneken": 1, "ichinishi": 1, "shiso": 1}
_STANDING: Final = (cards.WISTERIA, cards.IRIS, cards.CLOVER)
_KIRI_DREGS: Final = cards.PAULOWNIA & cards.DREGS
#: Willow cards that may be counted as dregs or as themselves.
_WILLOW: Final = cards.WILLOW & ~cards.DREGS


class Declaration(NamedTuple):
    """A right way to declare: dregs family first (``aka+sanbon``), value in kan, cards laid
    open.
    """

    yaku: tuple[str, ...]
    kan: int
    cards: int


def threes(hand: int) -> list[int]:
    """The exact threes of a month in a hand (C6), as masks."""
    return [hand & first * 0b1111 for first in cards.bits(cards.by_count(hand)[2])]


def stands(three: int) -> bool:
    """Whether a three is a 立三本: of month 4, 5 or 7, or the dregs of paulownia (H4)."""
    return three == _KIRI_DREGS or any(three & month == three for month in _STANDING)


def count_yaku(hand: int) -> str | None:
    """The count yaku (No. 1–10) of a hand of seven (mask), by its exact groups (C6, H4)."""
    shape = pattern(hand)
    if found := _BY_PATTERN.get(shape):
        return found
    if 3 not in shape:
        return None
    return _BY_THREES.get(tuple(sorted(map(stands, threes(hand)))))


def count_open(hand: int, yaku: str) -> int:
    """The cards that a count yaku lays open, of はねけん, 一二四 and 四三 all seven (H3)."""
    least = _OPEN_FROM.get(yaku, 3)
    return alike(hand, least)


def dregs_yaku(hand: int) -> Iterator[tuple[str, int, int]]:
    """Every dregs yaku of a hand: id, cards counted as dregs, as slips.

    Each willow card but r may be counted as dregs or as itself, so there may be several (H2).
    """
    always = hand & ~(cards.DREGS | _WILLOW)
    if always & ~cards.SLIPS and always.bit_count() > 1:
        return  # whatever the willow cards count as
    willow = list(cards.bits(hand & _WILLOW))
    for count in range(len(willow) + 1):
        for kept in combinations(willow, count):
            plain = hand & (cards.DREGS | _WILLOW) & ~sum(kept)
            if yaku := read_dregs(hand & ~plain):
                slips = hand & ~plain if yaku in ("aka", "tanichi") else 0
                yield yaku, plain, slips


def read_dregs(rest: int) -> str | None:
    """The dregs yaku of a hand with ``rest`` besides what counts as dregs, if it makes one."""
    if not rest:
        return "karasu"
    alone = rest.bit_count() == 1
    if not rest & ~cards.SLIPS:
        return "tanichi" if alone else "aka"
    if alone:
        return "pikaichi" if rest & cards.BRIGHTS else "toichi"
    return None


def rest(yaku: tuple[str, ...]) -> int:
    """The possible cards (mask) that a declaration leaves covered: those other than its dregs."""
    return next((_REST_BY_DREGS[name] for name in yaku if name in _REST_BY_DREGS), cards.ALL)


def declarations(hand: int) -> Iterator[Declaration]:
    """Every right declaration of a hand of seven: its yaku by count, one by dregs, or both (H2).

    A compound lays open what either would; 赤 lays open all slips but any four (H3, H23).
    """
    count = count_yaku(hand)
    shown = count_open(hand, count) if count else 0
    if count:
        yield Declaration((count,), COUNT[count], shown)
    for yaku, plain, slips in dregs_yaku(hand):
        extra = max(0, slips.bit_count() - AKA_HIDDEN) if yaku == "aka" else 0
        for chosen in combinations(cards.bits(slips), extra):
            opened = plain | sum(chosen)
            yield Declaration((yaku,), DREGS[yaku], opened)
            if count:
                yield Declaration((yaku, count), DREGS[yaku] + COUNT[count], opened | shown)


def look(show: Show) -> HiddenCheck:
    """What a declaration requires of its hand (H2, H3): to be one of the right ones; one that a
    void-show follows must be false (H22).
    """

    def right(hand: int) -> bool:
        found = declarations(hand)
        if show.disputed:
            return all(one.yaku != show.yaku for one in found)
        return any((one.yaku, one.cards) == (show.yaku, show.cards) for one in found)

    by_month = any(name in COUNT for name in show.yaku)
    kinds = _KINDS if any(name in DREGS for name in show.yaku) else ()
    return HiddenCheck(right, by_month, kinds, cards.ALL if show.disputed else rest(show.yaku))


def value(yaku: tuple[str, ...], values: Mapping[str, int] = COUNT) -> int | None:
    """The value in kan of a declaration, None if it is not at most one of each family.

    ``values`` are those of the count family.
    """
    count = [values[name] for name in yaku if name in values]
    dregs = [DREGS[name] for name in yaku if name in DREGS]
    if len(count) > 1 or len(dregs) > 1 or not yaku or len(count) + len(dregs) < len(yaku):
        return None
    return sum(count) + sum(dregs)
