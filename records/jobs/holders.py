"""The processes that hold leases: their names in the tokens of leases, and whether they have ended.

A token has machine, process id, a word to distinguish processes with the same id, and a secret.
"""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path
from typing import Final

HOST_LENGTH: Final = 30
#: The first letter of a word that is the start of a process; random words have none.
_START: Final = "t"


class _Self:
    """A word to distinguish processes with the same process id."""

    pid = 0
    word = ""


def process_name() -> str:
    """Return machine, process id and word of the process. A fork has a new word.

    The word is the start of the process by the kernel, a random word if that is unknown.
    """
    if _Self.pid != os.getpid():
        start = _read_start(os.getpid())
        _Self.pid, _Self.word = os.getpid(), f"{_START}{start}" if start else secrets.token_hex(4)
    return f"{_host()}:{_Self.pid}:{_Self.word}"


def _read_start(pid: int) -> str | None:
    """Return the time at which the kernel started a process, "" for an ended process.

    An ended process has a number until its parent asks for the exit status. Return None if the
    system has no such file.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, *fields = stat.rpartition(")")[2].split()
    return "" if state in ("Z", "X") else fields[18]


def _host() -> str:
    return socket.gethostname()[:HOST_LENGTH]


def holder(token: str) -> tuple[str, int]:
    """Return machine and process number of a lease; an empty name and 0 without a lease."""
    host, pid, _word, _secret = [*token.rsplit(":", 3), "", "", ""][:4]
    return host, int(pid or 0)


def is_dead(token: str) -> bool:
    """Return whether the process of a lease was on the same machine and has ended.

    Another process may have its number now, as the same numbers return after the restart of a
    container. Without the start of processes the death then shows when the lease ends.
    """
    host, pid = holder(token)
    if host != _host():
        return False
    if pid == os.getpid():
        return f"{process_name()}:" not in token
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # a process of another user
    start, word = _read_start(pid), token.split(":")[-2]
    return start == "" or bool(start and word.startswith(_START) and word != f"{_START}{start}")
