"""Sender of webhook deliveries: several in parallel, at most one per account.

A receiver may be slow or silent until the deadline of a request. Deliveries have a separate queue,
which workers of uploads do not serve, and an account with many slow receivers has one thread.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final

from django.contrib.auth import get_user_model
from django.db import DatabaseError, close_old_connections, connections, transaction
from django.db.models import Max, QuerySet

from people.models import Webhook
from records.base import clock
from records.jobs import executor, kinds, ledger
from records.jobs.heartbeats import HeartbeatWriter
from records.jobs.kinds import OUTGOING
from records.models import Heartbeat, Job

#: Seconds between two queries for due deliveries.
LOOK_SECONDS: Final = 1.0
_NEVER: Final = datetime.min.replace(tzinfo=UTC)

logger = logging.getLogger(__name__)


class Sender:
    """Thread pool for due deliveries: ``Sender().run(should_end)``."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(OUTGOING.concurrency, "webhooks")
        self.active = 0
        self.lock = threading.Lock()
        #: Set when a delivery is over and the next can start.
        self.over = threading.Event()

    def run(self, should_end: Callable[[], bool]) -> None:
        """Deliver until ``should_end()``; return when the deliveries in flight are over."""
        heartbeat = HeartbeatWriter(Heartbeat.Kind.WEBHOOKS)
        while not should_end():
            self.over.clear()
            try:
                heartbeat.write()
                self.step()
            except Exception:
                logger.exception("no delivery was started; tried again")
                close_old_connections()
            self.over.wait(LOOK_SECONDS)
        self.pool.shutdown()
        heartbeat.end()

    def step(self) -> None:
        """Start deliveries of the next accounts, up to the free capacity."""
        room = OUTGOING.concurrency - self.active
        if room <= 0:
            return
        ledger.end_leases(clock.now())
        for account in list_due_accounts()[:room]:
            job = claim(account)
            if job is not None:
                with self.lock:
                    self.active += 1
                self.pool.submit(self._deliver, job)

    def _deliver(self, job: Job) -> None:
        try:
            executor.run_job(job)
        except DatabaseError:
            logger.exception("%s is left to the end of its lease", job)
        finally:
            connections.close_all()
            with self.lock:
                self.active -= 1
            self.over.set()


def list_due_accounts() -> list[int | None]:
    """Return the accounts with due deliveries and none in flight, in fair order.

    The first account has the least recently tried webhooks. None represents uploads without an
    owner.
    """
    due = _deliveries().filter(state__in=Job.CLAIMABLE, due_at__lte=clock.now())
    leased = _deliveries().filter(state=Job.State.LEASED)
    accounts_due, accounts_busy = (
        set(jobs.order_by().values_list("upload__owner", flat=True).distinct())
        for jobs in (due, leased)
    )
    hooks = Webhook.objects.filter(owner__in=accounts_due - {None}).order_by()
    tried = dict(hooks.values_list("owner").annotate(Max("tried")))
    return sorted(
        accounts_due - accounts_busy, key=lambda account: tried.get(account or 0) or _NEVER
    )


def claim(account: int | None) -> Job | None:
    """Claim the longest-waiting delivery of an account; return None if one is in flight.

    The account's row is locked, because another process may claim a delivery at the same time.
    """
    with transaction.atomic():
        users = get_user_model()._default_manager.select_for_update(no_key=True)
        list(users.filter(pk=account or 0))
        deliveries = _deliveries().filter(upload__owner=account)
        if deliveries.filter(state=Job.State.LEASED).exists():
            return None
        due = deliveries.filter(state__in=Job.CLAIMABLE, due_at__lte=clock.now())
        first = due.order_by("due_at", "pk").values_list("pk", flat=True).first()
        return ledger.claim(first) if first is not None else None


def _deliveries() -> QuerySet[Job]:
    return Job.objects.filter(kind__in=kinds.names(OUTGOING))
