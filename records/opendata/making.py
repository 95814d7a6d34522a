"""Makes a dump: every game that was public at the end of a month, in files of open data.

The files are written to a draft directory, which is renamed when it is complete and published by
one row: every reader sees the old dump or the new one. A job records which process makes it, and
why the last attempt failed. A process that was killed leaves a draft, which the next removes first.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import translation

from records.base import clock
from records.models import Dump, Job
from records.opendata.files import write_files
from records.opendata.months import month_end
from records.opendata.schedule import DUMP
from records.work import ledger
from records.work.enqueue import enqueue

_DRAFT: Final = ".draft-"


class BeingMade(Exception):
    """Another process makes this dump; the message says which."""


def make(month: str, report: Callable[[int], object] = lambda games: None) -> Dump:
    """Make the dump of a month and publish it; ``report`` is called with the number of games in it.

    For the current month it contains what is there now. Raises :class:`BeingMade`, and on failure,
    which the job records, OSError, duckdb.Error or LeaseLost.
    """
    waiting = enqueue(DUMP, month, again=True)
    ledger.end_leases(clock.now())
    job = ledger.claim(waiting.pk)
    if job is None:
        waiting.refresh_from_db()
        host, pid = ledger.holder(waiting.lease)
        raise BeingMade(f"{month} is being made by process {pid} of {host}")
    try:
        return run(job, report)
    except BaseException as error:
        ledger.fail(job, f"{type(error).__name__}: {error}")
        raise


def run(job: Job, report: Callable[[int], object] = lambda games: None) -> Dump:
    """Make and publish the dump of a leased job. Raises as :func:`make` does."""
    month, began = job.subject, clock.now()
    settings.DUMPS_DIR.mkdir(parents=True, exist_ok=True)
    for stray in settings.DUMPS_DIR.glob(f"{_DRAFT}{month}-*"):
        shutil.rmtree(stray, ignore_errors=True)
    name = f"{month}-{secrets.token_hex(4)}"
    draft, target = settings.DUMPS_DIR / f"{_DRAFT}{name}", settings.DUMPS_DIR / name

    def progress(games: int) -> None:
        ledger.heartbeat(job, games)
        report(games)

    try:
        draft.mkdir()
        with translation.override("en"):
            manifest = write_files(draft, month, began, lambda: ledger.heartbeat(job), progress)
        draft.rename(target)
        dump = _publish(job, name, began, manifest)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        shutil.rmtree(target, ignore_errors=True)
        raise
    prune(dump)
    return dump


@transaction.atomic
def _publish(job: Job, name: str, began: datetime, manifest: dict[str, Any]) -> Dump:
    held = ledger.hold(job)
    whole = began >= month_end(job.subject)
    values = {"directory": name, "made": began, "whole": whole, "manifest": manifest}
    dump, _made = Dump.objects.update_or_create(month=job.subject, defaults=values)
    held.progress = held.total = manifest["counts"]["games"]
    ledger.finish(held)
    return dump


def prune(latest: Dump) -> None:
    """Remove all but the newest `settings.DUMPS_KEPT` dumps, and directories that no row names.

    The one just made stays until another is, even of an old month: else it would be due for ever.
    """
    there = list(settings.DUMPS_DIR.iterdir())  # before the rows: later directories are not ours
    # A former draft belongs to the process that makes it, or to the next for that month.
    leased = Job.objects.filter(kind=DUMP, state=Job.State.LEASED)
    busy = set(leased.values_list("subject", flat=True))
    made = Dump.objects.order_by("-month").values_list("pk", flat=True)
    old = Dump.objects.filter(pk__in=list(made[settings.DUMPS_KEPT :]))
    old.exclude(pk=latest.pk).exclude(month__in=busy).delete()
    named = set(Dump.objects.values_list("directory", flat=True))
    for path in there:
        if path.name not in named and path.name[:7] not in busy and path.name[:1] != _DRAFT[0]:
            shutil.rmtree(path, ignore_errors=True)
