"""The parts of a notebook's table: head, columns by meaning, and rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kafu.importers.notebook.table import NotebookCell, Rows, remove_struck
from kafu.importers.notebook.units import is_all_in_kan, is_unit_row, join_units, name_units
from kafu.importers.notebook.winners import spread_winners
from kafu.importers.notebook.words import (
    LONGEST_WORD,
    amount_of,
    grade_of,
    head_of,
    is_count,
    is_ignored,
    is_like_amount,
    is_measure,
    is_settlement,
    is_total,
    month_of,
)
from kafu.notation.faults import Fault, Malformed
from kafu.notation.reading.dates import iso_date
from kafu.rules import codes

#: The number of rows searched for the head, which may follow titles.
_SEARCHED: Final = 30
#: The minimum number of players in any ruleset.
_MIN_PLAYERS: Final = 2


@dataclass(slots=True)
class NotebookLayout:
    """The parts of a table.

    ``players`` has the indices of columns with amounts, ``columns`` of other columns by meaning,
    and ``remarks`` of columns with remarks. ``body`` has the rows of months, ``totals`` the rows of
    sums with the number of rows of months above, unless a settlement is above (``is_settled``).
    ``date`` is a date above the table. ``faults`` and ``warnings`` concern columns and rows without
    a meaning.
    """

    head: Sequence[NotebookCell]
    players: list[int] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    remarks: list[int] = field(default_factory=list)
    body: list[Sequence[NotebookCell]] = field(default_factory=list)
    totals: list[tuple[int, Sequence[NotebookCell]]] = field(default_factory=list)
    is_settled: bool = False
    date: str = ""
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the players by seat."""
        return tuple(self.head[i].text for i in self.players)

    def cell(self, row: Sequence[NotebookCell], meaning: str) -> NotebookCell | None:
        """Return the cell of a row by meaning, or None if the table has no such column."""
        column = self.columns.get(meaning)
        return None if column is None else row[column]


def recognises(rows: Rows) -> bool:
    """Return whether rows look like months and players."""
    try:
        return _split_head(spread_winners(rows)) is not None
    except Malformed:
        return True


def lay_out(rows: Rows, *, kan: bool = False) -> NotebookLayout:
    """Return the parts of a table. ``kan`` says that the ruleset counts in kan.

    Raises Malformed if the table has no head with players, and for a second table below.
    """
    rows, struck = remove_struck(rows)
    table = _split_head(spread_winners(rows))
    if table is None:
        raise Malformed(Fault(codes.NOTEBOOK_NO_TABLE, 1, 1))
    head, below = table
    titles = [cell.text for row in rows for cell in row if cell.text and cell.row < head[0].row]
    head, below = join_units(head, below, kan=kan, all_in_kan=any(map(is_all_in_kan, titles)))
    layout = NotebookLayout(head, date=_find_date(titles), warnings=list(map(_ignored, struck)))
    _assign_columns(layout, below)
    for i, row in enumerate(below):
        if _is_head(layout, row):
            _check_head(layout, row, below[i + 1 :])
        elif any(cell.text for cell in row):
            _assign_row(layout, row)
    if len(layout.players) < _MIN_PLAYERS:
        raise Malformed(Fault(codes.NOTEBOOK_NO_TABLE, head[0].row, 1))
    return layout


def _split_head(rows: Rows) -> tuple[Sequence[NotebookCell], Rows] | None:
    """Return the head of a table and the rows below it, transposed if months are side by side."""
    turned = list(zip(*rows, strict=True)) if rows else []
    if _is_sideways(rows):
        rows = turned
    above: Sequence[NotebookCell] = ()
    for i, row in enumerate(rows[:_SEARCHED]):
        texts = [cell.text for cell in row if cell.text]
        if not texts:
            continue
        if above and is_unit_row(row):
            above = name_units(above, row)
            continue
        # Names of months can be names of players as well.
        names = [cell for cell in above if cell.text and _may_be_name(cell.text)]
        if any(_is_number(text) for text in texts) and len(names) >= _MIN_PLAYERS:
            return above, rows[i:]
        above = row
    return None


def _is_sideways(rows: Rows) -> bool:
    """Return whether one of the first rows has the months side by side, without names."""
    for row in rows[:_SEARCHED]:
        labels = [cell.text for cell in row if cell.text and head_of(cell.text) is None]
        names = [text for text in labels if not _is_number(text)]
        if len(names) >= _MIN_PLAYERS:
            return False
        texts = [text for text in labels if month_of(text) is not None]
        # Two plain numbers can be points.
        is_worded = any(amount_of(text) is None for text in texts)
        if len(texts) >= len(labels) - 1 and len(texts) >= (
            _MIN_PLAYERS if is_worded else _MIN_PLAYERS + 1
        ):
            months = [month_of(text) or 0 for text in texts]
            return all(after == before + 1 for before, after in pairwise(months))
    return False


def _is_number(text: str) -> bool:
    amount = amount_of(text)
    return (amount is not None and amount.value is not None) or month_of(text) is not None


def _may_be_name(text: str) -> bool:
    """Return whether a text is neither the head of another column nor a number, nor too long."""
    if len(text) > LONGEST_WORD:
        return False
    amount = amount_of(text)
    is_amount = amount is not None and (amount.value is None or _has_digits(text))
    is_worded = month_of(text) is None or not _has_digits(text)
    return head_of(text) is None and not is_amount and is_worded


def _has_digits(text: str) -> bool:
    """Return whether a text has digits other than kanji, which names can have."""
    return any(c.isdigit() for c in text)


