"""Whether all parts of the archive are there."""

from __future__ import annotations

import os
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from records.beats import heard
from records.models import Beat

OK: Final = "ok"
AWAY: Final = "away"
#: Seconds that a broker may take to answer.
PATIENCE: Final = 1.0


class _Memory:
    """What need not be asked twice: migrations that were applied stay so."""

    migrated = False


def parts() -> dict[str, str]:
    """The state of each part, ``ok`` or what is wrong in a word; none of it is a secret.

    Without a broker there is one worker and no need of a sweep.
    """
    found = {"storage": OK if os.access(settings.VAR_DIR, os.W_OK) else "not writable"}
    try:
        connection.ensure_connection()
        found["database"] = OK
        found["migrations"] = OK if _migrated() else "not applied"
        if found["migrations"] == OK:
            found["worker"] = OK if heard(Beat.Kind.WORKER) else AWAY
            if settings.REDIS_URL:
                found["sweep"] = OK if heard(Beat.Kind.SWEEP) else AWAY
    except DatabaseError:
        found["database"] = AWAY
    if settings.REDIS_URL:
        found["broker"] = OK if _broker() else AWAY
    return found


def _migrated() -> bool:
    if not _Memory.migrated:
        executor = MigrationExecutor(connection)
        _Memory.migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _Memory.migrated


def _broker() -> bool:
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        ) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
