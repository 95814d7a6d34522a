"""DuckDB: one instance per process, limited in threads, memory and time.

Every query runs on a separate cursor.
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
#: Seconds after which the client may repeat a query that took too long.
RETRY_SECONDS: Final = 60


class QueryTimeout(Exception):
    """A query took longer than `settings.FACTS_QUERY_SECONDS`."""


def get_database() -> duckdb.DuckDBPyConnection:
    """Return the instance of the process, opened on first use."""
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
                # Columns of objects contain texts only: DuckDB need not sample their values.
                "pandas_analyze_sample": 0,
            }
            # A forked process must not use the instance of its parent.
            _INSTANCES.clear()
            _INSTANCES[os.getpid()] = duckdb.connect(":memory:", config=bounds)
        return _INSTANCES[os.getpid()]


@atexit.register
def close_database() -> None:
    """Close the instance of the process; otherwise the interpreter would report leaks at exit."""
    database = _INSTANCES.pop(os.getpid(), None)
    if database is not None:
        database.close()


@contextmanager
def open_cursor(seconds: float | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a cursor whose work is interrupted after ``seconds``, by default `FACTS_QUERY_SECONDS`.

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
