"""What killed processes leave in files: found by the sweep, and removed when nobody needs it.

In: the folders of drafts, parts and temporary files. Out: these without what is a day old.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings

from records.base.locks import Locked, lock
from records.facts import parts as facts
from records.intake import resumable
from records.intake.receiving import DRAFTS
from records.models import UploadFile

#: No request, and no work on a row, lasts for so long.
AGE: Final = timedelta(days=1)
#: How often `tidy` looks; some folders may be large.
EVERY_SECONDS: Final = 3600.0
#: How the names of our temporary folders begin.
PREFIXES: Final = ("hana-metrics-", "hana-rebuild-", facts.PREFIX)
#: The file in them that their owner has locked for as long as it lives.
_OWNER: Final = "owner"

logger = logging.getLogger(__name__)


class _Last:
    """When this process last looked."""

    looked: float | None = None


@contextmanager
def temporary(prefix: str) -> Iterator[str]:
    """A temporary folder, one of `PREFIXES`, that goes with its owner: by the sweep where it is
    killed.
    """
    with (
        tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name,
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

    That is: files that were being received, files of forms, drafts of what is kept, parts without
    an upload, and temporary folders whose owner is gone.
    """
    removed = resumable.remove_strays(AGE)
    for path in _files():
        if _is_old(path):
            with suppress(OSError):
                path.unlink()
                removed += 1
    for folder in _folders():
        shutil.rmtree(folder, ignore_errors=True)
        removed += 1
    if removed:
        logger.info("%d files and folders of killed processes removed", removed)
    return removed


def _files() -> Iterator[Path]:
    storage = UploadFile._meta.get_field("stored").storage
    for directory in (Path(storage.path(DRAFTS)), Path(settings.SCRATCH_DIR)):
        if directory.is_dir():
            yield from directory.iterdir()
    for directory in (settings.CACHE_DIR, settings.VAR_DIR / "static", settings.VAR_DIR / "charts"):
        yield from Path(directory).rglob(f"{tempfile.gettempprefix()}*")


def _is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - AGE.total_seconds()
    except OSError:
        return False  # gone by now


def _folders() -> Iterator[Path]:
    """Temporary folders without an owner."""
    for prefix in PREFIXES:
        for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
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
