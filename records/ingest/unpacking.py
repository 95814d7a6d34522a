"""Unpacking of an archive by one level: the members become files of the upload, with jobs.

The members are stored first. Then the rows are written in the transaction that ends the archive's
job. If a worker is killed between, the objects have no rows (`records.ingest.object_drafts`), and
the next worker unpacks again.
"""

from __future__ import annotations

from typing import BinaryIO, Final, cast

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from kafu.archives import (
    MAX_DEPTH,
    Broken,
    Ended,
    Limits,
    Member,
    Meter,
    archive_kind,
    members,
)
from kafu.archives.bounds import RATIO_FROM, SECONDS, SECONDS_A_BYTE
from kafu.archives.names import INSIDE
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cut import peek
from kafu.notation.stream.kinds import find_binary_fault
from records.ingest import quotas
from records.ingest.object_drafts import DraftedObjects
from records.ingest.quotas import fault_of_skipped_files, stop
from records.ingest.receiving import BULK_BYTES, add_files
from records.jobs.children import cpu_limit
from records.jobs.ledger import finish, hold
from records.jobs.shares import Share
from records.models import Job, Upload, UploadFile

#: Maximum length of a name. The middle of a longer name is left out.
NAME_LENGTH: Final = 1024
#: Number of bytes that even small archives may unpack to.
ALL_FROM: Final = 16 * RATIO_FROM
_MICROSECONDS: Final = 1_000_000


def archive_kind_of(file: UploadFile) -> str | None:
    """Return the kind of a stored archive ("zip", "gzip", "zstd", "tar"), or None."""
    with file.stored.open("rb") as stream:
        return archive_kind(stream.read(encodings.LOOK))


def unpack(file: UploadFile, kind: str, job: Job, share: Share) -> None:
    """Unpack a leased archive by one level, and end the job. Other jobs run meanwhile.

    Unreadable data is a fault of the member or of the archive; the other members are stored. Raise
    :class:`records.jobs.ledger.LeaseLost`, storing nothing, if another worker has the lease.
    """
    stored: list[UploadFile] = []
    over_quota: list[UploadFile] = []
    draft = DraftedObjects()
    meter = Meter(_remaining_limits(file.upload), pause=share.let_others_run)
    try:
        fault: Fault | None = None
        try:
            with cpu_limit(job.pk, file.number), file.stored.open("rb") as stream:
                quota = quotas.standing(file.upload.sender, file.upload.owner_id)[quotas.BYTES]
                size = 0
                for member in members(cast(BinaryIO, stream), kind, meter, name=file.name):
                    size += _store_member(file, member, stored, draft)
                    if quota.left is not None and size > quota.left:
                        over_quota = [stored.pop()]
                        raise Ended(codes.QUOTA_BYTES, limit=quota.limit)
        except Ended as ended:
            fault = ended.fault
        _add_cost(file, meter.seconds)
    except BaseException:
        draft.discard()
        raise
    with draft.discard_unused():
        _write(file, job, stored, fault, draft, over_quota)


def _store_member(
    file: UploadFile, member: Member, stored: list[UploadFile], draft: DraftedObjects
) -> int:
    """Store a member of an archive, or the fault of the member. Return the stored size in bytes.

    Append the unsaved row to ``stored``. Raise :class:`Ended` if nothing more can be unpacked.
    """
    row = UploadFile(parent=file, name=_shorten(f"{file.name}{INSIDE}{member.name}"), size=0)
    stored.append(row)
    if member.passed_over:
        row.fault = Fault(codes.PASSED_OVER).to_stored()
        return 0
    try:
        head, chunks = peek(member.chunks)
        _check_head(head, 1 + _depth(file))
        draft.store(row, chunks)
    except Broken as broken:
        row.stored = ""
        if isinstance(broken, Ended):
            stored.pop()
            raise
        row.fault = broken.fault.to_stored()
        return 0
    return row.stored_size


def _check_head(head: bytes, depth: int) -> None:
    """Raise :class:`Broken` for a member that is not text or is nested too deep."""
    if archive_kind(head) is not None:
        if depth >= MAX_DEPTH:
            raise Broken(codes.ARCHIVE_TOO_DEEP)
        return
    fault = find_binary_fault(head)
    if fault is not None:
        raise Broken(fault.code, **fault.values)


def _depth(file: UploadFile) -> int:
    """Return the number of archives that contain a file."""
    return 0 if file.parent is None else 1 + _depth(file.parent)


