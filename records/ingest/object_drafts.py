"""Drafts: stored objects of files without rows as yet.

First a row (`ObjectDraft`) reserves the names of objects and is committed. Then the objects are
written. The transaction that writes the rows of the files deletes the reservation. Therefore, even
if a process is killed, no row refers to a missing object, and every object without a row has a
reservation, from which the sweep knows the object. The sweep need not list the storage, and the
loss of the database does not lose objects.
"""

from __future__ import annotations

import errno
import hashlib
import logging
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain
from typing import Final, cast

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, OperationalError

from records.base import clock
from records.base.packed import Directory, Packed, pack
from records.models import ObjectDraft, UploadFile
from records.models.uploads import stored_name

#: Maximum time in which an upload must be stored.
USABLE: Final = timedelta(days=1)
#: Minimum age of a reservation for removal by the sweep, with its objects. The age exceeds
#: `USABLE`, so no transaction uses the reservation any more.
ABANDONED: Final = timedelta(days=2)
#: Maximum size of files of an archive for upload to a bucket by `THREADS` threads. An archive may
#: have thousands of files, and each request is slow.
SMALL: Final = 1 << 20
THREADS: Final = 8
#: Maximum number of small files that wait in memory.
MAX_WAITING: Final = 32
#: Factor by which the number of reserved names grows.
_GROWTH: Final = 4
_BATCH: Final = 100

logger = logging.getLogger(__name__)


class _Counted(File):
    """The content of a file for a storage, counting and hashing the bytes."""

    #: Number of written bytes, set by the storage (`records.base.packed.Packed`).
    stored_size = 0

    def __init__(self, pieces: Iterable[bytes], *, is_derived: bool) -> None:
        super().__init__(None)
        self.is_derived = is_derived
        self.count = 0
        self.hash = hashlib.sha256()
        self.ahead: list[bytes] = []
        self.coming = self._count(pieces)

    def _count(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for data in pieces:
            self.count += len(data)
            self.hash.update(data)
            yield data

    def has_at_most(self, size: int) -> bool:
        """Return whether the content has at most ``size`` bytes, reading up to ``size`` ahead."""
        while self.count <= size:
            data = next(self.coming, None)
            if data is None:
                return True
            self.ahead.append(data)
        return False

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes on arrival."""
        yield from chain(self.ahead, self.coming)


class DraftedObjects:
    """The objects of an upload or of an archive's files, until the rows are written.

    Call all methods except :meth:`settle` outside of a transaction.
    """

    def __init__(self) -> None:
        self.reservation: ObjectDraft | None = None
        self.used = 0
        self.threads: ThreadPoolExecutor | None = None
        self.sent: deque[Future[None]] = deque()
        #: The first number without a row, after `settle`.
        self.first_unused = 1

    def store(self, file: UploadFile, chunks: Iterable[bytes]) -> None:
        """Store the bytes of a file without a row, and set its name, sizes and hash.

        A thread may still be sending a small file of an archive afterwards;
        :meth:`discard_unused` waits for it and raises its OSError. Raise the errors of ``chunks``,
        and OSError.
        """
        file.stored.name = name = self._reserve(file)
        content = _Counted(chunks, is_derived=file.parent is not None)
        is_remote = settings.BUCKET is not None
        try:
            if is_remote and content.is_derived and content.has_at_most(SMALL):
                content.stored_size = self._send(name, b"".join(pack(content.ahead)))
            else:
                default_storage.save(name, content)
        except OSError as error:
            if error.errno == errno.EIO:  # Deleting would fail too.
                self.reservation = None
            raise
        except BaseException:
            _delete([name])
            raise
        file.size, file.stored_size = content.count, content.stored_size
        file.sha256 = content.hash.hexdigest()

    def _send(self, name: str, packed: bytes) -> int:
        """Let a thread store a small file. Return its size. Raise OSError of an earlier file."""
        if self.threads is None:
            self.threads = ThreadPoolExecutor(THREADS)
        while len(self.sent) >= MAX_WAITING:
            self.sent.popleft().result()
        save = cast(Packed, default_storage).save_packed
        self.sent.append(self.threads.submit(save, name, ContentFile(packed)))
        return len(packed)

    def _wait(self) -> list[BaseException]:
        """Wait for the threads. Return the errors."""
        if self.threads is not None:
            self.threads.shutdown()
        errors = [sent.exception() for sent in self.sent]
        self.threads, self.sent = None, deque()
        return [error for error in errors if error is not None]

    def _reserve(self, file: UploadFile) -> str:
        """Reserve and return the next name."""
        self.used += 1
        if self.reservation is None:
            self.reservation = ObjectDraft.objects.create(
                created=clock.now(), unpacked=file.parent is not None
            )
        elif self.used > self.reservation.count:
            self.reservation.count *= _GROWTH
            self.reservation.save(update_fields=["count"])
        return stored_name(file, self.reservation.filename(self.used))

    def settle(self, unused: Iterable[UploadFile] = ()) -> None:
        """End the reservation. Call it in the transaction that writes the rows of the files.

        ``unused`` files, the last to be stored, get no row. The names stay reserved until
        :meth:`discard_unused` ends. Raise OSError if the reservation is too old.
        """
        if self.reservation is None:
            return
        usable = ObjectDraft.objects.filter(
            pk=self.reservation.pk, created__gt=clock.now() - USABLE
        )
        self.first_unused = min(
            (_parse_number(file) for file in unused if file.stored), default=self.used + 1
        )
        if self.first_unused > self.used:
            is_settled = bool(usable.delete()[0])
        else:
            is_settled = bool(usable.update(first=self.first_unused))
        if not is_settled:
            raise OSError(errno.ESTALE, "the upload took too long to be stored")

    def discard(self, first: int = 1) -> None:
        """Remove the objects from number ``first``. The sweep removes remaining objects."""
        self._wait()
        reservation, self.reservation = self.reservation, None
        if reservation is not None and first <= self.used:
            _remove(reservation, first, self.used)

    @contextmanager
    def discard_unused(self) -> Iterator[None]:
        """Run the transaction that writes the rows, then remove objects without a row.

        Raise OSError if an object could not be stored. If the connection breaks during COMMIT, the
        result is unknown. Then the objects stay, and the sweep removes them if the reservation
        still exists.
        """
        try:
            for error in self._wait():
                raise error
            yield
        except Exception as error:
            if not isinstance(error, (InterfaceError, OperationalError)):
                self.discard()
            raise
        self.discard(self.first_unused)


def _parse_number(file: UploadFile) -> int:
    return int(str(file.stored.name).split(".")[1])


def _remove(reservation: ObjectDraft, first: int, last: int) -> bool:
    """Remove the objects of a reservation with a range of numbers, then the row."""
    file = UploadFile(parent=UploadFile() if reservation.unpacked else None)
    numbers = range(first, last + 1)
    if not _delete([stored_name(file, reservation.filename(number)) for number in numbers]):
        return False
    reservation.delete()
    return True


def _delete(names: Iterable[str]) -> bool:
    """Delete objects. Return False if the storage does not respond."""
    try:
        cast(Directory, default_storage).delete_all(names)
    except OSError as error:
        logger.warning("an object is left to the sweep: %s", error)
        return False
    return True


def remove_abandoned() -> int:
    """Remove objects of killed processes. Return the number of reservations."""
    abandoned = ObjectDraft.objects.filter(created__lt=clock.now() - ABANDONED)
    return sum(_remove(draft, draft.first, draft.count) for draft in abandoned[:_BATCH])
