"""Limits on work: of a sender in a minute, and of long answers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from api import problems
from records.serving.cost import charge, metered, seconds_to_wait
from records.serving.senders import sender_of
from records.serving.slots import Busy

#: Chunks of a long answer after which its work is charged.
_PIECES: Final = 50


class CostLimit:
    """Middleware: measures the work of each request, and charges it to its sender.

    A sender above the budget of this minute gets 429; 503 if a view raises
    :class:`records.serving.slots.Busy`. Both have Retry-After.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer."""
        wait = seconds_to_wait(sender_of(request))
        if wait:
            return _later(request, 429, wait)
        with metered() as meter:
            response = self.get_response(request)
        sender = sender_of(request)  # by now a token is known too
        charge(sender, meter.ms)
        streaming: Any = response
        if response.streaming and getattr(response, "file_to_stream", None) is None:
            streaming.streaming_content = _charged(streaming.streaming_content, sender)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Errors of views; the REST framework handles its own."""
        return _later(request, 503, error.again) if isinstance(error, Busy) else None


def _charged(pieces: Iterable[bytes], sender: str) -> Iterator[bytes]:
    """The chunks; the work of making them is charged on the way."""
    iterator = iter(pieces)
    count, used_ms = 0, 0.0
    try:
        while True:
            with metered() as meter:
                piece = next(iterator, None)
            used_ms += meter.ms
            count += 1
            if piece is None:
                break
            yield piece
            if count % _PIECES == 0:
                charge(sender, used_ms)
                used_ms = 0.0
    finally:
        charge(sender, used_ms)
        close = getattr(iterator, "close", None)
        if close is not None:
            close()


def _later(request: HttpRequest, status: int, seconds: int) -> HttpResponse:
    message = {
        429: _("Too many requests in a short time; try again in %(seconds)d seconds."),
        503: _("The server is busy with large requests; try again in %(seconds)d seconds."),
    }[status] % {"seconds": seconds}
    response: HttpResponse
    if request.path_info.startswith(problems.PREFIX):
        response = problems.answer(problems.kind_of(status), message, request.path)
    else:
        response = render(request, "later.html", {"said": message}, status=status)
    response["Retry-After"] = str(seconds)
    # An intended, counted answer: Django would log an error for each.
    setattr(response, "_has_been_logged", True)  # noqa: B010
    return response
