"""Read games from logs of other programs. `read_piece` reads any format, recognised by content.

An importer is a module with the functions ``recognises`` and ``convert``. Importers of JSON formats
are listed in `OF_JSON`, importers of text formats in `OF_TEXT`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from kafu.importers import koikoi_ai, open_hanafuda
from kafu.importers.notebook.sheet import recognises_text
from kafu.naming.statements import has_names_like_letters
from kafu.naming.translation import to_letters
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game
from kafu.notation.json.form import parse
from kafu.notation.reading.reader import Reading, read
from kafu.notation.reading.tags import compose
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.pieces import read_kafu, warn_of_encoding
from kafu.notation.stream.wrapping import unwrap
from kafu.rules.codes import NOTEBOOK


class JsonImporter(Protocol):
    """The interface of a module for one foreign JSON format."""

    def recognises(self, log: Mapping[str, Any]) -> bool:
        """Return whether a JSON object looks like a log in the format of the module."""

    def convert(self, log: Mapping[str, Any], warn: Callable[[Fault], object]) -> Game:
        """Return the game of a possibly incomplete log; call ``warn`` for each repair.

        Raises Malformed.
        """


class TextImporter(Protocol):
    """The interface of a module for one foreign text format."""

    def recognises(self, text: str) -> bool:
        """Return whether a text begins like a log of the format, and unlike any Kafu text."""

    def convert(self, text: str, warn: Callable[[Fault], object], *, line: int) -> Game:
        """Return the game of a log; call ``warn`` for lines that are skipped.

        ``line`` is the number of the log's first line. Raises Malformed.
        """


#: A program may append its own.
OF_JSON: Final[list[JsonImporter]] = [koikoi_ai]
OF_TEXT: Final[list[TextImporter]] = [open_hanafuda]

#: The beginning of a saved web page.
_WEB_PAGE: Final = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)

#: Faults of Kafu texts that names of cards can cause.
_CAUSED_BY_NAMES: Final = frozenset(
    code.id
    for code in (
        codes.BAD_CARD,
        codes.BAD_TURN,
        codes.STATEMENT_FORM,
        codes.UNKNOWN_CARD_HERE,
        codes.UNKNOWN_STATEMENT,
    )
)


def read_piece(piece: Piece) -> Reading:
    """Read the game of a piece: Kafu with letters or names, Kafu JSON, or a log of a program.

    Errors are returned as faults of the reading.
    """
    if piece.fault is None:
        warnings: list[Fault] = []
        try:
            game = (_convert_json if piece.form == "json" else _convert_text)(piece, warnings)
        except Malformed as malformed:
            fault = malformed.fault
            return Reading(None, fault if fault.line else fault.at((piece.line, 1)))
        if game is not None:
            warnings = [fault if fault.line else fault.at((piece.line, 1)) for fault in warnings]
            return warn_of_encoding(piece, Reading(game, None, warnings))
    reading = read_kafu(piece)
    if _is_notebook(piece, reading):
        fault = Fault(NOTEBOOK, piece.line, 1)
        return warn_of_encoding(piece, Reading(None, fault))
    if piece.form == "json":
        return reading
    if _is_no_game(reading) and _WEB_PAGE.match(piece.text()):
        reading.fault = Fault(codes.DOCUMENT, piece.line, 1, values={"kind": "HTML"})
    if reading.fault is None:
        may_have_names = has_names_like_letters(piece.text())
    else:
        may_have_names = reading.fault.code.id in _CAUSED_BY_NAMES
    return (_read_names(piece) if may_have_names else None) or reading


def _is_notebook(piece: Piece, reading: Reading) -> bool:
    """Return whether a text is a score notebook, for which the user must choose a ruleset."""
    return _is_no_game(reading) and recognises_text(piece.text())


def _is_no_game(reading: Reading) -> bool:
    """Return whether a text does not begin as a game."""
    return reading.fault is not None and reading.fault.code is codes.FIRST_TAG


def _read_names(piece: Piece) -> Reading | None:
    """Read a text with names of cards; return None if it has none."""
    text, warnings = unwrap(piece.text(), line=piece.line)
    try:
        letter_text = to_letters(text, line=piece.line)
    except Malformed as malformed:
        return warn_of_encoding(piece, Reading(None, malformed.fault))
    if letter_text is None:
        return None
    reading = read(letter_text.text, line=piece.line)
    if reading.game is not None:
        letter_text.restore_places(reading.game)
    fault = reading.fault
    if fault is not None and fault.line is not None and fault.column is not None:
        reading.fault = fault.at(letter_text.source_place((fault.line, fault.column)))
    reading.warnings = [
        fault.at(letter_text.source_place((fault.line, fault.column)))
        if fault.line and fault.column
        else fault
        for fault in reading.warnings
    ]
    reading.warnings[:0] = [*warnings, *letter_text.warnings]
    return warn_of_encoding(piece, reading)


def _convert_json(piece: Piece, warnings: list[Fault]) -> Game | None:
    """Return the game of a JSON log, or None for Kafu. Raises Malformed."""
    log = parse(piece.text(), line=piece.line, warn=warnings.append)
    for importer in OF_JSON:
        if importer.recognises(log):
            game = importer.convert(log, warnings.append)
            game.line = piece.line
            game.players = tuple(compose(player).strip() for player in game.players)
            return game
    return None


def _convert_text(piece: Piece, warnings: list[Fault]) -> Game | None:
    """Return the game of a text log, or None for Kafu. Raises Malformed."""
    text = piece.text()
    for importer in OF_TEXT:
        if importer.recognises(text):
            return importer.convert(text, warnings.append, line=piece.line)
    return None
