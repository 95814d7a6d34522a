"""Locks that end with their holder, however it ends: `flock` on files all web processes share."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings


class Locked(Exception):
    """Another request has it."""


def lock(file: IO[bytes]) -> None:
    """Have an open file alone until it is closed, by kill -9 too. Raises :class:`Locked`."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Locked from error


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Have anything alone that has a name. Raises :class:`Locked`.

    It keeps two from doing the same work at once. What must not happen twice is for the database
    to prevent: the file goes with its holder, and who was about to lock it is none the wiser.
    """
    path = Path(settings.PARTIAL_DIR) / f"{hashlib.sha256(name.encode()).hexdigest()}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        lock(file)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
