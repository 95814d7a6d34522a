"""Local copies of files of parts, for a storage that has no paths on this machine.

All processes of the machine share the copies. A copy gets its name when it is complete. The least
recently used copies are removed if all exceed `settings.FACTS_CACHE_BYTES`, except copies that a
running query may read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.files.storage import Storage


def get_copy(storage: Storage, name: str) -> str:
    """Return the path of the copy of an object; download it if necessary.

    Raises OSError, and FileNotFoundError if the object does not exist.
    """
    path = Path(settings.FACTS_CACHE_DIR) / name.replace("/", "-")
    try:
        os.utime(path)  # This is the time of its last use.
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            storage.open(name) as source,
            tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft,
        ):
            try:
                shutil.copyfileobj(source, draft)
            except BaseException:
                Path(draft.name).unlink()
                raise
        Path(draft.name).replace(path)
        _trim()
    return str(path)


def _trim() -> None:
    """Remove the least recently used copies until the others are small enough."""
    files = []
    for path in Path(settings.FACTS_CACHE_DIR).iterdir():
        with suppress(FileNotFoundError):  # removed by another process
            files.append((path.stat().st_mtime, path.stat().st_size, path))
    total = sum(size for _used, size, _path in files)
    in_use = time.time() - 2 * settings.FACTS_QUERY_SECONDS
    for used, size, path in sorted(files):
        if total <= settings.FACTS_CACHE_BYTES or used >= in_use:
            return
        path.unlink(missing_ok=True)
        total -= size
