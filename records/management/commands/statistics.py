"""`manage.py statistics`: check ratings, compute them again, or print definitions."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from records.statistics import ratings
from records.statistics.registry import definitions_table

#: Maximum number of differences shown.
SHOWN = 10


class Command(BaseCommand):
    """A command with exit status 1 if a check finds a difference."""

    help = "Compare ratings with the games, or compute them again."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the modes."""
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument(
            "--check",
            action="store_true",
            help="compute ratings again and print every difference; changes nothing",
        )
        way.add_argument(
            "--rebuild",
            action="store_true",
            help="make all ratings due; workers compute them",
        )
        way.add_argument(
            "--definitions",
            action="store_true",
            help="print the definition of each figure, for the table in docs/statistics.md",
        )

    def handle(self, *, definitions: bool, rebuild: bool, **options: Any) -> None:
        """Print the table or the differences, or rebuild."""
        if definitions:
            self.stdout.write(definitions_table())
            return
        if rebuild:
            ratings.forget()
            return
        count = 0
        for count, difference in enumerate(ratings.differences(), start=1):
            if count <= SHOWN:
                self.stdout.write(difference)
        self.stdout.write(f"differences: {count}")
        if count:
            sys.exit(1)
