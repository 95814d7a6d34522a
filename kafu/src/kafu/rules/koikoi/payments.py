"""The payments of a month of こいこい in a house (K3–K20)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

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


@lru_cache(maxsize=256)
def list_payments(house: Profile, month: int) -> PaymentTable:
    """Return the payments of a month; the loser pays in a zero-sum house, else nobody (C4)."""
    payers = Payers.PLAYING if house.zero_sum else Payers.NOBODY
    return PaymentTable(row._replace(payers=payers) for row in _list_rows(house, month))


def _list_rows(house: Profile, month: int) -> Iterator[PaymentRow]:
    yield from list_dealt({row.id: row.value for row in house.teyaku}, "K3")
    yield from list_captured(house.table(month), "K5–K7")
    yield from _list_additions(house)


def _list_additions(house: Profile) -> Iterator[PaymentRow]:
    """Yield the rows of 親権, of what is added to a winner's yaku, and of the prizes of months.

    Amounts that depend on the yaku are left out.
    """
    other = PaymentKind.OTHER
    if house.exhausted_gain:
        yield PaymentRow(
            *("oyaken", other, (house.exhausted_gain,), "K15"), receivers=Receivers.FIRST
        )
    if house.call_bonus or house.call_times or house.calls_multiply:
        bonus = (house.call_bonus,) if house.call_bonus and not house.calls_multiply else ()
        yield PaymentRow("koikoi", other, bonus, "K15, K17")
    if house.double_from is not None:
        yield PaymentRow("bai", other, (), "K15")
    if house.double_called:
        yield PaymentRow("koikoigaeshi", other, (), "K15")
    if house.season:
        yield PaymentRow("kobiki", other, (house.season,), "K12")
    if house.grand:
        yield PaymentRow("obiki", other, (house.grand,), "K15")
