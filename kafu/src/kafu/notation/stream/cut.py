"""A byte stream -> its pieces, one a game, in constant memory.

In Kafu text a line that begins with ``[Kafu`` starts a piece, whatever stands before it, so that a
broken game never swallows its neighbour; so does the first line of a foreign text log. In JSON
every top-level object is a piece (:mod:`kafu.notation.stream.cutjson`). Pieces tile the stream:
each begins where the one before it ends.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cutjson import JSON_BEGINS, JsonCutter
from kafu.notation.stream.tape import Tape, rows
from kafu.notation.vocabulary import MAX_GAME_BYTES

#: How much of an over-long piece is kept.
MAX_BROKEN_BYTES: Final = 4096
#: How far back comment lines above a ``[Kafu`` tag are looked for.
_LOOK_BACK: Final = 4096
#: Blanks and brackets before ``Kafu``, as ASCII, UTF-8 and Shift_JIS have them.
_BEFORE: Final = re.compile(
    rb"(?:[ \t\f]|\xef\xbb\xbf|\xe3\x80\x80|\x81\x40){0,64}(?:\[|\xef\xbc\xbb|\x81\x6d)"
)
_BEFORE_LENGTH: Final = 3 * 64 + 4
#: How the first line of a text log begins that `kafu.importers` reads.
_LOG: Final = b"Watch Start: P1="
_AFTER: Final = re.compile(
    rb"[ \t\f\"\[\]]|\xe3\x80\x80|\xef\xbc[\x82\xbb\xbd]|\x81[\x40\x68\x6d\x6e]"
)
#: Blanks and comments and nothing else; the pattern gives nothing back, so it is linear.
_ONLY_COMMENTS: Final = re.compile(
    rb"(?:[ \t\f\r\n]++|\xef\xbb\xbf|\xe3\x80\x80|;[^\r\n]*+|\{[^}]*+\})*+"
)
_COMMENT_LINE: Final = re.compile(rb"[ \t\f]*(?:;[^\r\n]*|\{[^}\r\n]*\}[ \t\f]*)[\r\n]+")
_JSON_LOOK: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\f\r\n]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one game (or of what should be one), and where they stand in their stream.

    ``number`` counts pieces and ``line`` lines from 1, ``offset`` and ``length`` are bytes.
    ``form`` is "kafu" or "json". ``encoding`` names the codec of ``data``, or is "binary". A piece
    with a ``fault`` cannot be read; of an over-long one ``data`` holds only the first bytes.
    """

    number: int
    offset: int
    length: int
    line: int
    form: str
    encoding: str
    data: bytes
    fault: Fault | None = None

    def text(self) -> str:
        """The piece as text; bytes that are none become U+FFFD (the piece has a fault then)."""
        codec = encodings.UTF8 if self.encoding == encodings.BINARY else self.encoding
        return self.data.decode(codec, "replace")


def cut(
    stream: BinaryIO,
    *,
    encoding: str | None = None,
    number: int = 1,
    line: int = 1,
    offset: int = 0,
) -> Iterator[Piece]:
    """The pieces of ``stream``, which holds a file or some consecutive pieces of it.

    For a file as a whole leave out ``encoding``; it is looked at first, and a binary or compressed
    one gives a single piece with a fault. For a range of a file that was cut before, give
    ``number``, ``line``, ``offset`` and ``encoding`` of its first piece: the same pieces
    come again.
    """
    tape = Tape(stream)
    tape.fill(encodings.LOOK)
    whole = encoding in (None, encodings.BINARY)
    found = encodings.of_file(tape.head()) if whole else encoding
    if whole and (found == encodings.BINARY or encodings.compression(tape.head())):
        yield _no_text(tape, number, line, offset)
        return
    if found in encodings.UTF16:
        tape.transcode(codecs.getincrementaldecoder(found)("surrogatepass"))
    blanks = _JSON_LOOK.match(tape.buffer)
    start = blanks.end() if blanks else 0
    is_json = JSON_BEGINS.match(tape.buffer, start) is not None
    find: Callable[[Tape], int | None] = JsonCutter().find if is_json else _KafuCutter().find
    while True:
        span = _next(tape, find)
        utf16 = found if found in encodings.UTF16 else None
        piece = _piece(span, number, offset, line, "json" if is_json else "kafu", utf16)
        yield piece
        number, offset, line = number + 1, offset + piece.length, line + span.rows
        if tape.ended and not tape.buffer:
            return


class _Span:
    """What was taken off the tape for one piece: all of it, or the beginning if it is over-long."""

    __slots__ = ("length", "loose", "parts", "rows", "too_large", "utf16")

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.length = self.utf16 = self.rows = self.loose = 0
        self.too_large = False

    def add(self, data: bytes, loose: int = 0) -> None:
        """Take ``data``; ``loose`` are bytes of the stream that stand for no text."""
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


