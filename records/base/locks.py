"""Locks that end with their process, however it ends: `flock` on files shared by all web
processes.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings


class Locked(Exception):
    """Another request has the lock."""


def lock(file: IO[bytes]) -> None:
    """Lock an open file until it is closed, by kill -9 too. Raises :class:`Locked`."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Locked from error


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock of this name. Raises :class:`Locked`.

    It avoids doing the same work twice at once. What must never happen twice is left to the
    database: the file is removed with the lock, and a process about to lock it does not notice.
    """
    path = Path(settings.PARTIAL_DIR) / f"{hashlib.sha256(name.encode()).hexdigest()}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        lock(file)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
