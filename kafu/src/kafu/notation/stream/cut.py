"""A byte stream -> its pieces, one a game, in constant memory.

In Kafu text a line that begins with ``[Kafu``, quoted or not, starts a piece, whatever stands
before it, so that a broken game never swallows its neighbour; so does the first line of a foreign
text log. Text before the first game that is no game itself belongs to its piece. In JSON every
top-level object is a piece (:mod:`kafu.notation.stream.cutjson`). Pieces tile the stream: each
begins where the one before it ends.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import BinaryIO, Final

from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cutjson import JSON_BEGINS, JsonCutter
from kafu.notation.stream.extent import (
    MAX_BROKEN_BYTES,
    Extent,
    Piece,
    fault_of_no_text,
    no_text,
    text_piece,
)
from kafu.notation.stream.tape import Tape, rows
from kafu.notation.stream.wrapping import is_prose
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: Bytes in which comment lines above a ``[Kafu`` tag are looked for.
_LOOK_BACK: Final = 4096
#: Bytes of other text that a file may have before its first game.
_MOST_BEFORE: Final = 4 * _LOOK_BACK
#: Blanks, invisible characters, quotation marks, ends of files and brackets before ``Kafu``, as
#: ASCII, UTF-8 and Shift_JIS have them.
_BEFORE: Final = re.compile(
    rb"(?:[ \t\f>\x1a]|\xef\xbb\xbf|\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xe3\x80\x80|\x81\x40"
    rb"|\xef\xbc\x9e|\x81\x84){0,64}"
    rb"(?:\[|\xef\xbc\xbb|\x81\x6d)"
)
_BEFORE_LENGTH: Final = 3 * 64 + 4
_BOM: Final = b"\xef\xbb\xbf"
_TAG: Final = b"Kafu"
#: The first line of a text log that `kafu.importers` reads.
_LOG: Final = b"Watch Start: P1="
_AFTER: Final = re.compile(
    rb"[ \t\f\"\[\]]|\xe3\x80\x80|\xef\xbc[\x82\xbb\xbd]|\x81[\x40\x68\x6d\x6e]"
)
#: Bytes after ``Kafu`` that are needed to decide, in any encoding.
_AFTER_LENGTH: Final = 4
#: Blanks and comments and nothing else; no backtracking, so it is linear.
_ONLY_COMMENTS: Final = re.compile(
    rb"(?>(?:[ \t\f\r\n]++|\xef\xbb\xbf|\xe3\x80\x80|;[^\r\n]*+|\{[^}]*+\})*)"
)
_COMMENT_LINE: Final = re.compile(rb"[ \t\f]*(?:;[^\r\n]*|\{[^}\r\n]*\}[ \t\f]*)[\r\n]+")
#: What may stand before JSON: blanks, and the first line of a code fence.
_JSON_LOOK: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?[ \t\f\r\n]*(?:(?:`{3,}|~{3,})[^\r\n]{0,64}[\r\n]+)?[ \t\f\r\n]*"
)


def cut(stream: BinaryIO, *, is_text: bool = False) -> Iterator[Piece]:
    """The pieces of a file. One that is binary or compressed is a single piece with a fault; where
    it ``is_text``, in an 8-bit encoding, that is not asked.

    Each can be read again by its place alone: :func:`kafu.notation.stream.extent.piece_at`.
    """
    tape = Tape(stream)
    tape.fill(encodings.LOOK)
    found = encodings.UTF8 if is_text else encodings.of_file(tape.head())
    if not is_text and fault_of_no_text(tape.head()) is not None:
        yield _no_text(tape)
        return
    utf16 = found if found in encodings.UTF16 else None
    if utf16 is not None:
        tape.transcode(codecs.getincrementaldecoder(utf16)("surrogatepass"))
    blanks = _JSON_LOOK.match(tape.buffer)
    is_json = JSON_BEGINS.match(tape.buffer, blanks.end() if blanks else 0) is not None
    form = "json" if is_json else "kafu"
    find: Callable[[Tape], int | None] = JsonCutter().find if is_json else _KafuCutter().find
    number, offset, line = 1, 0, 1
    while True:
        taken = _next(tape, find)
        data = b"".join(taken.parts)
        length = taken.length if utf16 is None else taken.utf16 + taken.loose
        extent = Extent(number, offset, length, line, form, utf16 or _codec(data, taken))
        yield text_piece(extent, data, loose=taken.loose, is_too_large=taken.too_large)
        number, offset, line = number + 1, offset + length, line + taken.rows
        if tape.ended and not tape.buffer:
            return


def single(data: bytes) -> Piece | None:
    """The piece of some bytes that have exactly one; None where there is another."""
    pieces = cut(BytesIO(data))
    first = next(pieces)
    return first if next(pieces, None) is None else None


class _PieceBytes:
    """The bytes of one piece: all of it, or the beginning if it is over-long."""

    __slots__ = ("length", "loose", "parts", "rows", "too_large", "utf16")

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.length = self.utf16 = self.rows = self.loose = 0
        self.too_large = False

    def add(self, data: bytes, loose: int = 0) -> None:
        """Add ``data``; ``loose`` are bytes of the stream that make no text."""
        self.loose += loose
        self.length += len(data)
        self.utf16 += encodings.utf16_length(data)
        self.rows += rows(data)
        if not self.too_large:
            self.parts.append(data)
        elif self.parts:
            self.parts = [b"".join([*self.parts, data])[:MAX_BROKEN_BYTES]]
        else:
            self.parts = [data[:MAX_BROKEN_BYTES]]


def _next(tape: Tape, find: Callable[[Tape], int | None]) -> _PieceBytes:
    """The next piece: up to where ``find`` finds its end, or to the end of the stream."""
    taken = _PieceBytes()
    while True:
        end = find(tape)
        if end is None and tape.ended:
            end = len(tape.buffer)
        if end is not None:
            taken.too_large = taken.too_large or end > MAX_GAME_BYTES
            last = tape.ended and end == len(tape.buffer)
            taken.add(tape.take(end), tape.loose if last else 0)
            return taken
        if len(tape.buffer) > MAX_GAME_BYTES + 4 * _LOOK_BACK:
            taken.too_large = True
            taken.add(tape.drop(2 * _LOOK_BACK))
        tape.fill()


def _codec(data: bytes, taken: _PieceBytes) -> str:
    """The encoding of a piece; not determined for an over-long one."""
    return encodings.UTF8 if taken.too_large else encodings.of_piece(data)


def _no_text(tape: Tape) -> Piece:
    """The one piece of a file that is not text; the rest of it is read only to know its length."""
    head, length = tape.head()[:MAX_BROKEN_BYTES], len(tape.take(len(tape.buffer)))
    while not tape.ended:
        tape.fill()
        length += len(tape.take(len(tape.buffer)))
    return no_text(Extent(1, 0, length, 1, "kafu", encodings.BINARY), head)


class _KafuCutter:
    """Finds where a game of Kafu text ends: before the next line that begins with ``[Kafu`` (or
    before a text log).
    """

    def __init__(self) -> None:
        #: Up to where the present piece has been searched.
        self.searched = 0
        self.at_head = True

    def find(self, tape: Tape) -> int | None:
        """The length of the present piece, None for "beyond what is on the tape"."""
        self.searched = max(0, self.searched - tape.dropped())
        while True:
            found = self._begin(tape)
            if found is None:
                return None
            begins, word = found
            at_head, self.at_head = self.at_head, False
            if begins == 0:
                continue
            if at_head and not tape.cut_short and self._belongs(tape.buffer[:begins], word):
                continue
            end = _with_comments_above(tape.buffer, begins)
            # The tag of the next piece is found again, at its head.
            self.searched, self.at_head = 0, True
            return end

    def _begin(self, tape: Tape) -> tuple[int, bytes] | None:
        """Where the next game begins, behind ``searched``, and the word in its first line; None for
        "beyond what is on the tape".

        That is the beginning of a line that has nothing before its mark but what may be there.
        """
        while (mark := self._next_mark(tape)) is not None:
            position, word = mark
            self.searched = position + len(word)
            begins = (_line_of_tag if word == _TAG else _line_of_log)(tape, position)
            if begins is not None:
                return begins, word
        return None

    def _next_mark(self, tape: Tape) -> tuple[int, bytes] | None:
        """The next word that may begin a game, the tag's or a log's, and its position.

        None if more of the stream is needed; ``searched`` is where to continue then.
        """
        buffer = tape.buffer
        tag = buffer.find(_TAG, self.searched)
        log = buffer.find(_LOG, self.searched, len(buffer) if tag < 0 else tag)
        if log >= 0:
            return log, _LOG
        if tag < 0:
            # The end of the buffer may be the beginning of a word.
            self.searched = max(self.searched, len(buffer) - len(_LOG) + 1)
            return None
        if len(buffer) < tag + len(_TAG) + _AFTER_LENGTH and not tape.ended:
            self.searched = tag
            return None
        return tag, _TAG

    @staticmethod
    def _belongs(before: bytes, word: bytes) -> bool:
        """Whether what stands before the first game is a part of its piece: comments, or text that
        is no other game.
        """
        if _ONLY_COMMENTS.fullmatch(before):
            return True
        is_short = word == _TAG and len(before) <= _MOST_BEFORE
        return is_short and is_prose(before.decode(encodings.UTF8, "replace"))


def _line_of_tag(tape: Tape, position: int) -> int | None:
    """Where the line begins that has ``[Kafu`` in front, of a ``Kafu`` at ``position``."""
    buffer = tape.buffer
    if not _AFTER.match(buffer, position + len(_TAG)):
        return None
    low = max(0, position - _BEFORE_LENGTH)
    begins = max(buffer.rfind(b"\n", low, position), buffer.rfind(b"\r", low, position)) + 1
    # Without a line end near by it must be the first line of the stream.
    is_line = begins or not (low or tape.cut_short)
    return begins if is_line and _BEFORE.fullmatch(buffer, begins, position) else None


def _line_of_log(tape: Tape, position: int) -> int | None:
    """Where the line begins whose first words, behind a byte order mark, are a log's."""
    buffer = tape.buffer
    begins = position - len(_BOM) * buffer.endswith(_BOM, 0, position)
    is_first = begins == 0 and not tape.cut_short
    return begins if is_first or buffer[begins - 1 : begins] in (b"\n", b"\r") else None


def _with_comments_above(buffer: bytes, begins: int) -> int:
    """``begins``, or the first of the comment lines right above it if an empty line precedes them.

    So a comment that heads a game goes with it, and one behind the last move of a game stays there.
    """
    if (
        buffer[begins - 2 : begins] in (b"\n\n", b"\r\r")
        or buffer[begins - 4 : begins] == b"\r\n\r\n"
    ):
        return begins
    low = max(0, begins - _LOOK_BACK)
    above = begins
    for row in reversed(buffer[low:begins].splitlines(keepends=True)):
        if not row.strip(b" \t\f\r\n"):
            return above
        if above - len(row) <= low or not _COMMENT_LINE.fullmatch(row):
            return begins
        above -= len(row)
    return begins
