"""Reads a piece of a stream, in any form and encoding."""

from __future__ import annotations

import re
from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.json.form import read_json
from kafu.notation.reading.reader import Reading, place, read
from kafu.notation.reading.source import clip
from kafu.notation.stream.encoding import NAMES, UTF8
from kafu.notation.stream.extent import Piece
from kafu.notation.stream.wrapping import unwrapped

_PLAYER: Final = re.compile(r'^\W*Player[1-7]\s*["＂“](.+?)["＂”]', re.MULTILINE)
#: Characters of names in a warning.
_WIDTH: Final = 120
_OTHER: Final = re.compile(r"[^\x00-\x7f\ufeff]+")


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
    """``reading`` of ``piece``, with warnings in front if the piece was not UTF-8: that it was not,
    and the names in it, by which people see whether it was read rightly.
    """
    if piece.encoding == UTF8:
        return reading
    text = piece.text()
    values = {"encoding": NAMES.get(piece.encoding, piece.encoding)}
    warnings = [Fault(codes.DECODED, piece.line, 1, values=values)]
    other = _OTHER.search(text)
    if other is not None:
        names = _PLAYER.findall(text) or [other[0]]
        shown = {"names": clip(", ".join(names), _WIDTH)}
        warnings.append(
            Fault(codes.DECODED_NAMES, *place(text, other.start(), piece.line), values=shown)
        )
    reading.warnings[:0] = warnings
    return reading
