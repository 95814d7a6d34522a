"""Reading of a piece of a stream, in any form and encoding."""

from __future__ import annotations

import re
from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.json.form import explain_json, read_json
from kafu.notation.reading.reader import Reading, place, read
from kafu.notation.reading.source import clip
from kafu.notation.stream.encoding import NAMES, UTF8
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.wrapping import unwrap

#: The tag of a player, with the name. Line ends are unconverted.
_PLAYER: Final = re.compile(
    r'(?<![^\r\n])[^\w\r\n]*+Player[1-7][^\S\r\n]*+["＂“]([^"＂”\r\n]+)["＂”]'
)
#: The faults of a text that does not begin like a game.
_NO_GAME: Final = frozenset((codes.EMPTY, codes.FIRST_TAG, codes.BAD_TAG, codes.COMMENT_NOT_CLOSED))
#: The most characters of names in a warning.
_WIDTH: Final = 120
_NON_ASCII: Final = re.compile(r"[^\x00-\x7f\ufeff]+")


def read_kafu(piece: Piece) -> Reading:
    """Read a piece of Kafu, as text or JSON; never raises.

    Text with a fault is read a second time, without the text around the game.
    """
    if piece.fault is not None:
        return Reading(None, piece.fault)
    text = piece.text()
    if piece.form == "json":
        return warn_of_encoding(piece, read_json(text, line=piece.line))
    reading = read(text, line=piece.line)
    if (fault := reading.fault) is not None:
        game_text, warnings = unwrap(text, line=piece.line)
        if warnings:
            reading = read(game_text, line=piece.line)
            reading.warnings[:0] = warnings
        elif fault.code in _NO_GAME:
            reading.fault = explain_json(text, line=piece.line) or fault
    return warn_of_encoding(piece, reading)


def warn_of_encoding(piece: Piece, reading: Reading) -> Reading:
    """Add warnings in front of ``reading`` if the piece was not in UTF-8.

    The warnings state the detected encoding and the decoded names, so that users can check the
    result.
    """
    if piece.encoding == UTF8:
        return reading
    text = piece.text()
    encoding_values = {"encoding": NAMES.get(piece.encoding, piece.encoding)}
    warnings = [Fault(codes.DECODED, piece.line, 1, values=encoding_values)]
    match = _NON_ASCII.search(text)
    if match is not None:
        names = _PLAYER.findall(text) or [match[0]]
        values = {"names": clip(", ".join(names), _WIDTH)}
        warnings.append(
            Fault(codes.DECODED_NAMES, *place(text, match.start(), piece.line), values=values)
        )
    reading.warnings[:0] = warnings
    return reading
