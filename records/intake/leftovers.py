"""What killed processes leave: found by the sweep, and removed when nobody needs it.

In: reserved names, parts and temporary files. Out: these without what is old.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import default_storage

from records.base.locks import Locked, lock
from records.facts.tables import PREFIX as FACTS_PREFIX
from records.intake import drafts, resumable

#: No request, and no work on a row, lasts for so long.
AGE: Final = timedelta(days=1)
#: How often `tidy` looks; some folders may be large.
EVERY_SECONDS: Final = 3600.0
#: How the names of our temporary folders begin.
PREFIXES: Final = ("hana-dump-", "hana-metrics-", "hana-rebuild-", FACTS_PREFIX)
#: The file in them that their owner has locked for as long as it lives.
_OWNER: Final = "owner"

logger = logging.getLogger(__name__)


class _Last:
    """When this process last looked."""

    looked: float | None = None


@contextmanager
def temporary(prefix: str, directory: Path | None = None) -> Iterator[str]:
    """Make a temporary folder with one of `PREFIXES`, by default in the temporary directory.

    It is removed at the end; that of a killed process by :func:`remove_local`.
    """
    with (
        tempfile.TemporaryDirectory(
            prefix=prefix, dir=directory, ignore_cleanup_errors=True
        ) as name,
        (Path(name) / _OWNER).open("wb") as owner,
    ):
        lock(owner)
        yield name


def tidy() -> int:
    """Remove what is left of killed processes, now and then; returns how many files and folders."""
    now = time.monotonic()
    if _Last.looked is not None and now - _Last.looked < EVERY_SECONDS:
        return 0
    _Last.looked = now
    return remove()


def remove() -> int:
    """Remove what is left of killed processes; returns how many files and folders.

    That is: objects that were being received, parts without an upload, files of forms, drafts of
    static files and charts, and temporary folders whose owner is gone.
    """
    removed = remove_local() + drafts.remove_abandoned() + resumable.remove_strays(AGE)
    if settings.BUCKET is not None:
        bucket: Any = default_storage
        removed += bucket.abort_unfinished(AGE)
    if removed:
        logger.info("%d files and folders of killed processes removed", removed)
    return removed


def remove_local() -> int:
    """Remove what is left of killed processes on this machine; returns how many."""
    removed = 0
    for path in _files():
        if _is_old(path):
            with suppress(OSError):
                path.unlink()
                removed += 1
    return removed + remove_folders()


def remove_folders() -> int:
    """Remove the temporary folders of killed processes on this machine; returns how many."""
    folders = list(_folders())
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return len(folders)


def _files() -> Iterator[Path]:
    scratch = Path(settings.SCRATCH_DIR)
    if scratch.is_dir():
        yield from scratch.iterdir()
    for name in ("static", "charts"):
        yield from (settings.VAR_DIR / name).rglob(f"{tempfile.gettempprefix()}*")


def _is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - AGE.total_seconds()
    except OSError:
        return False  # gone by now


def _folders() -> Iterator[Path]:
    """Temporary folders without an owner."""
    directories = {Path(tempfile.gettempdir()), Path(settings.SCRATCH_DIR)}
    for directory, prefix in product(directories, PREFIXES):
        for folder in directory.glob(f"{prefix}*"):
            with suppress(Locked, OSError):  # in use, or another user's
                if _is_ownerless(folder):
                    yield folder


def _is_ownerless(folder: Path) -> bool:
    """Raises Busy where it has an owner, OSError where it is gone or somebody else's."""
    try:
        with (folder / _OWNER).open("r+b") as owner:
            lock(owner)
    except FileNotFoundError:
        # Just being made, or of a release that made no such file.
        return all(map(_is_old, (folder, *folder.iterdir())))
    return True
