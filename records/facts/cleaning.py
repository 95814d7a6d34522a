"""Removal of unused files.

The files belong to parts that were merged or lost some time ago, or to no part: killed processes
leave files without a part.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from records.base import clock
from records.facts.parts import file_of, get_storage
from records.models import FactPart, StaleFacts

#: The maximum duration of a query over an earlier snapshot, or of a dump of open data.
GRACE: Final = timedelta(minutes=30)
#: The age at which a file without a part is removed: every job lists its part sooner.
STRAY_AGE: Final = timedelta(hours=1)
#: The pause between two listings of the storage by `tidy`.
EVERY_SECONDS: Final = 3600
#: The age at which a process's folder of spilled rows is removed.
_SPILLED_SECONDS: Final = 86_400.0

logger = logging.getLogger(__name__)


def tidy() -> None:
    """Remove dropped parts, and stray files every `EVERY_SECONDS`; part of the sweep."""
    remove_dropped()
    if cache.add("facts-strays-removed", True, EVERY_SECONDS):
        remove_strays()


def remove_dropped() -> int:
    """Remove parts dropped some time ago, with their stale rows; return the number of parts."""
    before = clock.now() - GRACE - timedelta(seconds=settings.FACTS_SECONDS)
    storage = get_storage()
    parts = list(FactPart.objects.filter(dropped__lt=before))
    for part in parts:
        for table in part.rows:
            storage.delete(file_of(part.name, table))
        with suppress(OSError):  # A file that no part lists is removed as a stray.
            storage.delete(part.name)
        part.delete()
    StaleFacts.objects.filter(dropped__lt=before).delete()
    return len(parts)


def find_strays() -> Iterator[str]:
    """Yield the names of stored files that belong to no part and are an hour old."""
    storage = get_storage()
    before = timezone.now() - STRAY_AGE
    for ruleset in _list(""):
        for folder in _list(ruleset):
            name = f"{ruleset}/{folder}"
            if not FactPart.objects.filter(name=name).exists():
                for file in storage.listdir(name)[1]:
                    with suppress(FileNotFoundError):
                        if storage.get_modified_time(f"{name}/{file}") < before:
                            yield f"{name}/{file}"


def _list(folder: str) -> list[str]:
    try:
        return sorted(get_storage().listdir(folder)[0])
    except FileNotFoundError:  # Nothing was written yet.
        return []


def remove_strays() -> int:
    """Remove stored files that belong to no part, and return the number of files."""
    storage = get_storage()
    strays = list(find_strays())
    for name in strays:
        storage.delete(name)
    for folder in {name.rpartition("/")[0] for name in strays}:
        with suppress(OSError):  # The folder has a younger file.
            storage.delete(folder)
    if strays:
        logger.info("%d files of facts without a part removed", len(strays))
    _remove_spilled()
    return len(strays)


def _remove_spilled() -> None:
    """Remove folders of spilled rows, left by killed processes (`records.facts.database`)."""
    before = time.time() - _SPILLED_SECONDS
    for folder in (settings.VAR_DIR / "duckdb").glob("*"):
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)
