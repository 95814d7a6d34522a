"""Counts of what senders did in the last seconds."""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

#: Seconds of a period. The period before counts too.
PERIOD_SECONDS: Final = 10


class RecentCounts:
    """Counts by sender of the last 10 to 20 seconds, in this process."""

    def __init__(self) -> None:
        self._period = 0
        self._counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def add(self, sender: str, count: int = 1) -> None:
        """Add to the count of a sender."""
        self._forget()
        self._counts[0][sender] += count

    def __getitem__(self, sender: str) -> int:
        """Return the count of a sender."""
        self._forget()
        return sum(counts[sender] for counts in self._counts)

    def _forget(self) -> None:
        period = int(time.monotonic() / PERIOD_SECONDS)
        if period > self._period:
            is_next = period == self._period + 1
            self._counts = (Counter(), self._counts[0] if is_next else Counter())
            self._period = period
