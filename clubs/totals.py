"""Reading of spreadsheets with the sums of players by evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from kafu.importers.notebook.table import NotebookCell, read_table
from kafu.importers.notebook.words import (
    LONGEST_WORD,
    Amount,
    amount_of,
    head_of,
    is_ignored,
    is_total,
    key_of,
)
from kafu.notation.faults import Malformed
from kafu.notation.reading.dates import iso_date
from records.base.spelling import normalized

#: The maximum size of a text, and the maximum number of names and evenings.
MAX_BYTES: Final = 256 << 10
MAX_NAMES: Final = 500
MAX_EVENINGS: Final = 500
#: Rows or columns besides names and evenings: titles, sums, places.
_MARGIN: Final = 20
#: Cells of a player who was not there, besides those of score notebooks.
_ABSENT: Final = frozenset(("休", "休み", "欠", "欠席", "不参加", "不在", "absent"))
#: The year added to a date without one: 4月3日, 4/3, 4-3, 4.3, 3 Apr.
_WITH_YEAR: Final = (
    "{year}年{day}",
    "{year}/{day}",
    "{year}-{day}",
    "{year}.{day}",
    "{day} {year}",
)

_NO_AMOUNT: Final = Amount(None)
_DATES: Final = "dates, as 2026-04-03, 4/3 or 4月3日"
_SIZE: Final = f"at most {MAX_NAMES} names, {MAX_EVENINGS} dates and {MAX_BYTES >> 10} kB"

Row = Sequence[NotebookCell]
_DayReader = Callable[[str], date | None]


class Total(NamedTuple):
    """The sum of a player in an evening, in the small unit, with its row and column."""

    player: str
    day: date
    amount: int
    row: int
    column: int


class Totals(NamedTuple):
    """A table of sums: names and days as in the table, the sums by name.

    ``left_out`` are the heads of rows and columns that are neither: sums, places, remarks.
    """

    players: tuple[str, ...]
    days: tuple[date, ...]
    totals: tuple[Total, ...]
    left_out: tuple[str, ...]


class TotalsError(ValueError):
    """A cell that cannot be read.

    ``reason`` is ``too-large``, ``no-dates``, ``no-totals``, ``date``, ``date-twice``, ``name``,
    ``name-twice``, ``amount``, ``no-kan`` or ``sum``. ``found`` is the text of the cell.
    """

    def __init__(self, reason: str, cell: NotebookCell, expected: str) -> None:
        super().__init__(
            f"row {cell.row}, column {cell.column} ({cell.name}): "
            f"found {cell.excerpt or 'nothing'}, expected {expected}"
        )
        self.reason = reason
        self.row = cell.row
        self.column = cell.column
        self.cell = cell.name
        self.found = cell.excerpt
        self.expected = expected


def read_totals(text: str, begin: date, *, kan: bool) -> Totals:
    """Return the sums of a table of players and evenings, in either direction.

    The first row has the dates and the first column the names, or the other way round. A date
    without a year is the first such day from ``begin`` on. Cells are integers, with 貫 if the
    ruleset counts in ``kan``; blank for a player who was not there. Rows and columns of sums must
    be correct.

    Raises TotalsError.
    """
    read_day: _DayReader = cache(lambda word: _read_day(word, begin))
    grid = _read_grid(text)
    across = sum(read_day(cell.text) is not None for cell in grid[0])
    down = sum(read_day(row[0].text) is not None for row in grid)
    if not across and not down:
        raise TotalsError("no-dates", grid[0][-1], _DATES)
    if down > across:
        grid = [list(column) for column in zip(*grid, strict=True)]
    return _Table(grid, read_day, kan=kan).read()


def _read_grid(text: str) -> Sequence[Row]:
    """Return the rows that are not empty, without titles: the first rows with one cell."""
    start = NotebookCell("", 1, 1)
    try:
        if len(text.encode()) > MAX_BYTES:
            raise TotalsError("too-large", start, _SIZE)
        rows = read_table(text, MAX_NAMES + _MARGIN, MAX_EVENINGS + _MARGIN)
    except Malformed as malformed:
        raise TotalsError("too-large", start, _SIZE) from malformed
    rows = [row for row in rows if any(cell.text for cell in row)]
    while rows and not any(cell.text for cell in rows[0][1:]):
        start = rows.pop(0)[0]
    if not rows:
        raise TotalsError("no-dates", start, _DATES)
    return rows


def _read_day(word: str, begin: date) -> date | None:
    """Return the day of a date; without a year, the first one from ``begin`` on."""
    if day := _convert_day(iso_date(word)):
        return day
    for year in (begin.year, begin.year + 1):
        for spelling in _WITH_YEAR:
            day = _convert_day(iso_date(spelling.format(year=year, day=word)))
            if day is not None and day >= begin:
                return day
    return None


def _convert_day(iso: str | None) -> date | None:
    try:
        return date.fromisoformat(iso or "")
    except ValueError:  # A month, an unknown day, or no such day.
        return None


def _read_amount(word: str) -> Amount | None:
    return _NO_AMOUNT if key_of(word) in _ABSENT else amount_of(word)


class _Table:
    """A table with dates in its first row."""

    def __init__(self, grid: Sequence[Row], read_day: _DayReader, *, kan: bool) -> None:
        self._head = grid[0]
        self._kan = kan
        self._read_amount = cache(_read_amount)
        self._days = self._read_days(read_day)
        self._left_out: list[str] = []
        #: The rows of players, and of sums.
        self._rows: list[Row] = []
        self._sums: list[Row] = []
        for row in grid[1:]:
            self._sort_row(row)
        #: The column of names: the one with the most texts that are no numbers.
        self._names = max(
            range(min(self._days)),
            key=lambda column: sum(amount_of(row[column].text) is None for row in self._rows),
        )

    def read(self) -> Totals:
        """Return the sums. Raises TotalsError."""
        rows = self._read_names()
        totals = [total for name, row in rows.items() for total in self._read_row(name, row)]
        if not totals:
            raise TotalsError("no-totals", self._head[min(self._days)], "sums by name and date")
        by_name: Counter[str] = Counter()
        by_day: Counter[date] = Counter()
        for total in totals:
            by_name[total.player] += total.amount
            by_day[total.day] += total.amount
        for column in range(len(self._head)):
            if column != self._names and column not in self._days:
                sums = [(row[column], by_name[name]) for name, row in rows.items()]
                self._leave_out(self._head[column], sums)
        for row in self._sums:
            self._check_sums([(row[column], by_day[day]) for column, day in self._days.items()])
        return Totals(tuple(rows), tuple(self._days.values()), tuple(totals), tuple(self._left_out))

    def _read_days(self, read_day: _DayReader) -> dict[int, date]:
        """Return the days by column."""
        days: dict[int, date] = {}
        for column, cell in enumerate(self._head):
            day = read_day(cell.text)
            if day is None:
                continue
            if column == 0:
                raise TotalsError("name", cell, "names in the first column, dates from the second")
            if day in days.values():
                raise TotalsError("date-twice", cell, "each date once")
            days[column] = day
        if len(days) > MAX_EVENINGS:
            raise TotalsError("too-large", self._head[-1], _SIZE)
        return days

    def _sort_row(self, row: Row) -> None:
        """Store a row of a player or of sums; leave out a row of other figures."""
        for cell in row[: min(self._days)]:
            if is_total(cell.text) or is_ignored(cell.text) or head_of(cell.text) == "other":
                self._left_out.append(cell.text)
                if is_total(cell.text):
                    self._sums.append(row)
                return
        self._rows.append(row)

    def _read_names(self) -> dict[str, Row]:
        """Return the rows of players by name."""
        rows: dict[str, Row] = {}
        spellings: set[str] = set()
        for row in self._rows:
            cell = row[self._names]
            if not cell.text or len(cell.text) > LONGEST_WORD:
                raise TotalsError("name", cell, "a name")
            spelling = normalized(cell.text)
            if spelling in spellings:
                raise TotalsError("name-twice", cell, "each name once")
            if len(rows) == MAX_NAMES:
                raise TotalsError("too-large", cell, _SIZE)
            spellings.add(spelling)
            rows[cell.text] = row
        return rows

    def _read_row(self, name: str, row: Row) -> Iterator[Total]:
        for column, day in self._days.items():
            cell = row[column]
            amount = self._read_amount(cell.text)
            if amount is None:
                raise TotalsError("amount", cell, "an integer, or nothing")
            if amount.in_kan and not self._kan:
                raise TotalsError("no-kan", cell, "an amount without 貫")
            if amount.value is not None:
                yield Total(name, day, amount.value, *cell.place)

    def _leave_out(self, head: NotebookCell, sums: Sequence[tuple[NotebookCell, int]]) -> None:
        """Leave out a column of correct sums, of texts, or with the head of another figure."""
        meaning = head_of(head.text)
        amounts = [self._read_amount(cell.text) for cell, _due in sums]
        if meaning == "total":
            self._check_sums(sums)
        elif meaning is None and any(amount and amount.value is not None for amount in amounts):
            try:
                self._check_sums(sums)
            except TotalsError as error:
                raise TotalsError("date", head, _DATES) from error
        if head.text:
            self._left_out.append(head.text)

    def _check_sums(self, sums: Iterable[tuple[NotebookCell, int]]) -> None:
        """Raise TotalsError for a sum that is not correct. Formulas have no value."""
        for cell, due in sums:
            if not cell.text or cell.text.startswith("="):
                continue
            amount = self._read_amount(cell.text)
            if amount is None or amount.value not in (None, due):
                raise TotalsError("sum", cell, f"the sum {due}")
