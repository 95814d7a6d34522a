"""`kafu fmt|hash|json|check`: games read and written in another form."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, Final

from kafu.cli.selecting import Keep
from kafu.cli.sources import Sourced
from kafu.cli.terminal import Ink, Progress
from kafu.cli.words import format_fault, ndjson
from kafu.importers import read_piece
from kafu.judging.verify import Verification, verify
from kafu.naming.translation import to_names
from kafu.notation.faults import Fault
from kafu.notation.json.form import to_json
from kafu.rules.verdict import localise_fault

ACTIONS: Final = {
    "fmt": "print the games in canonical form",
    "hash": "print the identity and place of each game",
    "json": "print each game as one line of JSON",
    "check": "print only faults and repairs",
}


class Notation:
    """A command of `ACTIONS`: results go to standard output, faults to standard error.

    ``names`` is the language of the card names in the output of `fmt`, None for letters. ``keep``
    chooses the games, None for all. With ``objects`` all output goes to standard output, one JSON
    object per line.
    """

    def __init__(
        self,
        action: str,
        progress: Progress,
        *,
        lang: str,
        ink: Ink,
        objects: bool = False,
        names: str | None = None,
        keep: Keep | None = None,
    ) -> None:
        self.names, self.keep = names, keep
        self.action, self.progress, self.lang = action, progress, lang
        self.ink, self.objects = ink, objects

    def run(self, games: Iterable[Sourced]) -> bool:
        """Process all games, and return whether every game could be read."""
        all_read = True
        count = 0
        for game in games:
            verification = verify(
                read_piece(game.piece), source=game.source, number=game.piece.number
            )
            self.progress.step()
            if verification.game is None:
                all_read = False
                if verification.verdict.error is not None:
                    self._tell(game, verification.verdict.error, "error")
                continue
            if self.keep is not None and not self.keep(game, verification):
                continue
            if self.action == "check":
                for warning in verification.verdict.warnings:
                    self._tell(game, warning, "warning")
            else:
                sys.stdout.write(self._shown(game, verification, first=count == 0))
            count += 1
        return all_read

    def _shown(self, game: Sourced, verification: Verification, *, first: bool) -> str:
        """Return one game in the requested form, with its line end."""
        place = {"source": game.source, "line": game.piece.line}
        if self.action == "fmt":
            text = to_names(verification.text, self.names) if self.names else verification.text
            if self.objects:
                return f"{ndjson({**place, 'text': text})}\n"
            return text if first else f"\n{text}"
        identity = verification.verdict.identity
        if self.action == "hash":
            if self.objects:
                return f"{ndjson({**place, 'identity': identity})}\n"
            return f"{identity}  {game.source}:{game.piece.line}\n"
        assert verification.game is not None
        return json.dumps(to_json(verification.game), ensure_ascii=False) + "\n"

    def _tell(self, game: Sourced, fault: Fault, kind: str) -> None:
        if self.objects and self.action == "check":
            data: dict[str, Any] = {"source": game.source, "game": game.piece.number, "kind": kind}
            data |= localise_fault(fault.to_stored(), self.lang) or {}
            sys.stdout.write(f"{ndjson(data)}\n")
            return
        for line in format_fault(game, fault, kind, self.lang, self.ink):
            self.progress.report(line)
