"""The gate of a room: which requests compute in a process, which wait, and which are refused.

The sender with fewest requests in the room is first, and among equal senders who has asked for
least in the last seconds, refusals included: in the queue, and for a place in a full room, which
the waiting request of the last sender gives up. Senders who flood a site ask for much, so a visitor
computes beside them without waiting. Accounts have places of their own in addition, which
anonymous senders cannot take.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from records.serving.recent import RecentCounts

#: Maximum wait of a request before computing.
WAIT_SECONDS: Final = 4.0
#: Seconds until a retry, for a sender with too many requests in flight and for a full process.
SENDER_RETRY_SECONDS: Final = 1
RETRY_SECONDS: Final = 5


class RequestRefused(Exception):
    """A refusal of an expensive request; ``again`` are the seconds until a retry."""

    def __init__(self, again: int) -> None:
        super().__init__(f"try again in {again} seconds")
        self.again = again


class TooMany(RequestRefused):
    """The sender has too many expensive requests in flight, or no budget left."""


class Busy(RequestRefused):
    """The process has no place for another expensive request."""

    def __init__(self) -> None:
        super().__init__(RETRY_SECONDS)


class _Entry:
    """A request in the room."""

    def __init__(self, sender: str, *, is_account: bool) -> None:
        self.sender = sender
        self.is_account = is_account
        self.is_computing = False
        self.is_refused = False


class Gate:
    """The places of a room in one process: a few requests compute, some more wait for their turn.

    ``computing`` is the maximum number of requests that compute, ``places`` the maximum number that
    compute or wait, both of anonymous senders. Accounts may have ``reserved`` more of either. If
    several requests may compute, one sender cannot occupy all of them.
    """

    def __init__(self, *, computing: int, places: int, reserved: int = 0) -> None:
        self.computing = max(1, computing)
        self.places = max(1, places)
        self.reserved = reserved
        self._entries: list[_Entry] = []
        self._changed = threading.Condition()
        self._demand = RecentCounts()

    @property
    def count(self) -> int:
        """The number of requests that compute or wait."""
        return len(self._entries)

    @contextmanager
    def enter(
        self, sender: str, in_flight: int, *, weight: int = 1, is_account: bool = False
    ) -> Iterator[None]:
        """Compute inside. Raise :class:`TooMany` or :class:`Busy`.

        A sender may have ``in_flight`` requests. The request of a ``weight`` waits for a turn up to
        `WAIT_SECONDS`.
        """
        entry = _Entry(sender, is_account=is_account)
        with self._changed:
            self._demand.add(sender, weight)
            if sum(other.sender == sender for other in self._entries) >= in_flight:
                raise TooMany(SENDER_RETRY_SECONDS)
            self._make_room(entry)
            self._entries.append(entry)
        try:
            with self._changed:
                self._changed.wait_for(
                    lambda: entry.is_refused or self._has_turn(entry), WAIT_SECONDS
                )
                if entry.is_refused or not self._has_turn(entry):
                    raise Busy
                entry.is_computing = True
            yield
        finally:
            with self._changed:
                if entry in self._entries:
                    self._entries.remove(entry)
                self._changed.notify_all()

    def _make_room(self, entry: _Entry) -> None:
        """Refuse the last of the waiting requests if the room is full. Raise Busy."""
        if not self._is_full(entry, self.places, self._entries):
            return
        waiting = [
            other
            for other in self._entries
            if not other.is_computing and (entry.is_account or not other.is_account)
        ]
        last = max(waiting, key=self._rank, default=entry)
        if self._rank(last) <= self._rank(entry):
            raise Busy
        last.is_refused = True
        self._entries.remove(last)
        self._changed.notify_all()

    def _is_full(self, entry: _Entry, places: int, entries: list[_Entry]) -> bool:
        """Return whether there is no place for an entry: anonymous ones leave those reserved."""
        if entry.is_account:
            return len(entries) >= places + self.reserved
        return sum(not other.is_account for other in entries) >= places

    def _has_turn(self, entry: _Entry) -> bool:
        if not self._may_compute(entry):
            return False
        rivals = [
            other for other in self._entries if not other.is_computing and self._may_compute(other)
        ]
        return min(rivals, key=self._rank) is entry

    def _rank(self, entry: _Entry) -> tuple[int, int]:
        """Return the place of an entry in the queue, the lowest first."""
        others = sum(other.sender == entry.sender and other is not entry for other in self._entries)
        return others, self._demand[entry.sender]

    def _may_compute(self, entry: _Entry) -> bool:
        computing = [other for other in self._entries if other.is_computing]
        of_sender = sum(other.sender == entry.sender for other in computing)
        if of_sender >= max(1, self.computing - 1):
            return False
        places = self.computing + self._is_visitor(entry, computing)
        return not self._is_full(entry, places, computing)

    def _is_visitor(self, entry: _Entry, computing: list[_Entry]) -> bool:
        """Return whether a sender asks for much less than all who compute.

        One such request computes in addition, and does not wait for long ones to end.
        """
        others, demand = self._rank(entry)
        return not others and all(demand < self._rank(other)[1] / 2 for other in computing)
