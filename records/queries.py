"""Questions to the archive, for pages and API: plain functions that return rows or figures."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from records.kafu.encoding import BINARY, UTF8
from records.keys import player_key
from records.models import Chunk, Player, Record, Seat, Status, Submission, Upload, UploadFile

#: What a submission's status may be, in the order of a report.
STATUSES = tuple(Status.values)
FAULTY = (Status.MALFORMED, Status.ILLEGAL, Status.MISMATCH)


def progress(upload: Upload) -> dict[str, Any]:
    """How far an upload is, exact at this moment.

    ``state`` is ``waiting`` (no file begun), ``cutting``, ``working`` or ``done``. ``games.total``
    is None until every file is cut. ``chunks.aside`` and ``files_aside`` count work that was given
    up after three attempts. Files are asked first: chunks are written with their file's ``done``,
    so that a file seen as cut has all its chunks in the second question.
    """
    files = upload.files.aggregate(
        count=Count("pk"),
        bytes=Coalesce(Sum("size"), 0),
        begun=Count("pk", filter=Q(attempts__gt=0)),
        open=Count("pk", filter=Q(state__in=UploadFile.OPEN)),
        aside=Count("pk", filter=Q(state=UploadFile.State.ASIDE)),
    )
    sums = {name: Coalesce(Sum(name), 0) for name in (*STATUSES, "duplicates", "games")}
    chunks = upload.chunks.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(state=Chunk.State.DONE)),
        aside=Count("pk", filter=Q(state=Chunk.State.ASIDE)),
        **sums,
    )
    if files["open"]:
        state = "cutting" if files["begun"] else "waiting"
    else:
        state = "done" if chunks["done"] + chunks["aside"] == chunks["total"] else "working"
    counts = {status: chunks[status] for status in STATUSES}
    return {
        "state": state,
        "bytes": files["bytes"],
        "files": files["count"],
        "files_aside": files["aside"],
        "games": {
            "read": sum(counts.values()),
            "total": None if files["open"] else chunks["games"],
            **counts,
            "duplicates": chunks["duplicates"],
        },
        "chunks": {name: chunks[name] for name in ("done", "total", "aside")},
    }


def uploads() -> QuerySet[Upload]:
    """All uploads, newest first."""
    return Upload.objects.all()


def submissions(upload: Upload, *, faulty: bool = False) -> QuerySet[Submission]:
    """The games of an upload in the order of its files; ``faulty``: only those with an error."""
    found = upload.submissions.select_related("file", "record").order_by("file_id", "number")
    # A list links to games and shows none of them; a page of them would be megabytes.
    found = found.defer("record__text", "record__verdict", "record__tags")
    return found.filter(status__in=FAULTY) if faulty else found


def records(
    *, ruleset: str = "", status: str = "", player: str = "", profile: str = ""
) -> QuerySet[Record]:
    """Games, newest first, with their seats; each filter that is not empty must fit exactly.

    ``player`` is a name; it is compared as :class:`Player` does. Texts and verdicts are left out
    until asked for, because a list shows neither.
    """
    found = Record.objects.defer("text", "verdict", "tags").prefetch_related("seats")
    if ruleset:
        found = found.filter(ruleset=ruleset)
    if status:
        found = found.filter(status=status)
    if profile:
        found = found.filter(profile=profile)
    if player:
        seats = Seat.objects.filter(record=OuterRef("pk"), player__key=player_key(player))
        found = found.filter(Exists(seats))
    return found.order_by("-id")


def record(key: str) -> Record | None:
    """The game with this key, seats and all; None where there is none."""
    return Record.objects.prefetch_related("seats__player", "deals__seats").filter(key=key).first()


def counts() -> dict[str, Any]:
    """Figures of the whole archive: games by status and ruleset, players."""
    by_status = Record.objects.order_by().values_list("status").annotate(Count("pk"))
    by_ruleset = Record.objects.order_by().values_list("ruleset").annotate(Count("pk"))
    statuses = dict(by_status)
    return {
        "games": sum(statuses.values()),
        "players": Player.objects.count(),
        "statuses": statuses,
        "rulesets": dict(by_ruleset),
    }


def source_text(submission: Submission, limit: int = 1 << 16) -> str:
    """The text of a submission as it was uploaded, at most ``limit`` bytes of it.

    Bytes that are no text in its encoding are shown as U+FFFD.
    """
    stored = submission.file.stored
    with stored.open("rb"):
        stored.seek(submission.offset)
        data: bytes = stored.read(min(submission.length, limit))
    codec = UTF8 if submission.encoding == BINARY else submission.encoding
    return data.decode(codec, errors="replace").removeprefix("\ufeff")
