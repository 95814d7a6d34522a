"""Receiving of uploads: storage of the bytes, and rows and jobs for the workers.

Files arrive from a page, the API or a command. :func:`receive` stores the bytes compressed and
writes an `Upload`, the rows of the files, and a job for each file (`records.ingest.cutting`).
:func:`add_chunks` writes the jobs for chunks, and :func:`remove_orphans` removes stored bytes
without a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from kafu.archives.names import NAMELESS, UNFIT
from records.base import clock
from records.base.tracing import request_id
from records.ingest import quotas
from records.ingest.object_drafts import DraftedObjects
from records.jobs import enqueue
from records.models import Chunk, Job, Upload, UploadFile, Visibility
from records.models.jobs import CHUNK, FILE
from records.serving.senders import hashed

#: Number of bytes in a chunk that cost as much work as a typical game.
GAME_BYTES: Final = 4 << 10
#: Number of bytes in a file that are cut or unpacked in the time of a game.
FILE_BYTES: Final = 1 << 20
BATCH: Final = 500
#: Larger uploads wait behind smaller uploads. The size is that of a few hundred games of twelve
#: months.
BULK_BYTES: Final = 1 << 20
#: Age from which stored bytes without a row cannot belong to an upload in progress.
ORPHAN_AGE: Final = timedelta(days=1)


class UploadTooLarge(Exception):
    """The error for an upload with more than ``limit`` bytes; nothing is stored."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"an upload may have at most {limit:,} bytes")
        self.limit = limit


class NothingUploaded(Exception):
    """The error for an upload without files."""


@dataclass(frozen=True, slots=True)
class Part:
    """An arriving file: the claimed name and the bytes in pieces.

    ``entries`` are the entries of a score sheet's form (`records.ingest.sheet_entries`), or None.
    """

    name: str
    chunks: Iterable[bytes]
    entries: str | None = None


def receive(
    *,
    parts: Iterable[Part],
    via: str,
    sender: str = "",
    limit: int | None = None,
    owner: int | None = None,
    visibility: int = Visibility.PUBLIC,
    replaces: str = "",
    secret: str = "",
    circle: str = "",
    on_create: Callable[[Upload, Sequence[UploadFile]], object] | None = None,
) -> Upload:
    """Store an upload, compressed, and enqueue the files.

    ``via`` is "page", "api" or "command". ``sender`` is the result of `records.serving.senders`, or
    "" for commands of the operator, which have no quota. ``owner`` is the primary key of a user, or
    None. ``replaces`` is the key of the sender's game to be replaced by the upload's game
    (`records.ingest.succession`). ``secret`` is the result of
    `records.privacy.access.hash_secret` for a sender without an account. ``circle`` is the circle
    that gets the games (`records.privacy.circles`), or "". ``limit`` is the
    maximum number of bytes of all parts, by default ``settings.UPLOAD_LIMIT_BYTES``. ``on_create``
    is called in the transaction that creates the upload, before the files have rows.

    Raise :class:`UploadTooLarge` as soon as the limit is exceeded, :class:`NothingUploaded` without
    a part, and :class:`records.ingest.quotas.QuotaExceeded`. Nothing is stored after an error,
    including errors of ``on_create``.
    """
    sender_hash = hashed(sender)
    quotas.check(sender_hash, owner)

    def charge(upload: Upload, files: Sequence[UploadFile]) -> None:
        size = sum(file.stored_size + len(file.entries or "") for file in files)
        if not quotas.charge(upload, quotas.BYTES, [size]):
            raise quotas.QuotaExceeded(quotas.standing(upload.sender, owner)[quotas.BYTES])
        draft.settle()
        if on_create is not None:
            on_create(upload, files)

    limit = settings.UPLOAD_LIMIT_BYTES if limit is None else limit
    files: list[UploadFile] = []
    draft = DraftedObjects()
    try:
        room = limit
        for number, part in enumerate(parts, start=1):
            file = UploadFile(number=number, name=shown_name(part.name), entries=part.entries)
            files.append(file)
            draft.store(file, _bounded(part.chunks, room, limit))
            room -= file.size
        if not files:
            raise NothingUploaded
    except BaseException:
        draft.discard()
        raise
    with draft.discard_unused():
        return create_upload(
            files,
            via,
            sender=sender_hash,
            owner=owner,
            visibility=visibility,
            replaces=replaces,
            secret=secret,
            circle=circle,
            on_create=charge,
        )


