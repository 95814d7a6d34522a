"""The lines of a text around an error, with a caret: what a person needs to find and correct it."""

from __future__ import annotations

from dataclasses import dataclass

from kafu.notation.faults import caret

WIDTH = 96


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One line: its number in the file, its text cut to fit, and the caret line below it if any."""

    number: int
    text: str
    caret: str = ""
    fault: bool = False


def excerpt(
    text: str, *, first: int, line: int | None, column: int | None, around: int = 2
) -> list[ExcerptLine]:
    """The line at fault with ``around`` lines before it and one after.

    ``text`` begins in line ``first`` of its file, ``line`` counts in the file. The result is empty
    without a line, or if the text ends before it.
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
            shown, _, mark = caret(lines[index], column, WIDTH).partition("\n")
            rows.append(ExcerptLine(first + index, shown, mark, fault=True))
        else:
            shown = lines[index][:WIDTH].replace("\t", " ")
            rows.append(ExcerptLine(first + index, shown, fault=index == place))
    return rows
