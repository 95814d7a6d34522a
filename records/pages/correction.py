"""Corrects a text: puts a legal move in the place of the bad one, or leaves the bad one out."""

from __future__ import annotations

import re
from typing import Final

from kafu.judging.options import REST, Option
from kafu.notation.reading.statements import FORMS

#: A turn in a line of movetext, with the numbers that may precede it, as written.
_TURN: Final = re.compile(
    r"(?P<before>(?:[0-9]+\.)?(?:[0-9]+:)?)"
    r"(?P<hand>[A-Za-v_](?:x[A-Za-v_]+)?)(?P<said>(?:=[^\s/={};]+)*)"
    r"(?:/(?P<stock>[A-Za-v_](?:x[A-Za-v_]+)?)(?P<words>(?:=[^\s/={};]+)*))?(?![^\s{};])"
)
#: The number of a round, which a turn may follow without a blank.
_ROUND: Final = re.compile(r"(?<!\S)[0-9]+\.")
#: Where the deal before it ends.
_NEXT: Final = re.compile(r"\s*(?:month|final|\[)")
#: A statement in a line of its own.
_STATEMENTS: Final = ("show", "month", "bid", "blind", "swap")


def put_in(text: str, line: int | None, column: int | None, option: Option) -> str | None:
    """Return the text with ``option`` in the place of the word at ``line`` and ``column`` (from 1).

    The rest of the turn stays: its number, and the stock card after a hand card. Return None
    without a turn at the place, or if it is unclear what to replace.
    """
    lines = text.split("\n")
    if line is None or column is None or not 0 < line <= len(lines):
        return None
    row = lines[line - 1]
    if option.kind in _STATEMENTS:
        fresh = _statement(row, column - 1, option)
    elif option.kind in ("hand", "stock", "say"):
        fresh = _turn(row, column - 1, option)
    elif option.kind == "round":
        fresh = _round(row, column - 1, option)
    else:
        fresh = None
    if fresh is None:
        return None
    lines[line - 1] = fresh
    return "\n".join(lines)


def leave_out(text: str, line: int | None, column: int | None, omit: str) -> str | None:
    """Return the text without ``omit``, the word at ``line`` and ``column`` (from 1).

    The word may also belong to the turn or statement there. Return None if it does not.
    """
    lines = text.split("\n")
    if line is None or column is None or not omit or not 0 < line <= len(lines):
        return None
    row = lines[line - 1]
    if omit.startswith("month "):  # a deal goes with all its contents
        ends = (n for n, one in enumerate(lines[line:], line) if _NEXT.match(one))
        del lines[line - 1 : next(ends, len(lines))]
        return "\n".join(lines)
    if omit in FORMS:  # a misplaced statement, whatever it says
        omit = row[column - 1 :].split(";")[0].split("{")[0].rstrip()
    found = row.find(omit, _start(row, column - 1))
    if found < 0 and omit.startswith("=void-show"):  # of a declaration that was right
        here = next((n for n in range(line, len(lines)) if omit in lines[n]), None)
        if here is None or any(_NEXT.match(one) for one in lines[line:here]):
            return None
        line, row, found = here + 1, lines[here], lines[here].find(omit)
    if found < 0 and _ROUND.fullmatch(omit):  # the turn behind it is where it shows
        found = row.rfind(omit, 0, column - 1)
    end = found + len(omit)
    if found < 0 or row[end : end + 1] not in ("", " ", "\t", "/", "=", ";", "{"):
        return None
    left = row[:found].rstrip() if row[end : end + 1] in ("", " ", "\t") else row[:found]
    lines[line - 1] = left + row[end:]
    if not lines[line - 1].strip():
        del lines[line - 1]
    return "\n".join(lines)


def _start(row: str, place: int) -> int:
    """Return the beginning of the word at ``place``."""
    return max(row.rfind(blank, 0, place + 1) for blank in " \t\u3000}") + 1


def _turn(row: str, place: int, option: Option) -> str | None:
    found = _TURN.match(row, _start(row, place))
    if found is None or not found.start() <= place < found.end():
        return None
    stock = f"/{found['stock']}{found['words']}" if found["stock"] else ""
    match option.kind:
        case "hand":
            move = option.text.removesuffix(REST) + found["said"] + stock
        case "stock":
            move = option.text + (found["words"] or "")
        case _:
            behind = stock if "/" not in option.text else ""
            move = option.text + behind
    numbers = found["before"]
    if option.kind == "hand" and ":" in numbers:  # the seat may be what is wrong
        numbers = numbers[: numbers.find(".") + 1]
    return row[: found.start()] + numbers + move + row[found.end() :]


def _round(row: str, place: int, option: Option) -> str | None:
    """Replace the number of the round at a place, or the last before it."""
    numbers = [one for one in _ROUND.finditer(row) if one.start() <= place]
    return row[: numbers[-1].start()] + option.text + row[numbers[-1].end() :] if numbers else None


def _statement(row: str, place: int, option: Option) -> str | None:
    """Replace the statement of a line, but not a comment after it."""
    words = re.match(r"\s*([a-z]+)[^{};]*", row[place:])
    if words is None or words[1] != option.text.split(" ")[0] or words[1] == "bid":
        return None
    behind = row[place + words.end() :]
    return row[:place] + option.text + (f" {behind}" if behind else "")
