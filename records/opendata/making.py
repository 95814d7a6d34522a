"""Making a dump: every game that was public at the end of a month, into files of open data.

A directory of files grows under a name of a draft, is renamed when it is whole, and published by
one row: whoever asks sees the old dump or the new. A job says who is at it, and why the last
attempt failed. A process that was killed leaves a draft, which the next removes before it begins
anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import translation

from kafu.notation.reading.reader import read
from kafu.rules import ENGINE_VERSION
from records.archives.frames import zstd
from records.base import clock
from records.models import Dump, Job
from records.opendata import licence, notebook
from records.opendata.masks import Masks
from records.opendata.months import month_end, public
from records.opendata.parquet import Tables
from records.opendata.readme import readme
from records.opendata.rows import rows
from records.opendata.schedule import DUMP
from records.opendata.schema import TABLES
from records.work import ledger
from records.work.enqueue import enqueue

MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
README: Final = "README.md"
#: Games read at once: a text has up to 1 MiB.
BATCH: Final = 50
_PIECE: Final = 1 << 20
_DRAFT: Final = ".draft-"


class BeingMade(Exception):
    """Another process makes this dump; the message says which."""


def make(month: str, tell: Callable[[int], object] = lambda games: None) -> Dump:
    """Make the dump of a month anew and publish it; ``tell`` hears how many games are in it.

    Of a month that is not over it holds what is there now. Raises :class:`BeingMade`, and after
    what fails, which the job then has as its reason, OSError, duckdb.Error or LeaseLost.
    """
    waiting = enqueue(DUMP, month, again=True)
    ledger.end_leases(clock.now())
    job = ledger.claim(waiting.pk)
    if job is None:
        waiting.refresh_from_db()
        host, pid = ledger.holder(waiting.lease)
        raise BeingMade(f"{month} is being made by process {pid} of {host}")
    try:
        return run(job, tell)
    except BaseException as error:
        ledger.fail(job, f"{type(error).__name__}: {error}")
        raise


def run(job: Job, tell: Callable[[int], object] = lambda games: None) -> Dump:
    """Make and publish the dump of a leased job. Raises as :func:`make` does."""
    month, began = job.subject, clock.now()
    settings.DUMPS_DIR.mkdir(parents=True, exist_ok=True)
    for stray in settings.DUMPS_DIR.glob(f"{_DRAFT}{month}-*"):
        shutil.rmtree(stray, ignore_errors=True)
    name = f"{month}-{secrets.token_hex(4)}"
    draft, target = settings.DUMPS_DIR / f"{_DRAFT}{name}", settings.DUMPS_DIR / name

    def progress(games: int) -> None:
        ledger.heartbeat(job, games)
        tell(games)

    try:
        draft.mkdir()
        with translation.override("en"):
            manifest = _fill(draft, month, began, lambda: ledger.heartbeat(job), progress)
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
    """Remove dumps beyond those that are kept, and directories that no row names.

    The one just made stays until another is, though it be of an old month: else it would be due
    for ever.
    """
    there = list(settings.DUMPS_DIR.iterdir())  # before the rows: what comes later is not ours
    # What has just been a draft is for whoever is at it, or for the next at that month.
    leased = Job.objects.filter(kind=DUMP, state=Job.State.LEASED)
    busy = set(leased.values_list("subject", flat=True))
    made = Dump.objects.order_by("-month").values_list("pk", flat=True)
    old = Dump.objects.filter(pk__in=list(made[settings.DUMPS_KEPT :]))
    old.exclude(pk=latest.pk).exclude(month__in=busy).delete()
    named = set(Dump.objects.values_list("directory", flat=True))
    for path in there:
        if path.name not in named and path.name[:7] not in busy and path.name[:1] != _DRAFT[0]:
            shutil.rmtree(path, ignore_errors=True)


def _fill(
    draft: Path,
    month: str,
    began: datetime,
    hold: Callable[[], None],
    tell: Callable[[int], object],
) -> dict[str, Any]:
    """Write all files of a dump; returns the manifest."""
    texts = f"games-{month}.kafu.zst"
    about = {"licence": licence.ID, "month": month, "source": "HanaArchive"}
    games = 0
    with Tables(draft, about) as tables, zstd.open(draft / texts, "wt", encoding="utf-8") as kafu:
        for key, status, received, text in published(month, hold):
            game = read(text).game
            assert game is not None, "canonical text reads"
            kafu.write(f"\n{text}" if games else text)
            stamp = received.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")
            tables.add(rows(game, {"game": key, "status": status, "received": stamp[:26]}))
            games += 1
            if games % 1000 == 0:
                tell(games)
        tables.finish(hold)
        counts = tables.counts
    hold()
    notebook.write(draft)
    files = [texts, *(table.file for table in TABLES.values()), notebook.FILE, notebook.MARKDOWN]
    manifest = {
        "month": month,
        "made": began.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "whole": began >= month_end(month),
        "engine_version": ENGINE_VERSION,
        "licence": {
            "id": licence.ID,
            "name": licence.NAME,
            "url": licence.URL,
            "text": licence.TEXT,
        },
        "counts": {"games": games} | counts,
        "tables": {
            table.name: {
                "row": str(table.row),
                "columns": [
                    {"name": one.name, "type": one.type, "meaning": str(one.meaning)}
                    for one in table.columns
                ],
            }
            for table in TABLES.values()
        },
    }
    (draft / README).write_text(readme(manifest, texts), encoding="utf-8")
    sums = {name: _sum(draft / name) for name in (*files, README)}
    manifest["files"] = [
        {"name": name, "bytes": (draft / name).stat().st_size, "sha256": digest}
        for name, digest in sums.items()
    ]
    (draft / MANIFEST).write_text(
        json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    sums[MANIFEST] = _sum(draft / MANIFEST)
    (draft / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    for path in draft.iterdir():
        if path.is_dir():
            shutil.rmtree(path)  # where DuckDB puts what its memory does not hold
    return manifest


def published(month: str, hold: Callable[[], None]) -> Iterator[tuple[str, str, datetime, str]]:
    """Key, status, when it came to be shown, and text of each game, as the dump has it; the oldest
    in the archive first. ``hold`` is called now and then.
    """
    last = 0
    while True:
        block = list(
            public(month)
            .filter(pk__gt=last)
            .prefetch_related("seats__player")
            .only("key", "status", "created", "text")[:BATCH]
        )
        if not block:
            return
        masks = Masks(block)
        for record in block:
            yield record.key, record.status, record.created, masks.text(record)
        last = block[-1].pk
        hold()


def _sum(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_PIECE):
            found.update(data)
        os.fsync(file.fileno())
    return found.hexdigest()
