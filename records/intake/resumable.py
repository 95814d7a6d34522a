"""Uploads that arrive in parts (tus).

In: parts of a file, in order. Out: parts that are stored, and an upload when all are there
(`records.intake.drafts`).

Each part is an object of the storage ``partial``, and the row of the upload names the parts and
counts their bytes. An object is written first; then one update of the row adds it, if no other
request has moved the offset meanwhile. So whatever ends a process, the row promises no byte that is
not stored. When all bytes are there, one process assembles them into the object of the upload.
Objects that no row names are strays, which are found by listing: unfinished uploads are few.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from records.base import clock
from records.base.keys import random_key
from records.base.packed import SUFFIX, Damaged
from records.intake import quotas
from records.intake.drafts import Draft
from records.intake.receiving import create_upload, shown_name
from records.models import PartialUpload, Upload, UploadFile, Visibility
from records.serving.senders import hashed

#: An upload to which nothing was added for so long is given up.
KEPT: Final = timedelta(days=1)
#: Uploads that one sender may leave unfinished.
MAX_PENDING: Final = 100
#: A smaller part is joined with the next one, so that tiny parts do not become countless objects.
LEAST_PART: Final = 1 << 20
PIECE: Final = 1 << 16
#: How long a process that assembles an upload may be silent before another may begin anew.
ASSEMBLING: Final = timedelta(seconds=30)
#: How long after its last byte the sweep looks for an upload that is whole and has no rows.
_BOOKING: Final = timedelta(seconds=20)
_BATCH: Final = 100

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
    """A part whose checksum is not that of its bytes; nothing of it is stored."""


class Assembling(Exception):
    """Another process makes the upload of its parts."""


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
    return PartialUpload.objects.create(
        sender=who,
        owner_id=owner,
        visibility=visibility,
        secret=secret,
        name=shown_name(name),
        metadata=metadata,
        length=length,
        expires=clock.now() + KEPT,
    )


def find(key: str) -> PartialUpload | None:
    """Return the upload in parts of this key, if it is still there."""
    partials = PartialUpload.objects.filter(key=key, expires__gt=clock.now())
    return partials.select_related("upload").first()


def _open_storage() -> Storage:
    return storages["partial"]


def _list_parts(partial: PartialUpload) -> list[tuple[str, int]]:
    """Return name and size of each part.

    An upload that an earlier version began has one file, named by the key, which may be longer.
    """
    if not partial.parts and partial.offset:
        return [(partial.key, partial.offset)]
    return [(name, size) for name, size in partial.parts]


class _Incoming(File):
    """The bytes of a part, as a storage copies them: those of a small part before it come first."""

    def __init__(self, before: Iterable[bytes], read: Callable[[int], bytes], most: int) -> None:
        super().__init__(None)
        self.before, self.read_piece, self.left = before, read, most
        self.count = 0

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes; count those that are new. Raises what reading does."""
        yield from self.before
        while self.left and (data := self.read_piece(min(PIECE, self.left))):
            self.left -= len(data)
            self.count += len(data)
            yield data


def append(
    partial: PartialUpload,
    offset: int,
    read: Callable[[int], bytes],
    checksum: tuple[str, bytes] | None = None,
) -> None:
    """Add a part that begins at ``offset``; the last part makes it an upload.

    ``read`` returns bytes until it returns none, and no more than are missing. What has come before
    an error of ``read`` is stored, unless there is a ``checksum`` (algorithm, digest): then a part
    counts whole or not at all. Raises :class:`WrongOffset`, :class:`WrongSum`,
    :class:`Assembling`, OSError, and PartialUpload.DoesNotExist.
    """
    partial.refresh_from_db()
    if offset != partial.offset:
        raise WrongOffset(partial.offset)
    if offset < partial.length:
        if checksum is None:
            _store_what_comes(partial, read)
        else:
            _store_checked(partial, read, *checksum)
    finish(partial)


def _store_what_comes(partial: PartialUpload, read: Callable[[int], bytes]) -> None:
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
    left = partial.length - partial.offset

    def read_and_check(size: int) -> bytes:
        nonlocal left
        data = read(size)
        hasher.update(data)
        left -= len(data)
        if (not data or not left) and hasher.digest() != digest:
            raise WrongSum
        return data

    _store(partial, read_and_check)


