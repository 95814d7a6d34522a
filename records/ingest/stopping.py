"""Stopping of uploads: a quota is used up, or nothing in an upload can be read.

Games read so far stay. The jobs of the remaining files and chunks end immediately, without a row
for each game. The files store where the unread part begins, and the upload stores the reason. The
sender can upload the rest again.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum

from kafu.notation import codes
from kafu.notation.faults import Fault
from records.base import clock
from records.ingest import quotas
from records.models import Chunk, Job, Status, Upload, UploadFile
from records.models.jobs import CHUNK, FILE

#: Faults for which chunks are skipped, and faults for which files are skipped.
_CHUNKS: Final = (codes.QUOTA_MALFORMED.id, codes.NOTHING_READABLE.id)
_FILES: Final = (*_CHUNKS, codes.QUOTA_GAMES.id)
_READABLE: Final = [status for status in Status.values if status != Status.MALFORMED]


def fault_of_skipped_files(upload: Upload) -> dict[str, Any] | None:
    """Return the stored fault for which the upload's files are skipped, if any."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _FILES else None


def fault_of_skipped_chunks(upload: Upload) -> dict[str, Any] | None:
    """Return the stored fault for which the upload's chunks are skipped, if any."""
    stopped: dict[str, Any] | None = upload.stopped
    return stopped if stopped is not None and stopped["code"] in _CHUNKS else None


def _weight(code: str) -> int:
    return (code in _FILES) + (code in _CHUNKS)


@transaction.atomic
def stop(pk: int, fault: Fault) -> None:
    """Stop an upload for a fault, and end its jobs that the fault skips and no worker has begun."""
    upload = Upload.objects.select_for_update(no_key=True).get(pk=pk)
    if upload.stopped is None or _weight(fault.code.id) > _weight(upload.stopped["code"]):
        upload.stopped = fault.to_stored()
        upload.save(update_fields=["stopped"])
    if fault_of_skipped_files(upload):
        jobs = _lock_waiting_jobs(upload, FILE)
        upload.files.filter(job__in=jobs).update(fault=upload.stopped)
        _end(jobs)
    if fault_of_skipped_chunks(upload):
        jobs = _lock_waiting_jobs(upload, CHUNK)
        due = upload.chunks.filter(job__in=jobs)
        lines: dict[int, int] = {}
        games = 0
        rows = due.order_by("-first_line").values_list("file", "first_line", "games")
        for file, line, count in rows:
            lines[file] = line
            games += count
        cut_files = [
            UploadFile(job_id=file, fault={**upload.stopped, "line": line, "column": 1})
            for file, line in lines.items()
        ]
        UploadFile.objects.bulk_update(cut_files, ["fault"], batch_size=500)
        due.update(games=0)
        _end(jobs)
        quotas.add(upload, quotas.GAMES, -games)


def _lock_waiting_jobs(upload: Upload, kind: str) -> QuerySet[Job]:
    """Lock the jobs of an upload that no worker has begun, so that no worker can claim them."""
    jobs = upload.jobs.filter(kind=kind, state__in=Job.CLAIMABLE)
    # Reading locks the rows, so that later queries return the same rows.
    list(jobs.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    return jobs


def _end(jobs: QuerySet[Job]) -> None:
    jobs.update(state=Job.State.DONE, done_at=clock.now(), reason="")


def stop_if_unreadable(chunk: Chunk) -> None:
    """Stop the upload of a stored chunk if it has too many malformed games."""
    upload = Upload.objects.get(pk=chunk.upload_id)
    if fault_of_skipped_chunks(upload):
        return
    malformed = quotas.standing(upload.sender, upload.owner_id)[quotas.MALFORMED]
    if malformed.is_used_up:
        stop(upload.pk, malformed.fault)
    elif chunk.malformed == chunk.games and settings.UNREADABLE_GAMES:
        counts = upload.chunks.aggregate(**{name: Sum(name) for name in Status.values})
        has_readable = any(counts[status] for status in _READABLE)
        if not has_readable and counts[Status.MALFORMED] >= settings.UNREADABLE_GAMES:
            values = {"limit": counts[Status.MALFORMED]}
            stop(upload.pk, Fault(codes.NOTHING_READABLE, values=values))
