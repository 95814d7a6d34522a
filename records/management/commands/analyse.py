"""`manage.py analyse KEY|PATH…`: analyse the choices of games."""

import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand

from kafu.cli.analysing import analyse, print_analysis
from kafu.cli.arguments import add_analysis_arguments
from kafu.cli.sources import read_games as files
from kafu.cli.terminal import Progress, piped, utf8
from kafu.notation.reading.reader import read
from records.base.keys import ALPHABET
from records.models import Record
from records.services.analyses import NoCards, make

#: The form of a game's key.
_KEY: Final = re.compile(f"[{ALPHABET}]{{8,44}}")


class Command(BaseCommand):
    """A command that analyses and stores archived games, or analyses games of files.

    Files need no database.
    """

    help = (
        "Analyse games of the archive by their keys, or those of files. Exit status 0: every game "
        "was analysed; 1: not every game; 2: a path could not be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add keys or paths, and how to print."""
        parser.add_argument("games", nargs="+", metavar="KEY|PATH")
        parser.add_argument("--format", choices=("ndjson", "table"), default="table")
        parser.add_argument(
            "--lang", choices=("en", "ja"), default="en", help="language of messages"
        )
        add_analysis_arguments(parser)

    def handle(
        self,
        *,
        games: list[str],
        format: str,
        lang: str,
        seed: int,
        deals: int | None,
        **options: Any,
    ) -> None:
        """Print the analyses in the order of the games."""
        utf8(sys.stdout)
        utf8(sys.stderr)
        objects = format == "ndjson"
        self.failed = False
        good = True
        with piped(), Progress(shown=not sys.stdout.isatty()) as progress:
            for name in games:
                if _KEY.fullmatch(name) and not Path(name).exists():
                    good &= self._stored(name, lang, objects=objects)
                    continue
                game_files = files([name], self.report)
                good &= analyse(
                    game_files, progress, lang=lang, objects=objects, seed=seed, most=deals
                )
        if self.failed or not good:
            sys.exit(2 if self.failed else 1)

    def _stored(self, key: str, lang: str, *, objects: bool) -> bool:
        record = Record.objects.filter(key=key).first()
        if record is None:
            self.report(f"{key}: no game of the archive has this key")
            return False
        try:
            analysis = make(record)
        except NoCards:
            self.stderr.write(f"{key}: there are no cards that could be analysed")
            return False
        game = read(record.text).game
        assert game is not None, "it was analysed"
        print_analysis({"source": key, "line": 1}, game, analysis, lang, objects=objects)
        return True

    def report(self, unreadable: str) -> None:
        """Report an unreadable path on standard error."""
        self.failed = True
        self.stderr.write(unreadable)
