"""Differences between two texts of a game, turn by turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Annotated, Final, NamedTuple

from kafu.notation.vocabulary import STATEMENTS

#: The maximum number of steps to compare two texts, less than 0.1 s. A game of 48 deals, all of
#: them rewritten, takes 30,000.
MAX_STEPS: Final = 500_000
_UNIT: Final = re.compile(
    rf"^(?P<statement>(?:\[|(?:{'|'.join(STATEMENTS)})\b)[^\n]*)"
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


_Units = Sequence[_Unit]


def differences(before: str, after: str) -> Iterator[Change]:
    """Yield the changes from one canonical text (`kafu.notation.writer.write`) to another.

    Changes are in text order. Deals are compared by number, and within a deal by turn and
    statement. The changed part of a deal is one change if the comparison would exceed `MAX_STEPS`.
    """
    steps_left = MAX_STEPS
    for deal, (old, new) in enumerate(zip_longest(_deals(before), _deals(after), fillvalue=())):
        old_units, new_units = _strip_common_ends(old, new)
        steps = _count_steps(old_units, new_units)
        edits = _edits(old_units, new_units) if steps <= steps_left else [(old_units, new_units)]
        steps_left -= min(steps, steps_left)
        for old_part, new_part in edits:
            yield Change(deal, (old_part or new_part)[0].round, _join(old_part), _join(new_part))


def _strip_common_ends(left: _Units, right: _Units) -> tuple[_Units, _Units]:
    """Return two texts without the units that both begin with, then those that both end with."""
    start, end = 0, 0
    shorter = min(len(left), len(right))
    while start < shorter and left[start] == right[start]:
        start += 1
    while end < shorter - start and left[-1 - end] == right[-1 - end]:
        end += 1
    return left[start : len(left) - end], right[start : len(right) - end]


def _count_steps(left: _Units, right: _Units) -> int:
    """Return an upper bound of the steps that `_edits` takes.

    For each block of equal units, difflib visits all units, and all pairs of equal units.
    """
    counts = Counter(right)
    pairs = sum(counts[unit] for unit in left)
    return min(len(left), len(right)) * (len(left) + len(right) + pairs)


def _edits(left: _Units, right: _Units) -> Iterator[tuple[_Units, _Units]]:
    """Yield the parts that differ, in text order."""
    for tag, left_start, left_end, right_start, right_end in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        if tag != "equal":
            yield left[left_start:left_end], right[right_start:right_end]


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


def _join(units: _Units) -> str:
    separator = " " if all(unit.round for unit in units) else "\n"
    return separator.join(unit.text for unit in units)
