"""Counting: the cells of a block by some of its columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from records.insights.blocks import OF_SETS, TABLE_OF, Array, Block, counts_of
from records.insights.metrics import Metric
from records.insights.names import Members

#: Cells that are counted in an array, whether they occur or not.
_DENSE: Final = 1 << 21
#: Values of all cells that are counted each for itself: more than these would not be cheaper.
_EACH: Final = 1 << 14
#: Numbers below which a column needs no numbers without gaps.
_NARROW: Final = 1 << 11

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


def count(
    of: Block, by: Sequence[str], measure: MetricCount, members: Members
) -> tuple[Cells, int]:
    """The cells of a block by these columns, and how many cases there are in all. ``members`` are
    those of sets of yaku.

    A case with several opponents counts in the cell of each; one with several yaku in that of their
    set (`by_each_yaku`).
    """
    rows = _cases(of, measure)
    values = _values(of, rows, measure, members)
    cases = len(values)
    for table in dict.fromkeys(TABLE_OF[column] for column in by):
        if table not in rows:
            rows, values = _hang(of, rows, values, table)
    columns = [_taken(of[column], rows[TABLE_OF[column]]) for column in by]
    return _cells(columns, values), cases


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


def _values(of: Block, rows: Rows, measure: MetricCount, members: Members) -> Array:
    if measure.yaku:
        has = members[:, measure.yaku].astype(np.uint8)
        return has.take(_taken(of["yaku"], rows[""]))
    column = measure.metric.value
    return _taken(of[column], rows[TABLE_OF[column]])


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
    if not len(values):
        none = np.zeros(0, np.int64)
        return Cells(np.zeros((len(columns), 0), np.int64), none, none, none)
    key, room, radices = _key(columns, len(values))
    low = int(values.min())
    spread = int(values.max()) - low + 1
    if room * spread <= _EACH:
        bins = np.bincount(_mixed(key, room, values - low, spread), minlength=room * spread)
        bins = bins.reshape(room, spread)
        each = np.arange(low, low + spread)
        n, total, squares = bins.sum(axis=1), bins @ each, bins @ (each * each)
        where = np.flatnonzero(n)
        n, total, squares = n[where], total[where], squares[where]
    elif room <= _DENSE:
        n = np.bincount(key, minlength=room)
        where = np.flatnonzero(n)
        n = n[where]
        total, squares = (_sums(key, one, room)[where] for one in _powers(values))
    else:
        where, key, n = np.unique(key, return_inverse=True, return_counts=True)
        total, squares = (_sums(key, one, len(where)) for one in _powers(values))
    return Cells(_parted(where, radices), n, total, squares)


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


def _powers(values: Array) -> tuple[Array, Array]:
    whole = values.astype(np.float64)
    return whole, whole * whole


def _sums(key: Array, values: Array, room: int) -> Array:
    """Exact while sums stay below 2⁵³ (`records.insights.facts.MOST`)."""
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
