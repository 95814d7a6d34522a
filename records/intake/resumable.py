"""Uploads that arrive in parts (tus).

In: parts of a file, in order. Out: bytes that are safe on the disk after each, and an upload when
all are there (`records.intake.receiving`).

The bytes stand in a file of `settings.PARTIAL_DIR`, and the row tells how many of them are safe.
The order is always: write, sync, tell. So whatever ends a process, the row promises no byte that is
not there, and what the file has beyond is written over. When all are there, they are packed at the
place among the uploads that was chosen at the beginning, and the upload gets its rows; each step
can be done again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, Any, Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F

from records.base import clock
from records.base.locks import Locked, lock
from records.base.packed import is_packed, pack
from records.intake import quotas
from records.intake.receiving import create_upload, kept_bytes, shown_name
from records.models import PartialUpload, Upload, UploadFile, Visibility
from records.serving.senders import hashed

#: An upload to which nothing was added for so long is given up.
KEPT: Final = timedelta(days=1)
#: Uploads that one sender may leave unfinished.
MAX_PENDING: Final = 100
#: How often what has come is made safe: what is lost of a part that breaks off.
SAFE_BYTES: Final = 4 << 20
SAFE_SECONDS: Final = 1.0
PIECE: Final = 1 << 16
#: How long after its last byte the sweep looks for an upload that is whole and has no rows.
_BOOKING: Final = timedelta(seconds=20)
_BATCH: Final = 100
_DRAFT: Final = ".draft"

logger = logging.getLogger(__name__)


class TooMuchPending(Exception):
    """A sender has more unfinished than ``limit`` bytes, or than `MAX_PENDING` uploads."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"unfinished uploads may have at most {limit:,} bytes together")
        self.limit = limit


