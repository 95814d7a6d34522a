"""How often somebody may do something: counts in the cache that all web processes share.

Counted in fixed spans of time: cheap, and without reading before writing, so that no count is lost
between two processes. A sender can at worst come twice as often around the end of a span.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Where a sender stands: ``used`` of ``most`` in a span of ``seconds``, of which ``left`` are
    left.
    """

    name: str
    most: int
    seconds: int
    used: int
    left: int

    @property
    def too_fast(self) -> bool:
        """Whether this time was one too many."""
        return self.used > self.most

    @property
    def rest(self) -> int:
        """How many times are left."""
        return max(0, self.most - self.used)


def now() -> int:
    """The second, since 1970, by which is counted."""
    return int(time.time())


def step(name: str, who: str) -> RateLimit:
    """Count one time of ``settings.RATES[name]`` for ``who``; ask ``too_fast`` of the answer."""
    most, seconds = settings.RATES[name]
    window, into = divmod(now(), seconds)
    digest = hashlib.sha256(who.encode(errors="replace")).hexdigest()[:32]
    key = f"pace:{name}:{digest}:{window}"
    used = 1
    if not cache.add(key, 1, 2 * seconds):
        try:
            used = cache.incr(key)
        except ValueError:
            pass  # gone between the two: the cache was emptied
    return RateLimit(name, most, seconds, used, seconds - into)