def _bounded(chunks: Iterable[bytes], room: int, limit: int) -> Iterator[bytes]:
    for data in chunks:
        room -= len(data)
        if room < 0:
            raise UploadTooLarge(limit)
        yield data


@transaction.atomic
def create_upload(
    files: Sequence[UploadFile],
    via: str,
    *,
    sender: str = "",
    owner: int | None = None,
    visibility: int = Visibility.PUBLIC,
    replaces: str = "",
    secret: str = "",
    circle: str = "",
    on_create: Callable[[Upload, Sequence[UploadFile]], object] | None = None,
) -> Upload:
    """Write the rows of an upload and of stored files, and notify workers; see :func:`receive`.

    ``sender`` is hashed.
    """
    bulk = sum(file.size for file in files) > BULK_BYTES
    upload = Upload.objects.create(
        via=via,
        sender=sender,
        owner_id=owner,
        visibility=visibility,
        replaces=replaces,
        secret=secret,
        circle=circle,
        bulk=bulk,
        request_id=request_id(),
        created=clock.now(),
    )
    if on_create is not None:
        on_create(upload, files)
    add_files(upload, files)
    return upload


def add_files(upload: Upload, files: Sequence[UploadFile]) -> None:
    """Insert files and jobs, in a transaction. The jobs of files with a fault are done."""
    jobs = [Job(kind=FILE) for _file in files]
    for file, job in zip(files, jobs, strict=True):
        if file.fault is not None:
            job.state, job.done_at = Job.State.DONE, clock.now()
    enqueue.add(jobs, [1 + file.size // FILE_BYTES for file in files], upload)
    for file, job in zip(files, jobs, strict=True):
        file.job, file.upload = job, upload
    UploadFile.objects.bulk_create(files, batch_size=BATCH)


def add_chunks(upload: Upload, chunks: Sequence[Chunk]) -> None:
    """Insert chunks and jobs, in the transaction that ends the job of the file."""
    jobs = [Job(kind=CHUNK) for _chunk in chunks]
    costs = [max(1, chunk.games, chunk.length // GAME_BYTES) for chunk in chunks]
    enqueue.add(jobs, costs, upload)
    for chunk, job in zip(chunks, jobs, strict=True):
        chunk.job = job
    Chunk.objects.bulk_create(chunks, batch_size=BATCH)


def shown_name(claimed: Any) -> str:
    """Return the last part of a claimed file name, shortened, without control characters.

    >>> shown_name("../../etc/pass\\x00wd")
    'passwd'
    """
    last = str(claimed or "").replace("\\", "/").rsplit("/", 1)[-1]
    return UNFIT.sub("", last).strip()[:255] or NAMELESS


def remove_orphans() -> int:
    """Remove stored files without a row, older than ORPHAN_AGE. Return the number of files.

    The sweep removes the files of killed processes; other orphans come from restoring an older
    backup of the database. After a loss of the database, orphans may be the only copies of uploads.
    Therefore call this function only on request of an operator.
    """
    removed = 0
    for folder in default_storage.listdir("")[0]:
        names = {f"{folder}/{name}" for name in default_storage.listdir(folder)[1]}
        rows = UploadFile.objects.filter(stored__in=names)
        names -= set(rows.values_list("stored", flat=True))
        for name in names:
            if default_storage.get_modified_time(name) < timezone.now() - ORPHAN_AGE:
                default_storage.delete(name)
                removed += 1
    return removed
