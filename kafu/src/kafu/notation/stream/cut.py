"""Cut a byte stream into pieces with one game each, in constant memory.

In Kafu text, a line that begins with ``[Kafu``, quoted or not, starts a piece in every context, so
that a broken game never swallows its neighbour. The first line of a foreign text log also starts a
piece. Text before the first game belongs to the first piece, unless the text is a game itself. In
JSON, every top-level object is a piece (:mod:`kafu.notation.stream.cutjson`). Pieces tile the
stream: each begins at the end of the previous piece.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from io import BytesIO
from itertools import count
from typing import BinaryIO, Final

from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cutjson import JSON_BEGINS, JsonCutter
from kafu.notation.stream.extent import (
    MAX_BROKEN_BYTES,
    Extent,
    Piece,
    binary_piece,
    text_piece,
)
from kafu.notation.stream.kinds import find_binary_fault
from kafu.notation.stream.tape import Tape
from kafu.notation.stream.wrapping import is_prose
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: The number of bytes above a ``[Kafu`` tag that are searched for comment lines.
_LOOK_BACK: Final = 4096
#: The most bytes of other text before the first game of a file.
_MAX_TEXT_BEFORE: Final = 4 * _LOOK_BACK
_TAG: Final = b"Kafu"
#: The first line of a text log that `kafu.importers` reads.
_LOG: Final = b"Watch Start: P1="
#: A word that may be in the first line of a game.
_MARK: Final = re.compile(_TAG + b"|" + _LOG)
#: The beginning of the first line of a game: ``[Kafu`` behind blanks, invisible characters,
#: quotation marks and ends of files, in ASCII, UTF-8 and Shift_JIS; or a log behind a byte order
#: mark.
_BEGIN: Final = re.compile(
    rb"(?:[ \t\f>\x1a]|\xef\xbb\xbf|\xc2\xa0|\xe2\x80[\x80-\x8f\xaf]|\xe2\x81[\x9f\xa0]"
    rb"|\xe3\x80\x80|\x81\x40|\xef\xbc\x9e|\x81\x84){0,64}(?:\[|\xef\xbc\xbb|\x81\x6d)"
    + _TAG
    + rb"(?=[ \t\f\"\[\]]|\xc2\xa0|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
    rb"|\xef\xbc[\x82\xbb\xbd]|\x81[\x40\x68\x6d\x6e])"
    rb"|(?:\xef\xbb\xbf)?" + _LOG
)
#: The most bytes of a line in front of ``Kafu``, and the number of bytes behind that decide.
_BEFORE_LENGTH: Final = 3 * 64 + 4
_AFTER_LENGTH: Final = 4
#: Only blanks and comments. Without backtracking, the time is linear.
_ONLY_COMMENTS: Final = re.compile(
    rb"(?>(?:[ \t\f\r\n]++|\xef\xbb\xbf|\xe3\x80\x80|;[^\r\n]*+|\{[^}]*+\})*)"
)
_COMMENT_LINE: Final = re.compile(rb"[ \t\f]*(?:;[^\r\n]*|\{[^}\r\n]*\}[ \t\f]*)[\r\n]+")
#: Text allowed before JSON: blanks, and the first line of a code fence.
_JSON_LOOK: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?[ \t\f\r\n]*(?:(?:`{3,}|~{3,})[^\r\n]{0,64}[\r\n]+)?[ \t\f\r\n]*"
)


def cut(stream: BinaryIO, *, is_text: bool = False) -> Iterator[Piece]:
    """Yield the pieces of a file.

    A binary or compressed file is a single piece with a fault. ``is_text`` skips the check for
    binary data, for text known to be in an 8-bit encoding.

    :func:`kafu.notation.stream.extent.piece_at` reads a piece again by its extent.
    """
    tape = Tape(stream)
    tape.fill(encodings.LOOK)
    if not is_text and find_binary_fault(tape.buffer) is not None:
        head = tape.buffer[:MAX_BROKEN_BYTES]
        while tape.take(len(tape.buffer)) or not tape.ended:
            tape.fill()
        yield binary_piece(Extent(1, 0, tape.offset, 1, "kafu", encodings.BINARY), head)
        return
    file_encoding = encodings.UTF8 if is_text else encodings.detect_file_encoding(tape.buffer)
    utf16 = file_encoding if file_encoding in encodings.UTF16 else None
    if utf16 is not None:
        tape.transcode(codecs.getincrementaldecoder(utf16)("surrogatepass"))
    blanks = _JSON_LOOK.match(tape.buffer)
    is_json = JSON_BEGINS.match(tape.buffer, blanks.end() if blanks else 0) is not None
    form = "json" if is_json else "kafu"
    make_cutter: type[JsonCutter | _KafuCutter] = JsonCutter if is_json else _KafuCutter
    for number in count(1):
        offset, line = tape.offset, tape.line
        data, is_too_large = _take_piece(tape, make_cutter())
        # The encoding of an over-long piece is not detected.
        detect = not (utf16 or is_too_large)
        encoding = encodings.detect_piece_encoding(data) if detect else utf16 or encodings.UTF8
        extent = Extent(number, offset, tape.offset - offset, line, form, encoding)
        loose = tape.loose if tape.is_empty else 0
        yield text_piece(extent, data, loose=loose, is_too_large=is_too_large)
        if tape.is_empty:
            return


def single(data: bytes) -> Piece | None:
    """Return the piece of bytes with exactly one piece; None for several pieces."""
    pieces = cut(BytesIO(data))
    first = next(pieces)
    return first if next(pieces, None) is None else None


def _take_piece(tape: Tape, cutter: JsonCutter | _KafuCutter) -> tuple[bytes, bool]:
    """Take the next piece, usually one game; return its bytes and whether it is over-long.

    Without an end found by ``cutter``, the piece goes to the end of the stream. An over-long piece
    has only bytes of its beginning.
    """
    beginning = b""
    while True:
        end = cutter.find(tape)
        if end is None and tape.ended:
            end = len(tape.buffer)
        if end is not None:
            is_too_large = bool(beginning) or end > MAX_GAME_BYTES
            return beginning + tape.take(end), is_too_large
        if len(tape.buffer) > MAX_GAME_BYTES + 4 * _LOOK_BACK:
            beginning = (beginning + tape.drop(2 * _LOOK_BACK))[:MAX_BROKEN_BYTES]
        tape.fill()


class _KafuCutter:
    """A search for the end of a piece in Kafu text.

    A game ends before the next line that begins with ``[Kafu`` or with the mark of a text log.
    """

    def __init__(self) -> None:
        #: The searched length of the piece.
        self.searched = 0
        self.at_head = True

    def find(self, tape: Tape) -> int | None:
        """Return the length of the piece, or None if the end is not on the tape yet.

        A game begins with a line with only blanks, quotation marks and the like before the word.
        """
        buffer = tape.buffer
        self.searched = max(0, self.searched - tape.pop_dropped())
        for mark in _MARK.finditer(buffer, self.searched):
            position, word = mark.start(), mark[0]
            if word == _TAG and len(buffer) < mark.end() + _AFTER_LENGTH and not tape.ended:
                self.searched = position
                return None
            self.searched = mark.end()
            low = max(0, position - _BEFORE_LENGTH)
            start = max(buffer.rfind(b"\n", low, position), buffer.rfind(b"\r", low, position)) + 1
            # Without a line end nearby, only the first line of the stream is a line.
            is_line = start or not (low or tape.cut_short)
            begin = _BEGIN.match(buffer, start) if is_line else None
            if begin is None or begin.end() < mark.end():
                continue
            is_first = self.at_head and not tape.cut_short
            self.at_head = False
            if start and not (is_first and self._is_part_of_piece(buffer[:start], word)):
                return _include_comments_above(buffer, start)
        # The end of the buffer may be the beginning of a word.
        self.searched = max(self.searched, len(buffer) - len(_LOG) + 1)
        return None

    @staticmethod
    def _is_part_of_piece(before: bytes, word: bytes) -> bool:
        """Return whether text before the first game is part of its piece.

        Comments are, and other text unless it is a game.
        """
        if _ONLY_COMMENTS.fullmatch(before):
            return True
        is_short = word == _TAG and len(before) <= _MAX_TEXT_BEFORE
        return is_short and is_prose(before.decode(encodings.UTF8, "replace"))


def _include_comments_above(buffer: bytes, start: int) -> int:
    """Return the first comment line directly above ``start``, if an empty line precedes it.

    Otherwise return ``start``. A comment that heads a game thus stays with the game, and a comment
    behind the last move stays with the previous game.
    """
    if buffer[start - 2 : start] in (b"\n\n", b"\r\r") or buffer[start - 4 : start] == b"\r\n\r\n":
        return start
    low = max(0, start - _LOOK_BACK)
    above = start
    for row in reversed(buffer[low:start].splitlines(keepends=True)):
        if not row.strip(b" \t\f\r\n"):
            return above
        if above - len(row) <= low or not _COMMENT_LINE.fullmatch(row):
            return start
        above -= len(row)
    return start
