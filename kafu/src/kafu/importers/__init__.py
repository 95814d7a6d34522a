"""Foreign logs -> games. `read_piece` reads any piece, recognised by content.

An importer is a module with ``recognises`` and ``convert``: one of a JSON format is listed in
`OF_JSON`, one of a text format in `OF_TEXT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from kafu.importers import koikoi_ai, open_hanafuda
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game
from kafu.notation.json.form import parse
from kafu.notation.reading.reader import Reading
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.pieces import read_kafu, warn_of_encoding


class JsonImporter(Protocol):
    """The interface of a module for one foreign JSON format."""

    def recognises(self, log: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a log of this format."""

    def convert(self, log: Mapping[str, Any]) -> Game:
        """The game of a log. Raises Malformed."""


class TextImporter(Protocol):
    """The interface of a module for one foreign text format."""

    def recognises(self, text: str) -> bool:
        """Whether a text begins as a log of this format does, and as no Kafu text can."""

    def convert(self, text: str, *, line: int) -> Game:
        """The game of a log whose first line is ``line`` of its file. Raises Malformed."""


OF_JSON: Final[tuple[JsonImporter, ...]] = (koikoi_ai,)
OF_TEXT: Final[tuple[TextImporter, ...]] = (open_hanafuda,)


def read_piece(piece: Piece) -> Reading:
    """The game of a piece: Kafu text, Kafu JSON or a foreign log. Never raises."""
    if piece.fault is None:
        warnings: list[Fault] = []
        try:
            game = _from_json(piece, warnings) if piece.form == "json" else _from_text(piece)
        except Malformed as malformed:
            fault = malformed.fault
            return Reading(None, fault if fault.line else fault.at((piece.line, 1)))
        if game is not None:
            return warn_of_encoding(piece, Reading(game, None, warnings))
    return read_kafu(piece)


def _from_json(piece: Piece, warnings: list[Fault]) -> Game | None:
    """The game of a JSON log; None for Kafu. Raises Malformed."""
    log = parse(piece.text(), line=piece.line, warn=warnings.append)
    for importer in OF_JSON:
        if importer.recognises(log):
            game = importer.convert(log)
            game.line = piece.line
            return game
    return None


def _from_text(piece: Piece) -> Game | None:
    """The game of a text log; None for Kafu. Raises Malformed."""
    text = piece.text()
    for importer in OF_TEXT:
        if importer.recognises(text):
            return importer.convert(text, line=piece.line)
    return None
