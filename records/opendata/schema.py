"""The tables of a dump: every column with its type and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Column:
    """A column by name, its type in DuckDB and Parquet, and its meaning."""

    name: str
    type: str
    meaning: str | Promise


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what a row of it is, and its columns."""

    name: str
    row: str | Promise
    columns: tuple[Column, ...]

    @property
    def file(self) -> str:
        """The name of its file in a dump."""
        return f"{self.name}.parquet"


_GAME: Final = Column("game", "VARCHAR", _("the key of the game, as in its address"))
_DEAL: Final = Column("deal", "SMALLINT", _("the number of the deal in the game, from 1"))

_GAMES: Final = Table(
    "games",
    _("a public game"),
    (
        _GAME,
        Column(
            "identity",
            "VARCHAR",
            _("SHA-256 of what happened in the game (Kafu 6), for its text in this dump"),
        ),
        Column("ruleset", "VARCHAR", _("the rules, as in the tag Rules")),
        Column("profile", "VARCHAR", _("the house rules; the ruleset where none are named")),
        Column("options", "VARCHAR", _("the tag Options")),
        Column("sheet", "BOOLEAN", _("a score sheet, which has no cards")),
        Column("status", "VARCHAR", _("the verdict on it")),
        Column(
            "termination", "VARCHAR", _("how it ended: normal, unfinished, resigned, abandoned")
        ),
        Column("event", "VARCHAR", _("the tag Event")),
        Column("site", "VARCHAR", _("the tag Site")),
        Column("round", "VARCHAR", _("the tag Round")),
        Column("source", "VARCHAR", _("the tag Source")),
        Column("date", "VARCHAR", _("the tag Date, unknown parts as ??")),
        Column("date_from", "DATE", _("the first day that the date can mean")),
        Column("date_to", "DATE", _("the last day that the date can mean")),
        Column("received", "TIMESTAMP", _("when the game became public in the archive, UTC")),
        Column("deals", "SMALLINT", _("deals that ended")),
        Column("turns", "INTEGER", _("turns of those deals")),
        Column(
            "players",
            "VARCHAR[]",
            _("names by seat; “player-…” for players who are not to be named"),
        ),
        Column("final", "BIGINT[]", _("final sums by seat, in points or mon; null without an end")),
    ),
)

_DEALS: Final = Table(
    "deals",
    _("a deal that ended; a month that is played again is another deal"),
    (
        _GAME,
        _DEAL,
        Column("month", "SMALLINT", _("the month that is played, 1 to 12")),
        Column("dealer", "SMALLINT", _("the dealer's seat")),
        Column("grade", "VARCHAR", _("the field grade: small, large, absolute; null for none")),
        Column(
            "bound",
            "VARCHAR",
            _("what nidai-shibari (二代しばり) carried over into the deal; null for nothing"),
        ),
        Column("ending", "VARCHAR", _("how it ended, as in the verdict")),
        Column("winner", "SMALLINT", _("the seat that won; null for none")),
        Column("next_dealer", "SMALLINT", _("the seat that deals next")),
        Column("turns", "SMALLINT", _("number of turns played")),
        Column("scores", "BIGINT[]", _("the score of each seat, in points or mon")),
        Column(
            "hands",
            "VARCHAR[]",
            _("cards dealt to each seat, ? for unknown ones; null for a seat that was dealt none"),
        ),
        Column("field", "VARCHAR", _("cards dealt to the field; null where they are not recorded")),
    ),
)

_TURNS: Final = Table(
    "turns",
    _("a turn, also in deals that did not end"),
    (
        _GAME,
        _DEAL,
        Column("turn", "SMALLINT", _("the number of the turn in the deal, from 1")),
        Column("seat", "SMALLINT", _("the seat that played")),
        Column("card", "VARCHAR", _("the card from the hand")),
        Column("take", "VARCHAR", _("what it captured from the field")),
        Column("stock_card", "VARCHAR", _("the card turned from the draw pile; null for none")),
        Column("stock_take", "VARCHAR", _("what that captured from the field; null for no card")),
        Column("words", "VARCHAR[]", _("decisions, in order")),
    ),
)

_YAKU: Final = Table(
    "yaku",
    _("a yaku made in a deal that ended, or one seat's part of another payment"),
    (
        _GAME,
        _DEAL,
        Column("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
        Column(
            "seat",
            "SMALLINT",
            _("the seat that gained; null for a line in which several gained alike"),
        ),
        Column("yaku", "VARCHAR", _("its id")),
        Column("kind", "VARCHAR", _("dealt, captured, special, or other payment")),
        Column("amount", "BIGINT", _("what the whole line gave that seat, in points or mon")),
        Column("parts", "SMALLINT", _("how many yaku share the line")),
        Column("void", "BOOLEAN", _("struck out")),
    ),
)

TABLES: Final[Mapping[str, Table]] = {
    table.name: table for table in (_GAMES, _DEALS, _TURNS, _YAKU)
}
