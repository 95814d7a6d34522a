"""What differs between two texts of a game, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Annotated, Final, NamedTuple

from kafu.notation.vocabulary import STATEMENTS

#: A deal with more turns and statements than this is one change: comparing takes time in proportion
#: to their square.
MOST_UNITS: Final = 2000
_UNIT: Final = re.compile(
    rf"^(?P<statement>(?:\[|(?:{'|'.join(STATEMENTS)}|final)\b)[^\n]*)"
    r"|(?P<number>[0-9]+)\.(?=\s)"
    r"|(?P<turn>\{[^}]*\}|;[^\n]*|=\S+ [0-9]+|\S+)",
    re.MULTILINE,
)


class Change(NamedTuple):
    """Something that was written otherwise, as Kafu; `before` or `after` is empty for nothing."""

    deal: Annotated[int, "From 1; 0 for tags and options."]
    round: Annotated[int, "Of the first turn; 0 for other statements."]
    before: str
    after: str


class _Unit(NamedTuple):
    """A turn with the number of its round, or a statement (0)."""

    round: int
    text: str


def differences(before: str, after: str) -> Iterator[Change]:
    """The changes from one canonical text (`kafu.notation.writer.write`) to another, in order.

    Deals are compared by their numbers, within them turns and statements.
    """
    old, new = _deals(before), _deals(after)
    for number in range(max(len(old), len(new))):
        left = old[number] if number < len(old) else []
        right = new[number] if number < len(new) else []
        for i, j, k, m in _edits(left, right):
            first = (left[i:j] or right[k:m])[0]
            yield Change(number, first.round, _joined(left[i:j]), _joined(right[k:m]))


def _edits(left: Sequence[_Unit], right: Sequence[_Unit]) -> Iterator[tuple[int, int, int, int]]:
    if max(len(left), len(right)) > MOST_UNITS:
        if left != right:
            yield 0, len(left), 0, len(right)
        return
    for tag, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            yield i, j, k, m


def _deals(text: str) -> list[list[_Unit]]:
    """The units before the first deal, then those of each."""
    deals: list[list[_Unit]] = [[]]
    round = 0
    for found in _UNIT.finditer(text):
        statement, number, turn = found.group("statement", "number", "turn")
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


def _joined(units: Sequence[_Unit]) -> str:
    separator = " " if all(unit.round for unit in units) else "\n"
    return separator.join(unit.text for unit in units)
