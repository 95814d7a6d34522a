"""`manage.py health`: check all parts; for operators and containers."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from records.jobs.processes import has_heartbeat
from records.models import Heartbeat
from records.operations.health import OK, parts


class Command(BaseCommand):
    """A command with exit status 0 if all is well."""

    help = "Print the state of each part of the archive; exit status 1 if a part fails."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the choice of all parts, or a single kind of local process."""
        parser.add_argument(
            "--here",
            choices=Heartbeat.Kind.values,
            help="check only for a heartbeat of such a process on this machine",
        )

    def handle(self, *, here: str | None, **options: Any) -> None:
        """Print a line a part."""
        if here is not None:
            try:
                states = {here: OK if has_heartbeat(here, here=True) else "away"}
            except DatabaseError:
                states = {"database": "away"}
        else:
            states = parts()
        for part, state in states.items():
            self.stdout.write(f"{part}: {state}")
        if any(state != OK for state in states.values()):
            raise CommandError("not all is well")
