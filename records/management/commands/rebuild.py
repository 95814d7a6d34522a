"""`manage.py rebuild`: rebuild the archive from the uploaded bytes."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.jobs.executor import run_in_child
from records.management.commands.ingest import summary
from records.operations import consistency, rebuild

#: Maximum number of differences and left-over games shown.
SHOWN = 50


class Command(BaseCommand):
    """A command that rebuilds in place, in a temporary database, or from bytes alone."""

    help = "Rebuild games, submissions and counts from the stored uploads."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the three modes."""
        way = parser.add_mutually_exclusive_group(required=True)
        way.add_argument(
            "--from-uploads",
            action="store_true",
            help="read and judge every upload again; addresses stay, and games remain visible",
        )
        way.add_argument(
            "--check",
            action="store_true",
            help="rebuild in a temporary database and print every difference; changes nothing",
        )
        way.add_argument(
            "--orphans",
            action="store_true",
            help="read stored bytes that belong to no upload (after a loss of the database, but "
            "not of the bytes); no web process may run",
        )

    def handle(self, *, from_uploads: bool, check: bool, orphans: bool, **options: Any) -> None:
        """Exit status 1 if a check finds a difference."""
        if check:
            self.check_all()
        elif orphans:
            count = len(list(rebuild.take_orphans()))
            run_in_child(lambda: rebuild.work(self.show))
            self.stdout.write(f"\ntaken in: {count}")
        else:
            self.stdout.write(f"games with corrected owners or visibility: {consistency.mend()}")
            rebuild.begin()
            run_in_child(lambda: rebuild.work(self.show))
            self.stdout.write(f"\nplayers counted anew: {rebuild.recount()}")
            lost = rebuild.find_left_over()
            self.stdout.write(f"games that no upload gives: {lost.count()}")
            for record in lost.only("key")[:SHOWN]:
                self.stdout.write(f"  {record.key}")

    def check_all(self) -> None:
        """Print the differences."""
        count = 0
        try:
            for count, difference in enumerate(rebuild.check(self.stdout.write), start=1):
                if count <= SHOWN:
                    self.stdout.write(difference)
        except rebuild.CheckFailed as error:
            raise CommandError(str(error), returncode=2) from None
        self.stdout.write(f"differences: {count}")
        if count:
            sys.exit(1)

    def show(self, progress: dict[str, Any]) -> None:
        """Show the progress of the current upload, in one line."""
        self.stdout.write(f"\r{summary(progress)}", ending="")
        self.stdout.flush()
