"""Metrics of the archive; cheap however large it is.

They are counted over chunks, of which there is one for some hundred games, and over rows of work
that are open. Only the count of games scans an index of all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Min, Sum

from records.base import clock
from records.models import (
    Change,
    Chunk,
    Errand,
    Heartbeat,
    Record,
    Status,
    Upload,
    UploadFile,
    Work,
)
from records.work.heartbeats import SILENCE
from records.work.ledger import Row

MODELS: Final[Mapping[str, type[Row]]] = {
    "file": UploadFile,
    "change": Change,
    "chunk": Chunk,
}
QUEUES: Final = {False: "interactive", True: "bulk"}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A name, and a value for each combination of its labels. One that ``counts_up`` never falls,
    except when uploads are removed.
    """

    name: str
    help: str
    labels: tuple[str, ...]
    values: Mapping[tuple[str, ...], float]
    counts_up: bool = False


def of_work() -> list[Measurement]:
    """Metrics of work: rows by state, how long the oldest waits, which processes are alive."""
    return [_rows(), _waiting(), _uploads(), _errands(), _processes(), *_done()]


def of_archive() -> list[Measurement]:
    """Metrics of what is stored."""
    return [Measurement("hana_games", "Games in the archive.", (), {(): Record.objects.count()})]


def _rows() -> Measurement:
    values: dict[tuple[str, ...], float] = {}
    for name, model in MODELS.items():
        rows = model._default_manager.order_by().values_list("state").annotate(Count("pk"))
        found = dict(rows)
        values |= {(name, state): found.get(state, 0) for state in Work.State.values}
    return Measurement("hana_work", "Rows of work, by state.", ("kind", "state"), values)


def _waiting() -> Measurement:
    """Seconds since the oldest waiting row became free to be claimed."""
    now = clock.now()
    oldest: dict[tuple[str, ...], float] = {(queue,): 0.0 for queue in QUEUES.values()}
    for model in MODELS.values():
        rows = model._default_manager.filter(state__in=Work.OPEN, ready_at__lte=now).order_by()
        for bulk, since in rows.values_list("upload__bulk").annotate(Min("ready_at")):
            queue = (QUEUES[bulk],)
            oldest[queue] = max(oldest[queue], (now - since).total_seconds())
    help_text = "Seconds that the oldest row of a queue has waited for a worker."
    return Measurement("hana_queue_age_seconds", help_text, ("queue",), oldest)


def _uploads() -> Measurement:
    states: dict[str, set[int]] = {"open": set(), "aside": set()}
    for model in MODELS.values():
        rows = model._default_manager.exclude(state=Work.State.DONE).order_by()
        for upload, state in rows.values_list("upload_id", "state").distinct():
            states["open" if state in Work.OPEN else "aside"].add(upload)
    states["aside"] -= states["open"]
    values: dict[tuple[str, ...], float] = {
        (state,): len(uploads) for state, uploads in states.items()
    }
    values[("done",)] = Upload.objects.count() - sum(values.values())
    help_text = "Uploads: being worked on, done with something set aside, done."
    return Measurement("hana_uploads", help_text, ("state",), values)


def _errands() -> Measurement:
    help_text = "Accounts closed and uploads taken out whose games have not all followed yet."
    return Measurement("hana_errands", help_text, (), {(): Errand.objects.count()})


def _processes() -> Measurement:
    rows = Heartbeat.objects.filter(seen__gt=clock.now() - SILENCE).order_by()
    found = Counter(rows.values_list("kind", flat=True))
    values: dict[tuple[str, ...], float] = {(kind,): found[kind] for kind in Heartbeat.Kind.values}
    return Measurement("hana_processes", "Processes heard from lately.", ("kind",), values)


def _done() -> list[Measurement]:
    """Work done. The rate of ingest is the increase of these."""
    names = (*Status.values, "duplicates")
    done = Chunk.objects.filter(state=Work.State.DONE)
    sums = done.aggregate(count=Count("pk"), **{f"of_{name}": Sum(name) for name in names})
    verdicts: dict[tuple[str, ...], float] = {
        (status,): sums[f"of_{status}"] or 0 for status in Status.values
    }
    return [
        Measurement("hana_chunks_done", "Chunks stored.", (), {(): sums["count"]}, True),
        Measurement("hana_verdicts", "Games judged, by verdict.", ("status",), verdicts, True),
        Measurement(
            "hana_duplicates",
            "Games judged that were in the archive already.",
            (),
            {(): sums["of_duplicates"] or 0},
            True,
        ),
    ]
