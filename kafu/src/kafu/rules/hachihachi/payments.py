"""The payments of 三人はちはち."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

SHISO: Final = "shiso"
#: The other ends of a month: captured yaku, captured yaku by half, special yaku. After all cards it
#: ends with card points.
CAPTURED: Final = "captured"
HALF: Final = "captured by half"
SPECIAL: Final = "special"
#: 複合せず in the table of compounds: pairs that no seven cards make.
_NEVER: Final = (
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
        ends=frozenset({SPECIAL}),
    )
    for id, special in SPECIALS.items()
)
TOBIKOMI: Final = PaymentRow(
    *("tobikomi", PaymentKind.OTHER, (KAN * TOBIKOMI_KAN,), "H15"),
    is_raised=False,
    alone=True,
    struck=True,
    most=2,
    ends=frozenset({CAPTURED, POINTS}),
)
NUKE: Final = PaymentRow(
    *("nuke", PaymentKind.OTHER, (KAN * hands.NUKE_KAN,), "H17"),
    is_raised=False,
    struck=True,
    ends=frozenset({POINTS}),
)
CARD_POINTS: Final = PaymentRow(
    *(POINTS, PaymentKind.OTHER, (1,), "H17", Payers.BALANCE),
    is_raised=False,
    ends=frozenset({POINTS}),
)


def list_hands(
    counts: Mapping[str, int], ruling: str, *ends: str, shiso_ends: bool
) -> Iterator[PaymentRow]:
    """Yield the rows of dealt hands, with the values in kan of the hands by count.

    They are paid whatever of ``ends`` ended the month. If ``shiso_ends``, nothing strikes out 四三,
    and the hands shown with it are paid too (H6, B15).
    """
    for values in (hands.CHAFF, counts):
        for row in list_dealt(values, ruling, KAN, never=_NEVER, struck=True):
            if row.id == SHISO and shiso_ends:
                yield row._replace(ends=frozenset({SHISO}), ends_game=True, struck=False)
            else:
                yield row._replace(ends=frozenset({*ends, SHISO} if shiso_ends else ends))


PAYMENTS: Final = PaymentTable(
    (
        *list_hands(hands.COUNT, "H2–H5", CAPTURED, POINTS, shiso_ends=True),
        *(
            row._replace(halves=True, alone=True, ends=frozenset({CAPTURED}))
            for row in list_captured(YAKU, "H8–H13", KAN)
        ),
        *SPECIAL_ROWS,
        TOBIKOMI,
        NUKE,
        CARD_POINTS,
    )
)
