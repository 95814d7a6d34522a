"""The payments of 三人はちはち."""

from __future__ import annotations

from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.hatto import TOBIKOMI_KAN
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.hachihachi.year import SPECIALS
from kafu.rules.payments import (
    POINTS,
    Payers,
    PaymentKind,
    PaymentRow,
    PaymentTable,
    Receivers,
    list_captured,
    list_dealt,
)

#: 複合せず in the table of compounds: pairs that no seven cards make.
NEVER: Final = (
    frozenset({"aka", "shiso"}),
    frozenset({"karasu", "futasanbon"}),
    frozenset({"pikaichi", "futatatesanbon"}),
    frozenset({"karasu", "futatatesanbon"}),
)
#: The most points and chaff cards that 特殊役 count: all of the pack.
_MOST: Final = {"futahachi": 264, "sujuroku": 27}
#: 特殊役 with all their values (H16).
SPECIAL_ROWS: Final = tuple(
    PaymentRow(
        id,
        PaymentKind.SPECIAL,
        tuple(
            KAN * (special.kan + special.step * more)
            for more in range(_MOST.get(id, special.least) - special.least + 1)
        ),
        "H16",
        receivers=Receivers.FIRST if id == "sohachi" else Receivers.PLAYING,
    )
    for id, special in SPECIALS.items()
)
TOBIKOMI: Final = PaymentRow(
    *("tobikomi", PaymentKind.OTHER, (KAN * TOBIKOMI_KAN,), "H15"),
    is_raised=False,
    alone=True,
    struck=True,
    most=2,
)
NUKE: Final = PaymentRow(
    *("nuke", PaymentKind.OTHER, (KAN * hands.NUKE_KAN,), "H17"), is_raised=False, struck=True
)
CARD_POINTS: Final = PaymentRow(
    POINTS, PaymentKind.OTHER, (1,), "H17", Payers.BALANCE, is_raised=False
)

PAYMENTS: Final = PaymentTable(
    (
        *list_dealt(hands.CHAFF, "H2–H5", KAN, never=NEVER, struck=True),
        *list_dealt(hands.COUNT, "H2–H5", KAN, never=NEVER, struck=True),
        *(row._replace(halves=True, alone=True) for row in list_captured(YAKU, "H8–H13", KAN)),
        *SPECIAL_ROWS,
        TOBIKOMI,
        NUKE,
        CARD_POINTS,
    )
)
