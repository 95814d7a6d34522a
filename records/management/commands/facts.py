"""`manage.py facts`: show the state of facts, compare them with the games, or write them again."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.facts.current import count_left_out
from records.facts.refresh import find_due
from records.operations import facts_check

#: Maximum number of differences shown.
SHOWN = 10


class Command(BaseCommand):
    """A command with exit status 1 if a check finds a difference."""

    help = "Show, check or rebuild the facts for statistics, the explorer and open data."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--check``, ``--repair`` and ``--rebuild``."""
        way = parser.add_mutually_exclusive_group()
        way.add_argument(
            "--check",
            action="store_true",
            help="judge all games again and print every difference; changes nothing",
        )
        way.add_argument(
            "--rebuild",
            action="store_true",
            help="make all facts due again; workers write them, and old facts count until then",
        )
        parser.add_argument(
            "--repair",
            action="store_true",
            help="with --check: make games with differences due again",
        )

    def handle(self, *, check: bool, rebuild: bool, repair: bool, **options: Any) -> None:
        """Print figures, or the result of a check or a rebuild."""
        if repair and not check:
            raise CommandError("--repair goes with --check")
        if rebuild:
            self.stdout.write(f"due: {facts_check.rebuild()}")
        elif check:
            self.check_all(repair=repair)
        else:
            self.show_figures()

    def check_all(self, *, repair: bool) -> None:
        """Print the differences."""
        result = facts_check.check(self.show)
        for difference in result.differences[:SHOWN]:
            self.stdout.write(difference)
        self.stdout.write(f"\ndifferences: {len(result.differences)}")
        if repair:
            facts_check.repair_all(result)
        self.stdout.write(f"due: {find_due().count()}")
        if result.differences and not repair:
            sys.exit(1)

    def show_figures(self) -> None:
        """Print how many facts there are, by ruleset, and how many are due."""
        for ruleset, parts, games, rows, size in facts_check.count_by_ruleset():
            self.stdout.write(f"{ruleset}: {parts} parts, {games} games, {rows} rows, {size} bytes")
        self.stdout.write(f"due: {find_due().count()}")
        self.stdout.write(f"left out: {count_left_out()}")

    def show(self, games: int) -> None:
        """Show the progress of a check, in one line."""
        self.stdout.write(f"games: {games}", ending="\r")
        self.stdout.flush()
