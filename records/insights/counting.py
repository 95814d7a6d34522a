"""Counting: the cells of a block by some of its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from records.insights.blocks import OF_SETS, TABLE_OF, Array, Block, counts_of
from records.insights.metrics import Metric
from records.insights.names import Members

#: Cells that are counted in an array, whether they occur or not.
_DENSE: Final = 1 << 21
#: Bins for all values of all cells, at most: more than these would not be cheaper.
_EACH: Final = 1 << 14
#: Numbers below which a column needs no numbers without gaps.
_NARROW: Final = 1 << 11

#: Whole numbers below it are exact in floating point.
_EXACT: Final = 1 << 53

#: By table the numbers of rows, or None for all of them in their order: these are not copied.
Rows = dict[str, Array | None]
#: Of each column how many numbers there are, and what they stand for if they have no gaps.
Radices = list[tuple[int, Array | None]]


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells that occur: ``codes``, a row of numbers for each column, and for each cell the number
    of cases, the sum of their values, and that of the squares.
    """

    codes: Array
    n: Array
    total: Array
    squares: Array

    def __len__(self) -> int:
        return len(self.n)


@dataclass(frozen=True, slots=True)
class MetricCount:
    """A metric as it is counted: ``once`` of a deal, by the dealer's seat, or for every seat;
    ``yaku`` is the number of the one that is asked about, 0 for any.
    """

    metric: Metric
    once: bool = False
    yaku: int = 0

    @property
    def id(self) -> str:
        """Its name among sums that are kept."""
        return f"{self.metric.id}{'.once' * self.once}"

    @property
    def columns(self) -> set[str]:
        """The columns that it reads."""
        one = self.metric
        own = {"yaku" if self.yaku else one.value, one.of} - {""}
        return read_for(own) | ({"place"} if self.once else set())


def read_for(columns: Collection[str]) -> set[str]:
    """All columns that must be read for some: those of counts too."""
    tables = {TABLE_OF[column] for column in columns} - {""}
    return {*columns} | {counts_of(table) for table in tables}


class Counting:
    """The cells of blocks by some columns, one block after another. ``members`` are those of sets
    of yaku; ``cases`` how many cases there are in all.

    A case with several opponents counts in the cell of each; one with several yaku in that of their
    set (`by_each_yaku`).
    """

    def __init__(self, by: Sequence[str], measure: MetricCount, members: Members) -> None:
        self.by, self.measure, self.cases = by, measure, 0
        #: By the number of a set what it is worth, if sets stand in the place of values.
        self._worth = members[:, measure.yaku].astype(np.int64) if measure.yaku else None
        self._bins: _Bins | None = None
        self._parts: list[Cells] = []

    def add(self, of: Block) -> None:
        """Count a block."""
        rows = _cases(of, self.measure)
        value = "yaku" if self.measure.yaku else self.measure.metric.value
        values = _taken(of[value], rows[TABLE_OF[value]])
        self.cases += len(values)
        for table in dict.fromkeys(TABLE_OF[column] for column in self.by):
            if table not in rows:
                rows, values = _hang(of, rows, values, table)
        columns = [_taken(of[column], rows[TABLE_OF[column]]) for column in self.by]
        if len(values) and not self._binned(columns, values):
            worth = self._worth
            self._parts.append(_cells(columns, values if worth is None else worth.take(values)))

    def cells(self) -> Cells:
        """The cells of all blocks."""
        bins = [] if self._bins is None else [self._bins.cells(self._worth)]
        return merged([*self._parts, *bins], len(self.by))

    def _binned(self, columns: Sequence[Array], values: Array) -> bool:
        """Count in the bins, unless there would be too many of them."""
        ranges = [(0, int(column.max())) for column in columns]
        ranges.append((int(values.min()), int(values.max())))
        if self._bins is None or not self._bins.hold(ranges):
            wider = ranges if self._bins is None else _widened(self._bins.ranges, ranges)
            if prod(map(_length, wider)) > _EACH:
                return False
            if self._bins is not None:
                self._parts.append(self._bins.cells(self._worth))
            self._bins = _Bins(wider)
        self._bins.add(columns, values)
        return True


