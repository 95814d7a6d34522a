"""`manage.py serve`: the whole archive on one machine, pages, API, worker and sweep."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from hanaarchive.server import listen, url_of
from hanaarchive.supervisor import Child, Supervisor
from records.ingest import leftovers


class Command(BaseCommand):
    """A command to prepare the database, then to supervise web server and workers."""

    help = "Serve pages and API, and run the workers; Ctrl-C ends all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address and the host names."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="to serve other machines too, set ALLOWED_HOSTS"
        )
        parser.add_argument("--port", type=int, default=8000, help="0: any free port")
        parser.add_argument(
            "--with-parent", action="store_true", help="end when the calling process ends"
        )

    def handle(self, *, host: str, port: int, with_parent: bool, **options: Any) -> None:
        """Open the port first, to report a busy port before any write, then start all processes.

        The web processes inherit the socket, to refuse no connection during a restart, and share
        request times through files.
        """
        listener = listen(host, port)
        url = url_of(host, listener)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("samples")
        os.environ.setdefault("HANA_URL", url)  # for the child processes
        manage = [sys.executable, "manage.py"]
        fd = listener.fileno()
        with leftovers.temporary("hana-metrics-") as metrics:
            os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", metrics)
            children = [
                *(
                    Child(f"web {number}", [*manage, "web", f"--fd={fd}"], pass_fds=(fd,))
                    for number in range(1, settings.WEB_PROCESSES + 1)
                ),
                Child("worker", [*manage, "worker"]),
                Child("sweep", [*manage, "sweep", "--first-dump"]),
            ]
            supervisor = Supervisor(children, report=self.say, with_parent=with_parent)
            supervisor.run(f"HanaArchive is at {url}/  (Ctrl-C ends it)")
        self.say("ended")

    def say(self, line: str) -> None:
        """Print a line, flushed: standard output may be a pipe."""
        self.stdout.write(line)
        self.stdout.flush()
