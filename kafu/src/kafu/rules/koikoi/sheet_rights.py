"""The turns that can give a winner of こいこい the right to declare (K8–K10, S5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from kafu import cards
from kafu.rules.koikoi.machine import HAND
from kafu.rules.koikoi.sheet_turns import Demand
from kafu.rules.yaku import CapturedYaku, YakuTable, grown, made


class Weather(NamedTuple):
    """Rain at the end: cards that the winner has or lacks (masks), and whether rain voids yaku.

    ``voiding``: the winner has some of these cards.
    """

    needed: int = 0
    barred: int = 0
    voiding: int = 0
    is_rained: bool = False


def lacks_rights(demand: Demand, weather: Weather, barred: int = 0) -> bool:
    """Return whether the yaku of a whole hand give the right in too few turns.

    Yaku that were voided by rain may have given it before, without ``barred`` cards.
    """
    least = min(demand.calls) + demand.is_stopped
    if not demand.is_whole or least < 2:
        return False
    table, wanted = demand.table, dict(demand.yaku)
    over = {id for id in wanted for id in table.find(id).over}
    rows = [row for row in table if row.id in wanted or row.id in over]
    rows += [row for row in table if row.sake and weather.is_rained and not row.cards & barred]
    used = reduce(or_, (row.cards | row.counted for row in rows), 0)
    if min(map(_count_turns, rows)) + least > HAND + 1:
        return True
    # Yaku that share cards are counted together, and those that may make another yaku.
    parts: list[int] = []
    for row in table:
        held = (row.cards | row.counted) & used
        if row in rows or (not row.must and held.bit_count() >= row.need):
            for part in [part for part in parts if part & held]:
                parts.remove(part)
                held |= part
            parts.append(held)
    most, called = 0, demand.is_called
    for part in parts:
        if most >= least:
            break
        of_part = tuple(row for row in rows if row.cards & part)
        values = frozenset((row.id, wanted[row.id]) for row in of_part if row.id in wanted)
        left = part & ~barred
        most += _count_part(table, of_part, values, left, least - most, called=called)
    has_sake = any(row.sake for row in rows)
    is_steady = not (weather.is_rained or (weather.voiding and has_sake))
    if demand.floor and is_steady and not any(row.over for row in rows):
        # Each right comes with a higher total.
        most = min(most, sum(wanted.values()) - demand.floor + 1)
    return most < least


@lru_cache(maxsize=256)
def _count_turns(row: CapturedYaku) -> int:
    """Return a number of turns that a yaku needs at least, with two captures each."""
    held = sorted(((row.cards & month).bit_count() for month in cards.MONTHS[1:]), reverse=True)
    reached = accumulate(held)
    captures = next(number for number, count in enumerate(reached, 1) if count >= row.need)
    return (captures + 1) // 2


@lru_cache(maxsize=1024)
def _count_part(
    table: YakuTable,
    rows: Sequence[CapturedYaku],
    wanted: frozenset[tuple[str, int]],
    part: int,
    enough: int,
    *,
    called: bool,
) -> int:
    """Return the most cards that make or raise one of the yaku, or at least ``enough``.

    In the end the ``wanted`` yaku are made, with no other cards than ``part``. Cards of the same
    yaku are alike. The result is negative if that is impossible.
    """
    groups: dict[tuple[bool, ...], int] = {}
    for card in cards.bits(part):
        masks = (mask for row in rows for mask in (row.cards, row.counted, row.must, row.bare))
        key = tuple(bool(card & mask) for mask in masks)
        groups[key] = groups.get(key, 0) | card
    alike = tuple(groups.values())
    others = [row for row in table if row not in rows and not row.must]
    find_yaku = cache(partial(made, YakuTable(rows), rained=False, called=called))
    limits = []
    for row in rows:
        value = dict(wanted).get(row.id)
        worth = row.called_value if called and row.called_value is not None else row.value
        if row.step and value is not None:
            limits.append((row.counted, row.base + (value - worth) // row.step))

    def is_final(held: int) -> bool:
        """Return whether cards like ``held`` make the yaku, and need not make another."""
        return wanted <= {(item.id, item.value) for item in find_yaku(held)} and not any(
            sum(
                max(0, (held & group).bit_count() - (group & ~row.cards).bit_count())
                for group in alike
            )
            >= row.need
            for row in others
        )

    most, best = -cards.ALL.bit_count(), {0: 0}
    stack = [0]
    while stack and most < enough:
        held = stack.pop()
        if best[held] > most and is_final(held):
            most = best[held]
        after = []
        for group in alike:
            more = held | next(cards.bits(group & ~held), 0)
            if more == held or any((more & mask).bit_count() > limit for mask, limit in limits):
                continue
            right = any(
                grown(item, find_yaku(held))
                and (item.held > table.find(item.id).need or not table.find(item.id).bare & more)
                for item in find_yaku(more)
            )
            if best[held] + right > best.get(more, -1):
                best[more] = best[held] + right
                after.append((right, more))
        stack += [more for _, more in sorted(after)]
    return most