def _store(partial: PartialUpload, read: Callable[[int], bytes]) -> None:
    """Store a part as an object, and add it to the row.

    Raises what ``read`` does, OSError, and :class:`WrongOffset` where another request was quicker.
    """
    first = read(min(PIECE, partial.length - partial.offset))
    if not first:
        return
    parts = _list_parts(partial)
    replaced = parts.pop() if parts and parts[-1][1] < LEAST_PART else None
    before = [] if replaced is None else [b"".join(_read_part(*replaced))]
    name = f"{partial.key}.{partial.offset}.{random_key()}{SUFFIX}"
    incoming = _Incoming(before, _precede(first, read), partial.length - partial.offset)
    try:
        _open_storage().save(name, incoming)
        size = incoming.count + (replaced[1] if replaced else 0)
        added = {
            "parts": [*parts, (name, size)],
            "offset": partial.offset + incoming.count,
            "expires": clock.now() + KEPT,
        }
        unmoved = PartialUpload.objects.filter(pk=partial.pk, offset=partial.offset, upload=None)
        is_added = bool(unmoved.update(**added))
    except BaseException as error:
        if getattr(error, "errno", None) != errno.EIO:  # the bucket would not answer again
            _delete([name])
        raise
    if not is_added:
        _delete([name])
        partial.refresh_from_db()
        raise WrongOffset(partial.offset)
    if replaced is not None:
        _delete([replaced[0]])
    partial.refresh_from_db()


def _precede(first: bytes, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Return a function that reads these bytes first, and then as ``read`` does."""
    waiting = [first]
    return lambda size: waiting.pop() if waiting else read(size)


def _read_part(name: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a part. Raises OSError."""
    with _open_storage().open(name, "rb") as stream:
        while size:
            data = stream.read(min(PIECE, size))
            if not data:
                raise Damaged(f"{name} is too short")
            size -= len(data)
            yield data


def _delete(names: Iterable[str]) -> None:
    """Delete objects of parts; those that cannot be deleted now are strays."""
    try:
        for name in names:
            _open_storage().delete(name)
    except OSError as error:
        logger.warning("a part is left to the sweep: %s", error)


def finish(partial: PartialUpload) -> Upload | None:
    """Assemble an upload whose parts are all there, if nobody did; return it, None if not yet.

    Raises :class:`Assembling` while another process does that, FileNotFoundError where a part is
    lost, and OSError.
    """
    if partial.upload is None and partial.offset == partial.length:
        lease = _Lease(partial)
        try:
            _assemble(partial, lease)
        except FileNotFoundError:
            partial.refresh_from_db()
            if partial.upload is None:
                raise
        finally:
            lease.end()
        partial.refresh_from_db()
    return partial.upload


class _Lease:
    """The right to assemble an upload: 2 GiB take a while, and need not be copied twice."""

    def __init__(self, partial: PartialUpload) -> None:
        """Raises :class:`Assembling` where another process has it."""
        self.partial = partial
        self.until: datetime | None = None
        now = clock.now()
        self.renewed = time.monotonic()
        free = Q(assembling_until=None) | Q(assembling_until__lt=now)
        self._update(free & Q(upload=None), now + ASSEMBLING)

    def _update(self, condition: Q, until: datetime) -> None:
        if not PartialUpload.objects.filter(condition, pk=self.partial.pk).update(
            assembling_until=until
        ):
            raise Assembling
        self.until = until

    def renew(self) -> None:
        """Say that this process goes on. Raises :class:`Assembling` where another took over."""
        if time.monotonic() - self.renewed > ASSEMBLING.total_seconds() / 4:
            self._update(Q(assembling_until=self.until), clock.now() + ASSEMBLING)
            self.renewed = time.monotonic()

    def end(self) -> None:
        """Release the lease, if it is still this one."""
        ours = PartialUpload.objects.filter(pk=self.partial.pk, assembling_until=self.until)
        ours.update(assembling_until=None)


def _assemble(partial: PartialUpload, lease: _Lease) -> None:
    parts = _list_parts(partial)

    def pieces() -> Iterator[bytes]:
        for name, size in parts:
            for data in _read_part(name, size):
                lease.renew()
                yield data

    draft = Draft()
    row = UploadFile(number=1, name=partial.name)
    draft.store(row, pieces())

    def settle(upload: Upload, files: Sequence[UploadFile]) -> None:
        without_upload = PartialUpload.objects.filter(pk=partial.pk, upload=None)
        if not without_upload.update(upload=upload, parts=[]):
            raise _AlreadyRegistered
        draft.settle()
        quotas.add(upload, quotas.BYTES, row.stored_size)

    try:
        with draft.discard_unnamed():
            create_upload(
                [row],
                "api",
                sender=partial.sender,
                owner=partial.owner_id,
                visibility=partial.visibility,
                secret=partial.secret,
                on_create=settle,
            )
    except _AlreadyRegistered:
        return
    _delete(name for name, _size in parts)


def remove(partial: PartialUpload) -> None:
    """Forget an upload in parts; its parts too, unless they became an upload."""
    partial.delete()
    _delete(name for name, _size in _list_parts(partial))


def tidy() -> int:
    """Remove uploads that were given up, assemble whole ones; return their number."""
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
            except Assembling:
                continue
            except FileNotFoundError:
                logger.error("the bytes of the upload in parts %s are lost", partial.key)
                partial.delete()
            count += 1
    return count


def remove_strays(age: timedelta) -> int:
    """Remove objects of parts that no row names, older than ``age``; return their number."""
    storage = _open_storage()
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
            pass  # removed by its request meanwhile
    return removed
