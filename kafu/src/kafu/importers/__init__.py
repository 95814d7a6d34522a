"""Foreign logs -> games. `read_piece` reads any piece, recognised by content.

An importer is a module with ``recognises`` and ``convert``: one of a JSON format is listed in
`OF_JSON`, one of a text format in `OF_TEXT`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from kafu.importers import koikoi_ai, open_hanafuda
from kafu.importers.notebook.sheet import recognises_text
from kafu.naming.reading import lettered
from kafu.naming.statements import is_in_words
from kafu.notation import codes
from kafu.notation.faults import Fault, Malformed
from kafu.notation.game import Game
from kafu.notation.json.form import parse
from kafu.notation.reading.reader import Reading, read
from kafu.notation.reading.tags import composed
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.pieces import read_kafu, warn_of_encoding
from kafu.notation.stream.wrapping import unwrapped
from kafu.rules import notebook_codes


class JsonImporter(Protocol):
    """The interface of a module for one foreign JSON format."""

    def recognises(self, log: Mapping[str, Any]) -> bool:
        """Whether a JSON object looks like a log of this format."""

    def convert(self, log: Mapping[str, Any], warn: Callable[[Fault], object]) -> Game:
        """The game of a log, as far as it goes; ``warn`` is called with each repair. Raises
        Malformed.
        """


class TextImporter(Protocol):
    """The interface of a module for one foreign text format."""

    def recognises(self, text: str) -> bool:
        """Whether a text begins as a log of this format does, and as no Kafu text can."""

    def convert(self, text: str, *, line: int) -> Game:
        """The game of a log whose first line is ``line`` of its file. Raises Malformed."""


OF_JSON: Final[tuple[JsonImporter, ...]] = (koikoi_ai,)
OF_TEXT: Final[tuple[TextImporter, ...]] = (open_hanafuda,)

#: What is wrong with Kafu where its cards are written by names.
_OF_NAMES: Final = frozenset(
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
    """The game of a piece: Kafu with letters or names for cards, Kafu JSON or a foreign log. Never
    raises.
    """
    if piece.fault is None:
        warnings: list[Fault] = []
        try:
            game = _from_json(piece, warnings) if piece.form == "json" else _from_text(piece)
        except Malformed as malformed:
            fault = malformed.fault
            return Reading(None, fault if fault.line else fault.at((piece.line, 1)))
        if game is not None:
            placed = [one if one.line else one.at((piece.line, 1)) for one in warnings]
            return warn_of_encoding(piece, Reading(game, None, placed))
    reading = read_kafu(piece)
    if _is_notebook(piece, reading):
        fault = Fault(notebook_codes.NOTEBOOK, piece.line, 1)
        return warn_of_encoding(piece, Reading(None, fault))
    if piece.form == "json":
        return reading
    if reading.fault is None:
        is_named = is_in_words(piece.text())
    else:
        is_named = reading.fault.code.id in _OF_NAMES
    return (_with_names(piece) if is_named else None) or reading


def _is_notebook(piece: Piece, reading: Reading) -> bool:
    """Whether a text that is no game is a score notebook, whose ruleset somebody has to choose."""
    is_strange = reading.fault is not None and reading.fault.code is codes.FIRST_TAG
    return is_strange and recognises_text(piece.text())


def _with_names(piece: Piece) -> Reading | None:
    """What a text is that cannot be read with letters, if its cards have names."""
    bare = unwrapped(piece.text(), line=piece.line)
    text = piece.text() if bare is None else bare.text
    try:
        found = lettered(text, line=piece.line)
    except Malformed as malformed:
        return warn_of_encoding(piece, Reading(None, malformed.fault))
    if found is None:
        return None
    reading = read(found.text, line=piece.line)
    if reading.game is not None:
        found.put_places(reading.game)
    fault = reading.fault
    if fault is not None and fault.line is not None and fault.column is not None:
        reading.fault = fault.at(found.place((fault.line, fault.column)))
    reading.warnings = [
        one.at(found.place((one.line, one.column))) if one.line and one.column else one
        for one in reading.warnings
    ]
    reading.warnings[:0] = found.warnings
    if bare is not None:
        reading.warnings.insert(0, bare.warning)
    return warn_of_encoding(piece, reading)


def _from_json(piece: Piece, warnings: list[Fault]) -> Game | None:
    """The game of a JSON log; None for Kafu. Raises Malformed."""
    log = parse(piece.text(), line=piece.line, warn=warnings.append)
    for importer in OF_JSON:
        if importer.recognises(log):
            game = importer.convert(log, warnings.append)
            game.line = piece.line
            game.players = tuple(map(composed, game.players))
            return game
    return None


def _from_text(piece: Piece) -> Game | None:
    """The game of a text log; None for Kafu. Raises Malformed."""
    text = piece.text()
    for importer in OF_TEXT:
        if importer.recognises(text):
            return importer.convert(text, line=piece.line)
    return None
