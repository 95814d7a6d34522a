"""The reader of a request, who may close the connection before the response.

Statistics of large archives take seconds: nobody needs them after the reader has gone. Jobs and
commands have no reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_is_gone: Final[ContextVar[Callable[[], bool]]] = ContextVar("is_gone", default=lambda: False)


class ReaderGone(Exception):
    """The reader of the request has closed the connection."""


@contextmanager
def read_by(is_gone: Callable[[], bool]) -> Iterator[None]:
    """Serve a request inside. ``is_gone`` returns whether its reader has closed the connection."""
    token = _is_gone.set(is_gone)
    try:
        yield
    finally:
        _is_gone.reset(token)


def get_reader_check() -> Callable[[], bool]:
    """Return the ``is_gone`` of the current request, which any thread may call."""
    return _is_gone.get()
