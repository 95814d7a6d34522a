"""Metrics of the archive.

Metrics are counted over chunks of some hundred games and over open jobs, which is cheap. Only the
count of games reads an index of all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from django.db.models import Case, Count, Min, Q, Sum, When

from records.base import clock
from records.facts.current import count_left_out
from records.facts.parts import find_live
from records.facts.refresh import find_due
from records.facts.repair import is_damaged
from records.jobs import kinds
from records.jobs.processes import SILENCE
from records.models import Chunk, Heartbeat, Job, Record, Status, Upload


@dataclass(frozen=True, slots=True)
class Measurement:
    """A metric: its name, and a value for each combination of its labels.

    A metric with ``counts_up`` falls only when uploads are removed.
    """

    name: str
    help: str
    labels: tuple[str, ...]
    values: Mapping[tuple[str, ...], float]
    counts_up: bool = False


def measure_work() -> list[Measurement]:
    """Return the metrics of work: jobs, waiting times, uploads, processes, work done."""
    return [_count_jobs(), _measure_waiting(), _count_uploads(), _count_processes(), *_count_done()]


def count_games() -> list[Measurement]:
    """Return the metric of the stored games, whose query takes longer the more there are."""
    count = Record.objects.count()
    return [Measurement("hana_games", "Games in the archive.", (), {(): count})]


def measure_archive() -> list[Measurement]:
    """Return the metrics of the facts."""
    parts = find_live().aggregate(count=Count("pk"), size=Sum("size"))
    values = {
        ("hana_facts_parts", "Parts of facts."): parts["count"],
        ("hana_facts_bytes", "Bytes of these parts."): parts["size"] or 0,
        ("hana_facts_due", "Games whose facts are to be written."): find_due().count(),
        ("hana_facts_damaged", "Whether facts are damaged and not written again yet."): int(
            is_damaged()
        ),
        ("hana_facts_left_out", "Games with rows in parts that do not count."): count_left_out(),
    }
    return [Measurement(name, text, (), {(): count}) for (name, text), count in values.items()]


def _count_jobs() -> Measurement:
    rows = Job.objects.order_by().values_list("kind", "state").annotate(Count("pk"))
    values: dict[tuple[str, ...], float] = dict.fromkeys(
        product(kinds.names(), Job.State.values), 0
    )
    values |= {(kind, state): count for kind, state, count in rows if (kind, state) in values}
    return Measurement("hana_jobs", "Jobs, by kind and state.", ("kind", "state"), values)


def _measure_waiting() -> Measurement:
    """Return the seconds since the oldest claimable job became claimable, by kind and queue.

    The queue is ``bulk`` for jobs of large uploads, else ``interactive``.
    """
    now = clock.now()
    oldest: dict[tuple[str, ...], float] = {(name, "interactive"): 0.0 for name in kinds.names()}
    oldest |= {(kind.name, "bulk"): 0.0 for kind in kinds.kinds() if kind.bulk}
    free = Q(state__in=Job.CLAIMABLE, due_at__lte=now) | Q(state=Job.State.LEASED)
    since = Min(Case(When(state=Job.State.LEASED, then="lease_until"), default="due_at"))
    jobs = Job.objects.filter(free).order_by().values_list("kind", "upload__bulk")
    for kind, is_bulk, first in jobs.annotate(since=since):
        queue = (kind, "bulk" if is_bulk and (kind, "bulk") in oldest else "interactive")
        if queue in oldest:
            oldest[queue] = max(oldest[queue], (now - first).total_seconds())
    help_text = "Seconds that the oldest job has waited to be claimed."
    return Measurement("hana_jobs_oldest_seconds", help_text, ("kind", "queue"), oldest)


def _count_uploads() -> Measurement:
    states: dict[str, set[int]] = {"open": set(), "dead-letter": set()}
    jobs = Job.objects.filter(upload__isnull=False).exclude(state=Job.State.DONE).order_by()
    for upload, state in jobs.values_list("upload_id", "state").distinct():
        states["open" if state in Job.OPEN else "dead-letter"].add(upload or 0)
    states["dead-letter"] -= states["open"]
    values: dict[tuple[str, ...], float] = {
        (state,): len(uploads) for state, uploads in states.items()
    }
    values[("done",)] = Upload.objects.count() - sum(values.values())
    help_text = "Uploads: being worked on, over with something given up, done."
    return Measurement("hana_uploads", help_text, ("state",), values)


def _count_processes() -> Measurement:
    rows = Heartbeat.objects.filter(seen__gt=clock.now() - SILENCE).order_by()
    counts = Counter(rows.values_list("kind", flat=True))
    values: dict[tuple[str, ...], float] = {(kind,): counts[kind] for kind in Heartbeat.Kind.values}
    return Measurement("hana_processes", "Processes heard from lately.", ("kind",), values)


def _count_done() -> list[Measurement]:
    """Return the metrics of finished chunks, whose increase is the rate of ingest."""
    names = (*Status.values, "duplicates")
    done_chunks = Chunk.objects.filter(job__state=Job.State.DONE)
    sums = done_chunks.aggregate(count=Count("pk"), **{f"of_{name}": Sum(name) for name in names})
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
