"""The web server: one process of Waitress with its documented settings and our parser.

`manage.py web` runs it. The platform starts several processes: replicas of a container, units of
systemd, or the children of `manage.py serve` (docs/decisions/0027-guarded-waitress.md).
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import waitress
from django.conf import settings
from django.core.management.base import CommandError

from hanaarchive import parser
from hanaarchive.floods import Floods
from records.ingest import leftovers
from records.serving import computing, downloads
from records.serving.limits import FORM_BYTES

#: Maximum number of connections of a process. Each may hold a body and a response of
#: `IN_MEMORY_BYTES` in memory, and three open files: socket, buffered body, buffered response.
CONNECTIONS: Final = 1000
OPEN_FILES: Final = 4096
#: Larger bodies and responses are buffered in a file.
IN_MEMORY_BYTES: Final = 128 << 10
ENDING_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
#: Seconds between removals of files of killed processes on the same machine. The sweep also removes
#: these files, but may run on another machine.
TIDY_SECONDS: Final = 600.0

logger: Final = logging.getLogger(__name__)


def listen(host: str, port: int) -> socket.socket:
    """Return an open listening socket. Raise CommandError with one line if opening fails."""
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
    """Return the address of a socket: ``http://127.0.0.1:8000``."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def serve(application: Callable[..., Any], listener: socket.socket) -> None:
    """Serve until SIGTERM or SIGINT; requests with a thread then have 5 s to finish.

    Other processes may listen on the same socket.
    """
    # In the system's folder, because the path of a socket may have some hundred characters only.
    with leftovers.temporary("hana-computing-") as folder:
        computing.start(folder, settings.WEB_COMPUTERS, inherited=[listener])
        _serve(application, listener)


def _serve(application: Callable[..., Any], listener: socket.socket) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < OPEN_FILES:
        files = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    scratch = Path(settings.SCRATCH_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = os.fspath(scratch)

    def end(*_signal: object) -> None:
        for number in ENDING_SIGNALS:  # A second signal could interrupt the first inside a lock.
            signal.signal(number, signal.SIG_IGN)
        downloads.end()
        listener.close()
        raise SystemExit(0)

    for number in ENDING_SIGNALS:
        signal.signal(number, end)
    threading.Thread(target=_tidy_for_ever, daemon=True).start()
    server = waitress.create_server(
        application,
        sockets=[listener],
        threads=settings.WEB_THREADS,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        max_request_header_size=parser.HEAD_BYTES,
        # One byte above any view's limit: the limits of addresses respond with a problem.
        max_request_body_size=1
        + max(settings.PART_LIMIT_BYTES, settings.UPLOAD_LIMIT_BYTES + FORM_BYTES),
        inbuf_overflow=IN_MEMORY_BYTES,
        outbuf_overflow=IN_MEMORY_BYTES,
        clear_untrusted_proxy_headers=False,  # see `records.serving.senders`
        log_socket_errors=False,
        ident="",
    )
    server.channel_class = parser.Channel
    floods = Floods(server.add_task)
    server.application = floods.count_refusals(application)
    server.add_task = floods.add_task
    server.run()


def tidy() -> None:
    """Remove files of killed processes on this machine."""
    try:
        leftovers.remove_local()
    except OSError as error:
        logger.warning("files of killed processes are not removed: %s", error)


def _tidy_for_ever() -> None:
    while True:
        time.sleep(TIDY_SECONDS)
        tidy()
