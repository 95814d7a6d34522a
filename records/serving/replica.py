"""Reads of cached responses from a replica of the database (`HANA_REPLICA_URL`).

A replica is late. A response is therefore computed over the replica only if its state there, which
has the version of the public content, is the state in the database: the reader sees each change,
including the reader's own, as soon as without a replica. Responses that are not cached, and tables
of accounts and sessions, are always read from the database.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError
from django.db.models import Model

logger = logging.getLogger(__name__)

REPLICA: Final = "replica"
#: Seconds without attempts after a replica failed.
PAUSE_SECONDS: Final = 10
#: Applications whose tables are read from a replica.
_APPLICATIONS: Final = ("records", "clubs")
_is_reading: ContextVar[bool] = ContextVar("is_reading", default=False)

Result = TypeVar("Result")


class Router:
    """The choice of the database for each query."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        """Return the replica inside `read`, else the database, also for objects of the replica.

        Objects of a third database, such as a rebuilt copy, belong to objects of the same.
        """
        if _is_reading.get() and model._meta.app_label in _APPLICATIONS:
            return REPLICA
        alias = hints["instance"]._state.db if "instance" in hints else None
        return DEFAULT_DB_ALIAS if alias in (None, REPLICA) else str(alias)

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        """Return the database."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Model, second: Model, **hints: Any) -> bool:
        """Allow relations between objects of both, which are the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Refuse to change the tables of a replica."""
        return db == DEFAULT_DB_ALIAS


class _Failure:
    """The time of the last failure of the replica in this process."""

    at = -float("inf")


def read(is_current: Callable[[], bool], make: Callable[[], Result]) -> Result:
    """Return ``make()``, computed over the replica if ``is_current()`` is true there.

    Without a replica, or if it fails, the result is computed over the database.
    """
    paused = time.monotonic() - _Failure.at < PAUSE_SECONDS
    if REPLICA not in settings.DATABASES or paused:
        return make()
    token = _is_reading.set(True)
    try:
        if is_current():
            return make()
    except (InterfaceError, OperationalError) as error:
        _Failure.at = time.monotonic()
        logger.warning("the replica is not read for %d s: %s", PAUSE_SECONDS, error)
    finally:
        _is_reading.reset(token)
    return make()
