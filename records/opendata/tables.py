"""The tables of a dump: the fact tables, with names in place of ids.

`games` has every game of the text file. The other tables refer to a game by ``game``, the public
key, and omit the columns of the game (`records.facts.tables.GAME`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from records.facts import tables as facts
from records.facts.tables import GAME, SEAT, FactColumn, FactTable


@dataclass(frozen=True, slots=True)
class DumpTable:
    """A table of a dump: the name, the meaning of a row, and the columns.

    ``select`` is the SQL for the rows; ``{facts}`` stands for the fact table ``source``.
    """

    name: str
    row: Promise
    columns: tuple[FactColumn, ...]
    source: str
    select: str

    @property
    def file(self) -> str:
        """The name of the table's file in a dump."""
        return f"{self.name}.parquet"


_KEY: Final = FactColumn("game", "VARCHAR", _("the key of the game, as in its address"))
#: Columns whose values in a dump differ from the facts.
_REPLACED: Final[Mapping[str, FactColumn]] = {
    column.name: column
    for column in (
        _KEY,
        FactColumn(
            "players",
            "VARCHAR[]",
            _("names by seat; “player-…” for players who are not to be named"),
        ),
        FactColumn("player", "VARCHAR", _("the name of the player at the seat")),
        FactColumn("day", "DATE", _("the first day that the date can mean")),
        FactColumn("last_day", "DATE", _("the last day that the date can mean")),
        FactColumn("event", "VARCHAR", _("the tag Event")),
    )
}
_NUMBER: Final = FactColumn(
    "number", "INTEGER", _("the position of the game in the text file, from 1")
)
#: Columns of a game from the archive, in addition to facts.
_OF_RECORD: Final = (
    FactColumn(
        "identity",
        "VARCHAR",
        _("SHA-256 of what happened in the game (Kafu 10), for its text in this dump"),
    ),
    FactColumn(
        "termination", "VARCHAR", _("how it ended: normal, unfinished, resigned, abandoned")
    ),
    FactColumn("site", "VARCHAR", _("the tag Site")),
    FactColumn("round", "VARCHAR", _("the tag Round")),
    FactColumn("source", "VARCHAR", _("the tag Source")),
    FactColumn("date", "VARCHAR", _("the tag Date, unknown parts as ??")),
    FactColumn("received", "TIMESTAMP", _("when the game became public in the archive, UTC")),
)


def _replace(columns: Iterable[FactColumn]) -> tuple[FactColumn, ...]:
    return tuple(
        _REPLACED.get(column.name) or replace(column, type=column.list_type or column.type)
        for column in columns
    )


_GAMES: Final = facts.TABLES["games"]
#: Columns of a game without facts: games without rows are listed too.
LISTED: Final = (
    *_replace(column for column in GAME if column.name != "revision"),
    *_OF_RECORD,
    *(column for column in _GAMES.specific if column.name == "status"),
)
_COUNTED: Final = tuple(column for column in _GAMES.specific if column.name != "status")


def _make_games_table() -> DumpTable:
    listed = ", ".join(f'listed."{column.name}"' for column in LISTED[1:])
    counted = ", ".join(f'facts."{column.name}"' for column in _COUNTED)
    return DumpTable(
        "games",
        _("a public game; “deals” is null if no other table has rows of it"),
        (_KEY, _NUMBER, *LISTED[1:], *_COUNTED),
        "games",
        f"""\
SELECT listed.key AS game, row_number() OVER (ORDER BY listed.game) AS number,
       {listed}, {counted}
FROM listed LEFT JOIN {{facts}} AS facts USING (game, revision)
ORDER BY listed.game""",
    )


