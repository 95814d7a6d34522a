"""The reader of a request, who may close the connection before the response.

Statistics of large archives take seconds: nobody needs them after the reader has gone. Jobs and
commands have no reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_is_gone: Final[ContextVar[Callable[[], bool] | None]] = ContextVar("is_gone", default=None)


class ReaderGone(Exception):
    """The reader of the request has closed the connection."""


@contextmanager
def read_by(is_gone: Callable[[], bool] | None) -> Iterator[None]:
    """Serve a request inside. ``is_gone`` returns whether its reader has closed the connection.

    None is for a web server that does not notice.
    """
    token = _is_gone.set(is_gone)
    try:
        yield
    finally:
        _is_gone.reset(token)


def get_reader() -> Callable[[], bool]:
    """Return the ``is_gone`` of the current request, which any thread may call."""
    return _is_gone.get() or _is_never_gone


def _is_never_gone() -> bool:
    return False
