"""Accounting of expensive requests: charged when they start, counted while they run.

A view that computes for long does so inside `expensive`. A request is refused at its start while
its sender has too many in flight, while the process has no place for another one, or once the
sender's budget of the minute is spent. So a burst of requests is judged by what is running, not by
what earlier requests turned out to cost.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from records.serving.rate_limits import step
from records.serving.senders import sender_of

#: Seconds that a request waits until it may compute.
WAIT_SECONDS: Final = 2.0
#: Seconds after which a request may be sent again: by a sender with too many in flight, and while
#: the process is full.
SENDER_RETRY_SECONDS: Final = 1
RETRY_SECONDS: Final = 5
#: Bytes of a request body that add one unit to the weight of a request.
BYTES_PER_UNIT: Final = 16 << 10
_ACCOUNTED: Final = "hana_accounted"


@dataclass(frozen=True, slots=True)
class Group:
    """A group of expensive requests.

    ``weight`` is in units of 10 ms of usual work. ``in_flight`` is the maximum number of requests
    that one sender has in flight in one process, over all groups.
    """

    weight: int
    in_flight: int = 3


#: The groups by name. A page that is not in the cache yet is one of a browser's several tabs, hence
#: its higher number.
GROUPS: Final[Mapping[str, Group]] = {
    "page": Group(weight=3, in_flight=4),
    "position": Group(weight=2),
    "sheet": Group(weight=2),
    "preview": Group(weight=4),
    "verify": Group(weight=2),
    "report": Group(weight=20),
    "statistics": Group(weight=10),
    "situations": Group(weight=10),
    "picture": Group(weight=20),
    "export by keys": Group(weight=10),
    "export": Group(weight=50),
}


class Refused(Exception):
    """An expensive request that was not started; ``again`` are the seconds until a retry."""

    def __init__(self, again: int) -> None:
        super().__init__(f"try again in {again} seconds")
        self.again = again


class TooMany(Refused):
    """The sender has too many expensive requests in flight, or no budget left."""


class Busy(Refused):
    """The process has no place for another expensive request."""

    def __init__(self) -> None:
        super().__init__(RETRY_SECONDS)


class Gate:
    """The places of one process: a few requests compute, some more wait for their turn.

    ``computing`` and ``places`` are the maximum numbers of requests that compute, and that compute
    or wait. One sender leaves a place among the computing ones to the others, if there are several.
    """

    def __init__(self, *, computing: int, places: int) -> None:
        self.computing = max(1, computing)
        self.places = max(1, places)
        self._entered: Counter[str] = Counter()
        self._computing: Counter[str] = Counter()
        self._changed = threading.Condition()

    @contextmanager
    def enter(self, sender: str, in_flight: int) -> Iterator[None]:
        """Compute inside. Raise :class:`TooMany` if the sender has ``in_flight`` requests here
        already, :class:`Busy` without a place or a turn within `WAIT_SECONDS`.
        """
        with self._changed:
            if self._entered[sender] >= in_flight:
                raise TooMany(SENDER_RETRY_SECONDS)
            if self._entered.total() >= self.places:
                raise Busy
            self._entered[sender] += 1
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: self._has_turn(sender), WAIT_SECONDS):
                    raise Busy
                self._computing[sender] += 1
            try:
                yield
            finally:
                self._leave(self._computing, sender)
        finally:
            self._leave(self._entered, sender)

    def _has_turn(self, sender: str) -> bool:
        share = max(1, self.computing - 1)
        return self._computing.total() < self.computing and self._computing[sender] < share

    def _leave(self, counter: Counter[str], sender: str) -> None:
        with self._changed:
            counter[sender] -= 1
            if not counter[sender]:
                del counter[sender]
            self._changed.notify_all()


#: A quarter of the threads computes, since the threads of a process share one core; at least a
#: quarter is left for requests that are not expensive.
GATE: Final = Gate(computing=settings.WEB_THREADS // 4, places=settings.WEB_THREADS * 3 // 4)


@contextmanager
def expensive(request: HttpRequest, group: str) -> Iterator[None]:
    """Account a request of one of `GROUPS` while it computes inside.

    A request that is accounted already goes on. Raise :class:`TooMany` and :class:`Busy`.
    """
    if getattr(request, _ACCOUNTED, False):
        yield
        return
    with GATE.enter(sender_of(request), GROUPS[group].in_flight):
        charge(request, group)
        setattr(request, _ACCOUNTED, True)
        try:
            yield
        finally:
            setattr(request, _ACCOUNTED, False)


def charge(request: HttpRequest, group: str) -> None:
    """Charge the weight of a request to the budget of its sender.

    Raise :class:`TooMany` if the budget of this minute is spent.
    """
    units = GROUPS[group].weight + _body_bytes(request) // BYTES_PER_UNIT
    limit = step("work", sender_of(request), units)
    if limit.too_fast:
        raise TooMany(limit.left)


def _body_bytes(request: HttpRequest) -> int:
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isascii() and length.isdigit() else 0
