"""Uploads with their files and games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from msgspec import UNSET, UnsetType

from kafu.notation.faults import FaultJson
from kafu.notation.json_types import OneOf
from kafu.rules.verdict import STATUSES, Mismatch, Verdict
from records.base.json_types import Format, Url
from records.models import Job, Status
from records.shapes.records import DealFactsJson
from records.shapes.shape import Shape
from records.shapes.visibilities import UploadVisibility

#: The status of games and files that were given up after three attempts.
DEAD_LETTER: Final = "dead-letter"
#: The status of a member of an archive whose name is not that of a game.
PASSED_OVER: Final = "passed-over"
#: The status of a game that the viewer may not see (`records.privacy.access`).
HIDDEN: Final = "hidden"
SHOWN_HELP: Final = (
    f"`{HIDDEN}`: its sender made it private or withdrew it, or it was taken down; only its place "
    "is shown."
)
SAME_DEAL_HELP: Final = (
    "Another game in the archive with the same first deal; statistics count one of them."
)
JobState = Annotated[str, OneOf("JobState", Job.State.values)]


class Form(Shape):
    """The fields of a form: files, text, or both."""

    file: list[Annotated[str, Format("binary")]] | UnsetType = UNSET
    entries: Annotated[
        str | UnsetType,
        "For a score sheet, before its `text`: the `months` sent to `POST sheets`, as JSON. The "
        "form shows them when the sheet is opened again.",
    ] = UNSET
    text: str | UnsetType = UNSET


class VisibilityJson(Shape):
    """The visibility of an upload and its games."""

    visibility: UploadVisibility


class GameCounts(Shape):
    """Games of an upload.

    `total` is null until every file is cut; `read` is the sum of the statuses.
    """

    read: int
    total: int | None
    duplicates: Annotated[int, "Number of games that the archive already had."]
    verified: int
    consistent: int
    unfinished: int
    mismatch: int
    unsupported: int
    illegal: int
    malformed: int


class ChunkCounts(Shape):
    """Chunks of work. `dead_lettered`: given up after three attempts."""

    done: int
    total: int
    dead_lettered: int


class Progress(Shape):
    """The progress of an upload."""

    state: Annotated[str, OneOf("UploadState", ("waiting", "cutting", "working", "done"))]
    bytes: int
    files: Annotated[int, "Number of sent files; `bytes` is their size."]
    files_unpacked: Annotated[int, "Number of files found in archives."]
    files_faulty: Annotated[int, "Number of files that could not be read completely."]
    files_dead_lettered: Annotated[int, "Given up after three attempts."]
    games: GameCounts
    chunks: ChunkCounts


class Following(Shape):
    """The progress of applying a visibility change or a claim to the games."""

    state: JobState
    games: Annotated[int, "Number of games changed so far."]
    total: Annotated[int, "Number of games read."]


class UploadJson(Progress):
    """An upload and its progress."""

    key: str
    url: Url
    games_url: Annotated[Url, "Each game with its verdict; `?errors=true`."]
    files_url: Annotated[Url, "Each file, including files in archives."]
    report_url: Annotated[Url, "All games and faults in one file."]
    page: Annotated[Url, "The report for people."]
    via: Annotated[str, OneOf("Via", ("page", "api", "command"))]
    created: datetime
    visibility: Annotated[UploadVisibility, "The sender's choice for the upload and its games."]
    replaces: Annotated[str, "The key of the replaced game, or empty."]
    stopped: Annotated[
        FaultJson | None,
        "Why the upload was not read completely; `files_url` names the unread files.",
    ]
    change: Annotated[
        Following | None,
        "The work on its games after the last change of `visibility`, or after a claim.",
    ]


class FileJson(Shape):
    """A file of an upload; a file with a `parent` was found in an archive."""

    number: int
    parent: Annotated[int | None, "Number of the archive."]
    name: Annotated[str, "For display; `games.zip › 2019/march.kafu`."]
    size: Annotated[int, "Size in bytes; 0 for an unreadable file."]
    sha256: Annotated[str, "Empty for an unreadable file."]
    state: JobState
    fault: FaultJson | None


class SubmissionJson(Shape):
    """A game found in an upload. Lines and columns are those of the uploaded file."""

    file: int
    file_name: Annotated[str, "As sent, with pseudonyms in place of names."]
    number: Annotated[int, "Place in the file, from 1."]
    line: Annotated[int, "First line of the game in the file."]
    status: Annotated[str, OneOf("SubmissionStatus", (*Status.values, HIDDEN)), SHOWN_HELP]
    duplicate: Annotated[bool, "The archive already had the game."]
    record: Url | None
    same_deal: Annotated[Url | None, SAME_DEAL_HELP]
    error: FaultJson | None
    mismatches: list[Mismatch]
    warnings: list[FaultJson]


class ReportLine(Shape):
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
    duplicate: Annotated[bool, "The archive already had the game."] = False
    record: Annotated[Url | None, "The game in the archive."] = None
    same_deal: Annotated[Url | None, SAME_DEAL_HELP] = None
    error: FaultJson | None = None
    mismatches: Sequence[Mismatch] = ()
    warnings: Sequence[FaultJson] = ()
    verdict: Annotated[Verdict | UnsetType | None, "With `include=verdict`."] = UNSET
    moves: Annotated[
        dict[str, Any] | UnsetType | None, "With `include=moves`: see /api/v1/kafu.schema.json."
    ] = UNSET
    facts: Annotated[
        list[DealFactsJson] | UnsetType | None, "With `include=facts`; null for none."
    ] = UNSET
