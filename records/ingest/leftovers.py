"""Removal of the files, objects and folders of killed processes, by the sweep."""

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
from django.core.files.storage import storages

from records.base.transient import Locked, lock
from records.facts.tables import PREFIX as FACTS_PREFIX
from records.ingest import object_drafts, resumable

#: Age from which files are removed. Requests and jobs are shorter.
AGE: Final = timedelta(days=1)
#: Interval between searches by `tidy`, because a folder may be large.
EVERY_SECONDS: Final = 3600.0
#: Prefixes of our temporary folders.
PREFIXES: Final = (
    *("hana-computing-", "hana-dump-", "hana-metrics-", "hana-publish-", "hana-rebuild-"),
    FACTS_PREFIX,
)
#: The file in a temporary folder that the owning process keeps locked.
_OWNER: Final = "owner"

logger = logging.getLogger(__name__)


class _LastSearch:
    """The time of the last search by the current process, on the monotonic clock."""

    time: float | None = None


@contextmanager
def temporary(prefix: str, directory: Path | None = None) -> Iterator[str]:
    """Create a temporary folder with a prefix of `PREFIXES`, and remove the folder at the end.

    :func:`remove_local` removes the folder of a killed process.
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
    """Run `remove` at most every `EVERY_SECONDS`. Return the number of removed items."""
    now = time.monotonic()
    if _LastSearch.time is not None and now - _LastSearch.time < EVERY_SECONDS:
        return 0
    _LastSearch.time = now
    return remove()


def remove() -> int:
    """Remove the files, objects and folders of killed processes. Return the number removed.

    Included are objects of unfinished requests, parts without an upload, files of forms, drafts of
    static files, and temporary folders without a living owner.
    """
    removed = remove_local() + object_drafts.remove_abandoned() + resumable.remove_strays(AGE)
    for alias, options in (("default", settings.BUCKET), ("public", settings.PUBLIC_BUCKET)):
        if options is not None:
            bucket: Any = storages[alias]
            removed += bucket.abort_unfinished(AGE)
    if removed:
        logger.info("%d files and folders of killed processes removed", removed)
    return removed


def remove_local() -> int:
    """Remove local files and folders of killed processes. Return the number removed."""
    removed = 0
    for path in _files():
        if _is_old(path):
            with suppress(OSError):
                path.unlink()
                removed += 1
    return removed + remove_folders()


def remove_folders() -> int:
    """Remove local temporary folders of killed processes. Return the number removed."""
    folders = list(_ownerless_folders())
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return len(folders)


def _files() -> Iterator[Path]:
    scratch = Path(settings.SCRATCH_DIR)
    if scratch.is_dir():
        yield from scratch.iterdir()
    yield from (settings.VAR_DIR / "static").rglob(f"{tempfile.gettempprefix()}*")


def _is_old(path: Path) -> bool:
    try:
        return path.stat().st_mtime < time.time() - AGE.total_seconds()
    except OSError:
        return False  # already removed


def _ownerless_folders() -> Iterator[Path]:
    """Yield temporary folders without a living owner."""
    directories = {Path(tempfile.gettempdir()), Path(settings.SCRATCH_DIR)}
    for directory, prefix in product(directories, PREFIXES):
        for folder in directory.glob(f"{prefix}*"):
            with suppress(Locked, OSError):  # in use, or another user's
                if _is_ownerless(folder):
                    yield folder


def _is_ownerless(folder: Path) -> bool:
    """Return whether a folder is ownerless. Raise Locked for a folder in use, or OSError."""
    try:
        with (folder / _OWNER).open("r+b") as owner:
            lock(owner)
    except FileNotFoundError:
        # The folder is just being created, or comes from an earlier release.
        return all(map(_is_old, (folder, *folder.iterdir())))
    return True
