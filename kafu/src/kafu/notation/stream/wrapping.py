"""Text around a game in messages: quotation marks of mails, fences and tags of chats, signatures.

All text outside the game is replaced by blanks, so that lines and columns stay as in the sender's
text. A line that could be Kafu is never skipped.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final

from kafu.notation import codes
from kafu.notation.faults import Fault
from kafu.notation.reading.movetext import CIRCLED
from kafu.notation.reading.statements import FORMS

_LINE_END: Final = re.compile(r"\r\n|\r")
#: Characters at the beginning of quoted lines, before or after blanks.
QUOTES: Final = ">＞"
_QUOTED: Final = re.compile(rf"(?:[ \t]*[{QUOTES}])+[ \t]?")
_MARK: Final = re.compile(rf"[{QUOTES}]")
_BEGINS: Final = re.compile(
    rf'[ \t\f\x1a\ufeff\u3000{QUOTES}]{{0,64}}[\[［](?i:kafu)(?=[ \t\f\u3000"＂\]］])'
)
#: A line that only frames text: a code fence, or a tag of BBCode or HTML.
_FENCE: Final = re.compile(
    r" {0,3}(?:`{3,}[^`]*|~{3,}.*)"
    r"|\s*(?:\[/?(?:code|quote|pre|spoiler)(?:=[^\]]*)?\]|</?(?:pre|code|blockquote|p|div|br|body|html|td|tr|table)\b[^>]*>)+\s*",
    re.IGNORECASE,
)
#: The beginning of a game copied from a cell of a spreadsheet, which doubles quotes, and its tags.
_CELL: Final = re.compile(r'\s*"(?=[\[［](?i:kafu)\s+"")')
_DOUBLED: Final = re.compile(r'""([^"\n]*)""')
_SIGNATURE: Final = re.compile(r"--[ \t]*")
#: The end-of-file character of CP/M and DOS.
_END_OF_FILE: Final = "\x1a"
_COMMENTS: Final = re.compile(r"(?>(?:[ \t\f\n\ufeff\u3000]++|;[^\n]*+|\{[^}]*+\})*)")
_CARD: Final = "[A-Za-v_]"
_HALF: Final = rf"{_CARD}(?:x{_CARD}+)?(?:=[^\s=/]+)*"
_DIGIT: Final = "[0-9０-９]"
#: The beginning of a line of a game: a tag, a statement with its first word, a turn or a call.
_LINE: Final = re.compile(
    r"\s*+(?:[\[［]\s*[A-Za-z][\w-]*\s*[\"＂“]"
    rf"|(?i:{'|'.join(FORMS)})\s+{_DIGIT}"
    rf"|(?i:field|stock)\s+(?:[A-Za-v_]{{5,}}(?!\w)|\.\.\.|…)"
    r"|(?i:redeal|void|ba)\s+[a-z0-9]+\s*$"
    rf"|(?:(?:{_DIGIT}+[.．)）。]|[{CIRCLED}])\s*)?(?:{_DIGIT}[:：]\s*)?(?:{_HALF}/{_HALF}|=[^\s=/]+)(?!\S))"
)
#: A line with a turn whose cards are written by name.
_NAMED: Final = re.compile(
    rf"[^\x00-\x7f\s]\s*/|/\s*[^\x00-\x7f]|^\s*(?:{_DIGIT}+[.．)）。]|[{CIRCLED}])(?!.*://).*\S\s*/"
)
_NUMBER: Final = re.compile(_DIGIT)
#: The length of a word that may be a misspelt keyword, and the least similarity to the keyword.
_MISSPELT_LENGTHS: Final = range(4, 12)
_MIN_SIMILARITY: Final = 0.75
#: The most lines behind a game that are examined. More lines are no signature.
_MAX_LINES_BEHIND: Final = 500


def is_prose(lines: str) -> bool:
    """Return whether no line of a text in front of a game looks like a line of a game."""
    rows = _LINE_END.sub("\n", lines).split("\n")
    return not any(_LINE.match(row, _quote_length(row)) for row in rows)


def unwrap(text: str, *, line: int = 1) -> tuple[str, list[Fault]]:
    """Return the text with blanks around its game, and the warning for the user.

    Without other text, return the same text and no warning. ``line`` is the number of the text's
    first line.
    """
    sent = _LINE_END.sub("\n", text).split("\n")
    lines = _unquote_cell(sent)
    first = next((index for index, row in enumerate(lines) if _BEGINS.match(row)), None)
    if first is None:
        return text, []
    depth = _quote_depth(lines[first])
    rows = [_unquote(row, depth) for row in lines]
    if not _COMMENTS.fullmatch("\n".join(lines[:first])):
        rows[:first] = map(_blank, rows[:first])
    end = _find_end(lines, rows, first, depth)
    rows[end:] = map(_blank, rows[end:])
    rows[first:end] = [_blank(row) if _FENCE.fullmatch(row) else row for row in rows[first:end]]
    for index, (before, after) in enumerate(zip(sent, rows, strict=True)):
        if before != after:
            column = next(i for i, letter in enumerate(before) if letter != after[i])
            warning = Fault(codes.TEXT_AROUND, line + index, column + 1)
            return "\n".join(rows), [warning]
    return text, []


def _unquote_cell(lines: list[str]) -> list[str]:
    """Return the lines of a cell copied from a spreadsheet with single quotation marks."""
    if not _CELL.match(lines[0]):
        return lines
    rows = [_DOUBLED.sub(r' "\1" ', line) for line in lines]
    rows[0] = rows[0].replace('"', " ", 1)
    last = max(i for i, row in enumerate(rows) if row.strip())
    if rows[last].rstrip().endswith('"'):
        start, _mark, end = rows[last].rpartition('"')
        rows[last] = f"{start} {end}"
    return rows


def _quote_length(row: str) -> int:
    """Return the number of characters that mark a line as a quotation."""
    quoted = _QUOTED.match(row)
    return quoted.end() if quoted else 0


def _quote_depth(row: str) -> int:
    """Return the number of quotation marks before a line."""
    return len(_MARK.findall(row[: _quote_length(row)]))


def _unquote(row: str, depth: int) -> str:
    """Return a line with blanks for at most ``depth`` leading quotation marks.

    End-of-file characters around the line also become blanks.
    """
    if depth:
        end = _quote_length(row)
        row = _MARK.sub(" ", row[:end], count=depth) + row[end:]
    if _END_OF_FILE in row:
        bare = row.strip(f"{_END_OF_FILE} \t")
        start = row.find(bare)
        row = " " * start + bare + " " * (len(row) - start - len(bare))
    return row


def _blank(row: str) -> str:
    return " " * len(row)


def _may_be_game_line(row: str) -> bool:
    """Return whether a line behind the beginning of a game may be a line of the game."""
    words = row.split(maxsplit=1)
    if not words:
        return False
    if _LINE.match(row) or _NAMED.search(row) or words[0][0] in "{};｛｝；":
        return True
    word = words[0].lower()
    if _NUMBER.search(row) is None:
        return False
    return word in FORMS or (
        len(word) in _MISSPELT_LENGTHS
        and bool(get_close_matches(word, FORMS, n=1, cutoff=_MIN_SIMILARITY))
    )


def _find_end(lines: list[str], rows: list[str], first: int, depth: int) -> int:
    """Return the row of other text behind the game that begins at row ``first``.

    Other text begins after an empty line, with a fence or a signature, or at the first line that is
    quoted less deeply than the game.
    """
    last = len(rows) - 1
    while last > first and not _may_be_game_line(rows[last]):
        last -= 1
        if len(rows) - last > _MAX_LINES_BEHIND:
            return len(rows)
    for index in range(last + 1, len(rows)):
        row = rows[index]
        if not row.strip():
            continue
        is_bare = _quote_depth(lines[index]) < depth
        is_apart = not rows[index - 1].strip()
        if is_bare or is_apart or _FENCE.fullmatch(row) or _SIGNATURE.fullmatch(row):
            return index
    return len(rows)
