"""Tables with the winner and the points of each month, rewritten with a column for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafu.importers.notebook.table import NotebookCell, Rows
from kafu.importers.notebook.words import (
    NOTHING,
    amount_of,
    are_amounts,
    head_of,
    is_like_amount,
    is_total,
    key_of,
    month_of,
)
from kafu.notation.faults import Code, Fault, Malformed
from kafu.rules import codes

#: The number of rows searched for the head.
_SEARCHED: Final = 30
#: Heads of columns, of which 文 can also be the name of a player.
_HEADS: Final = {
    "points": "文 文数 点 点数 得点 獲得 獲得点 ポイント points point score mon pts",
    "loser": "敗者 負け 負 loser lostby",
}
_MEANINGS: Final = {word: meaning for meaning, words in _HEADS.items() for word in words.split()}
#: Columns that name players, best first. Dealers can be written as seats too.
_NAMING: Final = ("winner", "loser", "dealer")
#: Marks of the winner and the loser in columns of players.
_WINS: Final = frozenset(("○", "◯", "〇", "勝", "勝ち", "w", "win"))
_LOSSES: Final = frozenset(("●", "×", "x", "負", "負け", "l", "loss"))
#: The columns of a list without a head.
_LISTED: Final = {"月": "month", "勝者": "winner", "文": "points", "役": "remark"}
#: The least number of players.
_MIN_PLAYERS: Final = 2


def spread_winners(rows: Rows) -> Rows:
    """Return a table of winners and points with a column for each player; others unchanged.

    The cells stay at their places. Raises Malformed if the table names a single player, or no
    winner of points.
    """
    for i, head in enumerate(rows[:_SEARCHED]):
        meanings = [head_of(cell.text) or _MEANINGS.get(key_of(cell.text)) for cell in head]
        if {"winner", "points"} <= set(meanings):
            below = rows[i + 1 :]
            has_players = meanings.count("points") > 1 or any(
                meaning is None and are_amounts(row[column].text for row in below)
                for column, meaning in enumerate(meanings)
            )
            return rows if has_players else _spread(head, meanings, below)
        if meanings.count("points") == 1 and (marked := _spread_marks(head, meanings, rows[i:])):
            return marked
    return _spread_list(rows) or rows


def _spread_marks(
    head: Sequence[NotebookCell], meanings: Sequence[str | None], rows: Rows
) -> Rows | None:
    """Return rows with the points in place of the mark of the winner; None without such marks."""
    months = [row for row in rows[1:] if not any(is_total(cell.text) for cell in row)]
    players = [
        i
        for i, meaning in enumerate(meanings)
        if meaning is None
        and any(key_of(row[i].text) in _WINS for row in months)
        and all(key_of(row[i].text) in _WINS | _LOSSES | NOTHING for row in months)
    ]
    if len(players) < _MIN_PLAYERS:
        return None
    points = meanings.index("points")
    spread = [[cell for i, cell in enumerate(head) if i != points]]
    for row in months:
        amount = amount_of(row[points].text)
        winners = [i for i in players if key_of(row[i].text) in _WINS]
        if not winners and (amount is None or amount.value):
            raise _wrong(codes.NOTEBOOK_SEAT, row[players[0]], *(head[i].text for i in players))
        if len(winners) > 1:
            name, month = head[winners[1]].text, row[0].text
            raise _wrong(codes.NOTEBOOK_AMOUNT, row[winners[1]], name=name, month=month)
        cells = list(row)
        for i in players:
            cells[i] = row[i]._replace(text=row[points].text if i in winners else "0")
        del cells[points]
        spread.append(cells)
    return spread


def _spread_list(rows: Rows) -> Rows | None:
    """Return a list of months, winners and points without a head as `_spread` does.

    A remark may follow. A month without points has no winner. Return None for any other table.
    """
    listed = [row for row in rows if any(cell.text for cell in row)]
    if not listed or not len(_LISTED) - 1 <= len(listed[0]) <= len(_LISTED):
        return None
    for month, winner, points, *_ in listed:
        amount = amount_of(points.text)
        if month_of(month.text) is None or amount is None:
            return None
        if key_of(winner.text) in NOTHING:
            if amount.value:
                return None
        elif amount.value is None or is_like_amount(winner.text):
            return None
    meanings = list(_LISTED.values())[: len(listed[0])]
    head = [cell._replace(text=text) for cell, text in zip(listed[0], _LISTED, strict=False)]
    return _spread(head, meanings, listed)


def _spread(head: Sequence[NotebookCell], meanings: Sequence[str | None], below: Rows) -> Rows:
    columns = {meaning: i for i, meaning in enumerate(meanings) if meaning}
    winner, points = columns["winner"], columns["points"]
    months = [row for row in below if not any(is_total(cell.text) for cell in row)]
    names: dict[str, NotebookCell] = {}
    for meaning in _NAMING:
        if meaning in columns and (meaning == "loser" or len(names) < _MIN_PLAYERS):
            for row in months:
                cell = row[columns[meaning]]
                if key_of(cell.text) not in NOTHING:
                    names.setdefault(key_of(cell.text), cell)
    if len(names) < _MIN_PLAYERS:
        excerpts = ", ".join(cell.excerpt for cell in names.values())
        raise Malformed(
            Fault(codes.NOTEBOOK_ONE_WINNER, *head[winner].place, values={"found": excerpts})
        )
    left_out = (winner, points, columns.get("loser"))
    others = [i for i in range(len(head)) if i not in left_out]
    spread = [[*(head[i] for i in others), *names.values()]]
    for number, row in enumerate(months, start=1):
        won = key_of(row[winner].text)
        amount = amount_of(row[points].text)
        month = row[columns["month"]].text if "month" in columns else str(number)
        if won not in names and (amount is None or amount.value):
            raise _wrong(codes.NOTEBOOK_SEAT, row[winner], *(cell.text for cell in names.values()))
        if won in names and (amount is None or amount.value is None):
            raise _wrong(codes.NOTEBOOK_AMOUNT, row[points], name=row[winner].text, month=month)
        amounts = [row[points] if name == won else row[points]._replace(text="") for name in names]
        if amount is not None and won not in names and (won or amount.value is not None):
            amounts[0] = row[points]._replace(text="0")  # The month was played without a winner.
        spread.append([*(row[i] for i in others), *amounts])
    return spread


def _wrong(code: Code, cell: NotebookCell, *expected: str, **values: str) -> Malformed:
    return Malformed(
        Fault(code, *cell.place, values=values | {"found": cell.excerpt}, expected=expected)
    )
