"""`manage.py kafu fmt|hash|json|check PATH…`: the notation at the command line."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.notation.faults import Fault, caret
from kafu.notation.json.form import to_json
from records.batch import Sourced, games, utf8
from records.management.arguments import piped

ACTIONS = {
    "fmt": "print the games in canonical form",
    "hash": "print the identity of each game, and where it stands",
    "json": "print each game as one line of JSON",
    "check": "print only what is wrong or would be repaired",
}


class Command(BaseCommand):
    """Needs no database and no key."""

    help = (
        "Read games and print them: "
        + "; ".join(f"{name}: {what}" for name, what in ACTIONS.items())
        + ". Exit status 0: every game could be read; 1: not every game; 2: a path could not."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to do, and with which files."""
        parser.add_argument("action", choices=ACTIONS)
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", help="a file, a folder, or - for standard input"
        )
        parser.add_argument("--lang", choices=("en", "ja"), default="en", help="of messages")

    def handle(self, *, action: str, paths: list[str], lang: str, **options: Any) -> None:
        """Games go to standard output, what is wrong to standard error."""
        utf8(sys.stdout)
        utf8(sys.stderr)
        self.lang = lang
        self.status = 0
        count = 0
        with piped():
            for game in games(paths, self.unreadable):
                verification = verify(read_piece(game.piece), source=game.source)
                if verification.game is None:
                    self.status = self.status or 1
                    if verification.verdict.error is not None:
                        self.tell(game, verification.verdict.error, "error")
                    continue
                if action == "check":
                    for warning in verification.verdict.warnings:
                        self.tell(game, warning, "warning")
                else:
                    self.stdout.write(
                        self.shown(action, game, verification, first=count == 0), ending=""
                    )
                count += 1
        if self.status:
            sys.exit(self.status)

    def shown(self, action: str, game: Sourced, verification: Verification, *, first: bool) -> str:
        """One game in the form asked for, line end and all."""
        if action == "fmt":
            return verification.text if first else f"\n{verification.text}"
        if action == "hash":
            return f"{verification.verdict.identity}  {game.source}:{game.piece.line}\n"
        assert verification.game is not None
        return json.dumps(to_json(verification.game), ensure_ascii=False) + "\n"

    def unreadable(self, what: str) -> None:
        """What cannot be read is told on standard error."""
        self.status = 2
        self.stderr.write(what)

    def tell(self, game: Sourced, fault: Fault, kind: str) -> None:
        """A fault as compilers print it: place, message, and the line with a caret."""
        piece = game.piece
        line, column = fault.line or piece.line, fault.column or 1
        self.stderr.write(f"{game.source}:{line}:{column}: {kind}: {fault.message(self.lang)}")
        # Not splitlines(): a form feed or U+2028 ends no line of Kafu.
        lines = piece.text().replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if fault.column is not None and 0 <= line - piece.line < len(lines):
            self.stderr.write(caret(lines[line - piece.line], column))
