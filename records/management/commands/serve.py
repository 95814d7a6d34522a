"""`manage.py serve`: the whole archive on one machine, pages, API, worker and sweep."""

import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from records.supervisor import Child, Supervisor


class Command(BaseCommand):
    """Prepare the database, then keep the web server and the workers alive until told to end."""

    help = "Serve pages and API, with a worker beside; Ctrl-C ends it all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and for whom."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="for other machines too, ALLOWED_HOSTS must name us"
        )
        parser.add_argument("--port", type=int, default=8000, help="0: any free one")
        parser.add_argument(
            "--with-parent", action="store_true", help="end when the calling process ends"
        )

    def handle(self, *, host: str, port: int, with_parent: bool, **options: Any) -> None:
        """Listen first: a busy port is told before anything is written."""
        listener = listen(host, port)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("samples")
        supervisor = Supervisor(children(listener), report=self.say, with_parent=with_parent)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{listener.getsockname()[1]}/"
        supervisor.run(f"HanaArchive is at {url}  (Ctrl-C ends it)")
        self.say("ended")

    def say(self, line: str) -> None:
        """A line for people, at once: standard output may be a pipe."""
        self.stdout.write(line)
        self.stdout.flush()


def listen(host: str, port: int) -> socket.socket:
    """An open listening socket. Web servers inherit it, so that a restart loses no request.

    Raises CommandError, in one line, when the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CommandError(
            f"cannot listen on {host}, port {port}: {getattr(error, 'strerror', None) or error}; "
            "another can be chosen with --port (make run PORT=...)"
        ) from None
    return listener


def children(listener: socket.socket) -> list[Child]:
    """The web server on this socket, the worker and the sweep."""
    python = sys.executable
    web = [python, "-m", "gunicorn", "-c", "python:hanaarchive.web", "hanaarchive.wsgi"]
    web += [f"--bind=fd://{listener.fileno()}"]
    return [
        Child("web", web, pass_fds=(listener.fileno(),)),
        Child("worker", [python, "manage.py", "worker"]),
        Child("sweep", [python, "manage.py", "sweep", "--first-dump"]),
    ]
