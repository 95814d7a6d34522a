"""The lines of a Kafu text: comments removed, full-width characters repaired, places kept.

A comment counts as a blank, also if it spans lines, so a *logical* line may consist of several
lines of the text. Lines without comments and in plain ASCII, nearly all of them, are unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any, Final, NoReturn

from kafu.notation import codes
from kafu.notation.faults import Code, Fault, Malformed
from kafu.notation.game import Place
from kafu.notation.vocabulary import MAX_COMMENTS

Warn = Callable[[Fault], None]

#: Blanks between tokens. Line ends are LF by the time lines are made.
BLANKS: Final = " \t\f"
_SPACES: Final = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f"
#: Full-width characters read as ASCII outside tag values and comments, one for one.
REPAIRS: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, _SPACES + "\u205f\u3000\ufeff"), " "),
    ord("×"): "x",
    ord("−"): "-",
    ord("‐"): "-",
}
_REPAIRABLE: Final = re.compile("[" + re.escape("".join(map(chr, REPAIRS))) + "]")
_OPEN: Final = re.compile("[{;｛；]")
# In a tag the quoted value is skipped. The pattern never fails once it has begun: linear.
_OPEN_IN_TAG: Final = re.compile(r'["＂][^"＂\\]*(?:\\.?[^"＂\\]*)*["＂]?|([{;｛；])')
_TAG_BEGINS: Final = re.compile("[ \t\f\ufeff\u3000]*[\\[［]")
_WIDE_CLOSE: Final = re.compile("[}｝]")
_ASCII_SPACE: Final = re.compile("[ \t\n\f]+")
_WORD: Final = re.compile(r"\S+")


def collapse(text: str) -> str:
    """Comment text as it is stored: runs of ASCII white space as one space, none at the ends."""
    return _ASCII_SPACE.sub(" ", text).strip(" ")


def clip(text: str, width: int = 40) -> str:
    """``text`` short enough for a message."""
    return text if len(text) <= width else text[: width - 1] + "…"


def fail(code: Code, place: Place | None, *expected: str, **values: Any) -> NoReturn:
    """Raise :class:`Malformed` for ``code`` at ``place``."""
    line, column = place or (None, None)
    raise Malformed(Fault(code, line, column, values=values, expected=expected))


class SourceLine:
    """A logical line: ``text`` without comments, and where each position of it stands.

    ``comments`` are (position in ``text``, words); ``bends`` are (position, line, column) where the
    text continues after a comment. Both are None for a line that has no comment.
    """

    __slots__ = ("bends", "comments", "number", "tag", "text")

    def __init__(self, text: str, number: int, *, tag: bool = False) -> None:
        self.text = text
        self.number = number
        self.tag = tag
        self.comments: list[tuple[int, str]] | None = None
        self.bends: list[tuple[int, int, int]] | None = None

    def at(self, position: int) -> Place:
        """Line and column (from 1) of a position in ``text``."""
        if self.bends is None:
            return self.number, position + 1
        start, line, column = self.bends[bisect_right(self.bends, (position, 1 << 40)) - 1]
        return line, column + position - start

    def word(self, index: int) -> Place:
        """The place of the word number ``index`` (from 0), or of the end of the last one."""
        end = 0
        for number, match in enumerate(_WORD.finditer(self.text)):
            if number == index:
                return self.at(match.start())
            end = match.end()
        return self.at(end)


def lines(text: str, first: int, warn: Warn) -> Iterator[SourceLine]:
    """The logical lines of ``text`` that are not blank; ``first`` is the number of its first line.

    Line ends must be LF. Raises Malformed for a comment that is not closed.
    """
    rows = text.split("\n")
    index, count, comments = 0, len(rows), 0
    while index < count:
        row = rows[index]
        if not row or row.isspace():
            index += 1
            continue
        if row.isascii() and "{" not in row and ";" not in row:
            yield SourceLine(row, first + index, tag=row.lstrip(BLANKS).startswith("["))
            index += 1
            continue
        line, index = _logical(rows, index, first)
        comments += len(line.bends or ())
        if comments > MAX_COMMENTS:
            fail(codes.TOO_MANY, line.at(0), limit=MAX_COMMENTS, statement="{}")
        if not line.tag and not line.text.isascii():
            _repair(line, warn)
        if line.comments or line.text.strip():
            yield line


def _logical(rows: list[str], index: int, first: int) -> tuple[SourceLine, int]:
    """The logical line that begins at ``rows[index]``, and the index of the row after it."""
    row, position, length = rows[index], 0, 0
    parts: list[str] = []
    comments: list[tuple[int, str]] = []
    bends = [(0, first + index, 1)]
    blank, tag = True, False
    while True:
        if blank:
            tag = _TAG_BEGINS.match(row, position) is not None
        opened = _next_comment(row, position, tag)
        part = row[position:] if opened < 0 else row[position:opened]
        parts.append(part)
        length += len(part)
        blank = blank and not part.strip()
        if opened < 0:
            break
        if row[opened] in ";；":
            comments.append((length, collapse(row[opened + 1 :])))
            break
        if len(comments) > MAX_COMMENTS:
            fail(codes.TOO_MANY, (first + index, opened + 1), limit=MAX_COMMENTS, statement="{}")
        words, index, position = _braces(rows, index, opened, first)
        row = rows[index]
        comments.append((length, words))
        parts.append(" ")
        length += 1
        bends.append((length, first + index, position + 1))
    line = SourceLine("".join(parts), bends[0][1], tag=tag)
    line.comments = [comment for comment in comments if comment[1]]
    line.bends = bends
    return line, index + 1


def _next_comment(row: str, position: int, tag: bool) -> int:
    if not tag:
        match = _OPEN.search(row, position)
        return match.start() if match else -1
    for match in _OPEN_IN_TAG.finditer(row, position):
        if match[1]:
            return match.start()
    return -1


def _braces(rows: list[str], index: int, opened: int, first: int) -> tuple[str, int, int]:
    """The words of the comment opened at ``rows[index][opened]``; the row and position after it."""
    start, wide = index, rows[index][opened] == "｛"
    position, body = opened + 1, []
    while index < len(rows):
        row = rows[index]
        if wide:
            match = _WIDE_CLOSE.search(row, position)
            closed = match.start() if match else -1
        else:
            closed = row.find("}", position)
        if closed >= 0:
            body.append(row[position:closed])
            return collapse("\n".join(body)), index, closed + 1
        body.append(row[position:])
        index, position = index + 1, 0
    fail(codes.COMMENT_NOT_CLOSED, (first + start, opened + 1), "}")


def _repair(line: SourceLine, warn: Warn) -> None:
    match = _REPAIRABLE.search(line.text)
    if match is None:
        return
    repaired(match[0], line.at(match.start()), warn)
    line.text = line.text.translate(REPAIRS)


def repaired(character: str, place: Place, warn: Warn) -> None:
    """Warn that ``character`` was read as its ASCII equivalent."""
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    read = REPAIRS.get(ord(character), '"')
    values = {"found": shown, "read": "a blank" if read == " " else read}
    warn(Fault(codes.CHARACTER_REPAIRED, *place, values=values))
