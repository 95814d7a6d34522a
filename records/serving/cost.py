"""How much work a sender makes: milliseconds a minute, measured, not counted in requests."""

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
#: Work that was not yet told to the other processes, in ms.
_UNTOLD: Final = 20


def now() -> float:
    """The second, since 1970, by which is counted."""
    return time.time()


@dataclass
class _Window:
    """What this process knows of the senders of a minute, in ms by sender."""

    number: int
    told: dict[str, float] = field(default_factory=dict)
    untold: dict[str, float] = field(default_factory=dict)


_window = _Window(0)
_lock: Final = threading.Lock()


def too_much(sender: str) -> int:
    """0 while a sender may ask; else the seconds until then."""
    number, into = divmod(int(now()), WINDOW)
    with _lock:
        window = _this(number)
        used = window.told.get(sender, 0.0) + window.untold.get(sender, 0.0)
    return WINDOW - into if used > settings.COST_MS else 0


def charge(sender: str, ms: float) -> None:
    """Add work that was done for a sender."""
    number = int(now()) // WINDOW
    with _lock:
        window = _this(number)
        waiting = window.untold.get(sender, 0.0) + ms
        window.untold[sender] = waiting
        if waiting < _UNTOLD:
            return
        window.untold[sender] = 0.0
    total = _add(sender, number, round(waiting))
    with _lock:
        _this(number).told[sender] = total


def _this(number: int) -> _Window:
    global _window
    if _window.number != number:
        _window = _Window(number)
    return _window


def _add(sender: str, number: int, ms: int) -> int:
    """Add to the count of all processes; the sum."""
    digest = hashlib.sha256(sender.encode(errors="replace")).hexdigest()[:32]
    key = f"cost:{digest}:{number}"
    if cache.add(key, ms, 2 * WINDOW):
        return ms
    try:
        return int(cache.incr(key, ms))
    except ValueError:
        return ms  # gone between the two: the cache was emptied


class CostMeter:
    """The work of this thread from now on: its own time, and the database's while it waits."""

    def __init__(self) -> None:
        self.began = time.thread_time()
        self.waited = 0.0

    @property
    def ms(self) -> float:
        """Until now."""
        return (time.thread_time() - self.began + self.waited) * 1000

    def watch(
        self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
    ) -> Any:
        """A wrapper of Django's for queries."""
        own, since = time.thread_time(), time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            spent = time.perf_counter() - since
            self.waited += max(0.0, spent - (time.thread_time() - own))


@contextmanager
def metered() -> Iterator[CostMeter]:
    """Measures what is done in here."""
    meter = CostMeter()
    with ExitStack() as stack:
        for connection in connections.all(initialized_only=True):
            stack.enter_context(connection.execute_wrapper(meter.watch))
        yield meter
