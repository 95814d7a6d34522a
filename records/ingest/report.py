"""The complete report of an upload: a line for each game and each faulty file."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from records.models import Job, Seat, Status, Upload, UploadFile
from records.privacy.access import ANONYMOUS, Viewer, submissions_of

#: The status of games and files that were given up after three attempts.
DEAD_LETTER: Final = "dead-letter"
#: The status of a member of an archive whose name is not that of a game.
PASSED_OVER: Final = "passed-over"
#: The status of a game that the viewer may not see (`records.privacy.access`).
HIDDEN: Final = "hidden"
_BATCH: Final = 1000
#: Number of games whose players are fetched in one query.
_PLAYERS_BATCH: Final = 100
#: A row of the query, and the indexes of some columns.
Row = tuple[Any, ...]
_RECORD, _ERROR, _WARNINGS = 9, 10, 12


def report(upload: Upload, viewer: Viewer = ANONYMOUS) -> Iterator[dict[str, Any]]:
    """Yield a line for each game, in the order of the files, and for each faulty or skipped file.

    A line has ``file`` and ``file_name``, ``number`` and ``line`` (None for a file), ``status``,
    ``duplicate``, ``record`` (a key or None), ``players`` (names by seat, without pseudonyms, if
    there is an error or a warning), ``error``, ``mismatches`` and ``warnings`` in stored form. For
    a game that the viewer may not see, a line has only its place. Rows are read in batches.
    """
    lines = (_games(upload, viewer), _faulty_files(upload), _given_up(upload))
    for _place, line in heapq.merge(*lines, key=lambda entry: entry[0]):
        yield line


Entry = tuple[tuple[int, int], dict[str, Any]]


def _games(upload: Upload, viewer: Viewer) -> Iterator[Entry]:
    rows = (
        submissions_of(upload, viewer)
        .order_by("file_id", "number")
        .values_list(
            "is_shown",
            "file_id",
            "number",
            "line",
            "file__number",
            "file__name",
            "status",
            "duplicate",
            "record__key",
            "record_id",
            "error",
            "mismatches",
            "warnings",
        )
    )
    for row, players in _with_players(rows.iterator(chunk_size=_BATCH)):
        is_shown, pk, number, line, file, name, status, duplicate, record, _, *faults = row
        error, mismatches, warnings = faults
        yield (
            (pk, number),
            {
                "file": file,
                "file_name": name,
                "number": number,
                "line": line,
                "status": status if is_shown else HIDDEN,
                "duplicate": is_shown and duplicate,
                "record": record if is_shown else None,
                "players": players if is_shown else [],
                "error": error if is_shown else None,
                "mismatches": mismatches if is_shown else [],
                "warnings": warnings if is_shown else [],
            },
        )


def _with_players(rows: Iterable[Row]) -> Iterator[tuple[Row, list[str]]]:
    """Yield each row with the players of its game, if the row has an error or a warning."""
    rows = iter(rows)
    while batch := list(islice(rows, _PLAYERS_BATCH)):
        games = [row[_RECORD] for row in batch if row[_RECORD] and (row[_ERROR] or row[_WARNINGS])]
        names: dict[int, list[str]] = {}
        seats = Seat.objects.filter(record__in=games).order_by("record_id", "number")
        for record, name, real in seats.values_list("record_id", "name", "player__real_name"):
            names.setdefault(record, []).append(real or name)
        for row in batch:
            yield row, names.get(row[_RECORD], [])


def _faulty_files(upload: Upload) -> Iterator[Entry]:
    files = upload.files.filter(fault__isnull=False) | upload.files.filter(
        job__state=Job.State.DEAD_LETTER
    )
    for file in files.select_related("job").order_by("pk").iterator(chunk_size=_BATCH):
        is_dead = file.job.state == Job.State.DEAD_LETTER
        is_passed_over = file.fault is not None and file.fault["code"] == codes.PASSED_OVER.id
        status = PASSED_OVER if is_passed_over else str(Status.MALFORMED)
        status = DEAD_LETTER if is_dead else status
        yield (file.pk, 0), _line(file, None, None, status, file.fault)


def _given_up(upload: Upload) -> Iterator[Entry]:
    chunks = upload.chunks.filter(job__state=Job.State.DEAD_LETTER).select_related("file")
    for chunk in chunks.order_by("file_id", "first_game").iterator(chunk_size=_BATCH):
        for number in range(chunk.first_game, chunk.first_game + chunk.games):
            line = chunk.first_line if number == chunk.first_game else None
            yield (chunk.file_id, number), _line(chunk.file, number, line, DEAD_LETTER, None)


def _line(
    file: UploadFile, number: int | None, line: int | None, status: str, fault: Any
) -> dict[str, Any]:
    return {
        "file": file.number,
        "file_name": file.name,
        "number": number,
        "line": line,
        "status": status,
        "duplicate": False,
        "record": None,
        "players": [],
        "error": fault or Fault(codes.GIVEN_UP).to_stored(),
        "mismatches": [],
        "warnings": [],
    }
