"""Captured yaku that are all counted at the end of a month: what a sheet of them may have (S4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
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
    """Raise Illegal unless some cards of each player make just their lines.

    ``tables`` are the yaku that count for a seat in play, ``captured`` the points of its cards
    where the sheet has them; ``count`` counts cards.
    """
    made = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    for seat, table in tables.items():
        own = [line for line in made if line.seat == seat]
        if not own:
            continue
        named = [one for line in own for one in line.yaku]
        for line in own:
            if any(named.count(one) > 1 for one in line.yaku):
                raise Illegal(sheet_codes.SHEET_TWICE, where=line.where, label=line.label)
        fits = any(possible(table, frozenset(hand)) for hand in _hands(own, table, len(tables)))
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
