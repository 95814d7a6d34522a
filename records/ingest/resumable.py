"""Resumable uploads, which arrive in parts (tus).

Each part is an object of the storage ``partial``. The row of the upload lists the names and sizes
of the parts. A request stores the object first, then adds the part to the row, unless another
request has changed the offset. Therefore the row never lists missing bytes, even if a process is
killed. When all parts are stored, a single process assembles the object of an upload
(`records.ingest.object_drafts`). The sweep lists the storage and removes objects without a row.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from records.base import clock
from records.base.keys import random_key
from records.base.packed import SUFFIX
from records.ingest import quotas
from records.ingest.object_drafts import DraftedObjects
from records.ingest.parts import (
    PIECE,
    Incoming,
    Lost,
    delete_parts,
    open_storage,
    precede,
    read_part,
)
from records.ingest.receiving import create_upload, shown_name
from records.models import PartialUpload, Upload, UploadFile, Visibility
from records.serving.senders import hashed

#: Time after which an upload without progress expires.
RETENTION: Final = timedelta(days=1)
#: Maximum number of unfinished uploads of a sender.
MAX_PENDING: Final = 100
#: Smaller parts are merged with later parts, to limit the number of objects.
MIN_PART: Final = 1 << 20
#: A new part is merged with an earlier part of at most this multiple of its size. Parts of a few
#: bytes then rewrite a few bytes, and parts of `PIECE` are merged up to `MIN_PART`.
_MERGED: Final = MIN_PART // PIECE
#: Duration of the lease of a process that assembles an upload.
ASSEMBLY_LEASE: Final = timedelta(seconds=30)
#: Time after the last byte from which the sweep assembles a complete upload.
_SWEEP_DELAY: Final = timedelta(seconds=20)
_BATCH: Final = 100

logger = logging.getLogger(__name__)


class TooMuchPending(Exception):
    """The error for a sender with too many unfinished uploads, or more than ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"unfinished uploads may have at most {limit:,} bytes together")
        self.limit = limit


