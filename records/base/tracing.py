"""Values carried by log lines, so that one search follows an upload through all processes.

A request has an id; an upload keeps the id of the request that brought it; work on a row of the
upload is logged under both. They come from the row, not from a message, which may be lost and sent
again.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from structlog.contextvars import bound_contextvars, get_contextvars

#: Ids of a caller are accepted if they match: they go into logs and headers.
SANE: Final = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def request_id() -> str:
    """Return the id of the current request, "" outside of a request."""
    return str(get_contextvars().get("request_id", ""))


def sane_id(claimed: str | None) -> str:
    """Return the caller's id if it is safe to log, otherwise a new one."""
    if claimed and SANE.fullmatch(claimed):
        return claimed
    return secrets.token_hex(16)


@contextmanager
def tracing(**values: Any) -> Iterator[None]:
    """Add these values to every log line inside: ``with tracing(upload=key, chunk=3): ...``.

    Empty values are left out.
    """
    with bound_contextvars(**{name: value for name, value in values.items() if value}):
        yield
