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
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain
from typing import BinaryIO, Final

from kafu.notation.stream import encoding as encodings
from kafu.notation.stream.cutjson import JSON_BEGINS, Segment, cut_json
from kafu.notation.stream.extent import (
    MAX_BROKEN_BYTES,
    Extent,
    Piece,
    binary_piece,
    text_piece,
)
from kafu.notation.stream.kinds import find_binary_fault
from kafu.notation.stream.wrapping import is_prose
from kafu.notation.vocabulary import MAX_GAME_BYTES

_BLOCK: Final = 1 << 16
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
    head, blocks = peek(iter(lambda: stream.read(_BLOCK), b""))
    if not is_text and find_binary_fault(head) is not None:
        extent = Extent(1, 0, sum(map(len, blocks)), 1, "kafu", encodings.BINARY)
        yield binary_piece(extent, head[:MAX_BROKEN_BYTES])
        return
    encoding = encodings.UTF8 if is_text else encodings.detect_file_encoding(head)
    decoder = None
    if encoding in encodings.UTF16:
        decoder = codecs.getincrementaldecoder(encoding)("surrogatepass")
        texts = map(decoder.decode, blocks)
        head, blocks = peek(text.encode("utf-8", "surrogatepass") for text in texts if text)
    blanks = _JSON_LOOK.match(head)
    is_json = JSON_BEGINS.match(head, blanks.end() if blanks else 0) is not None
    number, part = 1, _Part(0, 1, "json" if is_json else "kafu", encoding)
    for segment, begins in cut_json(blocks) if is_json else _cut_kafu(blocks):
        if begins:
            yield part.to_piece(number)
            number, part = number + 1, _Part(part.end, part.last_line, part.form, encoding)
        part.add(segment)
    loose = 0 if decoder is None else len(decoder.getstate()[0])
    yield part.to_piece(number, loose)


def single(data: bytes) -> Piece | None:
    """Return the piece of bytes with exactly one piece; None for several pieces."""
    pieces = cut(BytesIO(data))
    first = next(pieces)
    return first if next(pieces, None) is None else None


def peek(blocks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return enough of the first bytes to recognise a file, and all blocks."""
    first, count = [], 0
    for block in blocks:
        first.append(block)
        count += len(block)
        if count >= encodings.LOOK:
            break
    return b"".join(first), chain(first, blocks)


class _Part:
    """The part of a stream that becomes a piece: its position, and its bytes so far.

    Bytes far behind the limit are not stored.
    """

    def __init__(self, offset: int, line: int, form: str, encoding: str) -> None:
        self.offset = self.end = offset
        self.line = self.last_line = line
        self.form, self.encoding = form, encoding
        self.size = 0
        self.last_byte = b""
        self.segments: list[bytes] = []

    def add(self, segment: bytes) -> None:
        """Add the next bytes of the stream."""
        if self.size <= MAX_GAME_BYTES:
            self.segments.append(segment)
        self.size += len(segment)
        is_utf16 = self.encoding in encodings.UTF16
        self.end += encodings.utf16_length(segment) if is_utf16 else len(segment)
        self.last_line += segment.count(b"\n") + segment.count(b"\r") - segment.count(b"\r\n")
        self.last_line -= self.last_byte + segment[:1] == b"\r\n"
        self.last_byte = segment[-1:] or self.last_byte

    def to_piece(self, number: int, loose: int = 0) -> Piece:
        """Return the piece. ``loose`` bytes at the end of the stream form no character."""
        data, encoding = b"".join(self.segments), self.encoding
        if encoding == encodings.UTF8 and self.size <= MAX_GAME_BYTES:
            encoding = encodings.detect_piece_encoding(data)
        length = self.end + loose - self.offset
        extent = Extent(number, self.offset, length, self.line, self.form, encoding)
        return text_piece(extent, data, loose)


def _cut_kafu(blocks: Iterable[bytes]) -> Iterator[Segment]:
    """Yield Kafu text in segments, and whether each begins a piece."""
    #: The text that may still become part of a later piece; up to the first game, all text.
    text = b""
    begins = has_begun = False
    for lines in _split_lines(blocks):
        position, text = len(text), text + lines
        for row in lines.splitlines(keepends=True) if _MARK.search(lines) else ():
            begin = _BEGIN.match(row)
            if begin is not None and text[position - 1 : position] in (b"", b"\n", b"\r"):
                if position and (has_begun or not _is_part_of_piece(text[:position], begin[0])):
                    start = position - _measure_comments(text[:position])
                    yield text[:start], begins
                    position, text, begins = position - start, text[start:], True
                has_begun = True
            position += len(row)
        if has_begun or len(text) > MAX_GAME_BYTES:
            yield text[:-_LOOK_BACK], begins
            text, begins, has_begun = text[-_LOOK_BACK:], False, True
    yield text, begins


def _split_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of each block; a long line is divided."""
    unended = b""
    for block in blocks:
        lines = unended + block
        # A CR at the end may be the first half of a line end.
        end = max(lines.rfind(b"\n"), lines.rfind(b"\r", 0, -1)) + 1
        if len(lines) - end > _BLOCK:
            end = len(lines)
        yield lines[:end]
        unended = lines[end:]
    yield unended


def _is_part_of_piece(before: bytes, begin: bytes) -> bool:
    """Return whether text before the first game is part of its piece.

    Comments are, and other text unless it is a game.
    """
    if _ONLY_COMMENTS.fullmatch(before):
        return True
    is_short = begin.endswith(_TAG) and len(before) <= _MAX_TEXT_BEFORE
    return is_short and is_prose(before.decode(encodings.UTF8, "replace"))


def _measure_comments(text: bytes) -> int:
    """Return the length of the comment lines at the end of a text, if an empty line precedes them.

    Otherwise return 0. A comment that heads a game thus stays with the game, and a comment behind
    the last move stays with the previous game.
    """
    length = 0
    for row in reversed(text[-_LOOK_BACK:].splitlines(keepends=True)):
        if not row.strip(b" \t\f\r\n"):
            return length
        length += len(row)
        if length >= _LOOK_BACK or not _COMMENT_LINE.fullmatch(row):
            break
    return 0