class WrongOffset(Exception):
    """A part that does not begin where the one before ended, at ``offset``."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"expected the bytes from {offset}")
        self.offset = offset


class WrongSum(Exception):
    """A part whose checksum is not that of its bytes; nothing of it is kept."""


class _AlreadyRegistered(Exception):
    """Another process was first."""


@transaction.atomic
def begin(
    *,
    sender: str,
    name: str,
    metadata: str,
    length: int,
    owner: int | None = None,
    visibility: int = Visibility.PUBLIC,
    secret: str = "",
) -> PartialUpload:
    """Begin an upload of ``length`` bytes to come; see :func:`records.intake.receiving.receive`.

    The row reserves these bytes of the sender's quota: what arrives can become an upload, whatever
    else comes meanwhile. Raises :class:`TooMuchPending`, and
    :class:`records.intake.quotas.QuotaExceeded` if fewer bytes are left.
    """
    who = hashed(sender)
    quotas.lock(who)
    quotas.check(who, owner)
    quota = quotas.standing(who, owner)[quotas.BYTES]
    limit = settings.PENDING_LIMIT_BYTES
    pending = PartialUpload.objects.filter(sender=who, upload=None)
    if quota.reserved + length > limit or pending.count() >= MAX_PENDING:
        raise TooMuchPending(limit)
    if quota.left is not None and length > quota.left:
        raise quotas.QuotaExceeded(quota)
    partial = PartialUpload(
        sender=who,
        owner_id=owner,
        visibility=visibility,
        secret=secret,
        name=shown_name(name),
        metadata=metadata,
        length=length,
        expires=clock.now() + KEPT,
        stored=UploadFile._meta.get_field("stored").generate_filename(UploadFile(), ""),
    )
    path = path_of(partial)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    partial.save(force_insert=True)
    return partial


def path_of(partial: PartialUpload) -> Path:
    """Where its bytes stand until they are all there."""
    return Path(settings.PARTIAL_DIR) / partial.key


def find(key: str) -> PartialUpload | None:
    """The upload in parts of this key, if it is there still."""
    found = PartialUpload.objects.filter(key=key, expires__gt=clock.now())
    return found.select_related("upload").first()


@contextmanager
def _held(partial: PartialUpload) -> Iterator[IO[bytes]]:
    """Its file, had alone, with the row as it stands now.

    Raises :class:`records.base.locks.Locked`; FileNotFoundError where the bytes have moved on;
    PartialUpload.DoesNotExist where it was removed.
    """
    with path_of(partial).open("r+b", buffering=0) as file:
        lock(file)
        partial.refresh_from_db()
        yield file


def append(
    partial: PartialUpload,
    offset: int,
    read: Callable[[int], bytes],
    checksum: tuple[str, bytes] | None = None,
) -> None:
    """Add a part that begins at ``offset``; the last part makes it an upload.

    ``read`` gives bytes until it gives none, and no more than are missing. What has come before an
    error of ``read`` or of the disk is kept, unless there is a ``checksum`` (algorithm, digest):
    then a part counts whole or not at all. Raises :class:`records.base.locks.Locked`,
    :class:`WrongOffset`, :class:`WrongSum`, and PartialUpload.DoesNotExist.
    """
    try:
        with _held(partial) as file:
            if offset != partial.offset:
                raise WrongOffset(partial.offset)
            if checksum is None:
                _write(partial, file, read)
            else:
                _write_checked(partial, file, read, *checksum)
            if partial.offset == partial.length:
                _move_and_create(partial, file)
    except FileNotFoundError:
        partial.refresh_from_db()
        if offset != partial.offset:
            raise WrongOffset(partial.offset) from None
        finish(partial)


def _write(partial: PartialUpload, file: IO[bytes], read: Callable[[int], bytes]) -> None:
    place, safe_at = partial.offset, time.monotonic()
    file.seek(place)
    try:
        while place < partial.length and (data := read(min(PIECE, partial.length - place))):
            _put(file, data)
            place += len(data)
            now = time.monotonic()
            if place - partial.offset >= SAFE_BYTES or now - safe_at >= SAFE_SECONDS:
                _make_safe(partial, file, place)
                safe_at = now
    finally:
        if place > partial.offset:
            _make_safe(partial, file, place)


def _write_checked(
    partial: PartialUpload,
    file: IO[bytes],
    read: Callable[[int], bytes],
    algorithm: str,
    digest: bytes,
) -> None:
    place, found = partial.offset, hashlib.new(algorithm)
    file.seek(place)
    while place < partial.length and (data := read(min(PIECE, partial.length - place))):
        _put(file, data)
        found.update(data)
        place += len(data)
    if found.digest() != digest:
        raise WrongSum
    _make_safe(partial, file, place)


def _put(file: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    while rest:  # without a buffer, a write may be a part of one
        rest = rest[file.write(rest) :]


def _make_safe(partial: PartialUpload, file: IO[bytes], place: int) -> None:
    os.fsync(file.fileno())
    partial.offset = place
    partial.expires = clock.now() + KEPT
    partial.save(update_fields=["offset", "expires"])


def finish(partial: PartialUpload) -> Upload | None:
    """Book an upload of which all bytes are there, if nobody did; the upload, None if not yet.

    Raises :class:`records.base.locks.Locked` while another request is at it.
    """
    if partial.upload is None and partial.offset == partial.length:
        try:
            with _held(partial) as file:
                if partial.upload is None and partial.offset == partial.length:
                    _move_and_create(partial, file)
        except FileNotFoundError:
            with default_storage.open(partial.stored, "rb") as file:
                _create(partial, file)
    return partial.upload


def _move_and_create(partial: PartialUpload, file: IO[bytes]) -> None:
    file.truncate(partial.length)
    file.seek(0)
    target = Path(default_storage.path(partial.stored))
    target.parent.mkdir(parents=True, exist_ok=True)
    if is_packed(target.name):
        _pack(file, path_of(partial).with_suffix(_DRAFT), target)
        path_of(partial).unlink()
        file.seek(0)
    else:  # begun before uploads were packed
        shutil.move(path_of(partial), target)
    _create(partial, file)


def _pack(file: IO[bytes], draft: Path, target: Path) -> None:
    """Pack a file into ``target``, all of it or nothing. Raises OSError."""
    try:
        with draft.open("wb") as packed:
            packed.writelines(pack(iter(lambda: file.read(PIECE), b"")))
            packed.flush()
            os.fsync(packed.fileno())
    except OSError:
        draft.unlink(missing_ok=True)  # the disk may be full
        raise
    shutil.move(draft, target)


def _create(partial: PartialUpload, file: IO[bytes]) -> None:
    row = UploadFile(number=1, name=partial.name, stored=partial.stored, size=partial.length)
    row.sha256 = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]

    def finish(upload: Upload, files: Sequence[UploadFile]) -> None:
        without_upload = PartialUpload.objects.filter(pk=partial.pk, upload=None)
        if not without_upload.update(upload=upload):
            raise _AlreadyRegistered
        quotas.add(upload, quotas.BYTES, kept_bytes(row))

    try:
        create_upload(
            [row],
            "api",
            sender=partial.sender,
            owner=partial.owner_id,
            visibility=partial.visibility,
            secret=partial.secret,
            on_create=finish,
        )
    except _AlreadyRegistered:
        pass  # by a process that found the bytes in their place, as this one did
    partial.refresh_from_db()


def remove(partial: PartialUpload) -> None:
    """Forget an upload in parts, and its bytes unless they became an upload.

    Raises :class:`records.base.locks.Locked` while bytes come in.
    """
    try:
        with _held(partial):
            path_of(partial).unlink()
    except (FileNotFoundError, PartialUpload.DoesNotExist):
        pass  # it moved on, or somebody else removed it
    partial.delete()


def tidy() -> int:
    """Remove what was given up, make uploads of what is whole; returns how many."""
    now = clock.now()
    count = 0
    whole = PartialUpload.objects.filter(
        upload=None, offset=F("length"), expires__lt=now + KEPT - _BOOKING
    )
    expired = PartialUpload.objects.filter(expires__lt=now).exclude(upload=None, offset=F("length"))
    todo: list[tuple[Callable[[PartialUpload], Any], list[PartialUpload]]] = [
        (finish, list(whole[:_BATCH])),
        (remove, list(expired[:_BATCH])),
    ]
    for work, partials in todo:
        for partial in partials:
            try:
                work(partial)
            except Locked:
                continue  # bytes come in still
            except FileNotFoundError:
                logger.error("the bytes of the upload in parts %s are lost", partial.key)
                partial.delete()
            count += 1
    return count


def remove_strays(age: timedelta) -> int:
    """Remove bytes of no row and left-over locks, older than ``age``; returns how many files."""
    directory = Path(settings.PARTIAL_DIR)
    if not directory.is_dir():
        return 0
    removed = 0
    for path in directory.iterdir():
        is_old = path.stat().st_mtime < time.time() - age.total_seconds()
        if is_old and not PartialUpload.objects.filter(key=path.name).exists():
            path.unlink(missing_ok=True)
            removed += 1
    return removed
