"""Captured yaku that are all counted at the end of a month: what a sheet of them may have (S4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, product
from operator import or_

from kafu.rules import sheet_codes
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import PaymentKind, PaymentLine
from kafu.rules.sheets.offers import Offer, Paid
from kafu.rules.sheets.together import WAYS, need_of, needed, possible, shared_card, ways
from kafu.rules.yaku import Yaku, YakuTable


def values(row: Yaku) -> range:
    """The possible values of a yaku: one may grow with its cards."""
    more = row.step * (row.counted.bit_count() - row.base) if row.step else 0
    return range(row.value, row.value + more + 1, row.step or 1)


@lru_cache(maxsize=64)
def captured_totals(table: YakuTable) -> frozenset[int]:
    """Return the totals of captured yaku that do not replace one another, 0 for none.

    Some of them may need more cards than the pack has: no possible total is missing.
    """
    groups: list[list[Yaku]] = []
    for row in table:
        related = [
            group
            for group in groups
            if any(row.id in other.over or other.id in row.over for other in group)
        ]
        groups = [group for group in groups if group not in related]
        groups.append([row, *(other for group in related for other in group)])
    totals = {0}
    for group in groups:
        totals = {total + more for total in totals for more in _group_totals(group)}
    return frozenset(totals)


def _group_totals(rows: Sequence[Yaku]) -> set[int]:
    """Return the totals of the sets of yaku in which none replaces another."""
    totals = {0}
    for chosen in product((False, True), repeat=len(rows)):
        group = [row for row, is_made in zip(rows, chosen, strict=True) if is_made]
        replaced = {id for row in group for id in row.over}
        if not replaced & {row.id for row in group}:
            sums_ = {0}
            for row in group:
                worth = {*values(row), *values(row._replace(value=row.called_value or row.value))}
                sums_ = {sum_ + value for sum_ in sums_ for value in worth}
            totals |= sums_
    return totals


def kind_of(rows: Mapping[str, Yaku], yaku: Sequence[str]) -> PaymentKind | None:
    """Captured yaku, where all are in the table ``rows`` and none stands twice or is replaced by
    another; None for other labels.
    """
    if not set(yaku) <= rows.keys() or len(set(yaku)) < len(yaku):
        return None
    is_replaced = any(set(rows[one].over) & set(yaku) for one in yaku)
    return None if is_replaced else PaymentKind.CAPTURED


def offer_of(
    row: Yaku,
    each: Iterable[int] | None = None,
    paid: Paid = Paid.PLAYING,
    *,
    struck: bool = False,
    seats: tuple[int, ...] = (),
) -> Offer:
    """A captured yaku as a month may have it: paid by its `values`, or by ``each``."""
    found = tuple(values(row) if each is None else each)
    kind = PaymentKind.CAPTURED
    return Offer(row.id, kind, found, paid, struck=struck, seats=seats, cards=need_of(row))


def check_all(
    lines: Sequence[PaymentLine],
    tables: Mapping[int, YakuTable],
    count: Callable[[int], int],
    captured: Mapping[int, int] | None,
) -> None:
    """Raise Illegal unless some cards of each player make just their lines (S4).

    The cards that one player's yaku need are not another's. ``tables`` are the yaku that count for
    a seat in play, ``captured`` the points of its cards where the sheet has them; ``count`` counts
    cards.
    """
    made = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    needs = {
        seat: reduce(
            or_,
            (needed({row.id: row for row in table}, line) for line in made if line.seat == seat),
            0,
        )
        for seat, table in tables.items()
    }
    _check_counts(made, tables, needs)
    every = YakuTable(
        {row.id: row._replace(over=()) for t in tables.values() for row in t}.values()
    )
    if clash := shared_card(every, made):
        line, other = clash
        raise Illegal(
            sheet_codes.SHEET_CARDS,
            where=line.where,
            label=line.label,
            seat=line.seat,
            other=other.label,
            due=other.seat,
        )
    for seat, table in tables.items():
        own = [line for line in made if line.seat == seat]
        if not own:
            continue
        named = [one for line in own for one in line.yaku]
        for line in own:
            if any(named.count(one) > 1 for one in line.yaku):
                raise Illegal(sheet_codes.SHEET_TWICE, where=line.where, label=line.label)
        without = reduce(or_, (need for other, need in needs.items() if other != seat), 0)
        fits = any(
            possible(table, frozenset(hand), without=without)
            for hand in _hands(own, table, len(tables))
        )
        if not fits:
            where = own[0].where if own else "month"
            raise Illegal(sheet_codes.SHEET_TOGETHER, where=where, seat=seat, yaku="+".join(named))
        rows = {row.id: row for row in table}
        least = count(reduce(or_, (needed(rows, line) for line in own), 0))
        if captured and captured[seat] < least:
            raise Illegal(
                sheet_codes.SHEET_FEW_POINTS,
                where=own[0].where,
                seat=seat,
                yaku="+".join(named),
                found=captured[seat],
                due=least,
            )


def _check_counts(
    lines: Sequence[PaymentLine], tables: Mapping[int, YakuTable], needs: Mapping[int, int]
) -> None:
    """Raise Illegal if yaku that count cards of a kind need more of them than the pack has."""
    totals: dict[int, int] = {}
    for line in lines:
        hands = list(_hands([line], tables[line.seat], len(tables)))
        for id in line.yaku:
            row = tables[line.seat].find(id)
            if row.need == row.cards.bit_count():
                continue
            fewest = row.need
            if row.step and hands:
                value = min(dict(hand)[id] for hand in hands)
                fewest = row.base + (value - row.value) // row.step
            others = sum(
                (need & row.cards).bit_count() for seat, need in needs.items() if seat != line.seat
            )
            totals[row.cards] = totals.get(row.cards, 0) + fewest
            if max(totals[row.cards], fewest + others) > row.cards.bit_count():
                raise Illegal(sheet_codes.SHEET_TOO_MANY, where=line.where, label=line.label)


def _hands(
    lines: Sequence[PaymentLine], table: YakuTable, players: int
) -> Iterator[list[tuple[str, int]]]:
    """The values of single yaku that the sums of the lines allow; each other player pays them."""
    each = []
    for line in lines:
        gain = line.amounts[line.seat - 1] // (players - 1)
        found = ways([values(table.find(one)) for one in line.yaku], gain)
        each.append([tuple(zip(line.yaku, one, strict=True)) for one in found])
    for chosen in islice(product(*each), WAYS):
        yield [pair for line in chosen for pair in line]
