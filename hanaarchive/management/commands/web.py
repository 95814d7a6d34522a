"""`manage.py web`: the web server alone, with HANA_WEB_PROCESSES processes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from hanaarchive.web.listening import listen, url_of, web_processes
from records.work.supervisor import Supervisor


class Command(BaseCommand):
    """Keeps the processes alive until a signal."""

    help = "Serve pages and API until SIGTERM or Ctrl-C; requests at hand are finished."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address."""
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0: for other machines too")
        parser.add_argument("--port", type=int, default=8000, help="0: any free one")

    def handle(self, *, host: str, port: int, **options: Any) -> None:
        """Listen, then run."""
        listener = listen(host, port)
        with web_processes(listener) as web:
            Supervisor(web, report=self.say).run(f"listening at {url_of(host, listener)}")

    def say(self, line: str) -> None:
        """Print a line, flushed: standard output may be a pipe."""
        self.stdout.write(line)
        self.stdout.flush()
