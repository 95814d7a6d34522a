"""The months of こいこい that a sum on a score sheet can stand for (S2).

A sum is a shown hand, 親権, or the total of captured yaku with the additions of the house. The sets
of yaku are tried until a winner can have one of them with calls that give the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import chain, product, zip_longest
from operator import or_

from kafu.rules.koikoi.sheet_check import (
    Calls,
    MonthSituation,
    can_meet,
    list_additions,
    list_demands,
    value_row,
)
from kafu.rules.koikoi.sheet_turns import Demand
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.sums import explain_sum
from kafu.rules.yaku import CapturedYaku, made

#: The id of a yaku, and its value.
Valued = tuple[str, int]


def check_sum(line: PaymentLine, month: MonthSituation) -> None:
    """Raise Illegal unless the sum is possible in some month of the house (S2)."""
    if not _is_paid(line.amounts[line.seat - 1], month):
        raise explain_sum(line, kan=False)


@lru_cache(maxsize=1024)
def _is_paid(gain: int, month: MonthSituation) -> bool:
    """Return whether a month pays the sum, with any calls that add up to it."""
    house = month.house
    shown = [row.value for row in house.teyaku]  # one hand, or two of different values (K3)
    given = {higher - lower for higher, lower in product(shown, [0, *shown]) if higher > lower}
    if gain in given or (month.is_dealer and gain == house.exhausted_gain):
        return True
    searches = []
    is_revalued = any(row.called_value is not None for row in month.table)
    for is_called in (False, True) if is_revalued else (False,):
        rows = tuple(value_row(row, is_called=is_called) for row in month.table)
        for total in sorted(_list_totals(rows), reverse=True):
            calls = [
                (own, opponent)
                for (own, opponent), sums_ in list_additions(house, total).items()
                if total + sum(sums_.values()) == gain
                and (not is_revalued or is_called == (own > 0))
            ]
            if calls and total >= month.least:
                searches.append(_list_demands_of_total(rows, total, calls, month))
    # The totals take turns, as many sets of some total may be impossible.
    demands = chain.from_iterable(zip_longest(*searches))
    return can_meet(demand for demand in demands if demand)


@lru_cache(maxsize=4096)
def _list_totals(rows: tuple[CapturedYaku, ...]) -> frozenset[int]:
    """Return the possible totals of captured yaku that do not replace one another, 0 for none.

    A yaku comes before those that it replaces. Some of the totals may need more cards than the pack
    has, but no possible total is missing.
    """
    if not rows:
        return frozenset({0})
    row, others = rows[0], rows[1:]
    left = tuple(other for other in others if other.id not in row.over)
    with_row = {value + total for value in row.values for total in _list_totals(left)}
    return _list_totals(others) | with_row


def _list_demands_of_total(
    rows: Sequence[CapturedYaku], total: int, calls: Sequence[Calls], month: MonthSituation
) -> Iterator[Demand]:
    """Yield the demands of all yaku with a total and some of the calls."""
    for yaku in _list_sets(rows, total):
        if not _lacks_yaku(yaku, month):
            yield from list_demands(frozenset(yaku), calls, month)


def _list_sets(rows: Sequence[CapturedYaku], total: int) -> Iterator[tuple[Valued, ...]]:
    """Yield the yaku with this total, of rows that come before those that they replace."""
    if not total:
        yield ()
    for number, row in enumerate(rows, start=1):
        left = tuple(other for other in rows[number:] if other.id not in row.over)
        totals = _list_totals(left)
        for value in row.values:
            if total - value in totals:
                for others in _list_sets(left, total - value):
                    yield ((row.id, value), *others)


def _lacks_yaku(yaku: Sequence[Valued], month: MonthSituation) -> bool:
    """Return whether the cards of yaku make another yaku, even in rain."""
    rows = [month.table.find(id) for id, _ in yaku]
    needed = reduce(or_, (row.required for row in rows), 0)
    ids = {id for row in rows for id in (row.id, *row.over)}
    others = made(month.table, needed, rained=month.house.voiding > 0, called=False)
    return not ids.issuperset(item.id for item in others)