def _next(tape: Tape, find: Callable[[Tape], int | None]) -> _Span:
    """The next piece: up to where ``find`` finds its end, or to the end of the stream."""
    span = _Span()
    while True:
        end = find(tape)
        if end is None and tape.ended:
            end = len(tape.buffer)
        if end is not None:
            span.too_large = span.too_large or end > MAX_GAME_BYTES
            last = tape.ended and end == len(tape.buffer)
            span.add(tape.take(end), tape.loose if last else 0)
            return span
        if len(tape.buffer) > MAX_GAME_BYTES + 4 * _LOOK_BACK:
            span.too_large = True
            span.add(tape.drop(2 * _LOOK_BACK))
        tape.fill()


def _piece(span: _Span, number: int, offset: int, line: int, form: str, utf16: str | None) -> Piece:
    data = b"".join(span.parts)
    fault, codec, length = None, encodings.UTF8, span.length
    if span.too_large:
        fault = Fault(codes.GAME_TOO_LARGE, line, 1, values={"limit": MAX_GAME_BYTES})
    elif not data:
        fault = Fault(codes.EMPTY, line, 1)
    else:
        codec, bad = encodings.of_piece(data) if utf16 is None else (utf16, _surrogate(data))
        if bad is None and span.loose:
            bad = len(data)
        if bad is not None:
            fault = Fault(codes.BAD_ENCODING, *_place(data, bad, line))
    if utf16 is not None:
        codec, length = utf16, span.utf16 + span.loose
        text = data.decode("utf-8", "ignore" if span.too_large else "surrogatepass")
        data = text.encode(utf16, "surrogatepass")
    return Piece(number, offset, length, line, form, codec, data, fault)


def _surrogate(data: bytes) -> int | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _place(data: bytes, position: int, line: int) -> tuple[int, int]:
    before = data[:position]
    row = max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
    return line + rows(before), len(before[row:].decode("utf-8", "replace")) + 1


def _no_text(tape: Tape, number: int, line: int, offset: int) -> Piece:
    """The one piece of a file that is no text; the rest of it is read only to know its length."""
    kind = encodings.compression(tape.head())
    head, length = tape.head()[:MAX_BROKEN_BYTES], len(tape.take(len(tape.buffer)))
    while not tape.ended:
        tape.fill()
        length += len(tape.take(len(tape.buffer)))
    fault = Fault(codes.COMPRESSED, values={"kind": kind}) if kind else Fault(codes.BINARY)
    return Piece(number, offset, length, line, "kafu", encodings.BINARY, head, fault)


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
            begins = self._begin(tape)
            if begins is None:
                return None
            at_head, self.at_head = self.at_head, False
            if begins == 0:
                continue
            if at_head and not tape.cut_short and self._only_comments(tape.buffer, begins):
                continue
            end = _with_comments_above(tape.buffer, begins)
            # The tag of the piece that follows is found again, at its head.
            self.searched, self.at_head = 0, True
            return end

    def _begin(self, tape: Tape) -> int | None:
        """Where the next ``[Kafu`` line (or log) begins, behind ``searched``."""
        buffer = tape.buffer
        while True:
            kafu = buffer.find(b"Kafu", self.searched)
            log = buffer.find(_LOG, self.searched, kafu if kafu >= 0 else len(buffer))
            if log >= 0:
                self.searched = log + len(_LOG)
                begins = log - 3 * buffer.endswith(b"\xef\xbb\xbf", 0, log)
                if buffer[begins - 1 : begins] in (b"\n", b"\r") or not (begins or tape.cut_short):
                    return begins
                continue
            if kafu < 0:
                self.searched = max(self.searched, len(buffer) - len(_LOG) + 1)
                return None
            if kafu + 8 > len(buffer) and not tape.ended:
                self.searched = kafu
                return None
            self.searched = kafu + 4
            if _AFTER.match(buffer, kafu + 4):
                low = max(0, kafu - _BEFORE_LENGTH)
                begins = max(buffer.rfind(b"\n", low, kafu), buffer.rfind(b"\r", low, kafu)) + 1
                # Without a line end near by it must be the first line of the stream.
                known = begins or not (low or tape.cut_short)
                if known and _BEFORE.fullmatch(buffer, begins, kafu):
                    return begins

    @staticmethod
    def _only_comments(buffer: bytes, end: int) -> bool:
        match = _ONLY_COMMENTS.fullmatch(buffer, 0, end)
        return match is not None


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
