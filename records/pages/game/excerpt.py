"""Excerpts of a text around an error, with a caret below its place."""

from __future__ import annotations

from dataclasses import dataclass

from kafu.notation.faults import caret

WIDTH = 96


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """A line of an excerpt: its number in the file, its shortened text, and the caret below."""

    number: int
    text: str
    caret: str = ""
    fault: bool = False


def excerpt(
    text: str, *, first: int, line: int | None, column: int | None, around: int = 2
) -> list[ExcerptLine]:
    """Return a line with ``around`` lines before and one line after.

    ``text`` begins in line ``first`` of its file; ``line`` is a line of the file. Return an empty
    list if ``line`` is None or not in the text.
    """
    if line is None:
        return []
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    place = line - first
    if not 0 <= place < len(lines):
        return []
    rows = []
    for index in range(max(0, place - around), min(len(lines), place + 2)):
        if index == place and column:
            short, _, mark = caret(lines[index], column, WIDTH).partition("\n")
            rows.append(ExcerptLine(first + index, short, mark, fault=True))
        else:
            short = lines[index][:WIDTH].replace("\t", " ")
            rows.append(ExcerptLine(first + index, short, fault=index == place))
    return rows
