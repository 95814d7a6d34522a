"""Cache of answers that are slow to make, in files below `settings.CACHE_DIR`.

A key covers everything that an answer depends on, so an entry is never out of date; unused ones are
removed in time. The files may be lost or removed at any moment.
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
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from django.conf import settings

from records.base.release import release

#: Sending a longer one would take as long as making it.
MOST_BYTES: Final = 8 << 20
#: Free space on the disk below which no file is written.
SPARE_BYTES: Final = 1 << 30
#: Age at which reading a file renews its time.
RENEW_SECONDS: Final = 3600.0
#: Share of the bound that `tidy` leaves, so that it does not have to start again at once.
LEFT: Final = 0.8
#: Header of a file: checksum and length of the answer. (A power failure may truncate a file.)
_HEAD: Final = struct.Struct(">4sIQ")
_MARK: Final = b"hana"

logger = logging.getLogger(__name__)


def key(kind: str, *parts: object, made_by: str = "") -> str:
    """The key of an answer that is made of all these, and ``made_by`` this release, or only a part
    of it (`records.base.release`).
    """
    written = "\0".join((kind, made_by or release(), *map(str, parts)))
    return f"{kind}-{hashlib.sha256(written.encode()).hexdigest()[:40]}"


def once(key: str, make: Callable[[], bytes], accounted: AbstractContextManager[None]) -> bytes:
    """Return the answer of this key; make and cache it inside ``accounted`` if it is missing.

    Raises :class:`records.serving.limits.Refused`, and whatever ``make`` raises.
    """
    found = get(key)
    if found is not None:
        return found
    with accounted:
        found = get(key)  # made by another request in the meantime?
        if found is None:
            found = make()
            put(key, found)
    return found


def get(key: str) -> bytes | None:
    """The cached answer; None if it is missing or damaged."""
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
    """Cache an answer if there is room. Never raises for errors of the disk."""
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
    return Path(settings.CACHE_DIR) / key[-2:] / key


def tidy() -> int:
    """Remove the oldest files above `settings.CACHE_BYTES`; returns how many."""
    files = []
    for folder in _folders(Path(settings.CACHE_DIR)):
        with os.scandir(folder) as entries:
            for entry in entries:
                stat = entry.stat()
                files.append((stat.st_mtime, stat.st_size, entry.path))
    total = sum(size for _time, size, _path in files)
    if total <= settings.CACHE_BYTES:
        return 0
    removed = 0
    for _time, size, path in sorted(files):
        if total <= LEFT * settings.CACHE_BYTES:
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
