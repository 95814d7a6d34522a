"""`manage.py statistics`: check the sums of statistics, rebuild them, or print definitions."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from records.models import GameTally, Record
from records.operations import totals_check
from records.statistics.definitions import table

#: Maximum number of differences shown.
SHOWN = 10


class Command(BaseCommand):
    """Exit status 1 if a check finds a difference."""

    help = "Compare the totals that statistics read with the games, or rebuild them."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the modes, and ``--replay``."""
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument(
            "--check",
            action="store_true",
            help="compute the totals again and print every difference; changes nothing",
        )
        way.add_argument(
            "--rebuild",
            action="store_true",
            help="rebuild the totals; storing games waits meanwhile, pages keep working",
        )
        way.add_argument(
            "--definitions",
            action="store_true",
            help="print what each figure is, as the table in docs/statistics.md",
        )
        parser.add_argument(
            "--replay",
            action="store_true",
            help="also judge every game again for what it adds",
        )

    def handle(self, *, definitions: bool, rebuild: bool, replay: bool, **options: Any) -> None:
        """Print what was found or done."""
        if definitions:
            self.stdout.write(table())
            return
        if rebuild:
            if replay:
                self.show("judged again", totals_check.refresh(), Record.objects.count())
            else:
                self.show("were missing", totals_check.fill(), totals_check.missing().count())
            self.show(
                "added up", totals_check.rebuild(), GameTally.objects.filter(counted=True).count()
            )
            return
        found = 0
        for found, difference in enumerate(totals_check.differences(replay=replay), start=1):
            if found <= SHOWN:
                self.stdout.write(difference)
        self.stdout.write(f"games: {GameTally.objects.filter(counted=True).count()}")
        self.stdout.write(f"differences: {found}")
        if found:
            sys.exit(1)

    def show(self, what: str, work: Iterator[int], total: int) -> None:
        """Show the progress of a pass over games, in one line."""
        done = 0
        for done in work:
            self.stdout.write(f"{done} of {total}", ending="\r")
            self.stdout.flush()
        self.stdout.write(f"{what}: {done}")
