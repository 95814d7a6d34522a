"""The parts of resumable uploads, objects of the storage ``partial``."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from django.core.files import File
from django.core.files.storage import Storage, storages

from records.base.packed import Damaged

#: Bytes of a single read.
PIECE: Final = 1 << 16

logger = logging.getLogger(__name__)


class Lost(Exception):
    """The error for an upload with a missing or damaged part; the upload is removed."""


def open_storage() -> Storage:
    """Return the storage of parts."""
    return storages["partial"]


class Incoming(File):
    """The content of a new part for a storage, after the bytes of a small earlier part."""

    def __init__(self, before: Iterable[bytes], read: Callable[[int], bytes], most: int) -> None:
        super().__init__(None)
        self.before, self.read_piece, self.remaining = before, read, most
        self.count = 0

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the bytes, counting new bytes. Raise the errors of reading."""
        yield from self.before
        while self.remaining and (data := self.read_piece(min(PIECE, self.remaining))):
            self.remaining -= len(data)
            self.count += len(data)
            yield data


def precede(first: bytes, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Return a reading function with ``first`` as first result, then the results of ``read``."""
    waiting = [first]
    return lambda size: waiting.pop() if waiting else read(size)


def read_part(name: str, size: int) -> Iterator[bytes]:
    """Yield the bytes of a part. Raise :class:`Lost` and OSError."""
    try:
        with open_storage().open(name, "rb") as stream:
            while size:
                data = stream.read(min(PIECE, size))
                if not data:
                    raise Lost(f"{name} is too short")
                size -= len(data)
                yield data
    except (FileNotFoundError, Damaged) as error:
        raise Lost(name) from error


def delete_parts(names: Iterable[str]) -> None:
    """Delete objects of parts. After an OSError, the sweep removes the remaining objects."""
    try:
        for name in names:
            open_storage().delete(name)
    except OSError as error:
        logger.warning("a part is left to the sweep: %s", error)
