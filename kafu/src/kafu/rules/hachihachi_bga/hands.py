"""手役 of 八八 as on Board Game Arena (B6), and the value of a hand that is shut out (B4).

The families and the cards laid open are those of 三人はちはち (`hachihachi_hands`); the values are
this game's, and willow is always dregs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import (
    DREGS,
    Declaration,
    count_open,
    count_yaku,
    read_dregs,
    rest,
)
from kafu.rules.hachihachi_bga.state import PLAIN, YAKU
from kafu.rules.play.actions import Show
from kafu.rules.play.declaring import HiddenCheck
from kafu.rules.yaku import made, total

#: Values in kan.
COUNT: Final[Mapping[str, int]] = {
    "sanbon": 2,
    "tatesanbon": 3,
    "kuttsuki": 4,
    "teshi": 6,
    "haneken": 7,
    "ichinishi": 8,
    "shiso": 20,
    "futasanbon": 6,
    "sanbon-tatesanbon": 7,
    "futatatesanbon": 8,
}
#: Yaku whose threes may make a 飛込み (B11: not はねけん).
TOBIKOMI: Final = frozenset(
    {"sanbon", "tatesanbon", "futasanbon", "sanbon-tatesanbon", "futatatesanbon"}
)
#: What the dregs family depends on.
KINDS: Final = tuple(kind & ~PLAIN for kind in (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS))
#: Cards of a hand.
HAND: Final = 7
#: Each of these in a hand that is shut out brings 3 mon from each player.
PRIZED: Final = cards.BRIGHTS | cards.RED_POEMS | cards.BLUE_SLIPS
_PRIZE: Final = 3
#: 追い込み代 comes in such steps of mon, and is no more than this: seven slips are 赤 with 七短,
#: 赤短 and 青短, and six of them are prized. 四三 with カラス are less.
SHUT_OUT_STEP: Final = 3
MOST_SHUT_OUT: Final = (2 + 24) * KAN // 2 + _PRIZE * 6


def declaration(hand: int) -> Declaration | None:
    """The dealt-hand yaku of a hand, at its best, all willow being dregs (B6); None without one, or
    with unknown cards.
    """
    if hand.bit_count() != HAND:
        return None
    yaku, kan, opened = [], 0, 0
    if dregs := read_dregs(hand & ~PLAIN):
        yaku, kan, opened = [dregs], DREGS[dregs], hand & PLAIN
    if count := count_yaku(hand):
        yaku.append(count)
        kan += COUNT[count]
        opened |= count_open(hand, count)
    return Declaration(tuple(yaku), kan, opened) if yaku else None


def look(show: Show) -> HiddenCheck:
    """What a declaration requires of its hand: to be all that it makes (B6)."""

    def right(hand: int) -> bool:
        found = declaration(hand)
        return found is not None and (found.yaku, found.cards) == (show.yaku, show.cards)

    return HiddenCheck(right, by_month=True, classes=KINDS, among=rest(show.yaku))


def shut_out(hand: int) -> int:
    """追い込み代 (B4): mon from each of the three in a small field, 0 for nothing.

    Half the dealt-hand yaku, half the captured yaku complete in the hand, and the prized cards.
    """
    dealt = declaration(hand)
    held = total(made(YAKU, hand, rained=False, called=False))
    kan = held + (dealt.kan if dealt else 0)
    return kan * KAN // 2 + _PRIZE * (hand & PRIZED).bit_count()
