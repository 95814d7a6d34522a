"""Objects of uploads that no row names yet.

In: bytes of files that come in or are unpacked. Out: stored objects, which either get rows or go.

A row (`ObjectDraft`) reserves names and is committed; the objects are written; the transaction that
writes the rows of the files removes the reservation. So, whenever a process is killed, no row names
a missing object, and an object without a row has a reservation, by which the sweep removes it. For
that nothing lists the whole storage, and the loss of the database loses no object.
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
from records.base.directory import Directory
from records.base.packed import Packed, pack
from records.models import ObjectDraft, UploadFile
from records.models.uploads import stored_name

#: How long an upload may take to be stored.
USABLE: Final = timedelta(days=1)
#: After this the sweep removes what became of a reservation; later than `USABLE`, so that no
#: transaction that still uses it is under way.
ABANDONED: Final = timedelta(days=2)
#: Files of an archive up to this size are sent to a bucket by `SENDERS` threads: an archive may
#: have thousands, and a request takes long.
SMALL: Final = 1 << 20
SENDERS: Final = 8
#: Small files that may wait to be sent, in memory.
MOST_WAITING: Final = 32
#: By how many times more names are reserved when those reserved are used up.
_GROWTH: Final = 4
_BATCH: Final = 100

logger = logging.getLogger(__name__)


class _Counted(File):
    """Content for a storage that counts and hashes the bytes it passes on."""

    #: Set by the storage: the bytes that were written (`records.base.packed.Packed`).
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
        """Return whether there are at most this many bytes; read so many ahead."""
        while self.count <= size:
            data = next(self.coming, None)
            if data is None:
                return True
            self.ahead.append(data)
        return False

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes as they come."""
        yield from chain(self.ahead, self.coming)


class Draft:
    """The objects of one upload, or of the files of one archive, until rows name them.

    All methods but :meth:`settle` are called outside of a transaction.
    """

    def __init__(self) -> None:
        self.reservation: ObjectDraft | None = None
        self.used = 0
        self.senders: ThreadPoolExecutor | None = None
        self.sent: deque[Future[None]] = deque()
        #: The first number that no row names, once settled.
        self.unnamed = 1

    def store(self, file: UploadFile, chunks: Iterable[bytes]) -> None:
        """Store the bytes of a file that has no row, and set its name, sizes and hash.

        Raises what ``chunks`` does, and OSError. A small file of an archive may still be on its way
        when this returns: :meth:`discard_unnamed` waits for it, and raises its OSError.
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
            if error.errno == errno.EIO:  # the bucket does not answer, and would not to deletions
                self.reservation = None
            raise
        except BaseException:
            _delete([name])
            raise
        file.size, file.stored_size = content.count, content.stored_size
        file.sha256 = content.hash.hexdigest()

    def _send(self, name: str, packed: bytes) -> int:
        """Let a thread store a small file; return its size. Raises OSError of an earlier one."""
        if self.senders is None:
            self.senders = ThreadPoolExecutor(SENDERS)
        while len(self.sent) >= MOST_WAITING:
            self.sent.popleft().result()
        save = cast(Packed, default_storage).save_packed
        self.sent.append(self.senders.submit(save, name, ContentFile(packed)))
        return len(packed)

    def _wait(self) -> list[BaseException]:
        """Wait for the threads; return their errors."""
        if self.senders is not None:
            self.senders.shutdown()
        errors = [sent.exception() for sent in self.sent]
        self.senders, self.sent = None, deque()
        return [error for error in errors if error is not None]

    def _reserve(self, file: UploadFile) -> str:
        """Return the next name, having reserved it."""
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
        """Part of the transaction that writes the rows of the files: end the reservation.

        ``unused`` files, the last ones stored, get no row: their names stay reserved until
        :meth:`discard_unnamed` ends. Raises OSError where the reservation is too old.
        """
        if self.reservation is None:
            return
        usable = ObjectDraft.objects.filter(
            pk=self.reservation.pk, created__gt=clock.now() - USABLE
        )
        self.unnamed = min(
            (_parse_number(file) for file in unused if file.stored), default=self.used + 1
        )
        if self.unnamed > self.used:
            is_settled = bool(usable.delete()[0])
        else:
            is_settled = bool(usable.update(first=self.unnamed))
        if not is_settled:
            raise OSError(errno.ESTALE, "the upload took too long to be stored")

    def discard(self, first: int = 1) -> None:
        """Remove the objects, from this number on. What fails is left to the sweep."""
        self._wait()
        reservation, self.reservation = self.reservation, None
        if reservation is not None and first <= self.used:
            _remove(reservation, first, self.used)

    @contextmanager
    def discard_unnamed(self) -> Iterator[None]:
        """Surround the transaction that writes the rows; then discard objects that no row names.

        Raises OSError where an object could not be stored. A connection that breaks while it waits
        for the answer to COMMIT cannot know whether there will be rows. Then the objects stay; if
        the reservation does too, the sweep removes them.
        """
        try:
            for error in self._wait():
                raise error
            yield
        except Exception as error:
            if not isinstance(error, (InterfaceError, OperationalError)):
                self.discard()
            raise
        self.discard(self.unnamed)


def _parse_number(file: UploadFile) -> int:
    return int(str(file.stored.name).split(".")[1])


def _remove(reservation: ObjectDraft, first: int, last: int) -> bool:
    """Remove the objects of a reservation from one number to another, and then its row."""
    file = UploadFile(parent=UploadFile() if reservation.unpacked else None)
    numbers = range(first, last + 1)
    if not _delete([stored_name(file, reservation.filename(number)) for number in numbers]):
        return False
    reservation.delete()
    return True


def _delete(names: Iterable[str]) -> bool:
    """Delete objects; return False where the storage does not answer."""
    try:
        cast(Directory, default_storage).delete_all(names)
    except OSError as error:
        logger.warning("an object is left to the sweep: %s", error)
        return False
    return True


def remove_abandoned() -> int:
    """Remove what killed processes stored without a row; return the number of reservations."""
    abandoned = ObjectDraft.objects.filter(created__lt=clock.now() - ABANDONED)
    return sum(_remove(draft, draft.first, draft.count) for draft in abandoned[:_BATCH])
