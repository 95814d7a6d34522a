"""DuckDB: one instance a process, bounded in threads, memory and time.

Every query runs on a cursor of its own.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any, Final

import duckdb
from django.conf import settings

_LOCK: Final = Lock()
_INSTANCES: Final[dict[int, duckdb.DuckDBPyConnection]] = {}
#: Seconds after which a query that took too long may be sent again.
RETRY_SECONDS: Final = 60


class QueryTimeout(Exception):
    """A query took longer than `settings.FACTS_QUERY_SECONDS`."""


def get_database() -> duckdb.DuckDBPyConnection:
    """Return the instance of this process; open it at its first use."""
    with _LOCK:
        if os.getpid() not in _INSTANCES:
            directory = settings.VAR_DIR / "duckdb" / str(os.getpid())
            # DuckDB creates the last folder only when a query needs it.
            directory.parent.mkdir(parents=True, exist_ok=True)
            bounds: dict[str, Any] = {
                "threads": settings.FACTS_THREADS,
                "memory_limit": f"{settings.FACTS_MEMORY_MB}MB",
                "temp_directory": str(directory),
                "autoinstall_known_extensions": False,
                # Columns of objects are texts: DuckDB need not look at their values to know it.
                "pandas_analyze_sample": 0,
            }
            # A process that was forked does not share its parent's instance.
            _INSTANCES.clear()
            _INSTANCES[os.getpid()] = duckdb.connect(":memory:", config=bounds)
        return _INSTANCES[os.getpid()]


@atexit.register
def close_database() -> None:
    """Close the instance of this process. An open one makes the interpreter report leaks."""
    database = _INSTANCES.pop(os.getpid(), None)
    if database is not None:
        database.close()


@contextmanager
def open_cursor(seconds: float | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a cursor whose work is interrupted after ``seconds``, by default those of the setting.

    Raises `QueryTimeout`.
    """
    limit = settings.FACTS_QUERY_SECONDS if seconds is None else seconds
    cursor = get_database().cursor()
    timer = Timer(limit, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield cursor
    except duckdb.InterruptException as error:
        raise QueryTimeout(f"the query took more than {limit} seconds") from error
    finally:
        timer.cancel()
        cursor.close()
