"""The payments of a month of こいこい in a house (K3–K20)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from kafu.rules.koikoi.profiles import Profile
from kafu.rules.payments import (
    Payers,
    PaymentKind,
    PaymentRow,
    PaymentTable,
    Receivers,
    list_captured,
    list_dealt,
)

#: The ends of a month with payments: by shown hands, by captured yaku, or after all cards (親権).
_SHOWN: Final = frozenset({"shown"})
_CAPTURED: Final = frozenset({"captured"})
_EXHAUSTED: Final = frozenset({"exhausted"})


@lru_cache(maxsize=256)
def list_payments(house: Profile, month: int) -> PaymentTable:
    """Return the payments of a month; the loser pays in a zero-sum house, else nobody (C4)."""
    payers = Payers.PLAYING if house.zero_sum else Payers.NOBODY
    return PaymentTable(row._replace(payers=payers) for row in _list_rows(house, month))


def _list_rows(house: Profile, month: int) -> Iterator[PaymentRow]:
    """Yield the rows of a house, without amounts that depend on the yaku."""
    other = PaymentKind.OTHER
    for row in list_dealt({row.id: row.value for row in house.teyaku}, "K3"):
        yield row._replace(ends=_SHOWN)
    for row in list_captured(house.table(month), "K5–K7"):
        yield row._replace(ends=_CAPTURED, of_winner=True)
    if house.exhausted_gain:
        yield PaymentRow(
            *("oyaken", other, (house.exhausted_gain,), "K15"),
            receivers=Receivers.FIRST,
            ends=_EXHAUSTED,
        )
    for id, each in _list_additions(house):
        ruling = "K15, K17" if id == "koikoi" else "K15"
        yield PaymentRow(id, other, each, ruling, ends=_CAPTURED, of_winner=True)
    if house.season:
        yield PaymentRow("kobiki", other, (house.season,), "K12", prize=True)
    if house.grand:
        yield PaymentRow("obiki", other, (house.grand,), "K15", prize=True)


def _list_additions(house: Profile) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the ids of additions to a winner's yaku, with their amounts."""
    if house.call_bonus or house.call_times or house.calls_multiply:
        yield "koikoi", (house.call_bonus,) if house.call_bonus and not house.calls_multiply else ()
    if house.double_from is not None:
        yield "bai", ()
    if house.double_called:
        yield "koikoigaeshi", ()
