"""Captured yaku that are all counted at the end of a month: what a sheet of them may have (S4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, product
from operator import or_

from kafu.rules import sheet_codes
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.card_points import can_count, least_points, most_without_yaku
from kafu.rules.sheets.lines import POINTS, PaymentKind, PaymentLine
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
    captured: Mapping[int, int],
) -> None:
    """Raise Illegal unless some cards of each player make just their lines (S4).

    The cards that one player's yaku need are not another's. ``tables`` are the yaku that count for
    a seat in play, ``captured`` the points of its cards; ``count`` counts cards.
    """
    made = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    every = YakuTable(
        {row.id: row._replace(over=()) for t in tables.values() for row in t}.values()
    )
    needs: dict[int, int] = {}
    for end, line in enumerate(made, start=1):
        same_seat = [other for other in made[:end] if other.seat == line.seat]
        check_apart(same_seat, tables[line.seat])
        needs = _check_pack(made[:end], tables, every)
    for seat, table in tables.items():
        own = [line for line in made if line.seat == seat]
        without = reduce(or_, (need for other, need in needs.items() if other != seat), 0)
        hands = [
            frozenset(hand)
            for hand in _hands(own, table, len(tables))
            if possible(table, frozenset(hand), without=without)
        ]
        named = "+".join(id for line in own for id in line.yaku)
        if not hands:
            raise Illegal(sheet_codes.SHEET_TOGETHER, where=own[0].where, seat=seat, yaku=named)
        least = min(least_points(table, hand, count) for hand in hands)
        if captured[seat] < least:
            raise Illegal(
                sheet_codes.SHEET_FEW_POINTS,
                where=own[0].where,
                seat=seat,
                yaku=named,
                found=captured[seat],
                due=least,
            )
        # A month that is struck out need not have all yaku; few points need no search.
        is_sure = captured[seat] + count(without) <= most_without_yaku(table, count)
        if is_sure or any(line.void for line in lines):
            continue
        if not any(can_count(table, hand, count, captured[seat], without) for hand in hands):
            where = next((one.where for one in lines if one.label == POINTS), "month")
            found = captured[seat]
            raise Illegal(sheet_codes.SHEET_MANY_POINTS, where=where, seat=seat, found=found)


def check_apart(lines: Sequence[PaymentLine], table: YakuTable) -> None:
    """Raise Illegal at the first line of a player with a yaku that one before it has or replaces,
    or that replaces one before it.
    """
    seen: set[str] = set()
    for line in lines:
        if seen & set(line.yaku):
            raise Illegal(sheet_codes.SHEET_TWICE, where=line.where, label=line.label)
        seen |= set(line.yaku)
        if any(id in seen for yaku in seen for id in table.find(yaku).over):
            yaku = "+".join(row.id for row in table if row.id in seen)
            where = line.where
            raise Illegal(sheet_codes.SHEET_TOGETHER, where=where, seat=line.seat, yaku=yaku)


def _check_pack(
    lines: Sequence[PaymentLine], tables: Mapping[int, YakuTable], every: YakuTable
) -> dict[int, int]:
    """Raise Illegal if the last line needs a card or a number of cards that the pack does not have
    any more. Return the cards that each seat's yaku need in any case.

    ``every`` has the rows of all tables.
    """
    last = lines[-1]
    if clash := shared_card(every, lines):
        _, other = clash
        raise Illegal(
            sheet_codes.SHEET_CARDS,
            where=last.where,
            label=last.label,
            seat=last.seat,
            other=other.label,
            due=other.seat,
        )
    needs = dict.fromkeys(tables, 0)
    for line in lines:
        needs[line.seat] |= needed({row.id: row for row in tables[line.seat]}, line)
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
                raise Illegal(sheet_codes.SHEET_TOO_MANY, where=last.where, label=last.label)
    return needs


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
