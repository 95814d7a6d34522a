"""`manage.py kafu fmt|hash|json|check PATH…`: the notation on the command line."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from kafu.cli.notation import ACTIONS, Notation
from kafu.cli.sources import games
from kafu.cli.terminal import Ink, Progress, piped, utf8


class Command(BaseCommand):
    """Needs no database and no key."""

    help = (
        "Read games and print them: "
        + "; ".join(f"{name}: {what}" for name, what in ACTIONS.items())
        + ". Exit status 0: every game could be read; 1: not every game; 2: a path could not."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the action and the paths."""
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input"
        )
        parser.add_argument(
            "--lang", choices=("en", "ja"), default="en", help="language of messages"
        )
        parser.add_argument(
            "--names", choices=("en", "ja"), help="fmt writes names of cards in place of letters"
        )

    def handle(
        self, *, action: str, paths: list[str], lang: str, names: str | None, **options: Any
    ) -> None:
        """Games go to standard output, errors to standard error."""
        utf8(sys.stdout)
        utf8(sys.stderr)
        self.failed = False
        all_read = True
        ink = Ink(sys.stderr, "never")
        with piped(), Progress(shown=False) as progress:
            notation = Notation(action, progress, lang=lang, ink=ink, names=names)
            all_read = notation.run(games(paths, self.report))
        if self.failed or not all_read:
            sys.exit(2 if self.failed else 1)

    def report(self, unreadable: str) -> None:
        """Report an unreadable path on standard error."""
        self.failed = True
        self.stderr.write(unreadable)
