"""Removes files of parts that no query reads any more, and those that were never listed.

In: parts that were merged or lost some time ago, and objects in storage without a part, which
killed processes left. Out: nothing of them.
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
from django.utils import timezone

from records.base import clock
from records.facts.parts import file_of, get_storage
from records.models import FactPart, StaleFacts

#: So long a query over an earlier snapshot may take, or a dump of open data.
GRACE: Final = timedelta(minutes=30)
#: The age of an object without a part: no job takes so long to list what it wrote.
STRAY_AGE: Final = timedelta(hours=1)
#: How often `tidy` lists the storage.
EVERY_SECONDS: Final = 3600.0
#: The age of a process's folder for what does not fit into memory.
_SPILLED_SECONDS: Final = 86_400.0

logger = logging.getLogger(__name__)


class _Last:
    """The time at which this process last listed the storage."""

    listed: float | None = None


def tidy() -> None:
    """Remove what no query reads any more, now and then what was never listed too. For the
    sweep.
    """
    remove_dropped()
    now = time.monotonic()
    if _Last.listed is None or now - _Last.listed >= EVERY_SECONDS:
        _Last.listed = now
        remove_strays()


def remove_dropped() -> int:
    """Remove parts that were dropped some time ago, and stale rows with them.

    Returns the number of parts.
    """
    before = clock.now() - GRACE - timedelta(seconds=settings.FACTS_SECONDS)
    storage = get_storage()
    parts = list(FactPart.objects.filter(dropped__lt=before))
    for part in parts:
        for table in part.rows:
            storage.delete(file_of(part.name, table))
        with suppress(OSError):  # a file that nobody listed: it goes as a stray
            storage.delete(part.name)
        part.delete()
    StaleFacts.objects.filter(dropped__lt=before).delete()
    return len(parts)


def find_strays() -> Iterator[str]:
    """Yield the names of objects in storage that belong to no part and are an hour old."""
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
    except FileNotFoundError:  # nothing was written yet
        return []


def remove_strays() -> int:
    """Remove objects that belong to no part, and return their number."""
    storage = get_storage()
    strays = list(find_strays())
    for name in strays:
        storage.delete(name)
    for folder in {name.rpartition("/")[0] for name in strays}:
        with suppress(OSError):  # a younger file is in it
            storage.delete(folder)
    if strays:
        logger.info("%d files of facts without a part removed", len(strays))
    _remove_spilled()
    return len(strays)


def _remove_spilled() -> None:
    """Remove what killed processes had no memory for (`records.facts.database`)."""
    before = time.time() - _SPILLED_SECONDS
    for folder in (settings.VAR_DIR / "duckdb").glob("*"):
        with suppress(FileNotFoundError):
            if folder.stat().st_mtime < before:
                shutil.rmtree(folder, ignore_errors=True)
