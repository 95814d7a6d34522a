"""An answer as CSV."""

from __future__ import annotations

import csv
import io

from records.base.csv_cells import safe_cell
from records.statistics.answer import Answer

Value = str | int | float | bool | None


def to_csv(answer: Answer) -> str:
    """All rows of an answer (RFC 4180) below a header with the ids of its columns.

    Numbers as in JSON, ``true`` and ``false``, nothing for an unknown value. Texts are never
    formulas (`records.base.csv_cells`).
    """
    text = io.StringIO()
    writer = csv.writer(text)
    ids = [column.id for column in answer.columns]
    writer.writerow(ids)
    writer.writerows([_cell(row[id]) for id in ids] for row in answer.rows)
    return text.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe_cell(value) if isinstance(value, str) else repr(value)
