"""Queries and the downloadable report about an upload."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from django.db.models import Count, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from kafu.notation import codes
from kafu.notation.faults import Fault
from records.base import labels
from records.base.release import absolute
from records.ingest.copies import find_copies
from records.models import Job, Record, Seat, Status, Upload, UploadFile, Visibility
from records.models.jobs import VISIBILITY
from records.privacy.access import ANONYMOUS, Viewer, submissions_of, uploads_for
from records.privacy.redaction import Redaction, redaction_for
from records.shapes.uploads import (
    DEAD_LETTER,
    HIDDEN,
    PASSED_OVER,
    FileJson,
    Following,
    ReportLine,
    SubmissionJson,
    UploadJson,
)

#: Number of files in the title of an upload.
_TITLE_FILES: Final = 3
#: The statuses of a submission, in the order of a report.
STATUSES = tuple(Status.values)
#: Number of games that are searched for warnings to check, and maximum number of results.
_SEARCHED: Final = 500
MAX_DOUBTFUL: Final = 20
#: Warnings about names, a date or tags that may be stored differently than intended by the sender.
DOUBTFUL: Final = frozenset(
    code.id
    for code in (
        codes.DECODED_NAMES,
        codes.DAMAGED_TEXT,
        codes.DOUBTFUL_DATE,
        codes.NO_SUCH_DATE,
        codes.TAGS_KEPT,
    )
)
FAULTY = (Status.MALFORMED, Status.ILLEGAL, Status.MISMATCH)
_BATCH: Final = 1000
#: Number of games whose players and copies are fetched in one query.
_DETAILS_BATCH: Final = 100
#: The columns of a line of a game, and the indexes of three.
_COLUMNS: Final = (
    *("is_shown", "file_id", "record_id", "file__number", "file__name", "number", "line", "status"),
    *("duplicate", "record__key", "error", "mismatches", "warnings"),
)
_RECORD, _ERROR, _WARNINGS = 2, 10, 12
Row = tuple[Any, ...]
#: The place of a line of the report (file and number of the game), the line, and the players.
Entry = tuple[tuple[int, int], ReportLine, Sequence[str]]


def progress_of_change(upload: Upload) -> Following | None:
    """Return the progress of an upload's last change of visibility or claim, None without one.

    ``games`` of ``total`` stored games follow the change.
    """
    jobs = Job.objects.filter(Q(upload=upload, kind=VISIBILITY) | Q(pk=upload.claim))
    last = jobs.order_by("-pk").values_list("pk", "state").first()
    if last is None:
        return None
    pk, state = last
    done_chunks = upload.chunks.filter(job__state=Job.State.DONE)
    sums = done_chunks.aggregate(
        follow=Coalesce(Sum("games", filter=Q(follows__gte=pk)), 0), all=Coalesce(Sum("games"), 0)
    )
    return Following(state, sums["follow"], sums["all"])


def show_upload(upload: Upload) -> UploadJson:
    """Return an upload with its current progress."""

    def address(name: str) -> str:
        return absolute(reverse(name, args=[upload.key]))

    change = progress_of_change(upload)
    return UploadJson.build(
        upload,
        url=address("api:upload"),
        games_url=address("api:upload-games"),
        files_url=address("api:upload-files"),
        report_url=address("api:upload-report"),
        page=address("report"),
        visibility=Visibility(upload.visibility).id,
        stopped=labels.fault(upload.stopped),
        change=change,
        **upload.progress(),
    )


def show_file(file: UploadFile, redaction: Redaction) -> FileJson:
    """Return a file of an upload, with pseudonyms."""
    return FileJson.build(
        file,
        parent=file.parent and file.parent.number,
        name=str(redaction.redact_report(file.name)),
        state=file.job.state,
        fault=labels.fault(redaction.redact_fault(file.fault)),
    )


def show_submissions(
    upload: Upload, viewer: Viewer, submissions: Sequence[Any]
) -> Iterator[SubmissionJson]:
    """Yield submissions of an upload as a viewer sees them: a hidden game has only its place."""
    add_copies(submissions, viewer)
    redaction = redaction_for(upload, viewer)
    for submission in submissions:
        record = submission.record
        if not submission.is_shown:
            submission.status, submission.duplicate = HIDDEN, False
            submission.error, submission.mismatches, submission.warnings = None, [], []
            record = None
        players = redaction.redact_report(_names(record)) if record else []
        yield SubmissionJson.build(
            submission,
            file=submission.file.number,
            file_name=str(redaction.redact_report(submission.file.name)),
            record=record and _record_url(record.key),
            same_deal=submission.same_deal and _record_url(submission.same_deal),
            error=labels.fault(redaction.redact_fault(submission.error), players),
            warnings=[
                labels.fault(redaction.redact_fault(warning), players)
                for warning in submission.warnings
            ],
        )


def _record_url(key: str) -> str:
    return absolute(reverse("api:record", args=[key]))


def _names(record: Record) -> list[str]:
    """Return the names of the players by seat, without pseudonyms."""
    return [seat.player.real_name or seat.name for seat in record.seats.all()]


def uploads(viewer: Viewer = ANONYMOUS) -> QuerySet[Upload]:
    """Return the uploads with a report visible to a viewer, the newest first."""
    return Upload.objects.filter(uploads_for(viewer))


def submissions(
    upload: Upload, viewer: Viewer = ANONYMOUS, *, faulty: bool = False, status: str = ""
) -> QuerySet[Any]:
    """Return the submissions of an upload, in the order of its files.

    Each has ``is_shown``, as in `records.privacy.access.submissions_of`. Filter by ``faulty`` (with
    an error) and by ``status``, if given.
    """
    rows = submissions_of(upload, viewer).select_related("file", "record", "chunk")
    seats = Prefetch("record__seats", Seat.objects.select_related("player"))
    rows = rows.prefetch_related(seats).order_by("file_id", "number")
    # Lists do not show the games' large columns, which are megabytes a page.
    rows = rows.defer("record__text", "record__verdict", "record__tags")
    if status:
        rows = rows.filter(status=status)
    return rows.filter(status__in=FAULTY) if faulty else rows


def add_copies(submissions: Sequence[Any], viewer: Viewer) -> None:
    """Set ``same_deal`` of submissions to the key of a copy that the viewer may find, or None."""
    shown = [sent.record_id for sent in submissions if sent.is_shown and sent.record_id]
    copies = find_copies(shown, viewer)
    for sent in submissions:
        sent.same_deal = copies.get(sent.record_id, [None])[0] if sent.is_shown else None


def find_doubtful(upload: Upload, viewer: Viewer = ANONYMOUS) -> list[Any]:
    """Return submissions with a warning of `DOUBTFUL`, which their sender should read.

    Search the first `_SEARCHED` submissions. Return at most `MAX_DOUBTFUL`.
    """
    with_warnings = (
        submission
        for submission in submissions(upload, viewer)[:_SEARCHED]
        if submission.is_shown
        and any(warning["code"] in DOUBTFUL for warning in submission.warnings)
    )
    return list(islice(with_warnings, MAX_DOUBTFUL))


def files(upload: Upload) -> QuerySet[UploadFile]:
    """Return the files of an upload, then the files unpacked from archives."""
    return upload.files.select_related("parent", "job").order_by("number")


def sent_names(upload: Upload, most: int) -> tuple[list[str], int]:
    """Return the first names of an upload's files as sent, and the number of files.

    The files that the upload page sent as one ZIP are counted singly.
    """
    sent = upload.files.filter(parent=None)
    bundle = sent.filter(name=labels.BUNDLE).first()
    rows = sent if bundle is None else upload.files.filter(parent=bundle)
    return [file.name for file in rows.order_by("number")[:most]], rows.count()


def title(upload: Upload, viewer: Viewer) -> str:
    """Return the name of an upload for its sender: its files, or the players of a pasted game."""
    redaction = redaction_for(upload, viewer)
    names, count = sent_names(upload, _TITLE_FILES)
    if names == [labels.PASTE]:
        games = submissions(upload, viewer)[:2]
        if len(games) == 1 and games[0].is_shown and games[0].record:
            return join_players(games[0].record, redaction)
    shown = ", ".join(labels.file_name(redaction.redact_report(name)) for name in names)
    return f"{shown} …" if count > len(names) else shown


def join_players(record: Record, redaction: Redaction) -> str:
    """Return the players of a game, with their real names unless ``redaction`` replaces them."""
    return " – ".join(labels.people(redaction.redact_report(_names(record))))


def namesakes(upload: Upload, names: Iterable[str]) -> set[str]:
    """Return the names shared by several files of an upload."""
    rows = upload.files.filter(name__in=set(names)).order_by().values_list("name")
    return {name for name, count in rows.annotate(Count("pk")) if count > 1}


def report(
    upload: Upload, viewer: Viewer = ANONYMOUS
) -> Iterator[tuple[ReportLine, Sequence[str]]]:
    """Yield a line for each game, in the order of the files, and for each faulty or skipped file.

    A line has the key of the game and of a copy instead of their addresses, and faults in stored
    form. With a line are the names of its players by seat, without pseudonyms, if it has an error
    or a warning. For a game that the viewer may not see, a line has only its place. Rows are read
    in batches.
    """
    lines = (_games(upload, viewer), _faulty_files(upload), _given_up(upload))
    for _place, line, players in heapq.merge(*lines, key=lambda entry: entry[0]):
        yield line, players


def _games(upload: Upload, viewer: Viewer) -> Iterator[Entry]:
    rows = submissions_of(upload, viewer).order_by("file_id", "number").values_list(*_COLUMNS)
    for row, players, same_deal in _with_details(rows.iterator(chunk_size=_BATCH), viewer):
        is_shown, pk, _record, file, name, number, first, status, duplicate, key, *faults = row
        line = ReportLine(file, name, number, first, HIDDEN)
        if is_shown:
            line.status, line.duplicate = status, duplicate
            line.record, line.same_deal = key, same_deal
            line.error, line.mismatches, line.warnings = faults
        yield (pk, number), line, players if is_shown else ()


def _with_details(
    rows: Iterable[Row], viewer: Viewer
) -> Iterator[tuple[Row, list[str], str | None]]:
    """Yield each row with the players of the game and the key of a copy.

    Only rows with an error or a warning have players.
    """
    rows = iter(rows)
    while batch := list(islice(rows, _DETAILS_BATCH)):
        copies = find_copies([row[_RECORD] for row in batch if row[_RECORD]], viewer)
        games = [row[_RECORD] for row in batch if row[_RECORD] and (row[_ERROR] or row[_WARNINGS])]
        names: dict[int, list[str]] = {}
        seats = Seat.objects.filter(record__in=games).order_by("record_id", "number")
        for record, name, real in seats.values_list("record_id", "name", "player__real_name"):
            names.setdefault(record, []).append(real or name)
        for row in batch:
            yield row, names.get(row[_RECORD], []), copies.get(row[_RECORD], [None])[0]


def _faulty_files(upload: Upload) -> Iterator[Entry]:
    files = upload.files.filter(fault__isnull=False) | upload.files.filter(
        job__state=Job.State.DEAD_LETTER
    )
    for file in files.select_related("job").order_by("pk").iterator(chunk_size=_BATCH):
        is_dead = file.job.state == Job.State.DEAD_LETTER
        is_passed_over = file.fault is not None and file.fault["code"] == codes.PASSED_OVER.id
        status = PASSED_OVER if is_passed_over else str(Status.MALFORMED)
        status = DEAD_LETTER if is_dead else status
        yield (file.pk, 0), _line(file, None, None, status, file.fault), ()


def _given_up(upload: Upload) -> Iterator[Entry]:
    chunks = upload.chunks.filter(job__state=Job.State.DEAD_LETTER).select_related("file")
    for chunk in chunks.order_by("file_id", "first_game").iterator(chunk_size=_BATCH):
        for number in range(chunk.first_game, chunk.first_game + chunk.games):
            line = chunk.first_line if number == chunk.first_game else None
            line_of_chunk = _line(chunk.file, number, line, DEAD_LETTER, None)
            yield (chunk.file_id, number), line_of_chunk, ()


def _line(
    file: UploadFile, number: int | None, line: int | None, status: str, fault: Any
) -> ReportLine:
    error: Any = fault or Fault(codes.GIVEN_UP).to_stored()
    return ReportLine(file.number, file.name, number, line, status, error=error)
