"""The report of an upload as streamed NDJSON or CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from kafu.rules.verdict import localise_fault
from records.base import labels
from records.base.csv_cells import safe_cell
from records.privacy.redaction import Redaction
from records.shapes.uploads import ReportLine

#: The columns of the CSV form.
COLUMNS: Final = (
    "file",
    "file_name",
    "number",
    "line",
    "status",
    "duplicate",
    "record",
    "same_deal",
    "code",
    "error_line",
    "error_column",
    "deal",
    "turn",
    "message",
    "mismatches",
    "warnings",
)
#: Number of lines in a chunk of the response.
_BATCH: Final = 200


def localise_line(
    line: Any, players: Sequence[str], lang: str, url: Callable[[str], str], redaction: Redaction
) -> ReportLine:
    """Return a line of `records.ingest.reports.report` with messages in ``lang``, for a reader.

    ``url`` returns the address of a game by its key.
    """
    names = labels.people(redaction.redact_report(list(players)))
    line.file_name = redaction.redact_report(line.file_name)
    line.record = line.record and url(line.record)
    line.same_deal = line.same_deal and url(line.same_deal)
    line.error = localise_fault(redaction.redact_fault(line.error), lang, names)
    line.warnings = [
        localise_fault(redaction.redact_fault(warning), lang, names) for warning in line.warnings
    ]
    shown: ReportLine = line
    return shown


class _RowEcho:
    """File-like target of the csv module that returns each written row."""

    def write(self, row: str) -> str:
        """Return the row."""
        return row


def write_csv(lines: Iterable[ReportLine]) -> Iterator[str]:
    """Yield CSV (RFC 4180) with a header row.

    The text starts with a BOM, by which spreadsheets recognise UTF-8.
    """
    writer = csv.writer(_RowEcho())
    yield "\ufeff" + writer.writerow(COLUMNS)
    for line in lines:
        yield writer.writerow(map(_make_cell, _make_row(line)))


def _make_row(line: Any) -> list[Any]:
    error = line.error or {}
    claims = [
        " ".join(str(part) for part in (m["where"], m["deal"], m["seat"]) if part is not None)
        + f": {m['claimed']} ≠ {m['computed']}"
        for m in line.mismatches
    ]
    return [
        *(getattr(line, name) for name in COLUMNS[:8]),
        *(error.get(name) for name in ("code", "line", "column", "deal", "turn", "message")),
        "; ".join(claims),
        "; ".join(warning["message"] for warning in line.warnings),
    ]


def _make_cell(value: Any) -> Any:
    """Return a value as a cell. Players write the names, so text is escaped as a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    return safe_cell(value) if isinstance(value, str) else value


def join_chunks(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the same text in larger chunks to save network writes."""
    batch: list[str] = []
    for piece in pieces:
        batch.append(piece)
        if len(batch) == _BATCH:
            yield "".join(batch)
            batch = []
    yield "".join(batch)
