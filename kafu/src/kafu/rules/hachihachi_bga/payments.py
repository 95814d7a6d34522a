"""The payments of 八八 in a house (B3–B15)."""

from __future__ import annotations

from functools import cache
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi.payments import (
    CAPTURED,
    CARD_POINTS,
    HALF,
    NUKE,
    SHISO,
    SPECIAL,
    SPECIAL_ROWS,
    TOBIKOMI,
    list_hands,
)
from kafu.rules.hachihachi_bga.hands import COUNT, MOST_SHUT_OUT, SHUT_OUT_STEP
from kafu.rules.hachihachi_bga.house import HachihachiBgaHouse
from kafu.rules.hachihachi_bga.state import YAKU
from kafu.rules.payments import (
    POINTS,
    Payers,
    PaymentKind,
    PaymentRow,
    PaymentTable,
    Receivers,
    list_captured,
)

#: 下り賃, by the order of going out (B3).
FEES: Final = (KAN, KAN * 3 // 2, 2 * KAN)
_OTHER: Final = PaymentKind.OTHER
_TABLE_ROWS: Final = (
    PaymentRow(
        *("ori", _OTHER, FEES, "B3", Payers.ONE, Receivers.AT_LARGE_TABLE),
        is_raised=False,
        most=len(FEES),
    ),
    PaymentRow(
        *("oikomi", _OTHER, tuple(range(SHUT_OUT_STEP, MOST_SHUT_OUT + 1, SHUT_OUT_STEP)), "B4"),
        receivers=Receivers.IDLE,
        is_raised=False,
    ),
    PaymentRow(
        *("mizuten", _OTHER, (KAN,), "B11", Payers.TABLE, Receivers.BLIND),
        is_raised=False,
        ends=frozenset({HALF, POINTS, SPECIAL}),
    ),
)


@cache
def list_payments(house: HachihachiBgaHouse) -> PaymentTable:
    """Return the payments of a house in a small field."""
    shiso = Payers.TABLE if house.shiso_ends else Payers.PLAYING
    played = (CAPTURED, HALF, POINTS)
    dealt = list_hands(COUNT, "B6", *played, shiso_ends=house.shiso_ends)
    captured = list_captured(YAKU, "B9–B10", KAN)
    by_half = frozenset({CAPTURED, HALF})
    return PaymentTable(
        (
            *(row._replace(payers=shiso) if row.id == SHISO else row for row in dealt),
            *(
                row._replace(halves=True, alone=True, ends=by_half, of_winner=True)
                for row in captured
            ),
            *(row._replace(ruling="B12") for row in SPECIAL_ROWS),
            TOBIKOMI._replace(ruling="B11", alone=house.tobikomi_hatto, ends=frozenset(played)),
            NUKE._replace(ruling="B11", ends=frozenset({HALF, POINTS})),
            *_TABLE_ROWS,
            CARD_POINTS._replace(ruling="B13"),
        )
    )
