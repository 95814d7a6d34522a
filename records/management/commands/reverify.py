"""`manage.py reverify`: judge the archive's games again with the current version of the engine."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from records.operations.reverify import count_outdated, forget_all, reverify


class Command(BaseCommand):
    """A command that can be interrupted and later continued."""

    help = "Verify again every game that another version of the engine judged."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--all``."""
        parser.add_argument(
            "--all",
            action="store_true",
            help="every game, judged by any version (omit --all to resume)",
        )

    def handle(self, *, all: bool, **options: Any) -> None:
        """Show the progress batch by batch, and each game with another status than before."""
        total = forget_all() if all else count_outdated()
        judged = changed = 0
        for judged, changes in reverify():
            for change in changes:
                code = f" ({change.code})" if change.code else ""
                self.stdout.write(f"{change.key}: {change.before}, now {change.after}{code}")
            changed += len(changes)
            self.stdout.write(f"{judged} of {total}", ending="\r")
            self.stdout.flush()
        self.stdout.write(f"verified again: {judged}, with another status: {changed}")
