"""What became of the games of an upload: its files, its submissions, its change of visibility.

In: an upload, and who asks. Out: rows and figures; nothing is written.
"""

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

#: What a submission's status may be, in the order of a report.
STATUSES = tuple(Status.values)
#: Games that are searched for decoded names, and those that are returned.
_LOOKED_AT: Final = 500
DECODED: Final = 20
FAULTY = (Status.MALFORMED, Status.ILLEGAL, Status.MISMATCH)


def change(upload: Upload) -> dict[str, Any] | None:
    """How far the games of an upload follow the last change of its visibility, or the claim by
    which it becomes an account's; None without one.

    ``state`` is that of the job. ``games`` of ``total`` follow; of these the ones count that
    have been read, whether they are the sender's or not.
    """
    jobs = Job.objects.filter(Q(upload=upload, kind=VISIBILITY) | Q(pk=upload.claim))
    found = jobs.order_by("-pk").values_list("pk", "state").first()
    if found is None:
        return None
    pk, state = found
    done = upload.chunks.filter(job__state=Job.State.DONE)
    sums = done.aggregate(
        follow=Coalesce(Sum("games", filter=Q(follows__gte=pk)), 0), all=Coalesce(Sum("games"), 0)
    )
    return {"state": state, "games": sums["follow"], "total": sums["all"]}


def uploads(viewer: Viewer = ANONYMOUS) -> QuerySet[Upload]:
    """Uploads whose report may be shown, newest first."""
    return Upload.objects.filter(uploads_for(viewer))


def submissions(
    upload: Upload, viewer: Viewer = ANONYMOUS, *, faulty: bool = False, status: str = ""
) -> QuerySet[Any]:
    """The games (`Submission`) of an upload, in the order of its files.

    Each has ``is_shown``: whether the viewer may see more of it than its place. ``faulty``: only
    those with an error; ``status``: only those of that status, where it is not empty.
    """
    found = submissions_of(upload, viewer).select_related("file", "record", "chunk")
    seats = Prefetch("record__seats", Seat.objects.select_related("player"))
    found = found.prefetch_related(seats)
    found = found.order_by("file_id", "number")
    # A list links to games and shows none of them; a page of them would be megabytes.
    found = found.defer("record__text", "record__verdict", "record__tags")
    if status:
        found = found.filter(status=status)
    return found.filter(status__in=FAULTY) if faulty else found


def decoded(upload: Upload, viewer: Viewer = ANONYMOUS) -> list[Any]:
    """The first games (`Submission`) of an upload that were not UTF-8 and have names to be checked:
    some of the first `_LOOKED_AT`.
    """
    first = submissions(upload, viewer)[:_LOOKED_AT]
    named = (
        submission
        for submission in first
        if any(warning["code"] == codes.DECODED_NAMES.id for warning in submission.warnings)
    )
    return list(islice((one for one in named if one.is_shown), DECODED))


def files(upload: Upload) -> QuerySet[UploadFile]:
    """The files of an upload, those of archives behind what was sent, with what was unpacked."""
    return upload.files.select_related("parent", "job").order_by("number")


def namesakes(upload: Upload, names: Iterable[str]) -> set[str]:
    """Those of ``names`` that several files of an upload have."""
    rows = upload.files.filter(name__in=set(names)).order_by().values_list("name")
    return {name for name, count in rows.annotate(Count("pk")) if count > 1}
