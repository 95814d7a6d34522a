"""Delay of requests whose senders ignore refusals.

A refusal takes 2 ms of the interpreter that computes the pages of all visitors. Senders who repeat
refused requests without a pause would take half of it. Their requests wait without a thread first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any, Final

from records.serving.recent import RecentCounts
from records.serving.senders import find_address, network_of

#: Refusals of a sender in 10 to 20 seconds before requests are delayed. Browsers and programs with
#: respect for Retry-After stay below this number.
MOST_REFUSALS: Final = 20
#: Seconds that a request waits.
DELAY_SECONDS: Final = 2.0
#: How the status lines of refusals begin.
REFUSALS: Final = ("429", "503")


class Floods:
    """The requests of one server of Waitress that wait because their senders ignore refusals."""

    def __init__(self, add_task: Callable[[Any], None]) -> None:
        """Prepare to pass connections with a request to ``add_task``, which finds a thread."""
        self._add_task = add_task
        self._refusals = RecentCounts()
        self._waiting: SimpleQueue[tuple[float, Any]] = SimpleQueue()
        threading.Thread(target=self._pass_for_ever, daemon=True).start()

    def add_task(self, channel: Any) -> None:
        """Pass a connection with a request on, after a delay if its sender ignores refusals."""
        headers = channel.requests[0].headers
        sender = network_of(find_address(headers.get("X_FORWARDED_FOR", ""), channel.addr[0]))
        if self._refusals[sender] < MOST_REFUSALS:
            self._add_task(channel)
        else:
            self._waiting.put((time.monotonic() + DELAY_SECONDS, channel))

    def count_refusals(self, application: Callable[..., Any]) -> Callable[..., Any]:
        """Return a WSGI application whose refusals are counted."""

        def respond(wsgi: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            def start(status: str, *rest: Any) -> Any:
                if status.startswith(REFUSALS):
                    forwarded = wsgi.get("HTTP_X_FORWARDED_FOR", "")
                    self._refusals.add(network_of(find_address(forwarded, wsgi["REMOTE_ADDR"])))
                return start_response(status, *rest)

            response: Iterable[bytes] = application(wsgi, start)
            return response

        return respond

    def _pass_for_ever(self) -> None:
        while True:
            due, channel = self._waiting.get()
            time.sleep(max(0.0, due - time.monotonic()))
            self._add_task(channel)
