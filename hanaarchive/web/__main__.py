"""`python -m hanaarchive.web --fd=N`: one process of the web server, on a socket that it inherits.

`manage.py web` and `manage.py serve` open the socket and keep the processes alive.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import tempfile
from pathlib import Path
from types import FrameType

from django.conf import settings

from hanaarchive.web.connections import GRACE_SECONDS, Server
from hanaarchive.wsgi import application
from records.serving import streams


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--fd", type=int, required=True, help="the listening socket")
    listener = socket.socket(fileno=parser.parse_args().fd)
    listener.setblocking(False)
    scratch = Path(settings.SCRATCH_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = os.fspath(scratch)
    server = Server(application, listener, threads=settings.WEB_THREADS)

    def end(number: int, frame: FrameType | None) -> None:
        streams.end()
        server.end(GRACE_SECONDS)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    server.run()


if __name__ == "__main__":
    main()