# Columns ------------------------------------------------------------------------------------------


def _assign_columns(layout: NotebookLayout, below: Rows) -> None:
    """Assign a meaning to each column, from the head or the cells."""
    for i, cell in enumerate(layout.head):
        column = [row[i] for row in below if row[i].text]
        meaning = head_of(cell.text) if cell.text else None
        if meaning is None:
            meaning = _guess_meaning(layout, cell, column)
        if meaning == "player":
            if cell.text in layout.names:
                layout.faults.append(_twice(cell))
            layout.players.append(i)
        elif meaning == "remark":
            layout.remarks.append(i)
        elif meaning == "other":
            if cell.text:
                layout.warnings.append(_ignored(cell))
        elif meaning == "month" and meaning in layout.columns:
            _assign_months(layout, i)
        elif meaning in layout.columns:
            layout.faults.append(_twice(cell))
        elif meaning:
            layout.columns[meaning] = i


def _assign_months(layout: NotebookLayout, column: int) -> None:
    """Choose between two columns of months, of which one may count the deals."""
    columns = [layout.columns["month"], column]
    months = [i for i in columns if not is_count(layout.head[i].text)] or columns
    if len(months) > 1:
        layout.faults.append(_twice(layout.head[column]))
        return
    layout.columns["month"] = months[0]
    layout.warnings += [_ignored(layout.head[i]) for i in columns if i not in months]


def _guess_meaning(
    layout: NotebookLayout, head: NotebookCell, column: Sequence[NotebookCell]
) -> str | None:
    """Return the meaning of a column with an unknown head, or None for an empty column."""
    is_named = 0 < len(head.text) <= LONGEST_WORD
    if not column:
        return "player" if is_named else None
    if "month" not in layout.columns and not layout.players and _has_months(column, head):
        return "month"
    if 2 * sum(is_measure(cell.text) for cell in column) > len(column):
        return "other"
    if 2 * sum(is_like_amount(cell.text) for cell in column) > len(column):
        if is_named:
            return "player"
        layout.faults.append(Fault(codes.NOTEBOOK_NO_NAME, *head.place))
        return None
    if not head.text and all(grade_of(cell.text) for cell in column):
        return "grade"  # The document of hachihachi writes it at the right of the month.
    if not head.text:
        layout.warnings += [_ignored(cell) for cell in column[:1]]
        return None
    return "other"


def _has_months(column: Sequence[NotebookCell], head: NotebookCell) -> bool:
    """Return whether a column before the players has months, or only labels."""
    labels = [cell for cell in column if not _is_label(cell.text)]
    if any(month_of(cell.text) is None for cell in labels):
        return False
    # Plain numbers below a name are points.
    return not head.text or any(amount_of(cell.text) is None for cell in labels)


def _is_label(text: str) -> bool:
    return is_total(text) or is_ignored(text)


# Rows ---------------------------------------------------------------------------------------------


def _assign_row(layout: NotebookLayout, row: Sequence[NotebookCell]) -> None:
    """Assign a row to the months or the sums, or ignore it with a warning."""
    month = layout.cell(row, "month")
    if month and month_of(month.text) is not None:
        layout.body.append(row)
        return
    labels = [cell for i, cell in enumerate(row) if cell.text and i not in layout.players]
    for cell in labels:
        if is_total(cell.text) and not layout.is_settled:
            layout.totals.append((len(layout.body), row))
            return
        if _is_label(cell.text):
            layout.is_settled |= is_settlement(cell.text)
            layout.warnings.append(_ignored(cell))
            return
    is_below = layout.is_settled or any(count for count, _row in layout.totals)
    is_figure = is_below and month is not None and month.text != ""
    if any(row[i].text for i in layout.players) and not is_figure:
        layout.body.append(row)
    else:
        layout.warnings += [_ignored(cell) for cell in labels[:1]]


def _is_head(layout: NotebookLayout, row: Sequence[NotebookCell]) -> bool:
    """Return whether a row below the head is a head again: names, and 月 above the months."""
    month = layout.cell(row, "month")
    is_headed = month is None or not month.text or head_of(month.text) == "month"
    return (
        bool(layout.players)
        and is_headed
        and all(
            row[i].text and (row[i].text == layout.head[i].text or not is_like_amount(row[i].text))
            for i in layout.players
        )
    )


def _check_head(layout: NotebookLayout, row: Sequence[NotebookCell], below: Rows) -> None:
    """Ignore a head that is repeated above later months. Raises Malformed for a second table."""
    names = tuple(row[i].text for i in layout.players)
    months = [cell.text for row in below if (cell := layout.cell(row, "month"))]
    numbers = [number for text in months if (number := month_of(text)) is not None]
    if names != layout.names or not numbers or numbers[0] <= 1:
        raise Malformed(Fault(codes.NOTEBOOK_TWO_TABLES, *row[0].place))
    layout.warnings.append(_ignored(row[layout.players[0]]))


def _find_date(titles: Sequence[str]) -> str:
    """Return the date in the titles of a table, or "" without a date or with several."""
    words = [word for title in titles for word in (title, *title.split())]
    dates = {iso for word in words if (iso := iso_date(word.strip("()（）"))) and "-" in iso}
    return dates.pop() if len(dates) == 1 else ""


def _twice(cell: NotebookCell) -> Fault:
    return Fault(codes.NOTEBOOK_COLUMN_TWICE, *cell.place, values={"found": cell.excerpt})


def _ignored(cell: NotebookCell) -> Fault:
    return Fault(codes.NOTEBOOK_LEFT_OUT, *cell.place, values={"found": cell.excerpt})
