"""DuckDB: one instance per process, limited in threads, memory and time.

Every query runs on a separate cursor. For a storage without local paths it reads local copies of
the files of parts, which all processes of a machine share. A copy is renamed when complete. If the
copies exceed `settings.FACTS_CACHE_BYTES`, the least recently used are removed, except copies that
a running query may read.
"""

from __future__ import annotations

import atexit
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Final

import duckdb
from django.conf import settings
from django.core.files.storage import Storage

from records.base.transient import Unavailable
from records.serving.readers import ReaderGone, get_reader_check

_LOCK: Final = Lock()
_INSTANCES: Final[dict[int, duckdb.DuckDBPyConnection]] = {}
#: Retry-After in seconds for a query that exceeded its time.
RETRY_SECONDS: Final = 60
#: Seconds between two looks at the time and the reader of a query.
_LOOK_SECONDS: Final = 0.5


class QueryTimeout(Exception):
    """A query took longer than `settings.FACTS_QUERY_SECONDS`."""


class StatisticsAway(Unavailable):
    """The cluster of `HANA_STATISTICS_URL` does not respond, or lacks what a query needs.

    ``is_of_file``: a file of facts is missing or damaged.
    """

    def __init__(self, text: str, *, is_of_file: bool = False) -> None:
        """Take a text for the log."""
        super().__init__(text)
        self.is_of_file = is_of_file


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

    Raises `QueryTimeout` and `ReaderGone`.
    """
    limit = settings.FACTS_QUERY_SECONDS if seconds is None else seconds
    cursor = get_database().cursor()
    try:
        with interruption(cursor.interrupt, duckdb.InterruptException, limit):
            yield cursor
    finally:
        cursor.close()


@contextmanager
def interruption(
    interrupt: Callable[[], None], error: type[Exception], seconds: float = math.inf
) -> Iterator[None]:
    """Interrupt a query inside after so many seconds, or soon after its reader has gone.

    ``error`` is the exception of an interrupted query. Raises `QueryTimeout` and `ReaderGone`
    instead.
    """
    is_gone = get_reader_check()
    if is_gone():
        raise ReaderGone
    end = time.monotonic() + seconds
    is_over = Event()

    def watch() -> None:
        # Repeated, because an interruption between two statements has no effect.
        while not is_over.wait(min(_LOOK_SECONDS, seconds)):
            if time.monotonic() >= end or is_gone():
                interrupt()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except error as cause:
        if is_gone():
            raise ReaderGone from cause
        if time.monotonic() >= end:
            raise QueryTimeout(f"the query took more than {seconds} seconds") from cause
        raise
    finally:
        is_over.set()
        watcher.join()


def get_copy(storage: Storage, name: str) -> str:
    """Return the path of the copy of a stored file; download the file if necessary.

    Raises OSError, and FileNotFoundError if the file does not exist.
    """
    path = Path(settings.FACTS_CACHE_DIR) / name.replace("/", "-")
    try:
        os.utime(path)  # The modification time is the time of the last use.
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        with (
            storage.open(name) as source,
            tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as draft,
        ):
            try:
                shutil.copyfileobj(source, draft)
            except BaseException:
                Path(draft.name).unlink()
                raise
        Path(draft.name).replace(path)
        _trim()
    return str(path)


def _trim() -> None:
    """Remove the least recently used copies until the others are small enough."""
    files = []
    for path in Path(settings.FACTS_CACHE_DIR).iterdir():
        with suppress(FileNotFoundError):  # removed by another process
            files.append((path.stat().st_mtime, path.stat().st_size, path))
    total = sum(size for _used, size, _path in files)
    in_use = time.time() - 2 * settings.FACTS_QUERY_SECONDS
    for used, size, path in sorted(files):
        if total <= settings.FACTS_CACHE_BYTES or used >= in_use:
            return
        path.unlink(missing_ok=True)
        total -= size
