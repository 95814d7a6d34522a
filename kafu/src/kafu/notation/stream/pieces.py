"""Reads a piece of a stream, in any form and encoding."""

from __future__ import annotations

from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.json.form import read_json
from kafu.notation.reading.reader import Reading, read
from kafu.notation.stream.encoding import SHIFT_JIS, UTF8
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.wrapping import unwrapped

_NAMES: Final = {SHIFT_JIS: "Shift_JIS", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


def read_kafu(piece: Piece) -> Reading:
    """Read a piece that holds Kafu, as text or JSON; never raises.

    Where a text cannot be read as it is, it is read without what stands around the game.
    """
    if piece.fault is not None:
        return Reading(None, piece.fault)
    text = piece.text()
    if piece.form == "json":
        return warn_of_encoding(piece, read_json(text, line=piece.line))
    reading = read(text, line=piece.line)
    bare = unwrapped(text, line=piece.line) if reading.fault is not None else None
    if bare is not None:
        reading = read(bare.text, line=piece.line)
        reading.warnings.insert(0, bare.warning)
    return warn_of_encoding(piece, reading)


def warn_of_encoding(piece: Piece, reading: Reading) -> Reading:
    """``reading`` of ``piece``, with a warning in front if the piece was not UTF-8."""
    if piece.encoding != UTF8:
        values = {"encoding": _NAMES.get(piece.encoding, piece.encoding)}
        reading.warnings.insert(0, Fault(codes.DECODED, piece.line, 1, values=values))
    return reading
