"""Receiving: bytes come in, are stored packed, and become rows to work on.

In: files as they arrive, from a page, the API or a command. Out: an `Upload` and its files, which
wait for workers (`records.intake.cutting`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from kafu.archives.names import NAMELESS, UNFIT
from records.base.tracing import request_id
from records.intake import quotas
from records.intake.jobs import add_files
from records.models import PartialUpload, Upload, UploadFile, Visibility
from records.serving.senders import hashed
from records.work import time_limits

#: An upload above this waits behind smaller ones: some hundred games of a year each.
BULK_BYTES: Final = 1 << 20
#: The folder of what is being received: who is killed leaves it there, and
#: `records.intake.leftovers` finds it. What was put in its place has a row, or is what a lost
#: database can be rebuilt from.
DRAFTS: Final = "receiving"
#: Stored bytes without a row may belong to an upload that is just coming in; after this, no more.
ORPHAN_AGE: Final = timedelta(days=1)


class UploadTooLarge(Exception):
    """An upload with more bytes than ``limit``; nothing of it is kept."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"an upload may have at most {limit:,} bytes")
        self.limit = limit


class NothingUploaded(Exception):
    """An upload without any file."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file as it arrives: the name that the sender claims, and its bytes piece by piece."""

    name: str
    chunks: Iterable[bytes]


class _Intake(File):
    """What Django's storage copies from: passes the bytes on, counting and hashing them."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        super().__init__(None)
        self.pieces = pieces
        self.count = 0
        self.hash = hashlib.sha256()

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """The bytes as they come."""
        for data in self.pieces:
            self.count += len(data)
            self.hash.update(data)
            yield data


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
    on_create: Callable[[Upload, Sequence[UploadFile]], object] | None = None,
) -> Upload:
    """Store an upload, packed, and hand it to the workers.

    ``via`` is "page", "api" or "command". ``sender`` is who `records.serving.senders` says, "" for
    commands of the operator, which no quota is charged for. ``owner`` is the primary key of a user,
    None for nobody. ``replaces`` is the key of a game of theirs whose place the one of this upload
    takes (`records.store.replacing`). ``secret`` is a hash as `records.privacy.secret.hashed` makes
    it, for who sends without an account. ``limit`` bounds the bytes of all parts together and is
    ``settings.UPLOAD_LIMIT_BYTES`` where not given. ``on_create`` is called within the transaction
    that creates the upload, before its files have rows; what it raises undoes everything. Raises
    :class:`UploadTooLarge` as soon as the limit is passed, :class:`NothingUploaded` where there is
    no part, and :class:`records.intake.quotas.QuotaExceeded`; nothing is kept.
    """
    who = hashed(sender)
    quotas.check(who, owner)

    def charge(upload: Upload, files: Sequence[UploadFile]) -> None:
        if not quotas.charge(upload, quotas.BYTES, [sum(map(kept_bytes, files))]):
            raise quotas.QuotaExceeded(quotas.standing(upload.sender, owner)[quotas.BYTES])
        if on_create is not None:
            on_create(upload, files)

    limit = settings.UPLOAD_LIMIT_BYTES if limit is None else limit
    files: list[UploadFile] = []
    try:
        room = limit
        for number, part in enumerate(parts, start=1):
            file = UploadFile(number=number, name=shown_name(part.name))
            files.append(file)
            store_bytes(file, _bounded(part.chunks, room, limit))
            _sync(file)
            room -= file.size
        if not files:
            raise NothingUploaded
    except BaseException:
        discard(files)
        raise
    with discard_on_rollback(files):
        leave_drafts(files)
        return create_upload(
            files,
            via,
            sender=who,
            owner=owner,
            visibility=visibility,
            replaces=replaces,
            secret=secret,
            on_create=charge,
        )


def _sync(file: UploadFile) -> None:
    """Bytes reach the disk before the row that says so: what is acknowledged outlives the power."""
    with Path(file.stored.path).open("rb") as stored:
        os.fsync(stored.fileno())


@contextmanager
def discard_on_rollback(files: Iterable[UploadFile]) -> Iterator[None]:
    """Discard stored files where the transaction in here, which writes their rows, is undone.

    A connection that breaks, or work that is ended, while it waits for the answer to COMMIT cannot
    know whether there will be rows. Then the bytes stay; without rows, `remove_orphans` finds them.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, (InterfaceError, OperationalError, *time_limits.errors())):
            discard(files)
        raise


def _bounded(chunks: Iterable[bytes], room: int, limit: int) -> Iterator[bytes]:
    for data in chunks:
        room -= len(data)
        if room < 0:
            raise UploadTooLarge(limit)
        yield data


def store_bytes(file: UploadFile, chunks: Iterable[bytes]) -> None:
    """Write bytes to the storage as those of a file that is not saved yet, in the folder of drafts.

    Raises what ``chunks`` does, and OSError; :func:`discard` removes what was written then, and
    :func:`leave_drafts` puts it in its place.
    """
    intake = _Intake(chunks)
    # The name is settled before writing, so that what was written of a refused file can be removed.
    name = PurePosixPath(file.stored.field.generate_filename(file, "")).name
    file.stored.name = f"{DRAFTS}/{name}"
    file.stored.name = file.stored.storage.save(file.stored.name, intake)
    file.size = intake.count
    file.sha256 = intake.hash.hexdigest()


def kept_bytes(file: UploadFile) -> int:
    """Bytes that a stored file has on the disk."""
    return Path(file.stored.path).stat().st_size


def leave_drafts(files: Iterable[UploadFile]) -> None:
    """Move stored files out of the drafts, before their rows are written."""
    for file in files:
        folder, _slash, name = str(file.stored.name or "").partition("/")
        if folder == DRAFTS:
            draft = Path(file.stored.path)
            file.stored.name = f"{name.partition('.')[0][-2:]}/{name}"
            target = Path(file.stored.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            draft.replace(target)


def discard(files: Iterable[UploadFile]) -> None:
    """Remove the stored bytes of files that have no row, and will have none."""
    for file in files:
        if file.stored.name:
            file.stored.storage.delete(file.stored.name)


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
    on_create: Callable[[Upload, Sequence[UploadFile]], object] | None = None,
) -> Upload:
    """Write the rows of an upload and its stored files, and notify workers; see :func:`receive`.

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
        bulk=bulk,
        request_id=request_id(),
    )
    if on_create is not None:
        on_create(upload, files)
    add_files(upload, files)
    return upload


def shown_name(claimed: Any) -> str:
    """A claimed file name made fit to be shown: its last part, no control characters, not too long.

    >>> shown_name("../../etc/pass\\x00wd")
    'passwd'
    """
    last = str(claimed or "").replace("\\", "/").rsplit("/", 1)[-1]
    return UNFIT.sub("", last).strip()[:255] or NAMELESS


def remove_orphans() -> int:
    """Remove stored bytes that no row refers to, older than ORPHAN_AGE; returns how many files.

    A process killed while it received leaves such; its sender got no answer.
    After the loss of a database they may be all there is of an upload: hence only on request.
    """
    field = UploadFile._meta.get_field("stored")
    storage: Storage = field.storage
    removed = 0
    for folder in storage.listdir("")[0]:
        names = {f"{folder}/{name}" for name in storage.listdir(folder)[1]}
        for model in (UploadFile, PartialUpload):
            names -= set(
                model._default_manager.filter(stored__in=names).values_list("stored", flat=True)
            )
        for name in names:
            if storage.get_modified_time(name) < timezone.now() - ORPHAN_AGE:
                storage.delete(name)
                removed += 1
    return removed
