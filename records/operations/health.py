"""The health of all parts of the archive."""

from __future__ import annotations

import os
import shutil
import socket
import struct
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

import redis
from django.conf import settings
from django.core.files.storage import default_storage, storages
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from records.base import clock
from records.facts.refresh import FACTS
from records.facts.repair import is_damaged
from records.jobs import kinds
from records.jobs.kinds import WORK
from records.jobs.ledger import claimed_since
from records.jobs.processes import has_heartbeat
from records.models import FactPart, Heartbeat, Job
from records.operations.history import unknown_migrations

OK: Final = "ok"
AWAY: Final = "away"
FULL: Final = "full"
STUCK: Final = "stuck"
BEHIND: Final = "behind"
DAMAGED: Final = "damaged"
NEWER: Final = "newer than this program"
#: Parts without which pages and uploads work as usual.
OPTIONAL: Final = ("facts",)
#: Seconds by which a process's clock may differ from the database's.
MAX_DRIFT: Final = 30
#: PostgreSQL's SSLRequest message: length and code.
_TLS_REQUEST: Final = struct.pack("!ii", 8, 80877103)
#: The directory of PostgreSQL's sockets, for a database without a host.
_SOCKETS: Final = "/var/run/postgresql"
#: Maximum seconds until PostgreSQL or a broker responds.
TIMEOUT_SECONDS: Final = 1.0


class _Memory:
    """Results of checks that need not be repeated: applied migrations stay applied."""

    migrated = False


def parts() -> dict[str, str]:
    """Return the state of each part: ``ok`` or a short problem, without secrets.

    Without a broker there is one worker and no sweep.
    """
    states = {"storage": check_storage()}
    try:
        if not is_database_reachable():
            raise OperationalError("the server does not respond")
        connection.ensure_connection()
        states["database"] = OK
        states["clock"] = _check_clock()
        states["migrations"] = _check_migrations()
        if states["migrations"] == OK:
            states["worker"] = OK if has_heartbeat(Heartbeat.Kind.WORKER) else AWAY
            states["work"] = STUCK if is_stuck() else OK
            states["facts"] = check_facts()
            if settings.REDIS_URL:
                states["sweep"] = OK if has_heartbeat(Heartbeat.Kind.SWEEP) else AWAY
    except DatabaseError:
        states["database"] = AWAY
    if settings.REDIS_URL:
        states["broker"] = OK if _check_broker() else AWAY
    return states


def is_database_reachable() -> bool:
    """Return whether PostgreSQL responds within `TIMEOUT_SECONDS`; always for SQLite.

    A query to a stopped server, also over an open connection, could wait for minutes.
    """
    if connection.vendor != "postgresql":
        return True
    host, port = connection.settings_dict["HOST"], connection.settings_dict["PORT"] or 5432
    responses: SimpleQueue[bytes] = SimpleQueue()
    # A thread, because the search for a host's address has no time limit.
    arguments = (str(host), int(port), responses)
    Thread(target=_request_tls, args=arguments, daemon=True).start()
    try:
        return bool(responses.get(timeout=TIMEOUT_SECONDS))
    except Empty:
        return False


def _request_tls(host: str, port: int, responses: SimpleQueue[bytes]) -> None:
    """Ask PostgreSQL whether it supports TLS, and put its response of one byte, or none."""
    try:
        if host and not host.startswith("/"):
            server = socket.create_connection((host, port), TIMEOUT_SECONDS)
        else:
            server = socket.socket(socket.AF_UNIX)
            server.settimeout(TIMEOUT_SECONDS)
            server.connect(f"{host or _SOCKETS}/.s.PGSQL.{port}")
        with server:
            server.sendall(_TLS_REQUEST)
            responses.put(server.recv(1))
    except OSError:
        responses.put(b"")


def directories() -> Iterator[Path]:
    """Yield the local directories for request bodies, cache, and, without a bucket, other files."""
    yield from (Path(settings.VAR_DIR), Path(settings.SCRATCH_DIR))
    if settings.BUCKET is None:
        yield from (Path(storages[alias].path("")) for alias in ("default", "partial", "facts"))


def check_storage() -> str:
    """Return the state of the bucket, if any, and of the local directories.

    Each directory may be on a separate disk. A missing directory is created in its parent.
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


def _check_clock() -> str:
    drift = round(clock.drift())
    return OK if abs(drift) <= MAX_DRIFT else f"{drift:+d} s off the database's"


def is_stuck() -> bool:
    """Return whether due jobs are not claimed, even if workers are alive.

    Two symptoms: a lease ended long ago, or a job has been due for long while no job is leased or
    was claimed recently. (Jobs waiting in a long queue are not stuck.)
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


def check_facts() -> str:
    """Return `DAMAGED` until lost or unreadable facts are written again.

    Return `BEHIND` if facts of games are due for long and none are written.
    """
    if is_damaged():
        return DAMAGED
    late = clock.now() - timedelta(seconds=settings.STUCK_SECONDS)
    due = Job.objects.filter(kind=FACTS, state__in=Job.OPEN, created__lt=late)
    is_behind = due.exists() and not FactPart.objects.filter(created__gt=late).exists()
    return BEHIND if is_behind else OK


def _check_migrations() -> str:
    if not _Memory.migrated:
        if unknown_migrations(connection):
            return NEWER
        executor = MigrationExecutor(connection)
        _Memory.migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return OK if _Memory.migrated else "not applied"


def _check_broker() -> bool:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=TIMEOUT_SECONDS,
            socket_timeout=TIMEOUT_SECONDS,
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
