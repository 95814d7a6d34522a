"""`manage.py sweep`: find and announce overdue jobs, and run background jobs."""

import logging
import signal
from argparse import ArgumentParser
from threading import Event
from typing import Any

from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError, close_old_connections

from records.ingest import receiving, resumable
from records.jobs import sweeping
from records.jobs.executor import run_background_jobs
from records.jobs.processes import HeartbeatWriter, Runner
from records.management.arguments import seconds
from records.models import Heartbeat
from records.opendata.schedule import enqueue_due
from records.operations.history import warn_of_newer

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """A command to sweep until a signal, or once."""

    help = "Announce overdue jobs (after lost messages or dead workers) until told to end."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the intervals."""
        parser.add_argument("--every", type=seconds, default=10, help="seconds between two sweeps")
        parser.add_argument("--once", action="store_true", help="sweep once, then end")
        parser.add_argument(
            "--max-wait",
            type=seconds,
            default=sweeping.MAX_WAIT_SECONDS,
            help="seconds after which a due job is announced again",
        )
        parser.add_argument(
            "--retry-dead-letters",
            action="store_true",
            help="first retry the jobs that were given up",
        )
        parser.add_argument(
            "--remove-orphans",
            action="store_true",
            help="first remove stored bytes older than a day that belong to no upload",
        )
        parser.add_argument(
            "--first-dump",
            action="store_true",
            help="if there is no dump of open data yet, make one of this month before its end",
        )

    def handle(
        self,
        *,
        every: float,
        once: bool,
        max_wait: float,
        retry_dead_letters: bool,
        remove_orphans: bool,
        first_dump: bool,
        **options: Any,
    ) -> None:
        """Sweep; with ``--once`` print the number of announced jobs."""
        if retry_dead_letters:
            self.stdout.write(f"tried again: {sweeping.retry_dead_letters()}")
        if remove_orphans:
            removed = receiving.remove_orphans() + resumable.remove_strays(receiving.ORPHAN_AGE)
            self.stdout.write(f"orphans removed: {removed}")
        if once:
            count = sweeping.sweep(max_wait=max_wait) + run_background_jobs()
            self.stdout.write(f"found: {count}")
            return
        warn_of_newer()
        ending = Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: ending.set())
        heartbeat = HeartbeatWriter(Heartbeat.Kind.SWEEP)
        processes = Runner()
        while not ending.is_set():
            try:
                heartbeat.write()
                sweeping.sweep(max_wait=max_wait)
                if first_dump:
                    enqueue_due(first=True)
                processes.step()
                run_background_jobs()
            except (InterfaceError, OperationalError):
                logger.exception("database unavailable")
                close_old_connections()
            ending.wait(every)
        processes.end()
        heartbeat.end()
