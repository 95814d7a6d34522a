"""Local copies of the files of parts, for a storage without local paths.

All processes of a machine share the copies. A copy is renamed when complete. If the copies
exceed `settings.FACTS_CACHE_BYTES`, the least recently used are removed, except copies that a
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
    """Return the path of the copy of a stored file; download the file if necessary.

    Raises OSError, and FileNotFoundError if the file does not exist.
    """
    path = Path(settings.FACTS_CACHE_DIR) / name.replace("/", "-")
    try:
        os.utime(path)  # The modification time is the time of the last use.
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
