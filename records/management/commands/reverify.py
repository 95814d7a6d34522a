"""`manage.py reverify`: judge the archive's games again with this version of the engine."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from records.operations.reverify import forget_all, outdated, reverify


class Command(BaseCommand):
    """Can be interrupted and started again; it continues where it stopped."""

    help = "Verify again every game that another version of the engine judged."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--all``."""
        parser.add_argument(
            "--all",
            action="store_true",
            help="every game, whichever version judged it (to resume, leave --all out)",
        )

    def handle(self, *, all: bool, **options: Any) -> None:
        """Show the progress, batch by batch."""
        total = forget_all() if all else outdated()
        done = 0
        for done in reverify():
            self.stdout.write(f"{done} of {total}", ending="\r")
            self.stdout.flush()
        self.stdout.write(f"verified again: {done}")
