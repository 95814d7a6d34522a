"""Values in log lines that allow following an upload through all processes.

Each request has an id; an upload stores the id of the request that created it; work on a row of the
upload is logged with both ids. Rows store the ids, since messages may be lost and sent again.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from structlog.contextvars import bound_contextvars, get_contextvars

#: Ids supplied by a client must match, since they appear in logs and headers.
SANE: Final = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def request_id() -> str:
    """Return the id of the current request, "" outside of a request."""
    return str(get_contextvars().get("request_id", ""))


def sane_id(claimed: str | None) -> str:
    """Return the client's id if it is safe to log, otherwise a new id."""
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
