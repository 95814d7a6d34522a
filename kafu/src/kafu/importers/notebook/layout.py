"""The parts of a notebook's table: its head, the meaning of each column, the rows of months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from kafu.importers.notebook import words
from kafu.importers.notebook.table import Cell, Rows
from kafu.notation.faults import Fault, Malformed
from kafu.rules import notebook_codes as codes

#: Rows among which the head is looked for: titles may stand above it.
_LOOK: Final = 30
#: The fewest players of any ruleset.
_FEWEST: Final = 2
#: Columns of these meanings may stand in a table more than once.
_MANY: Final = frozenset(("remark", "other"))


@dataclass(slots=True)
class Layout:
    """The parts of a table. ``columns`` are the places of columns by meaning, ``players`` those of
    the amounts; ``body`` are the rows of months, ``totals`` those of sums. ``faults`` and
    ``warnings`` are of columns and rows that have no place.
    """

    head: Sequence[Cell]
    players: list[int] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    remarks: list[int] = field(default_factory=list)
    body: list[Sequence[Cell]] = field(default_factory=list)
    totals: list[Sequence[Cell]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """The players by seat."""
        return tuple(self.head[i].text for i in self.players)

    def cell(self, row: Sequence[Cell], meaning: str) -> Cell | None:
        """Return the cell of a meaning in a row, None where the table has no such column."""
        column = self.columns.get(meaning)
        return None if column is None else row[column]


def recognises(rows: Rows) -> bool:
    """Return whether rows look like months and players."""
    return _with_head(rows) is not None


def lay_out(rows: Rows) -> Layout:
    """Return the parts of a table. Raises Malformed for one without a head."""
    table = _with_head(rows)
    if table is None:
        raise Malformed(Fault(codes.NO_TABLE, 1, 1))
    head, below = table
    layout = Layout(head)
    _columns(layout, below)
    for row in below:
        if any(cell.text for cell in row):
            _place_row(layout, row)
    if len(layout.players) < _FEWEST:
        raise Malformed(Fault(codes.NO_TABLE, head[0].row, 1))
    return layout


def _with_head(rows: Rows) -> tuple[Sequence[Cell], Rows] | None:
    """Return the head of a table, upright or on its side, and the rows below it; None without."""
    turned = list(zip(*rows, strict=True)) if rows else []
    if _is_sideways(rows):
        rows = turned
    above: Sequence[Cell] = ()
    for i, row in enumerate(rows[:_LOOK]):
        texts = [cell.text for cell in row if cell.text]
        if not texts:
            continue
        # May and April are players too.
        names = [cell for cell in above if cell.text and _may_be_name(cell.text)]
        if any(_is_number(text) for text in texts) and len(names) >= _FEWEST:
            return above, rows[i:]
        above = row
    return None


def _is_sideways(rows: Rows) -> bool:
    """Return whether the months stand side by side in one of the first rows, with no names beside
    them.
    """
    for row in rows[:_LOOK]:
        labels = [cell.text for cell in row if cell.text and words.head_of(cell.text) is None]
        names = [text for text in labels if not _is_number(text)]
        if len(names) >= _FEWEST:
            return False
        texts = [text for text in labels if words.month_of(text) is not None]
        # Two bare numbers may be points.
        is_worded = any(words.amount_of(text) is None for text in texts)
        if len(texts) >= len(labels) - 1 and len(texts) >= (_FEWEST if is_worded else _FEWEST + 1):
            months = [words.month_of(text) or 0 for text in texts]
            return all(after == before + 1 for before, after in pairwise(months))
    return False


def _is_number(text: str) -> bool:
    amount = words.amount_of(text)
    return (amount is not None and amount.value is not None) or words.month_of(text) is not None


def _may_be_name(text: str) -> bool:
    """Return whether a text is no head of another column, and no number."""
    is_worded = words.month_of(text) is None or not any(c.isdigit() for c in text)
    return words.head_of(text) is None and words.amount_of(text) is None and is_worded


# Columns ------------------------------------------------------------------------------------------


def _columns(layout: Layout, below: Rows) -> None:
    """Enter the meaning of each column, by its head or, without one, by its cells."""
    for i, cell in enumerate(layout.head):
        column = [row[i] for row in below if row[i].text]
        meaning = words.head_of(cell.text) if cell.text else None
        if meaning is None:
            meaning = _meaning_of(layout, cell, column)
        if meaning == "player":
            layout.players.append(i)
        elif meaning == "remark":
            layout.remarks.append(i)
        elif meaning == "other":
            if cell.text:
                layout.warnings.append(_left_out(cell))
        elif meaning in layout.columns:
            layout.faults.append(Fault(codes.COLUMN_TWICE, *cell.place, values=_found(cell)))
        elif meaning:
            layout.columns[meaning] = i


def _meaning_of(layout: Layout, head: Cell, column: Sequence[Cell]) -> str | None:
    """Return the meaning of a column without a known head; None for an empty column."""
    if not column:
        return "player" if head.text else None
    if "month" not in layout.columns and not layout.players and _has_months(column, head):
        return "month"
    if 2 * sum(words.is_like_amount(cell.text) for cell in column) > len(column):
        if head.text:
            return "player"
        layout.faults.append(Fault(codes.NO_NAME, *head.place))
        return None
    if not head.text:
        layout.warnings += [_left_out(cell) for cell in column[:1]]
        return None
    return "other"


def _has_months(column: Sequence[Cell], head: Cell) -> bool:
    """Return whether a column in front of the players' has months, or labels alone."""
    labels = [cell for cell in column if not _is_label(cell.text)]
    if any(words.month_of(cell.text) is None for cell in labels):
        return False
    # Bare numbers below a name are points.
    return not head.text or any(words.amount_of(cell.text) is None for cell in labels)


def _is_label(text: str) -> bool:
    return words.is_total(text) or words.is_left_out(text)


# Rows ---------------------------------------------------------------------------------------------


def _place_row(layout: Layout, row: Sequence[Cell]) -> None:
    """Put a row among the months or the sums; others are left out with a warning."""
    month = layout.cell(row, "month")
    if month and words.month_of(month.text) is not None:
        layout.body.append(row)
        return
    labels = [cell for i, cell in enumerate(row) if cell.text and i not in layout.players]
    for cell in labels:
        if words.is_total(cell.text):
            layout.totals.append(row)
            return
        if words.is_left_out(cell.text):
            layout.warnings.append(_left_out(cell))
            return
    if any(row[i].text for i in layout.players):
        layout.body.append(row)
    else:
        layout.warnings += [_left_out(cell) for cell in labels[:1]]


def _left_out(cell: Cell) -> Fault:
    return Fault(codes.LEFT_OUT, *cell.place, values=_found(cell))


def _found(cell: Cell) -> dict[str, str]:
    return {"found": cell.found}
