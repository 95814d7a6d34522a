"""Sums that are kept: of all facts of a ruleset by house and every two columns, for each metric.

A question about no more than two columns, those that it filters by among them, reads a row of these
however many facts there are. They change with the facts by what is added and removed.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from django.db.models import Q

from records.insights.blocks import TABLE_OF, Array, Block, pack, size, unpack_many
from records.insights.counting import Cells, Counting, MetricCount, by_each_yaku
from records.insights.dimensions import KEPT, OF_TABLE, reaches
from records.insights.metrics import METRICS
from records.insights.names import Members
from records.models import InsightSums

Pair = tuple[str, str]

#: Every two columns, every one, and none, in the order of `KEPT`.
PAIRS: Final[tuple[Pair, ...]] = (
    ("", ""),
    *(("", column) for column in KEPT),
    *combinations(KEPT, 2),
)
#: Cells of two columns that are kept, at most: reading more takes as long as counting facts does.
MOST: Final = 4096
#: Bits of a column's number in a key.
_BITS: Final = 24
_HOUSE_BITS: Final = 15
_LENGTH: Final = struct.Struct("<I")
#: Of a cell: cases, sum, squares.
_NUMBERS: Final = 3


def pair_of(columns: Collection[str]) -> Pair | None:
    """The pair that has these columns, the house apart; None if there is none, or too many."""
    wanted = {*columns} - {"house"}
    if len(wanted) > len(("one", "other")) or not wanted <= set(KEPT):
        return None
    one, other = ["", "", *(column for column in KEPT if column in wanted)][-2:]
    return one, other


def measures(pair: Pair) -> list[MetricCount]:
    """What is kept of a pair."""
    columns = set(filter(None, pair))
    found = []
    for metric in METRICS.values():
        if all(reaches(TABLE_OF[column], metric) for column in columns):
            found.append(MetricCount(metric))
            if metric.once and columns <= OF_TABLE:
                found.append(MetricCount(metric, once=True))
    return found


def read(ruleset: str, pairs: Sequence[Pair], measure: MetricCount) -> list[Cells] | None:
    """The cells by house and the columns of each pair; None where one of them is not kept."""
    wanted = Q()
    for one, other in pairs:
        wanted |= Q(one=one, other=other)
    rows = InsightSums.objects.order_by().filter(wanted, ruleset=ruleset)
    data = {(one, other): bytes(of) for one, other, of in rows.values_list("one", "other", "data")}
    if not all(data.get(pair) for pair in pairs):
        return None
    return [
        _cells(pair, _unpacked(data[pair], [one.id for one in measures(pair)].index(measure.id)))
        for pair in pairs
    ]


def _cells(pair: Pair, rows: Array) -> Cells:
    """The cells of a metric: the columns that are none are left out."""
    rows = rows[:, rows[1] > 0]
    keys, (n, total, squares) = rows[0], rows[1:]
    low = (1 << _BITS) - 1
    parts = (keys >> 2 * _BITS, keys >> _BITS & low, keys & low)
    named = [True, *map(bool, pair)]
    codes = np.array([part for part, has in zip(parts, named, strict=True) if has])
    return Cells(codes, n, total, squares)


def change(
    ruleset: str,
    added: Block,
    removed: Block,
    members: Members,
    of: Collection[str] | None = None,
) -> None:
    """Part of a transaction: add what blocks come to, and subtract it; ``members`` are those of
    sets of yaku; ``of`` names the columns of the pairs that change, None for all.
    """
    if not size(added) and not size(removed):
        return
    rows = {
        (row.one, row.other): row for row in InsightSums.objects.order_by().filter(ruleset=ruleset)
    }
    fresh, changed = [], []
    for pair in PAIRS:
        if of is not None and not {*pair} & {*of}:
            continue
        row = rows.get(pair)
        if row is not None and not row.data:
            continue  # too many cells, once and for all
        data = _added(pair, bytes(row.data) if row else b"", (added, removed), members)
        if row is None:
            fresh.append(InsightSums(ruleset=ruleset, one=pair[0], other=pair[1], data=data))
        else:
            row.data = data
            changed.append(row)
    InsightSums.objects.bulk_create(fresh)
    InsightSums.objects.bulk_update(changed, ["data"], batch_size=100)


def _added(pair: Pair, data: bytes, added_removed: tuple[Block, Block], members: Members) -> bytes:
    by = ["house", *filter(None, pair)]
    parts = []
    for place, measure in enumerate(measures(pair)):
        found = [_unpacked(data, place)] if data else []
        for of, times in zip(added_removed, (1, -1), strict=True):
            if size(of):
                counting = Counting(by, measure, members)
                counting.add(of)
                cells = by_each_yaku(counting.cells(), by, members)
                if not _fits(cells):
                    return b""
                numbers = (cells.n, cells.total, cells.squares)
                found.append(np.array([_keys(pair, cells), *(times * one for one in numbers)]))
        whole = _merged(found)
        if whole.shape[1] > MOST:
            return b""
        parts.append(_sized(pack(*whole)))
    return b"".join(parts)


def _fits(cells: Cells) -> bool:
    most = [1 << _HOUSE_BITS, 1 << _BITS, 1 << _BITS]
    return all(
        not len(codes) or int(codes.max()) < bound
        for codes, bound in zip(cells.codes, most, strict=False)
    )


def _keys(pair: Pair, cells: Cells) -> Array:
    codes = iter(cells.codes)
    keys = next(codes) << 2 * _BITS
    for name, shift in zip(pair, (_BITS, 0), strict=True):
        if name:
            keys = keys | next(codes) << shift
    return keys


def _merged(found: Sequence[Array]) -> Array:
    """Rows of keys and numbers added up by key; without those that come to nothing."""
    rows = np.concatenate(found, axis=1)
    keys, place = np.unique(rows[0], return_inverse=True)
    whole = np.zeros((1 + _NUMBERS, len(keys)), np.int64)
    whole[0] = keys
    for number in range(1, 1 + _NUMBERS):
        np.add.at(whole[number], place, rows[number])
    return whole[:, whole[1:].any(axis=0)]


def _sized(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def _parts(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        at += _LENGTH.size
        yield data[at : at + length]
        at += length


def _unpacked(data: bytes, place: int) -> Array:
    """The rows of the metric at a place: keys, cases, sums, squares."""
    part = next(one for number, one in enumerate(_parts(data)) if number == place)
    return np.array(unpack_many(part, 1 + _NUMBERS), np.int64)
