"""`manage.py backup DIRECTORY`: the database and the uploads, while the archive runs on."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.operations.backup import BackupError, backup


class Command(BaseCommand):
    """Prints the directory of the backup, and what is in it."""

    help = "Back up the database and the uploads; the archive may keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to."""
        parser.add_argument(
            "directory", type=Path, help="where each backup gets a directory of its own"
        )

    def handle(self, *, directory: Path, **options: Any) -> None:
        """Make one."""
        try:
            made, manifest = backup(directory)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        games = manifest["counts"]["records_record"]
        self.stdout.write(f"{made}: {games} games, {manifest['files']} uploaded files")
