"""The report of an upload as streamed NDJSON or CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Final, NotRequired, TypedDict

from kafu.notation.faults import FaultJson
from kafu.notation.json_types import OneOf
from kafu.rules.verdict import STATUSES, Mismatch, Verdict, localise_fault
from records.base import labels
from records.base.csv_cells import safe_cell
from records.base.json_types import Url
from records.privacy.redaction import Redaction
from records.search.inclusions import DealFactsJson
from records.shapes.uploads import DEAD_LETTER, HIDDEN, PASSED_OVER, SAME_DEAL_HELP, SHOWN_HELP

Line = dict[str, Any]
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


class ReportLine(TypedDict):
    """A line of the report: a game, or a file that could not be read completely (`number` null)."""

    file: int
    file_name: str
    number: Annotated[int | None, "Place in the file, from 1."]
    line: Annotated[int | None, "First line of the game in the file."]
    status: Annotated[
        str,
        OneOf("ReportLineStatus", (*STATUSES, DEAD_LETTER, PASSED_OVER, HIDDEN)),
        f"`{DEAD_LETTER}`: given up after three attempts. `{PASSED_OVER}`: a file in an archive "
        f"that is no game by its name. {SHOWN_HELP}",
    ]
    duplicate: Annotated[bool, "The archive already had the game."]
    record: Annotated[Url | None, "The game in the archive."]
    same_deal: Annotated[Url | None, SAME_DEAL_HELP]
    error: FaultJson | None
    mismatches: list[Mismatch]
    warnings: list[FaultJson]
    verdict: NotRequired[Annotated[Verdict | None, "With `include=verdict`."]]
    moves: NotRequired[
        Annotated[dict[str, Any] | None, "With `include=moves`: see /api/v1/kafu.schema.json."]
    ]
    facts: NotRequired[
        Annotated[list[DealFactsJson] | None, "With `include=facts`; null for none."]
    ]


def localise_line(line: Line, lang: str, url: Callable[[str], str], redaction: Redaction) -> Line:
    """Return a line of the report with messages in ``lang``.

    ``url`` returns the address of a game by its key.
    """
    public_members = {name: value for name, value in line.items() if name != "players"}
    players = labels.people(redaction.redact_report(line["players"]))
    return {
        **public_members,
        "file_name": redaction.redact_report(line["file_name"]),
        "record": line["record"] and url(line["record"]),
        "same_deal": line["same_deal"] and url(line["same_deal"]),
        "error": localise_fault(redaction.redact_fault(line["error"]), lang, players),
        "warnings": [
            localise_fault(redaction.redact_fault(warning), lang, players)
            for warning in line["warnings"]
        ],
    }


def write_ndjson(lines: Iterable[Line]) -> Iterator[str]:
    """Yield each line as a JSON object followed by a line feed."""
    for line in lines:
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


class _RowEcho:
    """File-like target of the csv module that returns each written row."""

    def write(self, row: str) -> str:
        """Return the row."""
        return row


def write_csv(lines: Iterable[Line]) -> Iterator[str]:
    """Yield CSV (RFC 4180) with a header row.

    The text starts with a BOM, by which spreadsheets recognise UTF-8.
    """
    writer = csv.writer(_RowEcho())
    yield "\ufeff" + writer.writerow(COLUMNS)
    for line in lines:
        yield writer.writerow(map(_make_cell, _make_row(line)))


def _make_row(line: Line) -> list[Any]:
    error = line["error"] or {}
    claims = [
        " ".join(str(part) for part in (m["where"], m["deal"], m["seat"]) if part is not None)
        + f": {m['claimed']} ≠ {m['computed']}"
        for m in line["mismatches"]
    ]
    return [
        *(line[name] for name in COLUMNS[:8]),
        *(error.get(name) for name in ("code", "line", "column", "deal", "turn", "message")),
        "; ".join(claims),
        "; ".join(warning["message"] for warning in line["warnings"]),
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
