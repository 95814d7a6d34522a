"""Questions to the archive, for pages and API: plain functions that return rows or figures."""

from records.queries.games import record, records
from records.queries.report import report
from records.queries.uploads import (
    FAULTY,
    STATUSES,
    change,
    files,
    namesakes,
    progress,
    source_text,
    submissions,
    uploads,
)

__all__ = [
    "FAULTY",
    "STATUSES",
    "change",
    "files",
    "namesakes",
    "progress",
    "record",
    "records",
    "report",
    "source_text",
    "submissions",
    "uploads",
]
