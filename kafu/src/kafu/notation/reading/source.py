"""The lines of a Kafu text: comments removed, full-width characters repaired, places retained.

A comment counts as a blank, even a comment over several lines. A *logical* line may therefore
consist of several lines of the text. Lines of plain ASCII without comments, nearly all lines, stay
unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import Any, Final, NoReturn, Protocol

from kafu.notation import codes
from kafu.notation.faults import Code, Fault, Malformed
from kafu.notation.game import Place
from kafu.notation.vocabulary import MAX_COMMENTS, MAX_GAME_BYTES, MAX_WARNINGS

#: Blanks between tokens. Line ends have been converted to LF before.
BLANKS: Final = " \t\f"
#: Other blanks, which are repaired.
WIDE_BLANKS: Final = (
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
#: Full-width characters and their ASCII replacements outside tag values and comments.
REPAIRS: Final[dict[int, str]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys(map(ord, WIDE_BLANKS), " "),
    ord("×"): "x",
    **dict.fromkeys(map(ord, "−‐‑‒–—―﹘﹣"), "-"),
}
#: Invisible characters: soft hyphens, zero-width blanks, marks of direction. Joiners, used by
#: several scripts and emoji, stay between characters that they can join.
INVISIBLE: Final = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0001-\U000e007f]"
    "|[\u200c\u200d](?![^\x00-\x7f])|(?<![^\x00-\x7f])[\u200c\u200d]"
)
_JOINER: Final = re.compile("[\u200c\u200d]")
# Invisible characters, and joiners and variation selectors in every context.
_UNSEEN_IN_STATEMENT: Final = re.compile(f"{INVISIBLE.pattern}|[\u200c\u200d\ufe00-\ufe0f]")
#: A character that `REPAIRS` replaces.
REPAIRABLE: Final = re.compile("[" + re.escape("".join(map(chr, REPAIRS))) + "]")
_OPEN: Final = re.compile("([{;｛；])")
# Skip the quoted value of a tag. The pattern takes linear time, because no match fails after its
# start.
_OPEN_IN_TAG: Final = re.compile(r'["＂][^"＂\\]*(?:\\.?[^"＂\\]*)*["＂]?|([{;｛；])')
_TAG_BEGINS: Final = re.compile(f"[{BLANKS}{WIDE_BLANKS}\ufeff\u200b-\u200f\u2060]*[\\[［]")
_CLOSE: Final = re.compile("}")
_WIDE_CLOSE: Final = re.compile("[}｝]")
#: More combining marks on a letter than any script uses.
_MOST_MARKS: Final = 30
#: The letters that decompose into marks and are no marks themselves.
_MARK_LETTERS: Final = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
_ASCII_SPACE: Final = re.compile("[ \t\n\f]+")
_WORD: Final = re.compile(r"\S+")
#: More columns than a line can have.
_COLUMNS: Final = 2 * MAX_GAME_BYTES


def collapse(text: str) -> str:
    """Return comment text as stored: trimmed, with runs of ASCII white space as one space."""
    return _ASCII_SPACE.sub(" ", text).strip(" ")


def is_one_line(text: str) -> bool:
    """Return whether a text has visible characters only, with joiners where they can join.

    >>> is_one_line("👩‍👧"), is_one_line("Aya\\u200d"), is_one_line("a\\nb")
    (True, False, False)
    """
    return INVISIBLE.search(text) is None and _JOINER.sub("", text).isprintable()


def has_piled_marks(text: str) -> bool:
    """Return whether a letter has more combining marks than any script uses.

    Such a text must not be normalized: Unicode normalization sorts the marks of a letter, which
    takes quadratic time.
    """
    count = 0
    for letter in text:
        is_mark = unicodedata.combining(letter) or letter in _MARK_LETTERS
        count = count + 1 if is_mark else 0
        if count > _MOST_MARKS:
            return True
    return False


def clip(text: str, width: int = 40) -> str:
    """Return ``text``, cut to ``width`` characters for a message."""
    return text if len(text) <= width else text[: width - 1] + "…"


class Warn(Protocol):
    """A collector of warnings."""

    def __call__(self, code: Code, place: Place, **values: Any) -> None:
        """Add a warning."""


def add_warning(warnings: list[Fault], code: Code, place: Place, **values: Any) -> None:
    """Add a warning; beyond the maximum, add only one note that more exist."""
    if len(warnings) < MAX_WARNINGS:
        warnings.append(Fault(code, *place, values=values))
    elif len(warnings) == MAX_WARNINGS:
        warnings.append(Fault(codes.MORE_WARNINGS, *place))


def fail(code: Code, place: Place | None, *expected: str, **values: Any) -> NoReturn:
    """Raise :class:`Malformed` for ``code`` at ``place``."""
    line, column = place or (None, None)
    raise Malformed(Fault(code, line, column, values=values, expected=expected))


@dataclass(slots=True)
class SourceLine:
    """A logical line: ``text`` without comments, and the source place of each position.

    ``places`` are the places of all positions, as line times `_COLUMNS` plus column, with the place
    of the end. They are None for a line without a comment.
    """

    text: str
    number: int
    tag: bool = False
    places: array[int] | None = None

    def at(self, position: int) -> Place:
        """Return line and column (from 1) of a position in ``text``."""
        if self.places is None:
            return self.number, position + 1
        return divmod(self.places[position], _COLUMNS)

    def list_places(self) -> array[int]:
        """Return the ``places``, also of a line without a comment."""
        return self.places or _count_places(self.number, 1, len(self.text) + 1)

    @staticmethod
    def join(lines: Sequence[SourceLine]) -> SourceLine:
        """Return several lines as one, with a blank for each line end."""
        if len(lines) == 1:
            return lines[0]
        places = array("Q")
        for line in lines:
            places += line.list_places()
        return SourceLine(" ".join([line.text for line in lines]), lines[0].number, places=places)

    def remove(self, spans: Sequence[tuple[int, int]]) -> None:
        """Remove parts of ``text``, given in order; source places stay correct."""
        if not spans:
            return
        text, places, self.places = self.text, self.list_places(), array("Q")
        edges = [0, *chain.from_iterable(spans), len(places)]
        stays = list(starmap(slice, zip(edges[::2], edges[1::2], strict=True)))
        self.text = "".join([text[part] for part in stays])
        for part in stays:
            self.places += places[part]

    def word(self, index: int, within: int = 0) -> Place:
        """Return the place of word ``index`` (from 0), or of a character ``within`` the word.

        Without such a word, return the end of the last word.
        """
        end = 0
        for number, match in enumerate(_WORD.finditer(self.text)):
            if number == index:
                return self.at(match.start() + within)
            end = match.end()
        return self.at(end)


class SourceLines:
    """An iterator of the logical lines of ``text``, except for blank rows.

    ``line`` is the number of the first line. Line ends must be LF. Raises Malformed for a comment
    that is not closed. ``comments`` are the words of the comments so far, with their places.
    Between two lines a reader may take rows from ``text`` itself: it then moves ``position`` and
    ``line`` to the row after them.
    """

    def __init__(self, text: str, line: int, warn: Warn) -> None:
        self.text = text if text.endswith("\n") else f"{text}\n"
        #: The start of the next row, and the row's number.
        self.position = 0
        self.line = line
        self._warn = warn
        self.comments: list[tuple[Place, str]] = []
        #: The number of comments, and of lines with a comment.
        self._count = 0

    def __iter__(self) -> SourceLines:
        return self

    def __next__(self) -> SourceLine:
        text, size = self.text, len(self.text)
        while self.position < size:
            end = text.index("\n", self.position)
            row = text[self.position : end]
            if not row or row.isspace():
                self.position, self.line = end + 1, self.line + 1
            elif row.isascii() and "{" not in row and ";" not in row:
                line = SourceLine(row, self.line, tag=row.lstrip(BLANKS).startswith("["))
                self.position, self.line = end + 1, self.line + 1
                return line
            else:
                line = self._read_logical_line(end)
                if not line.text.isascii():
                    _repair_line(line, self._warn)
                return line
        raise StopIteration

    def _read_logical_line(self, end: int) -> SourceLine:
        """Return the logical line that begins with the current row, which ends at ``end``."""
        text, number, start = self.text, self.line, self.position
        position, count = start, 1
        parts: list[str] = []
        places = array("Q")
        blank, tag = True, False
        while True:
            if blank:
                tag = _TAG_BEGINS.match(text, position, end) is not None
            opened = _find_comment(text, position, end, tag)
            part = text[position : end if opened < 0 else opened]
            parts.append(part)
            places += _count_places(number, position - start + 1, len(part) + 1)
            blank = blank and not part.strip()
            if opened < 0:
                break
            place = number, opened - start + 1
            if text[opened] in ";；":
                self._read_comment(opened + 1, end, place)
                break
            if count > MAX_COMMENTS + 1:
                fail(codes.TOO_MANY, place, limit=MAX_COMMENTS, statement="{}")
            closing = (_WIDE_CLOSE if text[opened] == "｛" else _CLOSE).search(text, opened)
            if closing is None:
                fail(codes.COMMENT_NOT_CLOSED, place, "}")
            closed = closing.start()
            self._read_comment(opened + 1, closed, place)
            rows = text.count("\n", opened, closed)
            if rows:
                number += rows
                start, end = text.rfind("\n", opened, closed) + 1, text.index("\n", closed)
            position = closed + 1
            count += 1
        line = SourceLine(" ".join(parts), self.line, tag, places)
        self.position, self.line = end + 1, number + 1
        self._count += count
        if self._count > MAX_COMMENTS:
            fail(codes.TOO_MANY, line.at(0), limit=MAX_COMMENTS, statement="{}")
        return line

    def _read_comment(self, begin: int, end: int, place: Place) -> None:
        """Add the words of the comment that opens at ``place``, before position ``begin``."""
        words = self.text[begin:end]
        if not words.isascii() and (match := INVISIBLE.search(words)):
            place_within = place[0], place[1] + 1
            self._warn(codes.INVISIBLE_CHARACTER, place_within, character=code_point(match[0]))
            words = INVISIBLE.sub("", words)
        if words := collapse(words):
            self.comments.append((place, words))


def _count_places(line: int, column: int, count: int) -> array[int]:
    """Return a number of places on a line, from a column on, as in `SourceLine`."""
    first = line * _COLUMNS + column
    return array("Q", range(first, first + count))


def _find_comment(text: str, position: int, end: int, tag: bool) -> int:
    matches = (_OPEN_IN_TAG if tag else _OPEN).finditer(text, position, end)
    return next((match.start() for match in matches if match[1]), -1)


def _repair_line(line: SourceLine, warn: Warn) -> None:
    pattern = INVISIBLE if line.tag else _UNSEEN_IN_STATEMENT
    if spans := [match.span() for match in pattern.finditer(line.text)]:
        start, _ = spans[0]
        warn(codes.INVISIBLE_CHARACTER, line.at(start), character=code_point(line.text[start]))
        line.remove(spans)
    if not line.tag and (match := REPAIRABLE.search(line.text)):
        warn_of_repair(match[0], line.at(match.start()), warn)
        line.text = line.text.translate(REPAIRS)


def code_point(character: str) -> str:
    """Return the name of a character that cannot be shown: ``U+200B``."""
    return f"U+{ord(character):04X}"


def warn_of_repair(character: str, place: Place, warn: Warn, read: str = "") -> None:
    """Warn that ``character`` was read as ``read``, or as its ASCII equivalent."""
    found = character if character.isprintable() else code_point(character)
    read = read or REPAIRS.get(ord(character), '"')
    warn(codes.CHARACTER_REPAIRED, place, found=found, read="a blank" if read == " " else read)
