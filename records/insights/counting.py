"""Counting: the cells of a block by some of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from records.insights.blocks import ABOVE, TABLE_OF, Array, Block, counts_of
from records.insights.metrics import Metric

#: Cells that are counted in an array, whether they occur or not.
_DENSE: Final = 1 << 21
#: Numbers below which a column needs no numbers without gaps.
_NARROW: Final = 1 << 8

Rows = dict[str, Array]


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
class Measure:
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
        tables = {counts_of(table) for table in _path(one.table)}
        own = (
            {one.value, *filter(None, (one.of,))} if not self.yaku else {"yaku", counts_of("yaku")}
        )
        return own | tables | ({"place"} if self.once else set())


def _path(table: str) -> Iterator[str]:
    """The tables from the first, which is left out, down to this one."""
    if table:
        yield from _path(ABOVE[table])
        yield table


def read_for(columns: Sequence[str]) -> set[str]:
    """All columns that must be read for some: those of counts too."""
    return {*columns} | {
        counts_of(table) for column in columns for table in _path(TABLE_OF[column])
    }


def count(of: Block, by: Sequence[str], measure: Measure, which: Array | None = None) -> Cells:
    """The cells of a block by these columns, of the facts that a mask chooses (all if None).

    A case with several values of a column counts in the cell of each.
    """
    rows = _cases(of, measure, which)
    values = _values(of, rows, measure)
    for table in dict.fromkeys(TABLE_OF[column] for column in by):
        for step in _path(table):
            if step not in rows:
                rows, values = _hang(of, rows, values, step)
    return _cells([of[column][rows[TABLE_OF[column]]] for column in by], values)


def cases(of: Block, measure: Measure, which: Array | None = None) -> int:
    """How many cases there are in all."""
    return len(_cases(of, measure, which)[""])


def _cases(of: Block, measure: Measure, which: Array | None) -> Rows:
    """The rows of the cases of a metric, in each table from the first to its own."""
    facts = np.arange(len(of["place"])) if which is None else np.flatnonzero(which)
    if measure.once:
        facts = facts[of["place"][facts] == 1]
    rows: Rows = {"": facts}
    for step in _path(measure.metric.table):
        rows, _none = _hang(of, rows, facts, step)
    if measure.metric.of:
        wanted = of[measure.metric.of][rows[TABLE_OF[measure.metric.of]]] != 0
        rows = {table: of_table[wanted] for table, of_table in rows.items()}
    return rows


def _values(of: Block, rows: Rows, measure: Measure) -> Array:
    if measure.yaku:
        counts = of[counts_of("yaku")]
        facts = np.repeat(np.arange(len(counts)), counts)[of["yaku"] == measure.yaku]
        made = np.zeros(len(counts), np.int64)
        made[facts] = 1
        return made[rows[""]]
    column = measure.metric.value
    return of[column][rows[TABLE_OF[column]]]


def _hang(of: Block, rows: Rows, values: Array, table: str) -> tuple[Rows, Array]:
    """The rows of cases, with a row for each that hangs below them in a table."""
    counts = of[counts_of(table)]
    upper = rows[ABOVE[table]]
    own = counts[upper].astype(np.int64)
    if len(counts) and counts.min() == counts.max() == 1:
        return {**rows, table: upper}, values  # one each, as an opponent of two players
    starts = np.cumsum(counts, dtype=np.int64) - counts
    again = np.repeat(np.arange(len(own)), own)
    within = np.arange(len(again)) - np.repeat(np.cumsum(own) - own, own)
    found = {name: one[again] for name, one in rows.items()}
    found[table] = starts[upper][again] + within
    return found, values[again]


def _cells(columns: Sequence[Array], values: Array) -> Cells:
    key = np.zeros(len(values), np.int64)
    radices: list[tuple[int, Array | None]] = []
    room = 1
    for column in columns:
        most = int(column.max()) + 1 if len(column) else 1
        codes, known = column, None
        if most > _NARROW:
            codes, known = _without_gaps(column, most)
            most = len(known)
        room *= most
        key = key * most + codes
        radices.append((most, known))
    if room <= _DENSE:
        n = np.bincount(key, minlength=room)
        where = np.flatnonzero(n)
        n = n[where]
        total, squares = (_sums(key, one, room)[where] for one in _powers(values))
    else:
        where, key, n = np.unique(key, return_inverse=True, return_counts=True)
        total, squares = (_sums(key, one, len(where)) for one in _powers(values))
    return Cells(_parted(where, radices), n, total, squares)


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
    place = np.zeros(most, np.int64)
    place[known] = np.arange(len(known))
    return place[column], known


def _parted(keys: Array, radices: Sequence[tuple[int, Array | None]]) -> Array:
    """The numbers that keys were made of, a row for each column."""
    found = []
    for most, known in reversed(radices):
        keys, codes = np.divmod(keys, most)
        found.append(codes if known is None else known[codes])
    return np.array(found[::-1], np.int64).reshape(len(radices), len(keys))
