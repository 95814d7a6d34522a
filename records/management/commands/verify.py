"""`manage.py verify PATH…`: replay games and print their verdicts (verdict.md)."""

import sys
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand

from kafu.cli.arguments import MAX_JOBS, whole
from kafu.cli.sources import games
from kafu.cli.terminal import Progress, piped, utf8
from kafu.cli.verifying import verify
from kafu.cli.words import ndjson, row


class Command(BaseCommand):
    """Needs no database and no key. Exit status: see ``help``."""

    help = (
        "Print a verdict for each game of the files. Exit status 0: every game is verified or "
        "consistent; 1: not every game; 2: a path cannot be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the paths, and how to print the verdicts."""
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input"
        )
        parser.add_argument("--format", choices=("ndjson", "table"), default="ndjson")
        parser.add_argument(
            "--lang", choices=("en", "ja"), default="en", help="language of messages"
        )
        parser.add_argument(
            "--jobs", type=whole(1, MAX_JOBS), default=1, metavar="N", help="processes to use"
        )

    def handle(
        self, *, paths: list[str], format: str, lang: str, jobs: int, **options: Any
    ) -> None:
        """Stream verdicts in the order of the games; paths that fail do not stop the others."""
        utf8(sys.stdout)
        utf8(sys.stderr)
        self.failed = False
        all_good = True
        show = ndjson if format == "ndjson" else partial(row, lang=lang)
        with piped(), Progress(shown=False) as progress:
            all_good = verify(games(paths, self.report), show, progress, lang=lang, jobs=jobs)
        if self.failed or not all_good:
            sys.exit(2 if self.failed else 1)

    def report(self, unreadable: str) -> None:
        """Report an unreadable path on standard error."""
        self.failed = True
        self.stderr.write(unreadable)
