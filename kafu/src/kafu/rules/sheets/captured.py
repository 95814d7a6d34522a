"""Captured yaku counted together at the end of a month: the checks of a sheet (S4)."""

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
    """Return the possible values of a yaku, several for a yaku with growing value."""
    more = row.step * (row.counted.bit_count() - row.base) if row.step else 0
    return range(row.value, row.value + more + 1, row.step or 1)


@lru_cache(maxsize=64)
def captured_totals(table: YakuTable) -> frozenset[int]:
    """Return the possible totals of captured yaku that do not replace one another, 0 for none.

    Some of the totals may need more cards than the pack has, but no possible total is missing.
    """
    groups: list[list[Yaku]] = []
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


def _group_totals(rows: Sequence[Yaku]) -> set[int]:
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


def kind_of(rows: Mapping[str, Yaku], yaku: Sequence[str]) -> PaymentKind | None:
    """Return CAPTURED for a label of yaku possible together for one player; None for other labels.

    All must be in the table ``rows``, none twice, and none replaced by another.
    """
    if not set(yaku) <= rows.keys() or len(set(yaku)) < len(yaku):
        return None
    is_replaced = any(set(rows[id].over) & set(yaku) for id in yaku)
    return None if is_replaced else PaymentKind.CAPTURED


def offer_of(
    row: Yaku,
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


def check_all(
    lines: Sequence[PaymentLine],
    tables: Mapping[int, YakuTable],
    count: Callable[[int], int],
    captured: Mapping[int, int],
) -> None:
    """Raise Illegal unless some cards of each player make exactly the yaku of the lines (S4).

    Cards needed for the yaku of a player are not for other players. ``tables`` are the yaku for
    each seat in play, ``captured`` the points of the seat's cards; ``count`` counts cards.
    """
    yaku_lines = [line for line in lines if line.kind is PaymentKind.CAPTURED]
    every = YakuTable(
        {row.id: row._replace(over=()) for t in tables.values() for row in t}.values()
    )
    needs: dict[int, int] = {}
    for end, line in enumerate(yaku_lines, start=1):
        same_seat = [earlier for earlier in yaku_lines[:end] if earlier.seat == line.seat]
        check_apart(same_seat, tables[line.seat])
        needs = _check_pack(yaku_lines[:end], tables, every)
    for seat, table in tables.items():
        seat_lines = [line for line in yaku_lines if line.seat == seat]
        without = reduce(or_, (need for owner, need in needs.items() if owner != seat), 0)
        hands = [
            frozenset(hand)
            for hand in _possible_hands(seat_lines, table, len(tables))
            if possible(table, frozenset(hand), without=without)
        ]
        yaku = "+".join(id for line in seat_lines for id in line.yaku)
        if not hands:
            where = seat_lines[0].where
            raise Illegal(sheet_codes.SHEET_TOGETHER, where=where, seat=seat, yaku=yaku)
        least = min(least_points(table, hand, count) for hand in hands)
        if captured[seat] < least:
            raise Illegal(
                sheet_codes.SHEET_FEW_POINTS,
                where=seat_lines[0].where,
                seat=seat,
                yaku=yaku,
                found=captured[seat],
                due=least,
            )
        # A month that is struck out need not have all its yaku. Few points need no search.
        is_sure = captured[seat] + count(without) <= most_without_yaku(table, count)
        if is_sure or any(line.void for line in lines):
            continue
        if not any(can_count(table, hand, count, captured[seat], without) for hand in hands):
            where = next((line.where for line in lines if line.label == POINTS), "month")
            points = captured[seat]
            raise Illegal(sheet_codes.SHEET_MANY_POINTS, where=where, seat=seat, found=points)


def check_apart(lines: Sequence[PaymentLine], table: YakuTable) -> None:
    """Raise Illegal at the first line of a player with a yaku in conflict with an earlier line.

    Two yaku are in conflict if they are the same, or if either replaces the other.
    """
    ids: set[str] = set()
    for line in lines:
        if ids & set(line.yaku):
            raise Illegal(sheet_codes.SHEET_TWICE, where=line.where, label=line.label)
        ids |= set(line.yaku)
        if any(replaced in ids for id in ids for replaced in table.find(id).over):
            yaku = "+".join(row.id for row in table if row.id in ids)
            where = line.where
            raise Illegal(sheet_codes.SHEET_TOGETHER, where=where, seat=line.seat, yaku=yaku)


def _check_pack(
    lines: Sequence[PaymentLine], tables: Mapping[int, YakuTable], every: YakuTable
) -> dict[int, int]:
    """Return the cards needed in any case for the yaku of each seat.

    ``every`` has the rows of all tables. Raise Illegal if the last line needs a card, or a number
    of cards, no longer in the pack.
    """
    last = lines[-1]
    if clash := shared_card(every, lines):
        _, earlier = clash
        raise Illegal(
            sheet_codes.SHEET_CARDS,
            where=last.where,
            label=last.label,
            seat=last.seat,
            other=earlier.label,
            due=earlier.seat,
        )
    needs = dict.fromkeys(tables, 0)
    for line in lines:
        needs[line.seat] |= needed({row.id: row for row in tables[line.seat]}, line)
    totals: dict[int, int] = {}
    for line in lines:
        hands = list(_possible_hands([line], tables[line.seat], len(tables)))
        for id in line.yaku:
            row = tables[line.seat].find(id)
            if row.need == row.cards.bit_count():
                continue
            fewest = row.need
            if row.step and hands:
                value = min(dict(hand)[id] for hand in hands)
                fewest = row.base + (value - row.value) // row.step
            not_free = sum(
                (need & row.cards).bit_count() for seat, need in needs.items() if seat != line.seat
            )
            totals[row.cards] = totals.get(row.cards, 0) + fewest
            if max(totals[row.cards], fewest + not_free) > row.cards.bit_count():
                raise Illegal(sheet_codes.SHEET_TOO_MANY, where=last.where, label=last.label)
    return needs


def _possible_hands(
    lines: Sequence[PaymentLine], table: YakuTable, players: int
) -> Iterator[list[tuple[str, int]]]:
    """Generate the values of single yaku with the sums of the lines.

    Each other player pays the values.
    """
    each = []
    for line in lines:
        gain = line.amounts[line.seat - 1] // (players - 1)
        line_ways = ways([values(table.find(id)) for id in line.yaku], gain)
        each.append([tuple(zip(line.yaku, way, strict=True)) for way in line_ways])
    for chosen in islice(product(*each), WAYS):
        yield [pair for line in chosen for pair in line]
