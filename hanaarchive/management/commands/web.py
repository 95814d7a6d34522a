"""`manage.py web`: run one process of the web server."""

import socket
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from hanaarchive.server import listen, serve, url_of
from records.operations.history import warn_of_newer


class Command(BaseCommand):
    """A command for serving until a signal."""

    help = "Serve pages and API until SIGTERM or Ctrl-C; open requests are finished."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address."""
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0: for other machines too")
        parser.add_argument("--port", type=int, default=8000, help="0: any free port")
        parser.add_argument("--fd", type=int, help="an inherited listening socket to use instead")

    def handle(self, *, host: str, port: int, fd: int | None, **options: Any) -> None:
        """Open or inherit the socket, then serve."""
        warn_of_newer()
        connection.close()  # Requests use the connections of their threads.
        if fd is None:
            listener = listen(host, port)
            self.stdout.write(f"listening at {url_of(host, listener)}")
            self.stdout.flush()
        else:
            listener = socket.socket(fileno=fd)
        # Imported here, because other commands need no pages.
        from hanaarchive.wsgi import application  # noqa: PLC0415

        serve(application, listener)
