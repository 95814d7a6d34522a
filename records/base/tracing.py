"""What log lines carry with them, so that one search follows an upload through all processes.

A request has an id; an upload keeps the id of the request that brought it; whoever works on a row
of the upload logs under both. They come from the row, not from a message: a message may be lost and
another sent in its place.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from structlog.contextvars import bound_contextvars, get_contextvars

#: An id that a caller gives is taken over where it is one of these: it goes into logs and headers.
SANE: Final = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def request_id() -> str:
    """The id of the request at hand, "" outside of one."""
    return str(get_contextvars().get("request_id", ""))


def sane_id(claimed: str | None) -> str:
    """The id that a caller claims if it is fit to be written down, else a new one."""
    if claimed and SANE.fullmatch(claimed):
        return claimed
    return secrets.token_hex(16)


@contextmanager
def tracing(**values: Any) -> Iterator[None]:
    """Every log line inside carries these values: ``with tracing(upload=key, chunk=3): ...``.

    Empty values are left out.
    """
    with bound_contextvars(**{name: value for name, value in values.items() if value}):
        yield
