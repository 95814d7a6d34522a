"""`manage.py backup DIRECTORY`: back up the database and the uploads of a running archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.operations.backup import BackupError, backup


class Command(BaseCommand):
    """A command that prints the directory and the contents of the backup."""

    help = "Back up the database and the uploads; the archive may keep running."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the target."""
        parser.add_argument("directory", type=Path, help="where each backup gets a new directory")

    def handle(self, *, directory: Path, **options: Any) -> None:
        """Make a backup."""
        try:
            target, manifest = backup(directory)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        games = manifest["counts"]["records_record"]
        self.stdout.write(f"{target}: {games} games, {manifest['files']} uploaded files")
