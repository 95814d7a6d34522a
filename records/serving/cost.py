"""The work that each sender causes: milliseconds a minute, measured, not counted in requests."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import connections

#: The window of counting, in seconds.
WINDOW: Final = 60
#: Work that is not yet shared with the other processes, in ms.
_SHARE_MS: Final = 20


def now() -> float:
    """The current second since 1970."""
    return time.time()


@dataclass
class _Window:
    """What this process knows of the senders of a minute, in ms by sender."""

    number: int
    shared: dict[str, float] = field(default_factory=dict)
    unshared: dict[str, float] = field(default_factory=dict)


_window = _Window(0)
_lock: Final = threading.Lock()


def seconds_to_wait(sender: str) -> int:
    """Seconds until a sender may ask again; 0 if they may now."""
    number, into = divmod(int(now()), WINDOW)
    with _lock:
        window = _this(number)
        used = window.shared.get(sender, 0.0) + window.unshared.get(sender, 0.0)
    return WINDOW - into if used > settings.COST_MS else 0


def charge(sender: str, ms: float) -> None:
    """Add work that was done for a sender."""
    number = int(now()) // WINDOW
    with _lock:
        window = _this(number)
        waiting = window.unshared.get(sender, 0.0) + ms
        window.unshared[sender] = waiting
        if waiting < _SHARE_MS:
            return
        window.unshared[sender] = 0.0
    total = _add(sender, number, round(waiting))
    with _lock:
        _this(number).shared[sender] = total


def _this(number: int) -> _Window:
    global _window
    if _window.number != number:
        _window = _Window(number)
    return _window


def _add(sender: str, number: int, ms: int) -> int:
    """Add to the count shared by all processes; returns the sum."""
    digest = hashlib.sha256(sender.encode(errors="replace")).hexdigest()[:32]
    key = f"cost:{digest}:{number}"
    if cache.add(key, ms, 2 * WINDOW):
        return ms
    try:
        return int(cache.incr(key, ms))
    except ValueError:
        return ms  # evicted between the two calls


class CostMeter:
    """The work of this thread from now on: its CPU time, and the database's while it waits."""

    def __init__(self) -> None:
        self.began = time.thread_time()
        self.waited = 0.0

    @property
    def ms(self) -> float:
        """Milliseconds until now."""
        return (time.thread_time() - self.began + self.waited) * 1000

    def watch(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        """A query wrapper for Django."""
        own, since = time.thread_time(), time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            elapsed = time.perf_counter() - since
            self.waited += max(0.0, elapsed - (time.thread_time() - own))


@contextmanager
def metered() -> Iterator[CostMeter]:
    """Measure the work done inside."""
    meter = CostMeter()
    with ExitStack() as stack:
        for connection in connections.all(initialized_only=True):
            stack.enter_context(connection.execute_wrapper(meter.watch))
        yield meter
