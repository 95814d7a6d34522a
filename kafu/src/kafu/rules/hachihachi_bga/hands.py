"""手役 of 八八 as on Board Game Arena (B6), and the value of a hand that is shut out (B4).

Families and open cards are those of 三人はちはち (`kafu.rules.hachihachi.hands`). The values
differ, and willow is always chaff.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.hands import (
    CHAFF,
    HachihachiDeclaration,
    count_open,
    count_yaku,
    read_chaff,
    rest,
)
from kafu.rules.hachihachi_bga.state import PLAIN, YAKU
from kafu.rules.play.actions import ShowAction
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
#: The groups of cards on which the chaff family depends.
KINDS: Final = tuple(kind & ~PLAIN for kind in (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS))
#: Cards of a hand.
HAND: Final = 7
#: Each of these cards in a shut-out hand brings 3 mon from each player.
PRIZED: Final = cards.BRIGHTS | cards.RED_POEMS | cards.BLUE_RIBBONS
PRIZE: Final = 3
#: The step and the maximum of 追い込み代 in mon. The maximum are seven ribbons: 赤 with 七短, 赤短
#: and 青短, of which six are prized cards. 四三 with カラス is less.
SHUT_OUT_STEP: Final = 3
MOST_SHUT_OUT: Final = (2 + 24) * KAN // 2 + PRIZE * 6


def declaration(hand: int) -> HachihachiDeclaration | None:
    """Return the best declaration of a hand, with all willow as chaff (B6).

    Returns None for a hand without a yaku, or with unknown cards.
    """
    if hand.bit_count() != HAND:
        return None
    yaku, kan, opened = [], 0, 0
    if chaff := read_chaff(hand & ~PLAIN):
        yaku, kan, opened = [chaff], CHAFF[chaff], hand & PLAIN
    if count := count_yaku(hand):
        yaku.append(count)
        kan += COUNT[count]
        opened |= count_open(hand, count)
    return HachihachiDeclaration(tuple(yaku), kan, opened) if yaku else None


def look(show: ShowAction) -> HiddenCheck:
    """Return the condition for the hand of a declaration: to make exactly its yaku (B6)."""

    def is_right(hand: int) -> bool:
        """Return whether a completed hand has the declared yaku and open cards."""
        valid = declaration(hand)
        return valid is not None and (valid.yaku, valid.cards) == (show.yaku, show.cards)

    return HiddenCheck(is_right, by_month=True, classes=KINDS, among=rest(show.yaku))


def shut_out(hand: int) -> int:
    """Return 追い込み代: the mon from each of the three in a small field, 0 for none (B4).

    Paid are half the dealt-hand yaku, half the captured yaku complete in the hand (つかみ), and 3
    mon for each prized card.
    """
    dealt = declaration(hand)
    captured_kan = total(made(YAKU, hand, rained=False, called=False))
    kan = captured_kan + (dealt.kan if dealt else 0)
    return kan * KAN // 2 + PRIZE * (hand & PRIZED).bit_count()
