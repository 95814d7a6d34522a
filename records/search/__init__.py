"""Queries over the archive for pages and API: plain functions that return rows or figures."""

from records.intake.progress import (
    FAULTY,
    STATUSES,
    change,
    files,
    namesakes,
    submissions,
    uploads,
)
from records.intake.report import report
from records.search.games import record, records

__all__ = [
    "FAULTY",
    "STATUSES",
    "change",
    "files",
    "namesakes",
    "record",
    "records",
    "report",
    "submissions",
    "uploads",
]
