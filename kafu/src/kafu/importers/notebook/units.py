"""Amounts in two columns a player, kan (貫) and points, or in columns headed by their unit.

The document of hachihachi keeps its score sheets in this form (記入式について): two columns a
player, kan on the left and points on the right, each with its own sign.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from kafu.importers.notebook.table import NotebookCell, Rows
from kafu.importers.notebook.words import (
    LONGEST_WORD,
    Amount,
    amount_of,
    are_amounts,
    head_of,
    key_of,
    value_of,
)
from kafu.notation.reading.amounts import text as amount_text
from kafu.notation.vocabulary import KAN

_KAN: Final = ("貫", "kan", "k")
_POINTS: Final = ("文", "点", "mon", "point", "points", "pt", "pts")
#: Words for amounts without a unit, and for figures that are left out, below the names.
_AMOUNTS: Final = ("得点", "点数", "得失点", "score")
_FIGURES: Final = ("累計", "通算", "小計", "順位", "running", "rank")
#: The unit after a name: Aya貫, Aya（点）.
_NAME_AND_UNIT: Final = re.compile(
    rf"(?P<name>.+?)[\s_]*(?:[(（\[]?(?P<amount>{'|'.join(_AMOUNTS)})[)）\]]?"
    rf"|[(（\[](?P<bracketed>{'|'.join(_KAN + _POINTS)})[)）\]]"
    rf"|(?P<bare>{'|'.join(_KAN + _POINTS)}))",
    re.IGNORECASE,
)
_ALL_IN_KAN: Final = re.compile(r"単位\s*[:：は]?\s*[(（]?貫|unit:?\s*kan", re.IGNORECASE)
#: The least number of players with such columns.
_MIN_PLAYERS: Final = 2


class _Columns(NamedTuple):
    """The columns of a player, of which one can be missing."""

    name: str
    kan: int | None
    points: int | None


def is_all_in_kan(text: str) -> bool:
    """Return whether a title says that all amounts are in kan: 単位：貫."""
    return len(text) <= LONGEST_WORD and _ALL_IN_KAN.search(text) is not None


def is_unit_row(row: Sequence[NotebookCell]) -> bool:
    """Return whether a row has units or figures of at least two players, below their names."""
    keys = [_unit_of(cell.text) for cell in row if cell.text]
    amounts = [key for key in keys if key in (*_KAN, *_POINTS, *_AMOUNTS)]
    return max(map(amounts.count, amounts), default=0) >= _MIN_PLAYERS and all(
        key in (*amounts, *_FIGURES) or head_of(key) for key in keys
    )


def _unit_of(text: str) -> str:
    """Return the word of a unit, which can be in brackets."""
    return key_of(text).strip("()")


def name_units(names: Sequence[NotebookCell], units: Sequence[NotebookCell]) -> list[NotebookCell]:
    """Return a head of names and units from two rows. A name counts for all its columns."""
    head, name = [], ""
    for cell, unit in zip(names, units, strict=True):
        name = cell.text or name
        key = _unit_of(unit.text)
        if key in _FIGURES:
            text = unit.text  # This head is left out.
        elif key in (*_KAN, *_POINTS):
            text = f"{name}({key})"
        else:
            text = name if key in _AMOUNTS else cell.text or unit.text
        head.append(cell._replace(text=text))
    return head


def join_units(
    head: Sequence[NotebookCell], below: Rows, *, kan: bool, all_in_kan: bool
) -> tuple[Sequence[NotebookCell], Rows]:
    """Return head and rows with one column a player, with amounts in kan and points.

    ``kan`` says that the ruleset counts in kan: only then may the unit of two columns be left out.
    """
    players = _find_named_columns(head) or (_find_unnamed_columns(head, below) if kan else {})
    if not players and all_in_kan:
        players = {
            i: _Columns(cell.text, i, None)
            for i, cell in enumerate(head)
            if cell.text and head_of(cell.text) is None and _has_amounts(below, i)
        }
    if not players:
        return head, below
    seconds = {
        column
        for first, player in players.items()
        for column in (player.kan, player.points)
        if column != first
    }
    left = [i for i in range(len(head)) if i not in seconds]
    joined_head = [
        head[i]._replace(text=players[i].name) if i in players else head[i] for i in left
    ]
    rows = []
    for row in below:
        amounts = _join_row(row, players)
        rows.append([amounts.get(i, row[i]) for i in left])
    return joined_head, rows


def _find_named_columns(head: Sequence[NotebookCell]) -> dict[int, _Columns]:
    """Return the columns of players by the first of them, if all are headed by name and unit."""
    units: dict[str, dict[bool, int]] = {}
    is_bracketed = True
    for i, cell in enumerate(head):
        match = _NAME_AND_UNIT.fullmatch(cell.text) if len(cell.text) <= LONGEST_WORD else None
        if match is not None and head_of(cell.text) is None:
            unit = key_of(match["amount"] or match["bracketed"] or match["bare"])
            units.setdefault(match["name"], {}).setdefault(unit in _KAN, i)
            is_bracketed = is_bracketed and match["bare"] is None
    are_pairs = all(len(columns) == 2 for columns in units.values())
    # A name can end in 文 or 貫, as 博文 does.
    if len(units) < _MIN_PLAYERS or not (are_pairs or is_bracketed):
        return {}
    return {
        min(columns.values()): _Columns(name, columns.get(True), columns.get(False))
        for name, columns in units.items()
    }


def _find_unnamed_columns(head: Sequence[NotebookCell], below: Rows) -> dict[int, _Columns]:
    """Return pairs of columns, the right without a head, if all columns of amounts are in pairs.

    Most rows sum to zero, unlike rows with other figures at the right of amounts.
    """
    players: dict[int, _Columns] = {}
    for i, cell in enumerate(head):
        if i - 1 in players or (cell.text and head_of(cell.text) is not None):
            continue
        is_left = bool(cell.text) and i + 1 < len(head) and not head[i + 1].text
        if is_left and _has_amounts(below, i + 1) and not _is_running(below, i):
            players[i] = _Columns(cell.text, i, i + 1)
        elif (cell.text or players) and _has_amounts(below, i):
            return {}
    sums = [
        sum(KAN * value_of(row[i].text) + value_of(row[i + 1].text) for i in players)
        for row in below
    ]
    is_balanced = 2 * sums.count(0) > len(sums)
    return players if len(players) >= _MIN_PLAYERS and is_balanced else {}


def _has_amounts(below: Rows, column: int) -> bool:
    return are_amounts(row[column].text for row in below)


def _is_running(below: Rows, column: int) -> bool:
    """Return whether the column at the right has the running sums of a column."""
    left, right = ([value_of(row[i].text) for row in below] for i in (column, column + 1))
    return list(accumulate(left)) == right


def _join_row(
    row: Sequence[NotebookCell], players: Mapping[int, _Columns]
) -> dict[int, NotebookCell]:
    """Return the amounts of a row by the first column of each player.

    Points without a sign next to negative kan have the sign with which the row sums to zero.
    """
    texts = {
        first: (_text(row, player.kan), _text(row, player.points))
        for first, player in players.items()
    }
    joined = {first: _add(*texts[first], is_shared_sign=False) for first in players}
    if sum(amount.value or 0 for amount in joined.values() if amount):
        shared = {first: _add(*texts[first], is_shared_sign=True) for first in players}
        if not sum(amount.value or 0 for amount in shared.values() if amount):
            joined = shared
    cells = {}
    for first, (kan, points) in texts.items():
        amount = joined[first]
        if amount is None:
            text = f"{kan} {points}".strip()
        elif amount.value is None:
            text = amount.mark
        else:
            text = amount_text(amount.value, kan=True) + amount.mark
        place = row[first] if row[first].text else row[players[first].points or first]
        cells[first] = place._replace(text=text)
    return cells


def _text(row: Sequence[NotebookCell], column: int | None) -> str:
    return "" if column is None else row[column].text


def _add(kan: str, points: str, *, is_shared_sign: bool) -> Amount | None:
    """Return the sum of kan and points with a mark of either, or None for other texts.

    With a shared sign, points without a sign have that of the kan.
    """
    in_kan = amount_of(kan) or amount_of(f"{kan}貫")  # 0.5 is an amount of kan only.
    in_points = amount_of(points)
    if in_kan is None or in_points is None:
        return None
    mark = in_kan.mark or in_points.mark
    if in_kan.value is None and in_points.value is None:
        return Amount(None, mark=mark)
    first, second = in_kan.value or 0, in_points.value or 0
    if not in_kan.in_kan:
        first *= KAN
    if is_shared_sign and first < 0 and points[:1].isdigit():
        second = -second
    return Amount(first + second, in_kan=True, mark=mark)
