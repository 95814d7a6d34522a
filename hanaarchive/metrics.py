"""The metrics for Prometheus: request times of the server, and figures of the archive.

Each process counts request times; the processes of a server share counts through a directory. The
figures come from the database. All servers export the same figures: aggregate by `max`, not `sum`.
"""

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from django.db import DatabaseError
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from records.operations import health, monitoring
from records.operations.monitoring import Measurement

logger = logging.getLogger(__name__)

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
#: Anybody may send an invented method, and each would become a row.
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_REQUESTS: Final = Histogram(
    "hana_request_seconds",
    "Time from a request's first byte to its answer, by address pattern.",
    ("route", "method", "status"),
    registry=None,
    buckets=_BUCKETS,
)


def observe(route: str, method: str, status: int, seconds: float) -> None:
    """Count one request."""
    method = method if method in METHODS else "other"
    try:
        _REQUESTS.labels(route, method, str(status)).observe(seconds)
    except OSError as error:  # The counts are in files, and the disk may be full.
        logger.warning("a request is not counted: %s", error)


class CachedFigures:
    """Figures that are queried at most once in ``seconds``, and for at most a share of the time."""

    def __init__(
        self, ask: Callable[[], list[Measurement]], seconds: float, share: float = 1
    ) -> None:
        self.ask = ask
        self.seconds, self.share = seconds, share
        self.lock = threading.Lock()
        self.due_at = -math.inf
        self.answer: list[Measurement] = []

    def __call__(self) -> list[Measurement]:
        """Return the figures. Raise DatabaseError if they are unavailable."""
        with self.lock:
            began = time.monotonic()
            if began >= self.due_at:
                self.answer = self.ask()
                taken = time.monotonic() - began
                self.due_at = began + max(self.seconds, taken / self.share)
            return self.answer


#: Work changes quickly and is counted quickly; the archive neither.
SOURCES: Final = (
    CachedFigures(monitoring.measure_work, 5),
    CachedFigures(monitoring.measure_archive, 60),
    CachedFigures(monitoring.count_games, 60, share=0.01),
)


class ArchiveFigures(Collector):
    """The figures of the archive; if the database is unavailable, only ``hana_database_up``."""

    def collect(self) -> Iterator[Metric]:
        """Yield one metric family per figure."""
        is_stored = health.check_storage() == health.OK
        yield GaugeMetricFamily(
            "hana_storage_up", "Whether files can be stored.", value=int(is_stored)
        )
        up = GaugeMetricFamily("hana_database_up", "Whether the database answers.")
        try:
            if not health.is_database_reachable():
                raise DatabaseError
            figures = [figure for source in SOURCES for figure in source()]
        except DatabaseError:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        for figure in figures:
            kind = CounterMetricFamily if figure.counts_up else GaugeMetricFamily
            family = kind(figure.name, figure.help, labels=figure.labels)
            for labels, value in figure.values.items():
                family.add_metric(labels, value)
            yield family


class SharedCounts(MultiProcessCollector):
    """The counts of all processes of the server, shared through files."""

    def collect(self) -> Iterator[Metric]:
        """Merge the files, except empty files of processes that could not write yet."""
        directory = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        files = [str(path) for path in directory.glob("*.db") if path.stat().st_size]
        yield from self.merge(files, accumulate=True)


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        SharedCounts(registry)
    else:
        registry.register(_REQUESTS)
    registry.register(ArchiveFigures())
    return generate_latest(registry)
