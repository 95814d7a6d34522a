"""Listening, and the web processes that share a socket."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management.base import CommandError

from records.intake import leftovers
from records.work.supervisor import Child


def listen(host: str, port: int) -> socket.socket:
    """An open listening socket. Web processes inherit it, so that a restart loses no request.

    Raises CommandError, in one line, if the address is not available.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CommandError(
            f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}; "
            "another can be chosen with --port (make run PORT=...)"
        ) from None
    return listener


def url_of(host: str, listener: socket.socket) -> str:
    """``http://127.0.0.1:8000``."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


@contextmanager
def web_processes(listener: socket.socket) -> Iterator[list[Child]]:
    """`settings.WEB_PROCESSES` specs of processes to be kept alive on one socket.

    They share their request times through files, which are removed at the end.
    """
    command = [sys.executable, "-m", "hanaarchive.web", f"--fd={listener.fileno()}"]
    with leftovers.temporary("hana-metrics-") as metrics:
        os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", metrics)
        yield [
            Child(f"web {number}", command, pass_fds=(listener.fileno(),))
            for number in range(1, settings.WEB_PROCESSES + 1)
        ]
