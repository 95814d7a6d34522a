"""Answers that take a while to make, kept in files below `settings.KEPT_DIR`.

A key says all that an answer is made of, so that what is found under it is never out of date: what
nobody asks for any more is old at some time and goes. The files may be lost or removed at any time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import struct
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from django.conf import settings

from records.base.release import release
from records.serving.slots import computing

#: Of longer ones the sending would take as long as the making.
MOST_BYTES: Final = 8 << 20
#: No file is written where less room than this is left on the disk.
SPARE_BYTES: Final = 1 << 30
#: How old a file has to be before a look at it makes it new.
RENEW_SECONDS: Final = 3600.0
#: How much of the bound is left by `tidy`, so that it has not to begin anew at once.
LEFT: Final = 0.8
#: Before the bytes of an answer: their checksum and how many they are. (A file may be cut short by
#: the end of the power.)
_HEAD: Final = struct.Struct(">4sIQ")
_MARK: Final = b"hana"

logger = logging.getLogger(__name__)


def key(kind: str, *parts: object, made_by: str = "") -> str:
    """The key of an answer that is made of all these, and ``made_by`` this release, or only a part
    of it (`records.base.release`).
    """
    written = "\0".join((kind, made_by or release(), *map(str, parts)))
    return f"{kind}-{hashlib.sha256(written.encode()).hexdigest()[:40]}"


def once(key: str, make: Callable[[], bytes]) -> bytes:
    """The answer under this key; where there is none it is made, and kept.

    Raises :class:`records.serving.slots.Busy` where too many answers are being made, and what
    ``make`` does.
    """
    found = get(key)
    if found is not None:
        return found
    with computing():
        found = get(key)  # made by another in the meantime?
        if found is None:
            found = make()
            put(key, found)
    return found


def get(key: str) -> bytes | None:
    """The answer; None where it is not there, or not whole."""
    path = _path(key)
    try:
        data = path.read_bytes()
        if time.time() - path.stat().st_mtime > RENEW_SECONDS:
            os.utime(path)
    except OSError:
        return None
    if len(data) < _HEAD.size:
        return None
    mark, checksum, length = _HEAD.unpack_from(data)
    body = data[_HEAD.size :]
    if (mark, checksum, length) != (_MARK, zlib.crc32(body), len(body)):
        return None
    return body


def put(key: str, body: bytes) -> None:
    """Keep an answer, where there is room. Never raises for the disk's sake."""
    path = _path(key)
    if len(body) > MOST_BYTES:
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(path.parent).free < SPARE_BYTES:
            return
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft:
            draft.write(_HEAD.pack(_MARK, zlib.crc32(body), len(body)) + body)
        Path(draft.name).replace(path)
    except OSError as error:
        logger.warning("an answer is not kept: %s", error)


def _path(key: str) -> Path:
    return Path(settings.KEPT_DIR) / key[-2:] / key


def tidy() -> int:
    """Remove the oldest files where all have more than `settings.KEPT_BYTES`; returns how many."""
    files = []
    for folder in _folders(Path(settings.KEPT_DIR)):
        with os.scandir(folder) as entries:
            for entry in entries:
                told = entry.stat()
                files.append((told.st_mtime, told.st_size, entry.path))
    total = sum(size for _time, size, _path in files)
    if total <= settings.KEPT_BYTES:
        return 0
    removed = 0
    for _time, size, path in sorted(files):
        if total <= LEFT * settings.KEPT_BYTES:
            break
        Path(path).unlink(missing_ok=True)
        total -= size
        removed += 1
    return removed


def _folders(directory: Path) -> list[Path]:
    try:
        return [one for one in directory.iterdir() if one.is_dir()]
    except FileNotFoundError:
        return []
