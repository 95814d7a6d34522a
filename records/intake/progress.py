"""How far an upload is, and what became of its games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from kafu.notation.stream.encoding import BINARY, UTF8
from records.models import Job, Status, Submission, Upload, UploadFile
from records.models.jobs import VISIBILITY
from records.privacy.access import NOBODY, Viewer, submissions_of, uploads_for

#: What a submission's status may be, in the order of a report.
STATUSES = tuple(Status.values)
FAULTY = (Status.MALFORMED, Status.ILLEGAL, Status.MISMATCH)


def progress(upload: Upload) -> dict[str, Any]:
    """How far an upload is, exact at this moment.

    ``state`` is ``waiting`` (no file begun), ``cutting``, ``working`` or ``done``. ``games.total``
    is None until every file is cut, or unpacked and those in it cut. ``files`` and ``bytes`` are of
    what was sent, ``files_unpacked`` of what was found in archives; ``files_faulty`` of both could
    not be had whole. ``chunks.dead_lettered`` and ``files_dead_lettered`` count what was given up
    after three attempts. Files are asked first: chunks, and the files of an archive, are written
    with their file's ``done``, so that a file seen as cut has all its chunks in the second query.
    """
    sent = Q(parent=None)
    files = upload.files.aggregate(
        count=Count("pk", filter=sent),
        bytes=Coalesce(Sum("size", filter=sent), 0),
        unpacked=Count("pk", filter=~sent),
        faulty=Count("pk", filter=Q(fault__isnull=False)),
        begun=Count("pk", filter=Q(job__attempts__gt=0)),
        open=Count("pk", filter=Q(job__state__in=Job.OPEN)),
        dead_lettered=Count("pk", filter=Q(job__state=Job.State.DEAD_LETTER)),
    )
    sums = {name: Coalesce(Sum(name), 0) for name in (*STATUSES, "duplicates", "games")}
    chunks = upload.chunks.aggregate(
        total=Count("pk"),
        done=Count("pk", filter=Q(job__state=Job.State.DONE)),
        dead_lettered=Count("pk", filter=Q(job__state=Job.State.DEAD_LETTER)),
        **sums,
    )
    if files["open"]:
        state = "cutting" if files["begun"] else "waiting"
    else:
        over = chunks["done"] + chunks["dead_lettered"]
        state = "done" if over == chunks["total"] else "working"
    counts = {status: chunks[status] for status in STATUSES}
    return {
        "state": state,
        "bytes": files["bytes"],
        "files": files["count"],
        "files_unpacked": files["unpacked"],
        "files_faulty": files["faulty"],
        "files_dead_lettered": files["dead_lettered"],
        "games": {
            "read": sum(counts.values()),
            "total": None if files["open"] else chunks["games"],
            **counts,
            "duplicates": chunks["duplicates"],
        },
        "chunks": {name: chunks[name] for name in ("done", "total", "dead_lettered")},
    }


def change(upload: Upload) -> dict[str, Any] | None:
    """How far the games of an upload follow the last change of its visibility; None without one.

    ``state`` is that of the job. ``games`` of ``total`` follow; of these the ones count that
    have been read, as far as the sender holds them or not.
    """
    found = upload.jobs.filter(kind=VISIBILITY).values_list("pk", "state").first()
    if found is None:
        return None
    pk, state = found
    done = upload.chunks.filter(job__state=Job.State.DONE)
    sums = done.aggregate(
        follow=Coalesce(Sum("games", filter=Q(follows__gte=pk)), 0), all=Coalesce(Sum("games"), 0)
    )
    return {"state": state, "games": sums["follow"], "total": sums["all"]}


def uploads(viewer: Viewer = NOBODY) -> QuerySet[Upload]:
    """Uploads whose report may be shown, newest first."""
    return Upload.objects.filter(uploads_for(viewer))


def submissions(
    upload: Upload, viewer: Viewer = NOBODY, *, faulty: bool = False, status: str = ""
) -> QuerySet[Any]:
    """The games (`Submission`) of an upload, in the order of its files.

    Each has ``is_shown``: whether the viewer may see more of it than its place. ``faulty``: only
    those with an error; ``status``: only those of that status, where it is not empty.
    """
    found = submissions_of(upload, viewer).select_related("file", "record")
    found = found.order_by("file_id", "number")
    # A list links to games and shows none of them; a page of them would be megabytes.
    found = found.defer("record__text", "record__verdict", "record__tags")
    if status:
        found = found.filter(status=status)
    return found.filter(status__in=FAULTY) if faulty else found


def files(upload: Upload) -> QuerySet[UploadFile]:
    """The files of an upload, those of archives behind what was sent, with what was unpacked."""
    return upload.files.select_related("parent").order_by("number")


def namesakes(upload: Upload, names: Iterable[str]) -> set[str]:
    """Those of ``names`` that several files of an upload have."""
    rows = upload.files.filter(name__in=set(names)).order_by().values_list("name")
    return {name for name, count in rows.annotate(Count("pk")) if count > 1}


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
