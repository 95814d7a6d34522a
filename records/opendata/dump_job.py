"""The job that makes a dump: the public games at the end of a month, in files of open data.

The files are written to a temporary local directory, stored in a new folder, and published by one
row: every reader sees either the old or the new dump. If a game was hidden or changed before that
moment, the files are written again. A job records the process that makes the dump, and the error of
the last attempt. After the death of a process, the next process on the same
machine removes the directory, and the next dump removes the stored files.
"""

from __future__ import annotations

import logging
import secrets
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import storages
from django.db import InterfaceError, OperationalError, transaction
from django.utils import translation

from records.base import clock
from records.ingest import leftovers
from records.jobs import ledger
from records.jobs.enqueue import run_now
from records.models import Dump, Job
from records.opendata import additions
from records.opendata.files import DumpProgress, WrittenFile, write_files
from records.opendata.listing import MonthGameList
from records.opendata.schedule import DUMP, month_end

#: Number of times the files are written because games were hidden meanwhile.
ATTEMPTS: Final = 5

logger: Final = logging.getLogger(__name__)


class StillChanging(Exception):
    """Games were hidden or changed during each of `ATTEMPTS` attempts to write the files."""


def make(month: str, report: Callable[[int], object] = lambda games: None) -> Dump:
    """Make and publish the dump of a month; ``report`` is called with its number of games so far.

    A dump of the current month contains the games until now. Raises
    `records.jobs.enqueue.BeingMade`, and on failure, which the job records, OSError, duckdb.Error,
    StillChanging or LeaseLost.
    """
    return run_now(DUMP, month, lambda job: run(job, report))


def run(job: Job, report: Callable[[int], object] = lambda games: None) -> Dump:
    """Make and publish the dump of a leased job. Raises as :func:`make` does."""
    began = clock.now()

    def progress(games: int | None = None, /) -> None:
        ledger.heartbeat(job, games)
        if games is not None:
            report(games)

    leftovers.remove_folders()
    scratch = Path(settings.SCRATCH_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    with leftovers.temporary("hana-dump-", scratch) as temporary, translation.override("en"):
        games = MonthGameList(Path(temporary) / "games", job.subject)
        games.write(progress)
        for _attempt in range(ATTEMPTS):
            dump = _write_and_publish(job, games, Path(temporary), began, progress)
            if dump is not None:
                prune(dump)
                return dump
    raise StillChanging(f"games were hidden or changed during each of {ATTEMPTS} attempts")


def _write_and_publish(
    job: Job, games: MonthGameList, temporary: Path, began: datetime, report: DumpProgress
) -> Dump | None:
    """Write, store and publish the files; return None if something was hidden meanwhile."""
    name = f"{job.subject}-{secrets.token_hex(4)}"
    draft = temporary / name
    draft.mkdir()
    states = additions.read_states()
    try:
        manifest = write_files(draft, games, began, report)
        for path in sorted(draft.iterdir()):
            storages["dumps"].save(f"{name}/{path.name}", WrittenFile(path))
            report()
        dump = _publish(job, games, name, began, manifest, states)
    except (InterfaceError, OperationalError):
        raise  # The row may exist: if not, the next dump removes the folder.
    except BaseException:
        _remove(name)
        raise
    finally:
        shutil.rmtree(draft)
    if dump is None:
        _remove(name)
    return dump


@transaction.atomic
def _publish(
    job: Job,
    games: MonthGameList,
    name: str,
    began: datetime,
    manifest: dict[str, Any],
    states: list[Any],
) -> Dump | None:
    held = ledger.hold(job)
    if games.is_outdated() or additions.read_states() != states:
        return None
    whole = began >= month_end(job.subject)
    values = {"directory": name, "made": began, "whole": whole, "manifest": manifest}
    dump, _made = Dump.objects.update_or_create(month=job.subject, defaults=values)
    held.progress = held.total = manifest["counts"]["games"]
    ledger.finish(held)
    return dump


def prune(latest: Dump) -> None:
    """Remove all but the newest `settings.DUMPS_KEPT` dumps, and folders without a row.

    The ``latest`` dump stays even if its month is old: otherwise it would be due again.
    """
    folders = storages["dumps"].listdir("")[0]  # later folders belong to running processes
    # An unpublished folder may belong to a process that makes a dump of the month.
    leased = Job.objects.filter(kind=DUMP, state=Job.State.LEASED)
    busy = set(leased.values_list("subject", flat=True))
    newest = Dump.objects.order_by("-month").values_list("pk", flat=True)
    old = Dump.objects.filter(pk__in=list(newest[settings.DUMPS_KEPT :]))
    old.exclude(pk=latest.pk).exclude(month__in=busy).delete()
    named = set(Dump.objects.values_list("directory", flat=True))
    for folder in folders:
        if folder not in named and folder[:7] not in busy:
            _remove(folder)


def _remove(folder: str) -> None:
    """Remove a folder of files; leave files that cannot be removed to the next dump."""
    storage: Any = storages["dumps"]
    try:
        storage.delete_all(f"{folder}/{name}" for name in storage.listdir(folder)[1])
        storage.delete(folder)  # A bucket has no directories.
    except FileNotFoundError:
        pass  # no folder has been stored
    except OSError as error:
        logger.warning("%s is left to the next dump: %s", folder, error)
