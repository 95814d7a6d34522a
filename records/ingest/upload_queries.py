"""Queries about an upload: its files, its submissions and its change of visibility."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from django.db.models import Count, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from kafu.notation import codes
from records.models import Job, Seat, Status, Upload, UploadFile
from records.models.jobs import VISIBILITY
from records.privacy.access import ANONYMOUS, Viewer, submissions_of, uploads_for

#: The statuses of a submission, in the order of a report.
STATUSES = tuple(Status.values)
#: Number of games that are searched for decoded names, and maximum number of results.
_SEARCHED: Final = 500
MAX_DECODED: Final = 20
FAULTY = (Status.MALFORMED, Status.ILLEGAL, Status.MISMATCH)


def progress_of_change(upload: Upload) -> dict[str, Any] | None:
    """Return the progress of an upload's last change of visibility or claim, None without one.

    ``state`` is the state of the job. ``games`` of ``total`` stored games follow the change.
    """
    jobs = Job.objects.filter(Q(upload=upload, kind=VISIBILITY) | Q(pk=upload.claim))
    last = jobs.order_by("-pk").values_list("pk", "state").first()
    if last is None:
        return None
    pk, state = last
    done = upload.chunks.filter(job__state=Job.State.DONE)
    sums = done.aggregate(
        follow=Coalesce(Sum("games", filter=Q(follows__gte=pk)), 0), all=Coalesce(Sum("games"), 0)
    )
    return {"state": state, "games": sums["follow"], "total": sums["all"]}


def uploads(viewer: Viewer = ANONYMOUS) -> QuerySet[Upload]:
    """Return the uploads whose report a viewer may see, the newest first."""
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


def decoded(upload: Upload, viewer: Viewer = ANONYMOUS) -> list[Any]:
    """Return submissions with names that were decoded from another encoding than UTF-8.

    Search the first `_SEARCHED` submissions. Return at most `MAX_DECODED`.
    """
    with_names = (
        submission
        for submission in submissions(upload, viewer)[:_SEARCHED]
        if submission.is_shown
        and any(warning["code"] == codes.DECODED_NAMES.id for warning in submission.warnings)
    )
    return list(islice(with_names, MAX_DECODED))


def files(upload: Upload) -> QuerySet[UploadFile]:
    """Return the files of an upload, then the files unpacked from its archives."""
    return upload.files.select_related("parent", "job").order_by("number")


def namesakes(upload: Upload, names: Iterable[str]) -> set[str]:
    """Return the names that several files of an upload have."""
    rows = upload.files.filter(name__in=set(names)).order_by().values_list("name")
    return {name for name, count in rows.annotate(Count("pk")) if count > 1}
