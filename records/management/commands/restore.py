"""`manage.py restore DIRECTORY`: restore a backup of database and uploads into an empty archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records.operations.backup import BackupError, restore


class Command(BaseCommand):
    """A command that compares every count and upload with the backup, and fails at a difference."""

    help = "Restore a backup into an empty database and the directory of uploads."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the directory."""
        parser.add_argument("directory", type=Path, help="the directory printed by `backup`")

    def handle(self, *, directory: Path, **options: Any) -> None:
        """Restore the backup."""
        try:
            manifest = restore(directory)
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        games = manifest["counts"]["records_record"]
        self.stdout.write(
            f"restored as of {manifest['made']}: {games} games, {manifest['files']} uploads; "
            "every count and every upload is right"
        )
