"""Rate limits, counted in the cache that all web processes share.

Counts use fixed windows: cheap, and incremented without a read before, so that no count is lost
between two processes. At worst a sender gets twice the limit around the end of a window.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The state of a sender: ``used`` of ``most`` in a window of ``seconds``, of which ``left``
    remain.
    """

    name: str
    most: int
    seconds: int
    used: int
    left: int

    @property
    def too_fast(self) -> bool:
        """Whether this request exceeds the limit."""
        return self.used > self.most

    @property
    def rest(self) -> int:
        """How many requests are left."""
        return max(0, self.most - self.used)


def now() -> int:
    """The current second since 1970."""
    return int(time.time())


def step(name: str, who: str, units: int = 1) -> RateLimit:
    """Add units, by default one request, to ``settings.RATES[name]`` of ``who``.

    The caller checks ``too_fast`` of the result.
    """
    most, seconds = settings.RATES[name]
    window, into = divmod(now(), seconds)
    digest = hashlib.sha256(who.encode(errors="replace")).hexdigest()[:32]
    key = f"pace:{name}:{digest}:{window}"
    used = units
    if not cache.add(key, units, 2 * seconds):
        try:
            used = cache.incr(key, units)
        except ValueError:
            pass  # gone between the two: the cache was emptied
    return RateLimit(name, most, seconds, used, seconds - into)
