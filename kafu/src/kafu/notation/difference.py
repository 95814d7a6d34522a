"""Differences between two texts of a game, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Annotated, Final, NamedTuple

from kafu.notation.vocabulary import STATEMENTS

#: A deal with more turns and statements counts as one change, because the time of a comparison
#: grows with the square of their number.
MOST_UNITS: Final = 2000
_UNIT: Final = re.compile(
    rf"^(?P<statement>(?:\[|(?:{'|'.join(STATEMENTS)}|final)\b)[^\n]*)"
    r"|(?P<number>[0-9]+)\.(?=\s)"
    r"|(?P<turn>\{[^}]*\}|;[^\n]*|=\S+ [0-9]+|\S+)",
    re.MULTILINE,
)


class Change(NamedTuple):
    """A change of the text, as Kafu; `before` or `after` is empty for added or removed text."""

    deal: Annotated[int, "From 1; 0 for tags and options."]
    round: Annotated[int, "Of the first turn; 0 for other statements."]
    before: str
    after: str


class _Unit(NamedTuple):
    """A turn with the number of its round, or a statement (round 0)."""

    round: int
    text: str


def differences(before: str, after: str) -> Iterator[Change]:
    """Yield the changes from one canonical text (`kafu.notation.writer.write`) to another.

    Changes are in text order. Deals are compared by number, and within a deal by turn and
    statement.
    """
    old, new = _deals(before), _deals(after)
    for deal in range(max(len(old), len(new))):
        old_units = old[deal] if deal < len(old) else []
        new_units = new[deal] if deal < len(new) else []
        for old_start, old_end, new_start, new_end in _edits(old_units, new_units):
            first = (old_units[old_start:old_end] or new_units[new_start:new_end])[0]
            yield Change(
                deal,
                first.round,
                _join(old_units[old_start:old_end]),
                _join(new_units[new_start:new_end]),
            )


def _edits(left: Sequence[_Unit], right: Sequence[_Unit]) -> Iterator[tuple[int, int, int, int]]:
    if max(len(left), len(right)) > MOST_UNITS:
        if left != right:
            yield 0, len(left), 0, len(right)
        return
    for tag, left_start, left_end, right_start, right_end in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield left_start, left_end, right_start, right_end


def _deals(text: str) -> list[list[_Unit]]:
    """Return the units before the first deal, then the units of each deal."""
    deals: list[list[_Unit]] = [[]]
    round = 0
    for match in _UNIT.finditer(text):
        statement, number, turn = match.group("statement", "number", "turn")
        if statement:
            round = 0
            if statement.startswith("month "):
                deals.append([])
            deals[-1].append(_Unit(0, statement))
        elif number:
            round = int(number)
        else:
            deals[-1].append(_Unit(round, turn))
    return deals


def _join(units: Sequence[_Unit]) -> str:
    separator = " " if all(unit.round for unit in units) else "\n"
    return separator.join(unit.text for unit in units)
