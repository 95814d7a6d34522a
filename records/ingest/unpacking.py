"""Unpacking of an archive by one level: the members become files of the upload, with jobs.

The members are stored first. Then the rows are written in the transaction that ends the archive's
job. If a worker is killed between, the objects have no rows (`records.ingest.object_drafts`), and
the next worker unpacks again.
"""

from __future__ import annotations

from typing import BinaryIO, Final, cast

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max, Q, Sum

from kafu.archives import (
    MAX_DEPTH,
    Broken,
    Ended,
    Limits,
    Member,
    Meter,
    archive_kind,
    members,
    peek,
)
from kafu.archives.bounds import RATIO_FROM
from kafu.archives.names import INSIDE
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.extent import find_binary_fault
from records.ingest import quotas
from records.ingest.object_drafts import Draft
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
    draft = Draft()
    try:
        fault: Fault | None = None
        try:
            with cpu_limit(job.pk, file.number), file.stored.open("rb") as stream:
                meter = Meter(_remaining_limits(file.upload), pause=share.let_others_run)
                quota = quotas.standing(file.upload.sender, file.upload.owner_id)[quotas.BYTES]
                size = 0
                for member in members(cast(BinaryIO, stream), kind, meter, name=file.name):
                    size += _store_member(file, member, stored, draft)
                    if quota.left is not None and size > quota.left:
                        over_quota = [stored.pop()]
                        raise Ended(codes.QUOTA_BYTES, limit=quota.limit)
        except Ended as ended:
            fault = ended.fault
    except BaseException:
        draft.discard()
        raise
    with draft.discard_unused():
        _write(file, job, stored, fault, draft, over_quota)


def _store_member(file: UploadFile, member: Member, stored: list[UploadFile], draft: Draft) -> int:
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
    )


def _max_unpacked_bytes(upload: Upload) -> int:
    """Return the maximum number of bytes that all archives of an upload may unpack to.

    The limit by ratio applies to the whole upload too. Otherwise many small files or nested
    archives could fill the disk.
    """
    sent = upload.files.filter(parent=None).aggregate(size=Sum("size"))["size"] or 0
    return min(settings.UNPACK_BYTES, max(ALL_FROM, settings.UNPACK_RATIO * sent))


@transaction.atomic
def _write(
    archive: UploadFile,
    job: Job,
    stored: list[UploadFile],
    fault: Fault | None,
    draft: Draft,
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
    }
    if fault.code.id in limits:
        stored["values"] = {"limit": limits[fault.code.id]}
    return stored
