"""Whether all parts of the archive work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import redis
from django.conf import settings
from django.core.files.storage import default_storage, storages
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from records.base import clock
from records.facts.refresh import FACTS
from records.jobs import kinds
from records.jobs.heartbeats import heard
from records.jobs.kinds import OUTGOING, WORK
from records.jobs.turns import claimed_since
from records.models import FactPart, Heartbeat, Job
from records.operations.history import unknown_migrations

OK: Final = "ok"
AWAY: Final = "away"
FULL: Final = "full"
STUCK: Final = "stuck"
BEHIND: Final = "behind"
NEWER: Final = "newer than this program"
#: Parts without which pages and uploads work as usual.
OPTIONAL: Final = ("webhooks", "facts")
#: Seconds by which a process's clock may differ from the database's.
MAX_DRIFT: Final = 30
#: Seconds that a broker may take to answer.
TIMEOUT_SECONDS: Final = 1.0


class _Memory:
    """Checks that need not be repeated: applied migrations stay applied."""

    migrated = False


def parts() -> dict[str, str]:
    """The state of each part, ``ok`` or what is wrong in a few words; none of it is secret.

    Without a broker there is one worker and no need of a sweep.
    """
    found = {"storage": check_storage()}
    try:
        connection.ensure_connection()
        found["database"] = OK
        found["clock"] = _clock()
        found["migrations"] = _migrations()
        if found["migrations"] == OK:
            found["worker"] = OK if heard(Heartbeat.Kind.WORKER) else AWAY
            found["work"] = STUCK if is_stuck() else OK
            found["webhooks"] = _outgoing()
            found["facts"] = _facts()
            if settings.REDIS_URL:
                found["sweep"] = OK if heard(Heartbeat.Kind.SWEEP) else AWAY
    except DatabaseError:
        found["database"] = AWAY
    if settings.REDIS_URL:
        found["broker"] = OK if _broker() else AWAY
    return found


def directories() -> Iterator[Path]:
    """Where files are written: bodies of requests, the cache, and without a bucket all others."""
    yield from (Path(settings.VAR_DIR), Path(settings.SCRATCH_DIR))
    if settings.BUCKET is None:
        yield from (Path(storages[alias].path("")) for alias in ("default", "partial", "facts"))


def check_storage() -> str:
    """Return the state of the bucket, if there is one, and of the directories of this machine.

    Each directory may be on a disk of its own. A missing one is created in its parent.
    """
    if settings.BUCKET is not None:
        bucket: Any = default_storage
        if not bucket.is_available():
            return AWAY
    for directory in directories():
        if not directory.exists():
            continue
        if not os.access(directory, os.W_OK):
            return "not writable"
        if shutil.disk_usage(directory).free < settings.FREE_BYTES:
            return FULL
    return OK if Path(settings.VAR_DIR).exists() else "not writable"


def _clock() -> str:
    drift = round(clock.drift())
    return OK if abs(drift) <= MAX_DRIFT else f"{drift:+d} s off the database's"


def is_stuck() -> bool:
    """Whether there is work that nobody does, though workers may be alive.

    That is a lease which ended long ago, or a job that is due for long while nobody is at any job,
    nor was of late. (Jobs that wait only because there is much to do are not stuck.)
    """
    moment = clock.now()
    late = moment - timedelta(seconds=settings.STUCK_SECONDS)
    jobs = Job.objects.filter(kind__in=kinds.names(WORK)).order_by()
    leased = jobs.filter(state=Job.State.LEASED)
    if leased.filter(lease_until__lt=late).exists():
        return True
    if claimed_since(late) or leased.filter(lease_until__gt=moment).exists():
        return False
    return jobs.filter(state__in=Job.CLAIMABLE, due_at__lt=late).exists()


def _outgoing() -> str:
    """Return the state of the sender of webhooks: `OK` as long as no delivery is late."""
    moment = clock.now()
    late = moment - timedelta(seconds=settings.STUCK_SECONDS)
    jobs = Job.objects.filter(kind__in=kinds.names(OUTGOING)).order_by()
    due = jobs.filter(state__in=Job.CLAIMABLE, due_at__lt=late)
    leased = jobs.filter(state=Job.State.LEASED)
    abandoned = leased.filter(lease_until__lt=late).exists()
    if not (abandoned or due.exists()):
        return OK
    if not heard(Heartbeat.Kind.WEBHOOKS):
        return AWAY
    return STUCK if abandoned or not leased.exists() else OK


def _facts() -> str:
    """Return `BEHIND` if facts of games are due for long and none are written."""
    late = clock.now() - timedelta(seconds=settings.STUCK_SECONDS)
    due = Job.objects.filter(kind=FACTS, state__in=Job.OPEN, created__lt=late)
    is_behind = due.exists() and not FactPart.objects.filter(created__gt=late).exists()
    return BEHIND if is_behind else OK


def _migrations() -> str:
    if not _Memory.migrated:
        if unknown_migrations(connection):
            return NEWER
        executor = MigrationExecutor(connection)
        _Memory.migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return OK if _Memory.migrated else "not applied"


def _broker() -> bool:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