class WrongOffset(Exception):
    """The error for a part not beginning at ``offset``, the end of the stored parts."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"expected the bytes from {offset}")
        self.offset = offset


class WrongSum(Exception):
    """The error for a part with a wrong checksum; the part is not stored."""


class Assembling(Exception):
    """The error for an upload being assembled by another process."""


class _AlreadyRegistered(Exception):
    """The error for an upload already registered by another process."""


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
    circle: str = "",
) -> PartialUpload:
    """Begin an upload of ``length`` bytes; see :func:`records.ingest.receiving.receive`.

    The row reserves the bytes in the sender's quota, to keep the complete upload within the quota.
    Raise :class:`TooMuchPending`, or :class:`records.ingest.quotas.QuotaExceeded`.
    """
    sender_hash = hashed(sender)
    quotas.lock(sender_hash)
    quotas.check(sender_hash, owner)
    quota = quotas.standing(sender_hash, owner)[quotas.BYTES]
    limit = settings.PENDING_LIMIT_BYTES
    pending = PartialUpload.objects.filter(sender=sender_hash, upload=None)
    if quota.reserved + length > limit or pending.count() >= MAX_PENDING:
        raise TooMuchPending(limit)
    if quota.left is not None and length > quota.left:
        raise quotas.QuotaExceeded(quota)
    return PartialUpload.objects.create(
        sender=sender_hash,
        owner_id=owner,
        visibility=visibility,
        secret=secret,
        circle=circle,
        name=shown_name(name),
        metadata=metadata,
        length=length,
        expires=clock.now() + RETENTION,
    )


def find(key: str) -> PartialUpload | None:
    """Return the resumable upload with a key, unless it has expired."""
    partials = PartialUpload.objects.filter(key=key, expires__gt=clock.now())
    return partials.select_related("upload").first()


def _list_parts(partial: PartialUpload) -> list[tuple[str, int]]:
    """Return the name and the size of each part.

    An upload begun by an earlier version has a single file, named by the key. The file may be
    longer than the offset.
    """
    if not partial.parts and partial.offset:
        return [(partial.key, partial.offset)]
    return [(name, size) for name, size in partial.parts]


def append(
    partial: PartialUpload,
    offset: int,
    read: Callable[[int], bytes],
    checksum: tuple[str, bytes] | None = None,
) -> None:
    """Add a part beginning at ``offset``. After the last part, assemble the upload.

    ``read`` takes a maximum size and returns bytes, empty at the end. Bytes received before an
    error of ``read`` are stored, except with a ``checksum`` (algorithm, digest).
    Raise :class:`WrongOffset`, :class:`WrongSum`, :class:`Lost`, :class:`Assembling`, OSError, and
    PartialUpload.DoesNotExist.
    """
    partial.refresh_from_db()
    if offset != partial.offset:
        raise WrongOffset(partial.offset)
    if offset < partial.length:
        if checksum is None:
            _store_unchecked(partial, read)
        else:
            _store_checked(partial, read, *checksum)
    finish(partial)


def _store_unchecked(partial: PartialUpload, read: Callable[[int], bytes]) -> None:
    broken: list[Exception] = []

    def read_until_broken(size: int) -> bytes:
        try:
            return read(size)
        except Exception as error:
            broken.append(error)
            return b""

    _store(partial, read_until_broken)
    if broken:
        raise broken[0]


def _store_checked(
    partial: PartialUpload, read: Callable[[int], bytes], algorithm: str, digest: bytes
) -> None:
    hasher = hashlib.new(algorithm)
    remaining = partial.length - partial.offset

    def read_and_check(size: int) -> bytes:
        nonlocal remaining
        data = read(size)
        hasher.update(data)
        remaining -= len(data)
        if (not data or not remaining) and hasher.digest() != digest:
            raise WrongSum
        return data

    _store(partial, read_and_check)


def _store(partial: PartialUpload, read: Callable[[int], bytes]) -> None:
    """Store a part as an object, and add the part to the row.

    Raise the errors of ``read``, OSError, :class:`Lost`, and :class:`WrongOffset` if another
    request was faster.
    """
    first = read(min(PIECE, partial.length - partial.offset))
    if not first:
        return
    parts = _list_parts(partial)
    merged: list[tuple[str, int]] = []
    size = len(first)
    while parts and parts[-1][1] < MIN_PART and parts[-1][1] <= _MERGED * size:
        merged.insert(0, parts.pop())
        size += merged[0][1]
    offset = partial.offset
    try:
        before = [data for part in merged for data in read_part(*part)]
    except Lost as error:
        partial.refresh_from_db()
        if partial.offset != offset:  # another request has merged the parts meanwhile
            raise WrongOffset(partial.offset) from error
        _give_up(partial, error)
        raise
    name = f"{partial.key}.{partial.offset}.{random_key()}{SUFFIX}"
    incoming = Incoming(before, precede(first, read), partial.length - partial.offset)
    try:
        open_storage().save(name, incoming)
        size = incoming.count + sum(size for _name, size in merged)
        added = {
            "parts": [*parts, (name, size)],
            "offset": partial.offset + incoming.count,
            "expires": clock.now() + RETENTION,
        }
        unmoved = PartialUpload.objects.filter(pk=partial.pk, offset=partial.offset, upload=None)
        is_added = bool(unmoved.update(**added))
    except BaseException as error:
        if getattr(error, "errno", None) != errno.EIO:  # Deleting would fail too.
            delete_parts([name])
        raise
    if not is_added:
        delete_parts([name])
        partial.refresh_from_db()
        raise WrongOffset(partial.offset)
    delete_parts(name for name, _size in merged)
    partial.refresh_from_db()


def finish(partial: PartialUpload) -> Upload | None:
    """Assemble an upload if all parts are stored. Return the upload, or None if incomplete.

    Raise :class:`Assembling` if another process assembles the upload, :class:`Lost`, and OSError.
    """
    if partial.upload is None and partial.offset == partial.length:
        lease = _Lease(partial)
        try:
            _assemble(partial, lease)
        except Lost as error:
            partial.refresh_from_db()
            if partial.upload is None:
                _give_up(partial, error)
                raise
        finally:
            lease.end()
        partial.refresh_from_db()
    return partial.upload


class _Lease:
    """The exclusive right to assemble an upload, which may take long."""

    def __init__(self, partial: PartialUpload) -> None:
        """Acquire the lease. Raise :class:`Assembling` if another process has the lease."""
        self.partial = partial
        self.until: datetime | None = None
        now = clock.now()
        self.renewed = time.monotonic()
        free = Q(assembling_until=None) | Q(assembling_until__lt=now)
        self._update(free & Q(upload=None), now + ASSEMBLY_LEASE)

    def _update(self, condition: Q, until: datetime) -> None:
        if not PartialUpload.objects.filter(condition, pk=self.partial.pk).update(
            assembling_until=until
        ):
            raise Assembling
        self.until = until

    def renew(self) -> None:
        """Extend the lease. Raise :class:`Assembling` if another process has taken over."""
        if time.monotonic() - self.renewed > ASSEMBLY_LEASE.total_seconds() / 4:
            self._update(Q(assembling_until=self.until), clock.now() + ASSEMBLY_LEASE)
            self.renewed = time.monotonic()

    def end(self) -> None:
        """Release the lease, unless another process has taken over."""
        ours = PartialUpload.objects.filter(pk=self.partial.pk, assembling_until=self.until)
        ours.update(assembling_until=None)


def _assemble(partial: PartialUpload, lease: _Lease) -> None:
    parts = _list_parts(partial)

    def pieces() -> Iterator[bytes]:
        for name, size in parts:
            for data in read_part(name, size):
                lease.renew()
                yield data

    draft = DraftedObjects()
    row = UploadFile(number=1, name=partial.name)
    draft.store(row, pieces())

    def settle(upload: Upload, files: Sequence[UploadFile]) -> None:
        without_upload = PartialUpload.objects.filter(pk=partial.pk, upload=None)
        if not without_upload.update(upload=upload, parts=[]):
            raise _AlreadyRegistered
        draft.settle()
        quotas.add(upload, quotas.BYTES, row.stored_size)

    try:
        with draft.discard_unused():
            create_upload(
                [row],
                "api",
                sender=partial.sender,
                owner=partial.owner_id,
                visibility=partial.visibility,
                secret=partial.secret,
                circle=partial.circle,
                on_create=settle,
            )
    except _AlreadyRegistered:
        return
    delete_parts(name for name, _size in parts)


def _give_up(partial: PartialUpload, error: Lost) -> None:
    """Remove an upload with a lost part, so that its sender begins anew."""
    logger.error("the bytes of the upload in parts %s are lost: %s", partial.key, error)
    remove(partial)


def remove(partial: PartialUpload) -> None:
    """Delete a resumable upload and the parts not yet assembled."""
    partial.delete()
    delete_parts(name for name, _size in _list_parts(partial))


def tidy() -> int:
    """Remove expired uploads and assemble complete uploads. Return the number of both."""
    now = clock.now()
    count = 0
    complete = PartialUpload.objects.filter(
        upload=None, offset=F("length"), expires__lt=now + RETENTION - _SWEEP_DELAY
    )
    expired = PartialUpload.objects.filter(expires__lt=now).exclude(upload=None, offset=F("length"))
    actions: list[tuple[Callable[[PartialUpload], Any], list[PartialUpload]]] = [
        (finish, list(complete[:_BATCH])),
        (remove, list(expired[:_BATCH])),
    ]
    for action, partials in actions:
        for partial in partials:
            try:
                action(partial)
            except Assembling:
                continue
            except Lost:
                pass  # The upload is removed.
            count += 1
    return count


def remove_strays(age: timedelta) -> int:
    """Remove objects of parts without a row, older than ``age``. Return the number removed."""
    storage = open_storage()
    try:
        strays = set(storage.listdir("")[1])
    except FileNotFoundError:
        return 0  # no directory yet
    for partial in PartialUpload.objects.filter(upload=None).iterator():
        strays -= {name for name, _size in _list_parts(partial)}
    removed = 0
    for name in strays:
        try:
            if storage.get_modified_time(name) < timezone.now() - age:
                storage.delete(name)
                removed += 1
        except FileNotFoundError:
            pass  # A request has removed the part.
    return removed
