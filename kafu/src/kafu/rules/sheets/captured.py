"""Captured yaku on a score sheet: values, totals, labels, and the cards that they need (S4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from kafu.rules.sheets.lines import PaymentKind, PaymentLine
from kafu.rules.sheets.offers import Offer, Paid
from kafu.rules.yaku import CapturedYaku, YakuTable


def values(row: CapturedYaku) -> range:
    """Return the possible values of a yaku, several for a yaku with growing value."""
    more = row.step * (row.counted.bit_count() - row.base) if row.step else 0
    return range(row.value, row.value + more + 1, row.step or 1)


@lru_cache(maxsize=64)
def captured_totals(table: YakuTable) -> frozenset[int]:
    """Return the possible totals of captured yaku that do not replace one another, 0 for none.

    Some of the totals may need more cards than the pack has, but no possible total is missing.
    """
    groups: list[list[CapturedYaku]] = []
    for row in table:
        related = [
            group
            for group in groups
            if any(row.id in member.over or member.id in row.over for member in group)
        ]
        groups = [group for group in groups if group not in related]
        groups.append([row, *(member for group in related for member in group)])
    totals = {0}
    for group in groups:
        totals = {total + more for total in totals for more in _group_totals(group)}
    return frozenset(totals)


def _group_totals(rows: Sequence[CapturedYaku]) -> set[int]:
    """Return the totals of all sets of these yaku in which none replaces another."""
    totals = {0}
    for chosen in product((False, True), repeat=len(rows)):
        group = [row for row, is_made in zip(rows, chosen, strict=True) if is_made]
        replaced = {id for row in group for id in row.over}
        if not replaced & {row.id for row in group}:
            sums = {0}
            for row in group:
                worth = {*values(row), *values(row._replace(value=row.called_value or row.value))}
                sums = {sum_ + value for sum_ in sums for value in worth}
            totals |= sums
    return totals


def kind_of(rows: Mapping[str, CapturedYaku], yaku: Sequence[str]) -> PaymentKind | None:
    """Return CAPTURED for a label of yaku possible together for one player; None for other labels.

    All must be in the table ``rows``, none twice, and none replaced by another.
    """
    if not set(yaku) <= rows.keys() or len(set(yaku)) < len(yaku):
        return None
    is_replaced = any(set(rows[id].over) & set(yaku) for id in yaku)
    return None if is_replaced else PaymentKind.CAPTURED


def offer_of(
    row: CapturedYaku,
    each: Iterable[int] | None = None,
    paid: Paid = Paid.PLAYING,
    *,
    struck: bool = False,
    seats: tuple[int, ...] = (),
) -> Offer:
    """Return the offer of a captured yaku, paid by `values` or by ``each``."""
    sums = tuple(values(row) if each is None else each)
    kind = PaymentKind.CAPTURED
    return Offer(row.id, kind, sums, paid, struck=struck, seats=seats, cards=need_of(row))


def needed(rows: Mapping[str, CapturedYaku], line: PaymentLine) -> int:
    """Return the cards needed in any case for the yaku of a line."""
    mask = 0
    for id in line.yaku:
        row = rows.get(id)
        if row is not None:
            mask |= need_of(row)
    return mask


def need_of(row: CapturedYaku) -> int:
    """Return the cards needed in any case for a yaku."""
    return row.must | (row.cards if row.need == row.cards.bit_count() else 0)