def _add_cost(file: UploadFile, seconds: float) -> None:
    """Add the CPU time of unpacking to the job of the sent file that contains the archive.

    The progress of such a job is the microseconds that all its archives took.
    """
    while file.parent is not None:
        file = file.parent
    progress = F("progress") + round(seconds * _MICROSECONDS)
    Job.objects.filter(pk=file.pk).update(progress=progress)


def _shorten(name: str) -> str:
    if len(name) <= NAME_LENGTH:
        return name
    half = NAME_LENGTH // 2 - 1
    return f"{name[:half]}…{name[-half:]}"


def _remaining_limits(upload: Upload) -> Limits:
    """Return the remaining limits for the unpacked files of an upload."""
    unpacked = Q(parent__isnull=False)
    used = upload.files.aggregate(
        count=Count("pk", filter=unpacked), size=Sum("size", filter=unpacked)
    )
    return Limits(
        members=max(0, settings.UNPACK_FILES - used["count"]),
        member_bytes=settings.UNPACK_FILE_BYTES,
        total_bytes=max(0, _max_unpacked_bytes(upload) - (used["size"] or 0)),
        ratio=settings.UNPACK_RATIO,
        seconds=_max_seconds(upload) - _sum_sent(upload)["progress"] / _MICROSECONDS,
    )


def _max_unpacked_bytes(upload: Upload) -> int:
    """Return the maximum number of bytes that all archives of an upload may unpack to.

    The limit by ratio applies to the whole upload too. Otherwise many small files or nested
    archives could fill the disk.
    """
    ratio_bytes = settings.UNPACK_RATIO * _sum_sent(upload)["size"]
    return min(settings.UNPACK_BYTES, max(ALL_FROM, ratio_bytes))


def _max_seconds(upload: Upload) -> float:
    """Return the CPU seconds that unpacking all archives of an upload may take."""
    return SECONDS + SECONDS_A_BYTE * _sum_sent(upload)["size"]


def _sum_sent(upload: Upload) -> dict[str, int]:
    """Return the total size of the sent files, and the total progress of their jobs."""
    return upload.files.filter(parent=None).aggregate(
        size=Coalesce(Sum("size"), 0), progress=Coalesce(Sum("job__progress"), 0)
    )


@transaction.atomic
def _write(
    archive: UploadFile,
    job: Job,
    stored: list[UploadFile],
    fault: Fault | None,
    draft: DraftedObjects,
    over_quota: list[UploadFile],
) -> None:
    """Write the rows of stored members and end the archive's job.

    Members exceeding a limit get no row, like the members ``over_quota``. The limits are checked
    again with the upload locked, because other archives may have been unpacked meanwhile.
    """
    held = hold(job)
    upload = Upload.objects.select_for_update(no_key=True).get(pk=archive.upload_id)
    limits = _remaining_limits(upload)
    count, size = 0, 0
    for file in stored if fault_of_skipped_files(upload) is None else ():
        size += file.size
        if size > limits.total_bytes:
            fault = Fault(codes.ARCHIVE_TOTAL, values={"limit": _max_unpacked_bytes(upload)})
            break
        if count == limits.members:
            fault = Fault(codes.ARCHIVE_TOO_MANY, values={"limit": settings.UNPACK_FILES})
            break
        count += 1
    sizes = [file.stored_size for file in stored[:count]]
    allowed = quotas.charge(upload, quotas.BYTES, sizes)
    if allowed < count:
        quota = quotas.standing(upload.sender, upload.owner_id)[quotas.BYTES]
        fault, count = quota.fault, allowed
    files = stored[:count]
    draft.settle(unused=[*stored[count:], *over_quota])
    last = upload.files.aggregate(last=Max("number"))["last"]
    for number, file in enumerate(files, start=last + 1):
        file.number = number
    if not upload.bulk and sum(file.size for file in files) > BULK_BYTES:
        upload.bulk = True
        upload.save(update_fields=["bulk"])
    add_files(upload, files)
    archive.fault = fault_of_skipped_files(upload) or (fault and _to_stored(fault, upload))
    archive.save(update_fields=["fault"])
    finish(held)
    if fault is not None and fault.code == codes.QUOTA_BYTES:
        stop(upload.pk, fault)


def _to_stored(fault: Fault, upload: Upload) -> dict[str, object]:
    """Return a fault in stored form, with the full limit in the place of the remaining amount."""
    stored = fault.to_stored()
    limits = {
        codes.ARCHIVE_TOTAL.id: _max_unpacked_bytes(upload),
        codes.ARCHIVE_TOO_MANY.id: settings.UNPACK_FILES,
        codes.ARCHIVE_COSTLY.id: round(_max_seconds(upload)),
    }
    if fault.code.id in limits:
        stored["values"] = {"limit": limits[fault.code.id]}
    return stored
