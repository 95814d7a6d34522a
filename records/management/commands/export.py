"""`manage.py export`: write public games into a file, without a limit on their number."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.http import QueryDict

from kafu.cli.terminal import piped
from records.search import filters
from records.search.export import games, places
from records.search.export_file import ExportStillChanging, write_file
from records.search.export_forms import FORMS, write_games
from records.search.selection import GameSelection


class Command(BaseCommand):
    """A command that writes the files of the API's `records`, without a server."""

    help = "Write public games to a file or to standard output; resumes an interrupted export."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the filters of the list of games, the format and the target."""
        for name in filters.NAMES:
            repeat: Any = {"action": "append"} if name == "player" else {}
            parser.add_argument(
                f"--{name.replace('_', '-')}", dest=name, metavar="VALUE", default=None, **repeat
            )
        parser.add_argument("--format", choices=FORMS, default="kafu", dest="kind")
        parser.add_argument(
            "-o", "--output", metavar="FILE", help="output file (default: standard output)"
        )

    def handle(self, *, kind: str, output: str | None, **options: Any) -> None:
        """Write the selected games in the form ``kind`` to a file, or to standard output."""
        selected = selection(options)
        if output is None:
            with piped():
                for piece in write_games(kind, games(places(selected))):
                    sys.stdout.buffer.write(piece)
            return
        try:
            count = write_file(Path(output), kind, selected, self.show)
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror or error}", returncode=2) from error
        except ExportStillChanging as error:
            raise CommandError(f"{output}: {error}; run the command again", returncode=2) from None
        self.stderr.write(f"\r{count} games")

    def show(self, games: int) -> None:
        """Show the progress, in one line."""
        self.stderr.write(f"\r{games} games", ending="")
        self.stderr.flush()


def selection(options: dict[str, Any]) -> GameSelection:
    """Return the selection for command options. Raise CommandError for an invalid option."""
    query = QueryDict(mutable=True)
    for name in filters.NAMES:
        value = options[name]
        query.setlist(name, value if isinstance(value, list) else [value] if value else [])
    selected, faults = filters.read(query)
    if faults:
        message = "; ".join(
            f"--{fault.name.replace('_', '-')}: {fault.message}" for fault in faults
        )
        raise CommandError(message, returncode=2)
    return selected
