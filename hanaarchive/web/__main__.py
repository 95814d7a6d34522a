"""`python -m hanaarchive.web --fd=N`: one process of the web server, on a socket that it inherits.

`manage.py web` and `manage.py serve` open the socket and keep the processes alive.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import tempfile
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Final

from django.conf import settings

from hanaarchive.web.connections import GRACE_SECONDS, Server
from hanaarchive.wsgi import application
from records.intake import leftovers
from records.serving import streams

#: How often a web process removes what it need not keep on its machine. The sweep does it where
#: it runs, which may be another machine.
TIDY_SECONDS: Final = 600.0

logger: Final = logging.getLogger(__name__)


def tidy() -> None:
    """Remove what killed processes left on it."""
    try:
        leftovers.remove_local()
    except OSError as error:
        logger.warning("the directories of this machine are not tidied: %s", error)


def tidy_for_ever() -> None:
    """Tidy now and then."""
    while True:
        time.sleep(TIDY_SECONDS)
        tidy()


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
    threading.Thread(target=tidy_for_ever, daemon=True).start()
    server.run()


if __name__ == "__main__":
    main()