#: The least and the most number of each column, of values at last.
Ranges = Sequence[tuple[int, int]]


def _length(ends: tuple[int, int]) -> int:
    return ends[1] - ends[0] + 1


def _widened(one: Ranges, other: Ranges) -> Ranges:
    """What has both in it."""
    pairs = zip(one, other, strict=True)
    return [(min(a, c), max(b, d)) for (a, b), (c, d) in pairs]


class _Bins:
    """How many cases there are by the codes of columns, from 0 on, and by their values."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self._numbers = np.zeros(prod(map(_length, ranges)), np.int64)

    def hold(self, ranges: Ranges) -> bool:
        """Whether there are bins for all of these."""
        return _widened(self.ranges, ranges) == self.ranges

    def add(self, columns: Sequence[Array], values: Array) -> None:
        """Count cases."""
        low = self.ranges[-1][0]
        key, room = np.zeros(len(values), np.uint8), 1
        for codes, ends in zip(
            [*columns, values - low if low else values], self.ranges, strict=True
        ):
            key = _mixed(key, room, codes, _length(ends))
            room *= _length(ends)
        self._numbers += np.bincount(key, minlength=room)

    def cells(self, worth: Array | None) -> Cells:
        """Their cells; ``worth`` is by value what it counts for, None for itself."""
        *of_columns, (low, high) = self.ranges
        each = np.arange(low, high + 1)
        bins = self._numbers.reshape(-1, len(each))
        if worth is not None:
            each = worth[each]
        n, total, squares = bins.sum(axis=1), bins @ each, bins @ (each * each)
        where = np.flatnonzero(n)
        radices: Radices = [(_length(one), None) for one in of_columns]
        return Cells(_parted(where, radices), n[where], total[where], squares[where])


def by_each_yaku(cells: Cells, by: Sequence[str], members: Members) -> Cells:
    """Cells by sets of yaku as cells by each yaku of these."""
    for place, column in enumerate(by):
        if column in OF_SETS:
            cell, yaku = np.nonzero(members[cells.codes[place]])
            codes = cells.codes[:, cell]
            codes[place] = yaku
            several = Cells(codes, cells.n[cell], cells.total[cell], cells.squares[cell])
            cells = merged([several], len(codes))
    return cells


def merged(parts: Sequence[Cells], dimensions: int) -> Cells:
    """Cells of so many same columns as one, each that occurs once; one cell if there are none."""
    codes = np.concatenate(
        [one.codes for one in parts] or [np.zeros((dimensions, 0), np.int64)], axis=1
    )
    numbers = [
        np.concatenate([getattr(one, name) for one in parts] or [np.zeros(0, np.int64)])
        for name in ("n", "total", "squares")
    ]
    if not dimensions:
        n, total, squares = (np.array([one.sum()], np.int64) for one in numbers)
        return Cells(np.zeros((0, 1), np.int64), n, total, squares)
    key, _room, radices = _key(codes, codes.shape[1])
    known, place = np.unique(key, return_inverse=True)
    whole = np.zeros((len(numbers), len(known)), np.int64)
    for into, one in zip(whole, numbers, strict=True):
        np.add.at(into, place, one)
    return Cells(_parted(known, radices), *whole)


def _cases(of: Block, measure: MetricCount) -> Rows:
    """The rows of the cases of a metric, in the first table and in its own."""
    metric = measure.metric
    which = of[metric.of] != 0 if metric.of else None
    if measure.once:  # a metric of deals
        dealers = of["place"] == 1
        which = dealers if which is None else which & dealers
    rows = None if which is None else np.flatnonzero(which)
    if not metric.table:
        return {"": rows}
    return {"": _taken(_owners(of[counts_of(metric.table)]), rows), metric.table: rows}


def _taken(column: Array, rows: Array | None) -> Array:
    return column if rows is None else column.take(rows)


def _owners(counts: Array) -> Array:
    """For each row of a table the row above it."""
    some = np.flatnonzero(counts != 0)
    return np.repeat(some, counts[some])


def _hang(of: Block, rows: Rows, values: Array, table: str) -> tuple[Rows, Array]:
    """The rows of cases, with a row for each that hangs below their facts in a table."""
    counts = of[counts_of(table)]
    upper = rows[""]
    if len(counts) and counts.min() == counts.max() == 1:
        return {**rows, table: upper}, values  # one each, as an opponent of two players
    below: Array | None
    if upper is None:
        again, below = _owners(counts), None
    else:
        own = counts[upper]
        again = _owners(own)
        starts = np.cumsum(counts, dtype=np.int64) - counts
        before = np.cumsum(own, dtype=np.int64) - own
        below = np.arange(len(again)) + (starts[upper] - before)[again]
    found: Rows = {name: again if one is None else one[again] for name, one in rows.items()}
    return {**found, table: below}, values[again]


def _cells(columns: Sequence[Array], values: Array) -> Cells:
    """Of some cases, with values beyond what bins are for."""
    key, room, radices = _key(columns, len(values))
    if room <= _DENSE:
        n, total, squares = _numbers(key, values, room)
        where = np.flatnonzero(n)
        n, total, squares = n[where], total[where], squares[where]
    else:
        where, key = np.unique(key, return_inverse=True)
        n, total, squares = _numbers(key, values, len(where))
    return Cells(_parted(where, radices), n, total, squares)


def _numbers(key: Array, values: Array, room: int) -> tuple[Array, Array, Array]:
    """By key the cases, and the sums of their values and of the squares: exact while these stay
    below 2⁵³ (`records.insights.facts.MOST`).
    """
    whole = values.astype(np.float64)
    squares = _sums(key, whole * whole, room)
    shift = len(values).bit_length()
    most = max(-int(values.min()), int(values.max()))
    if (most * len(values)) << shift < _EXACT:  # sums and cases fit into one number
        both = _sums(key, whole * (1 << shift) + 1, room)
        return both & (1 << shift) - 1, both >> shift, squares
    return np.bincount(key, minlength=room), _sums(key, whole, room), squares


def _key(columns: Iterable[Array], rows: int) -> tuple[Array, int, Radices]:
    """Columns of so many rows as one, of numbers below how many."""
    key = np.zeros(rows, np.uint8)
    radices: Radices = []
    room = 1
    for column in columns:
        most = int(column.max()) + 1 if len(column) else 1
        codes, known = column, None
        if most > _NARROW:
            codes, known = _without_gaps(column, most)
            most = len(known)
        key = _mixed(key, room, codes, most)
        room *= most
        radices.append((most, known))
    return key, room, radices


def _mixed(key: Array, room: int, codes: Array, most: int) -> Array:
    """Keys below ``room`` and codes below ``most`` as one, in the narrowest type: what is narrow is
    quick.
    """
    kind = np.min_scalar_type(room * most - 1)
    codes = codes.astype(kind, copy=False)
    if room == 1:
        return codes
    return key.astype(kind, copy=False) * kind.type(most) + codes


def _sums(key: Array, values: Array, room: int) -> Array:
    return np.bincount(key, values, room).astype(np.int64)


def _without_gaps(column: Array, most: int) -> tuple[Array, Array]:
    """Numbers from 0 without gaps, and what each stands for."""
    if most > _DENSE:
        known, codes = np.unique(column, return_inverse=True)
        return codes, known
    there = np.zeros(most, bool)
    there[column] = True
    known = np.flatnonzero(there)
    place = np.zeros(most, np.min_scalar_type(len(known)))
    place[known] = np.arange(len(known))
    return place.take(column), known


def _parted(keys: Array, radices: Radices) -> Array:
    """The numbers that keys were made of, a row for each column."""
    found = []
    for most, known in reversed(radices):
        keys, codes = np.divmod(keys, most)
        found.append(codes if known is None else known[codes])
    return np.array(found[::-1], np.int64).reshape(len(radices), len(keys))
