"""The payments of the 10/5/1 game (T5–T7), and the yaku."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kafu import cards
from kafu.rules.payments import (
    POINTS,
    Payers,
    PaymentKind,
    PaymentRow,
    Receivers,
    list_captured,
    list_dealt,
)
from kafu.rules.teyaku import HandYaku
from kafu.rules.yaku import YakuTable, whole

SANBON: Final = "sanbon"
#: 手役 by count in points, the best of a hand first (T5). All but 三本 are options by id.
TEYAKU: Final = (
    HandYaku("shiso", 100, ((4, 3),)),
    HandYaku("ichinishi", 40, ((4, 2, 1),)),
    HandYaku("haneken", 35, ((3, 2, 2),)),
    HandYaku("futasanbon", 30, ((3, 3, 1),)),
    HandYaku("teshi", 30, ((4, 3), (4, 2, 1), (4, 1, 1, 1))),
    HandYaku("kuttsuki", 20, ((2, 2, 2, 1),)),
    HandYaku("sanbon", 10, ((4, 3), (3, 3, 1), (3, 2, 2), (3, 2, 1, 1), (3, 1, 1, 1, 1))),
)
NASAKE: Final = 10
#: The points that 飛び込み adds to 三本.
TOBIKOMI: Final = 10

#: 出来役 in points; ゾロ replaces かぶり of the same month (T6).
YAKU: Final = YakuTable(
    (
        whole("bozuzoro", cards.PAMPAS, 20, over=("bozukaburi",)),
        whole("amezoro", cards.WILLOW, 20, over=("amekaburi",)),
        whole("bozukaburi", cards.MOON | cards.GEESE, 10),
        whole("amekaburi", cards.RAIN_MAN | cards.SWALLOW, 10),
    )
)
#: The yaku of ビキ alone.
BIKI: Final = frozenset({"amezoro", "amekaburi"})
#: The yaku かぶり, an option.
KABURI: Final = frozenset({"bozukaburi", "amekaburi"})

#: The end of a month by whether it ends the game: after all cards, or by 四三 before the first.
ENDS: Final = (frozenset({POINTS}), frozenset({"shiso"}))
CARD_POINTS: Final = PaymentRow(POINTS, PaymentKind.OTHER, (1,), "T7", Payers.BALANCE)


def list_hands(
    table: Iterable[HandYaku], *, nasake: str, teshi: str, jumps: bool, shiso_ends: bool
) -> Iterator[PaymentRow]:
    """Yield the rows of dealt hands, by the options of a house.

    A hand has one yaku of the ``table`` at the most, and なさけ besides. 三本 is paid with 飛び込み
    in a house that ``jumps``, and 四三 ends the game if ``shiso_ends``.
    """
    for row in list_dealt({row.id: row.value for row in table}, "T5"):
        if row.id == SANBON and jumps:
            yield row._replace(each=(*row.each, row.each[0] + TOBIKOMI))
        elif row.id == "shiso":
            yield row._replace(ends_game=shiso_ends)
        elif row.id == "teshi" and teshi == "doni":
            yield row._replace(receivers=Receivers.SECOND)
        else:
            yield row
    if nasake != "no":
        receivers = Receivers.SECOND if nasake in ("doni", "chosen-doni") else Receivers.PLAYING
        yield PaymentRow("nasake", PaymentKind.DEALT, (NASAKE,), "T5", receivers=receivers)


def list_yaku(table: YakuTable) -> Iterator[PaymentRow]:
    """Yield the rows of captured yaku; those of willow are for ビキ alone (T6)."""
    for row in list_captured(table, "T6"):
        yield row._replace(receivers=Receivers.LAST) if row.id in BIKI else row