def _convert_table(table: FactTable, omitted: str = "") -> DumpTable:
    """Return a fact table in the form of a dump."""
    columns = (*(SEAT if table.of_seat else ()), *table.specific)
    columns = tuple(column for column in columns if column.name != omitted)
    values = ", ".join(
        "listed.players[nullif(facts.seat, 0)] AS player"
        if column.name == "player"
        else f'{column.as_list} AS "{column.name}"'
        if column.list_type
        else f'facts."{column.name}"'
        for column in columns
    )
    return DumpTable(
        table.name,
        table.row,
        (_KEY, *_replace(columns)),
        table.name,
        f"SELECT listed.key AS game, {values} "
        "FROM {facts} AS facts JOIN listed USING (game, revision)",
    )


#: A turn in the notation: a card, the captured cards and decisions, and the same of the drawn card.
_TURN: Final = r"^(.)(?:x([A-Za-v]+))?([^/]*)(?:/(.)(?:x([A-Za-v]+))?(.*))?$"
_TURNS: Final = DumpTable(
    "turns",
    _("a turn, also in deals that did not end"),
    (
        _KEY,
        FactColumn("deal", "SMALLINT", _("the number of the deal in the game, from 1")),
        FactColumn("turn", "SMALLINT", _("the number of the turn in the deal, from 1")),
        FactColumn("seat", "TINYINT", _("the seat that played")),
        FactColumn("card", "VARCHAR", _("the card from the hand")),
        FactColumn("take", "VARCHAR", _("the cards that it captured from the field")),
        FactColumn("stock_card", "VARCHAR", _("the card from the draw pile; null for none")),
        FactColumn("stock_take", "VARCHAR", _("the cards that it captured; null for no card")),
        FactColumn("words", "VARCHAR[]", _("decisions, in order")),
    ),
    "cards",
    f"""\
WITH turns AS (
    SELECT listed.key AS game, facts.deal, string_split(facts.turn_order, ' ') AS turn_order,
           string_split(facts.turns, ' ') AS words, unnest(words) AS word,
           generate_subscripts(words, 1) AS turn
    FROM {{facts}} AS facts JOIN listed USING (game, revision) WHERE facts.turns <> ''
), parts AS (
    SELECT *, regexp_extract(word, '{_TURN}',
           ['card', 'take', 'said', 'stock_card', 'stock_take', 'said_last']) AS part
    FROM turns
)
SELECT game, deal, turn, turn_order[(turn - 1) % len(turn_order) + 1] AS seat,
       part.card, part.take, nullif(part.stock_card, '') AS stock_card,
       CASE WHEN part.stock_card <> '' THEN part.stock_take END AS stock_take,
       string_split(part.said || part.said_last, '=')[2:] AS words
FROM parts""",
)


#: The problems of the listed games, from the archive (`records.opendata.problems`).
PROBLEMS: Final = DumpTable(
    "problems",
    _("a choice of an analysed game whose best action exceeds each other one by 3 errors"),
    (
        _KEY,
        FactColumn("deal", "SMALLINT", _("the number of the deal in the game, from 1")),
        FactColumn("step", "SMALLINT", _("the step of the choice in the deal, from 0")),
        FactColumn("seat", "TINYINT", _("the seat that chose")),
        FactColumn("kind", "VARCHAR", _("the kind of choice")),
        FactColumn("played", "VARCHAR", _("the action of the game")),
        FactColumn("best", "VARCHAR", _("the best action")),
        FactColumn(
            "advantage", "DOUBLE", _("its advantage over the nearest other action, a small unit")
        ),
        FactColumn("error", "DOUBLE", _("the standard error of the advantage")),
        FactColumn("day", "DATE", _("the day of which it was the problem; null for none")),
    ),
    "games",
    "SELECT listed.key AS game, problems.* EXCLUDE (game) FROM problems JOIN listed USING (game)",
)


def _make_tables() -> list[DumpTable]:
    cards = _convert_table(facts.TABLES["cards"], omitted="turns")
    fact_tables = [
        _convert_table(table)
        for name, table in facts.TABLES.items()
        if name not in ("games", "cards")
    ]
    return [_make_games_table(), *fact_tables, cards, _TURNS, PROBLEMS]


#: The tables of a dump by name.
TABLES: Final[Mapping[str, DumpTable]] = {table.name: table for table in _make_tables()}
