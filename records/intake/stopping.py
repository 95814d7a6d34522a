"""Uploads that are not read to their end: a quota is used up, or nothing in them can be read.

In: an upload and the fault for which it is stopped. Out: its open files and chunks closed.

What was read stays. What was not is closed at once, without a row for each game: the files say
where it begins, and the upload says why. It is for the sender to send it again.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum

from kafu.notation import codes
from kafu.notation.faults import Fault
from records.base import clock
from records.intake import quotas
from records.models import Chunk, Job, Status, Upload, UploadFile
from records.models.jobs import CHUNK, FILE

#: Faults that leave chunks unread, and those that leave files uncut.
_CHUNKS: Final = (codes.QUOTA_MALFORMED.id, codes.NOTHING_READABLE.id)
_FILES: Final = (*_CHUNKS, codes.QUOTA_GAMES.id)
_GOOD: Final = [status for status in Status.values if status != Status.MALFORMED]


def leaves_files(upload: Upload) -> dict[str, Any] | None:
    """The fault for which files of an upload are not opened any more, in stored form."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _FILES else None


def leaves_chunks(upload: Upload) -> dict[str, Any] | None:
    """The fault for which games of an upload are not read any more, in stored form."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _CHUNKS else None


def _weight(code: str) -> int:
    return (code in _FILES) + (code in _CHUNKS)


@transaction.atomic
def stop(pk: int, fault: Fault) -> None:
    """Stop an upload, and close what of it has not begun and is not to begin for this fault."""
    upload = Upload.objects.select_for_update(no_key=True).get(pk=pk)
    if upload.stopped is None or _weight(fault.code.id) > _weight(upload.stopped["code"]):
        upload.stopped = fault.to_stored()
        upload.save(update_fields=["stopped"])
    if leaves_files(upload):
        jobs = _waiting(upload, FILE)
        upload.files.filter(job__in=jobs).update(fault=upload.stopped)
        _close(jobs)
    if leaves_chunks(upload):
        jobs = _waiting(upload, CHUNK)
        due = upload.chunks.filter(job__in=jobs)
        lines: dict[int, int] = {}
        games = 0
        rows = due.order_by("-first_line").values_list("file", "first_line", "games")
        for file, line, count in rows:
            lines[file] = line
            games += count
        left = [
            UploadFile(job_id=file, fault={**upload.stopped, "line": line, "column": 1})
            for file, line in lines.items()
        ]
        UploadFile.objects.bulk_update(left, ["fault"], batch_size=500)
        due.update(games=0)
        _close(jobs)
        quotas.add(upload, quotas.GAMES, -games)


def _waiting(upload: Upload, kind: str) -> QuerySet[Job]:
    """The jobs of an upload that nobody has begun, locked: nobody can claim them now."""
    jobs = upload.jobs.filter(kind=kind, state__in=Job.CLAIMABLE)
    # The rows are locked as they are read, and are the same in what follows.
    list(jobs.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    return jobs


def _close(jobs: QuerySet[Job]) -> None:
    jobs.update(state=Job.State.DONE, done_at=clock.now(), reason="")


def stop_if_enough(chunk: Chunk) -> None:
    """After a chunk with malformed games was written: stop its upload where they are enough."""
    upload = Upload.objects.get(pk=chunk.upload_id)
    if leaves_chunks(upload):
        return
    malformed = quotas.standing(upload.sender, upload.owner_id)[quotas.MALFORMED]
    if malformed.is_used_up:
        stop(upload.pk, malformed.fault)
    elif chunk.malformed == chunk.games and settings.UNREADABLE_GAMES:
        counts = upload.chunks.aggregate(**{name: Sum(name) for name in Status.values})
        is_bare = not any(counts[status] for status in _GOOD)
        if is_bare and counts[Status.MALFORMED] >= settings.UNREADABLE_GAMES:
            values = {"limit": counts[Status.MALFORMED]}
            stop(upload.pk, Fault(codes.NOTHING_READABLE, values=values))
