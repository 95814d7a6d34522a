"""Foreign logs -> games. `read_piece` reads whatever a piece holds, recognised by content.

An importer is a module with ``recognises(log)`` and ``convert(log)``; it is listed in `IMPORTERS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from records.importers import koikoi_ai
from records.kafu.cut import Piece
from records.kafu.faults import Fault, Malformed
from records.kafu.game import Game
from records.kafu.jsonform import parse
from records.kafu.pieces import read_kafu, told_of_encoding
from records.kafu.reader import Reading


class Importer(Protocol):
    """What a module for one foreign format offers."""

    def recognises(self, log: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a log of this format."""

    def convert(self, log: Mapping[str, Any]) -> Game:
        """The game of a log. Raises Malformed."""


IMPORTERS: Final[tuple[Importer, ...]] = (koikoi_ai,)


def read_piece(piece: Piece) -> Reading:
    """The game of a piece: Kafu text, Kafu JSON or a foreign log. Never raises."""
    if piece.fault is None and piece.form == "json":
        try:
            warnings: list[Fault] = []
            log = parse(piece.text(), line=piece.line, warn=warnings.append)
            for importer in IMPORTERS:
                if importer.recognises(log):
                    game = importer.convert(log)
                    game.line = piece.line
                    return told_of_encoding(piece, Reading(game, None, warnings))
        except Malformed as malformed:
            fault = malformed.fault
            return Reading(None, fault if fault.line else fault.at((piece.line, 1)))
    return read_kafu(piece)
