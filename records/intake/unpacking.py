"""The work on an archive of an upload: each file in it becomes a file of the upload.

In: a leased file that is an archive. Out: rows and stored bytes of the files in it, which wait to
be cut or unpacked in their turn.

The files are stored first, then their rows and the archive's ``done`` are written in one
transaction. A worker that is killed between leaves bytes without rows, which are nobody's
(`records.intake.drafts`), and the next one unpacks again.
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
    begin,
    members,
)
from kafu.archives.bounds import RATIO_FROM
from kafu.archives.names import INSIDE
from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.extent import fault_of_no_text
from records.intake import quotas
from records.intake.drafts import Draft
from records.intake.jobs import add_files
from records.intake.receiving import BULK_BYTES
from records.intake.stopping import leaves_files, stop
from records.jobs.ledger import finish, hold
from records.models import Job, Upload, UploadFile

#: How long a name may be that is shown; of a longer one the middle is left out.
NAME_LENGTH: Final = 1024
#: Bytes that the archives of an upload may unpack to, however small they are.
ALL_FROM: Final = 16 * RATIO_FROM


def archive_kind_of(file: UploadFile) -> str | None:
    """Which archive the stored bytes are: "zip", "gzip", "zstd", "tar", or None."""
    with file.stored.open("rb") as stream:
        return archive_kind(stream.read(encodings.LOOK))


def unpack(file: UploadFile, kind: str, job: Job) -> None:
    """Unpack a leased archive by one level: rows of its files and its ``done`` are one transaction.

    What cannot be read is a fault, of the file or of the archive; the rest is kept. Raises
    :class:`records.jobs.ledger.LeaseLost`, having kept nothing, where another worker has taken it.
    """
    found: list[UploadFile] = []
    beyond: list[UploadFile] = []
    draft = Draft()
    try:
        fault: Fault | None = None
        try:
            with file.stored.open("rb") as stream:
                meter = Meter(_left(file.upload))
                quota = quotas.standing(file.upload.sender, file.upload.owner_id)[quotas.BYTES]
                kept = 0
                for member in members(cast(BinaryIO, stream), kind, meter, name=file.name):
                    kept += _store_member(file, member, found, draft)
                    if quota.left is not None and kept > quota.left:
                        beyond = [found.pop()]
                        raise Ended(codes.QUOTA_BYTES, limit=quota.limit)
        except Ended as ended:
            fault = ended.fault
    except BaseException:
        draft.discard()
        raise
    with draft.discard_unnamed():
        _write(file, job, found, fault, draft, beyond)


def _store_member(file: UploadFile, member: Member, found: list[UploadFile], draft: Draft) -> int:
    """Store one file of an archive, or note why it is not. Raises :class:`Ended`.

    Returns how many bytes it has on the disk.
    """
    row = UploadFile(parent=file, name=_fit(f"{file.name}{INSIDE}{member.name}"), size=0)
    found.append(row)
    if member.passed_over:
        row.fault = Fault(codes.PASSED_OVER).to_stored()
        return 0
    try:
        head, chunks = begin(member.chunks)
        _check(head, 1 + _depth(file))
        draft.store(row, chunks)
    except Broken as broken:
        row.stored = ""
        if isinstance(broken, Ended):
            found.pop()
            raise
        row.fault = broken.fault.to_stored()
        return 0
    return row.stored_size


def _check(head: bytes, depth: int) -> None:
    """Pictures and the like are not worth storing twice. Raises :class:`Broken`."""
    if archive_kind(head) is not None:
        if depth >= MAX_DEPTH:
            raise Broken(codes.ARCHIVE_TOO_DEEP)
        return
    fault = fault_of_no_text(head)
    if fault is not None:
        raise Broken(fault.code, **fault.values)


def _depth(file: UploadFile) -> int:
    """In how many archives a file is."""
    return 0 if file.parent is None else 1 + _depth(file.parent)


def _fit(name: str) -> str:
    if len(name) <= NAME_LENGTH:
        return name
    half = NAME_LENGTH // 2 - 1
    return f"{name[:half]}…{name[-half:]}"


def _left(upload: Upload) -> Limits:
    """What an upload may still unpack."""
    unpacked = Q(parent__isnull=False)
    used = upload.files.aggregate(
        count=Count("pk", filter=unpacked), size=Sum("size", filter=unpacked)
    )
    return Limits(
        members=max(0, settings.UNPACK_FILES - used["count"]),
        member_bytes=settings.UNPACK_FILE_BYTES,
        total_bytes=max(0, _most(upload) - (used["size"] or 0)),
        ratio=settings.UNPACK_RATIO,
    )


def _most(upload: Upload) -> int:
    """Bytes that all archives of an upload may unpack to: the ratio holds for it as a whole too.

    Else many files just small enough, or an archive in an archive, could fill the disk.
    """
    sent = upload.files.filter(parent=None).aggregate(size=Sum("size"))["size"] or 0
    return min(settings.UNPACK_BYTES, max(ALL_FROM, settings.UNPACK_RATIO * sent))


@transaction.atomic
def _write(
    archive: UploadFile,
    job: Job,
    found: list[UploadFile],
    fault: Fault | None,
    draft: Draft,
    beyond: list[UploadFile],
) -> None:
    """Write it all. Files that exceed the limits get no row, like those that were stored
    ``beyond`` a quota: the draft keeps them.

    The limits are looked at once more, with the upload locked: other archives of it may have been
    unpacked at the same time.
    """
    held = hold(job)
    upload = Upload.objects.select_for_update(no_key=True).get(pk=archive.upload_id)
    left = _left(upload)
    count, size = 0, 0
    for file in found if leaves_files(upload) is None else ():
        size += file.size
        if size > left.total_bytes:
            fault = Fault(codes.ARCHIVE_TOTAL, values={"limit": _most(upload)})
            break
        if count == left.members:
            fault = Fault(codes.ARCHIVE_TOO_MANY, values={"limit": settings.UNPACK_FILES})
            break
        count += 1
    sizes = [file.stored_size for file in found[:count]]
    allowed = quotas.charge(upload, quotas.BYTES, sizes)
    if allowed < count:
        quota = quotas.standing(upload.sender, upload.owner_id)[quotas.BYTES]
        fault, count = quota.fault, allowed
    kept = found[:count]
    draft.settle(unused=[*found[count:], *beyond])
    last = upload.files.aggregate(last=Max("number"))["last"]
    for number, file in enumerate(kept, start=last + 1):
        file.number = number
    if not upload.bulk and sum(file.size for file in kept) > BULK_BYTES:
        upload.bulk = True
        upload.save(update_fields=["bulk"])
    add_files(upload, kept)
    archive.fault = leaves_files(upload) or (fault and _to_stored(fault, upload))
    archive.save(update_fields=["fault"])
    finish(held)
    if fault is not None and fault.code == codes.QUOTA_BYTES:
        stop(upload.pk, fault)


def _to_stored(fault: Fault, upload: Upload) -> dict[str, object]:
    """A fault in stored form; a limit is given as it was set, not as what was left of it."""
    stored = fault.to_stored()
    whole = {codes.ARCHIVE_TOTAL.id: _most(upload)}
    whole[codes.ARCHIVE_TOO_MANY.id] = settings.UNPACK_FILES
    if fault.code.id in whole:
        stored["values"] = {"limit": whole[fault.code.id]}
    return stored
