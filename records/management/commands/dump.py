"""`manage.py dump`: all public games as files of open data."""

from argparse import ArgumentParser
from typing import Any

import duckdb
from django.core.management.base import BaseCommand, CommandError

from records.base import clock
from records.jobs.ledger import LeaseLost
from records.opendata import making, schedule


class Command(BaseCommand):
    """Makes one dump, by hand; the sweep makes that of a month when it is over."""

    help = "Make the open data of a month: every game that was public at its end."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the month."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--month",
            metavar="YYYY-MM",
            help="the month (default: the last); of the current month, what is public now",
        )
        which.add_argument(
            "--due", action="store_true", help="the last month, unless its dump exists"
        )
        parser.add_argument(
            "--first",
            action="store_true",
            help="with --due: if there is no dump at all, of the current month",
        )

    def handle(self, *, month: str | None, due: bool, first: bool, **options: Any) -> None:
        """Make the dump, at a lower priority than everything else on this machine."""
        now = clock.now()
        wanted = month or schedule.find_due_month(now, first=first)
        if wanted is None and due:
            return
        if wanted is None:
            raise CommandError(
                "the last month's dump exists, or no game was public then; name a --month"
            )
        try:
            begins_later = schedule.month_of(now) < wanted
            schedule.month_end(wanted)
        except ValueError:
            raise CommandError(f"--month: {wanted!r} is not a month such as 2026-10") from None
        if begins_later:
            raise CommandError(f"--month: {wanted} is in the future")
        try:
            made = making.make(wanted, self.show)
        except making.BeingMade as error:
            raise CommandError(str(error)) from None
        except (LeaseLost, OSError, duckdb.Error) as error:
            raise CommandError(f"the dump of {wanted} failed: {error}") from error
        self.stdout.write(f"{made.directory}: {made.manifest['counts']['games']} games")

    def show(self, games: int) -> None:
        """Show the progress, in one line."""
        self.stdout.write(f"\r{games} games", ending="")
        self.stdout.flush()
