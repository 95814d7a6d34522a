"""`manage.py dump`: write all public games as files of open data."""

from argparse import ArgumentParser
from typing import Any

import duckdb
from django.core.management.base import BaseCommand, CommandError

from records.base import clock
from records.jobs.enqueue import BeingMade
from records.jobs.ledger import LeaseLost
from records.opendata import dump_job, schedule


class Command(BaseCommand):
    """A command that makes one dump by hand; the sweep makes the monthly dumps."""

    help = "Make the open data of a month: every game that was public at its end."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the month."""
        parser.add_argument(
            "--month",
            metavar="YYYY-MM",
            help="the month (default: the last); a dump of the current month has the games so far",
        )

    def handle(self, *, month: str | None, **options: Any) -> None:
        """Make the dump, at a lower priority than all other processes of the machine."""
        now = clock.now()
        target_month = month or schedule.find_due_month(now)
        if target_month is None:
            raise CommandError(
                "the last month's dump exists, or no game was public then; name a --month"
            )
        try:
            begins_later = schedule.month_of(now) < target_month
            schedule.month_end(target_month)
        except ValueError:
            raise CommandError(
                f"--month: {target_month!r} is not a month such as 2026-10"
            ) from None
        if begins_later:
            raise CommandError(f"--month: {target_month} is in the future")
        try:
            dump = dump_job.make(target_month, self.show)
        except BeingMade as error:
            raise CommandError(str(error)) from None
        except (LeaseLost, OSError, duckdb.Error, dump_job.StillChanging) as error:
            raise CommandError(f"the dump of {target_month} failed: {error}") from error
        self.stdout.write(f"{dump.directory}: {dump.manifest['counts']['games']} games")

    def show(self, games: int) -> None:
        """Show the progress, in one line."""
        self.stdout.write(f"\r{games} games", ending="")
        self.stdout.flush()
