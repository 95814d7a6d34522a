"""Captured yaku counted together at the end of a month: the checks of a sheet (S4).

The checks include a search for captured cards with given yaku, no other yaku, and enough card
points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import islice, product
from operator import or_
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import POINTS, PaymentKind, PaymentLine
from kafu.rules.sheets.offers import Offer, Paid
from kafu.rules.sheets.together import WAYS, need_of, needed, possible, shared_card, ways
from kafu.rules.yaku import CapturedYaku, YakuTable

#: The most steps of a search. When they are used up, any points count as possible.
_STEPS: Final = 2_000

Claimed = frozenset[tuple[str, int]]
Count = Callable[[int], int]


def least_points(table: YakuTable, claimed: Claimed, count: Count) -> int:
    """Return the least points of cards with the ``claimed`` yaku (id and value).

    Cards needed in any case count, and the cheapest cards of a choice. ``count`` counts cards.
    """
    sizes = _count_cards(table, claimed)
    needed = _needed_cards(table, sizes)
    least, counted = count(needed), needed
    for id, size in sizes.items():
        row = table.find(id)
        free = sorted(count(card) for card in cards.bits(row.cards & ~counted))
        least += sum(free[: max(0, size - (needed & row.cards).bit_count())])
        counted |= row.cards
    return least


@lru_cache(maxsize=4096)
def can_count(
    table: YakuTable, claimed: Claimed, count: Count, points: int, without: int = 0
) -> bool:
    """Return whether cards of at least ``points`` can make the ``claimed`` yaku and no other.

    ``without`` is a mask of cards of other players.
    """
    return _Search(table, _count_cards(table, claimed), count, points, without).succeeds()


@lru_cache(maxsize=64)
def most_without_yaku(table: YakuTable, count: Count) -> int:
    """Return the most points of cards without any yaku."""
    low, high = 0, count(cards.ALL)
    while low < high:
        middle = (low + high + 1) // 2
        if can_count(table, frozenset(), count, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _count_cards(table: YakuTable, claimed: Claimed) -> dict[str, int]:
    """Return the number of cards of each yaku; the value decides for yaku that grow."""
    rows = [(table.find(id), value) for id, value in sorted(claimed)]
    return {
        row.id: row.base + (value - row.value) // row.step if row.step else row.need
        for row, value in rows
    }


def _needed_cards(table: YakuTable, sizes: Mapping[str, int]) -> int:
    """Return the cards that the yaku of ``sizes`` need in any case."""
    return reduce(or_, (need_of(table.find(id)) for id in sizes), 0)


class _Limit(NamedTuple):
    """A limit of captured cards: at most ``most`` of ``cards``, unless one of ``must`` is missing.

    Masks; a limit without ``must`` is valid in any case.
    """

    cards: int
    most: int
    must: int = 0

    def excess(self, held: int) -> int:
        """Return the least number of cards to be removed from the cards ``held``."""
        if self.must & ~held:
            return 0
        beyond = (held & self.cards).bit_count() - self.most
        return min(beyond, 1) if self.must else beyond


class _Search:
    """A search for the cheapest cards to be left to others.

    A player with all cards has all yaku. Therefore a card of each unclaimed yaku must be missing.
    """

    def __init__(
        self, table: YakuTable, sizes: Mapping[str, int], count: Count, points: int, without: int
    ) -> None:
        self.count, self.points = count, points
        self.start = cards.ALL & ~without
        self.needed = _needed_cards(table, sizes)
        replaced = {id for row in table if row.id in sizes for id in row.over}
        # Limits that cost most with the fewest cards come first, for a low bound.
        self.limits = sorted(
            self._limits(table, sizes, replaced),
            key=lambda limit: (-self._cost(limit, self.start, 0), limit.cards.bit_count()),
        )
        self.steps_left = _STEPS
        classes: dict[tuple[int, ...], int] = {}
        for card in cards.bits(self.start & ~self.needed):
            key = (count(card), *(int(bool(card & limit.cards)) for limit in self.limits))
            classes[key] = classes.get(key, 0) | card
        #: Classes of cards that are alike for all limits, the cheapest first.
        self.classes = [mask for _, mask in sorted(classes.items())]

    @staticmethod
    def _limits(table: YakuTable, sizes: Mapping[str, int], replaced: set[str]) -> Iterator[_Limit]:
        """Generate the limits of grown yaku and of yaku that are neither claimed nor replaced."""
        for row in table:
            if row.id in sizes and row.step:
                yield _Limit(row.counted, sizes[row.id])
            elif row.id not in sizes and row.id not in replaced:
                yield _Limit(row.cards, row.need - 1, row.must)

    def succeeds(self) -> bool:
        """Return whether suitable cards exist; True as well if the search is given up."""
        return self._remove(self.start, self.needed)

    def _remove(self, held: int, fixed: int) -> bool:
        """Remove cards of ``held``, none of the ``fixed``, until no limit is exceeded."""
        self.steps_left -= 1
        if self.steps_left < 0:
            return True
        if self._bound(held, fixed) < self.points:
            return False
        exceeded = [limit for limit in self.limits if limit.excess(held) > 0]
        if not exceeded:
            return True
        limit = min(exceeded, key=lambda limit: (limit.cards & held & ~fixed).bit_count())
        for mask in self.classes:
            free = mask & limit.cards & held & ~fixed
            if free and self._remove(held & ~(free & -free), fixed):
                return True
            fixed |= free
        return False

    def _bound(self, held: int, fixed: int) -> int:
        """Return an upper bound of the points.

        Each limit costs cards, unless an earlier limit has some of the same cards.
        """
        bound, used = self.count(held), 0
        for limit in self.limits:
            if not limit.cards & used and (cost := self._cost(limit, held, fixed)):
                bound -= cost
                used |= limit.cards
        return bound

    def _cost(self, limit: _Limit, held: int, fixed: int) -> int:
        """Return the points of the cheapest cards removed by a limit.

        If fewer cards than needed are not ``fixed``, return more than the points of all cards.
        """
        excess = limit.excess(held)
        if excess <= 0:
            return 0
        free = sorted(self.count(card) for card in cards.bits(held & limit.cards & ~fixed))
        return sum(free[:excess]) if len(free) >= excess else self.count(held) + 1


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
            raise Illegal(codes.SHEET_TOGETHER, where=where, seat=seat, yaku=yaku)
        least = min(least_points(table, hand, count) for hand in hands)
        if captured[seat] < least:
            raise Illegal(
                codes.SHEET_FEW_POINTS,
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
            raise Illegal(codes.SHEET_MANY_POINTS, where=where, seat=seat, found=points)


def check_apart(lines: Sequence[PaymentLine], table: YakuTable) -> None:
    """Raise Illegal at the first line of a player with a yaku in conflict with an earlier line.

    Two yaku are in conflict if they are the same, or if either replaces the other.
    """
    ids: set[str] = set()
    for line in lines:
        if ids & set(line.yaku):
            raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
        ids |= set(line.yaku)
        if any(replaced in ids for id in ids for replaced in table.find(id).over):
            yaku = "+".join(row.id for row in table if row.id in ids)
            where = line.where
            raise Illegal(codes.SHEET_TOGETHER, where=where, seat=line.seat, yaku=yaku)


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
            codes.SHEET_CARDS,
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
                raise Illegal(codes.SHEET_TOO_MANY, where=last.where, label=last.label)
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
