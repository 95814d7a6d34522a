"""The tables of a dump: every column with its type and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class DumpColumn:
    """A column by name, its type in DuckDB and Parquet, and its meaning."""

    name: str
    type: str
    meaning: str | Promise


@dataclass(frozen=True, slots=True)
class DumpTable:
    """A table: what a row of it is, and its columns."""

    name: str
    row: str | Promise
    columns: tuple[DumpColumn, ...]

    @property
    def file(self) -> str:
        """The name of its file in a dump."""
        return f"{self.name}.parquet"


_GAME: Final = DumpColumn("game", "VARCHAR", _("the key of the game, as in its address"))
_DEAL: Final = DumpColumn("deal", "SMALLINT", _("the number of the deal in the game, from 1"))

_GAMES: Final = DumpTable(
    "games",
    _("a public game"),
    (
        _GAME,
        DumpColumn(
            "identity",
            "VARCHAR",
            _("SHA-256 of what happened in the game (Kafu 6), for its text in this dump"),
        ),
        DumpColumn("ruleset", "VARCHAR", _("the rules, as in the tag Rules")),
        DumpColumn("profile", "VARCHAR", _("the house rules; the ruleset where none are named")),
        DumpColumn("options", "VARCHAR", _("the tag Options")),
        DumpColumn("sheet", "BOOLEAN", _("a score sheet, which has no cards")),
        DumpColumn("status", "VARCHAR", _("the verdict on it")),
        DumpColumn(
            "termination", "VARCHAR", _("how it ended: normal, unfinished, resigned, abandoned")
        ),
        DumpColumn("event", "VARCHAR", _("the tag Event")),
        DumpColumn("site", "VARCHAR", _("the tag Site")),
        DumpColumn("round", "VARCHAR", _("the tag Round")),
        DumpColumn("source", "VARCHAR", _("the tag Source")),
        DumpColumn("date", "VARCHAR", _("the tag Date, unknown parts as ??")),
        DumpColumn("date_from", "DATE", _("the first day that the date can mean")),
        DumpColumn("date_to", "DATE", _("the last day that the date can mean")),
        DumpColumn("received", "TIMESTAMP", _("when the game became public in the archive, UTC")),
        DumpColumn("deals_played", "SMALLINT", _("deals that ended")),
        DumpColumn("turns", "INTEGER", _("turns of those deals")),
        DumpColumn(
            "players",
            "VARCHAR[]",
            _("names by seat; “player-…” for players who are not to be named"),
        ),
        DumpColumn(
            "final", "BIGINT[]", _("final sums by seat, in points or mon; null without an end")
        ),
    ),
)

_DEALS: Final = DumpTable(
    "deals",
    _("a deal that ended; a month that is played again is another deal"),
    (
        _GAME,
        _DEAL,
        DumpColumn("month", "SMALLINT", _("the month that is played, 1 to 12")),
        DumpColumn("dealer", "SMALLINT", _("the dealer's seat")),
        DumpColumn("grade", "VARCHAR", _("the field grade: small, large, absolute; null for none")),
        DumpColumn(
            "bound",
            "VARCHAR",
            _("what nidai-shibari (二代しばり) carried over into the deal; null for nothing"),
        ),
        DumpColumn("ending", "VARCHAR", _("how it ended, as in the verdict")),
        DumpColumn("winner", "SMALLINT", _("the seat that won; null for none")),
        DumpColumn("next_dealer", "SMALLINT", _("the seat that deals next")),
        DumpColumn("turns", "SMALLINT", _("number of turns played")),
        DumpColumn("scores", "BIGINT[]", _("the score of each seat, in points or mon")),
        DumpColumn(
            "hands",
            "VARCHAR[]",
            _("cards dealt to each seat, ? for unknown ones; null for a seat that was dealt none"),
        ),
        DumpColumn(
            "field", "VARCHAR", _("cards dealt to the field; null where they are not recorded")
        ),
        DumpColumn(
            "stock",
            "VARCHAR",
            _(
                "the draw pile, top card first; “...” for what is not known of it, "
                "null where it is not recorded"
            ),
        ),
    ),
)

_TURNS: Final = DumpTable(
    "turns",
    _("a turn, also in deals that did not end"),
    (
        _GAME,
        _DEAL,
        DumpColumn("turn", "SMALLINT", _("the number of the turn in the deal, from 1")),
        DumpColumn("seat", "SMALLINT", _("the seat that played")),
        DumpColumn("card", "VARCHAR", _("the card from the hand")),
        DumpColumn("take", "VARCHAR", _("what it captured from the field")),
        DumpColumn("stock_card", "VARCHAR", _("the card turned from the draw pile; null for none")),
        DumpColumn(
            "stock_take", "VARCHAR", _("what that captured from the field; null for no card")
        ),
        DumpColumn("words", "VARCHAR[]", _("decisions, in order")),
    ),
)

_YAKU: Final = DumpTable(
    "yaku",
    _("a yaku made in a deal that ended, or one seat's part of another payment"),
    (
        _GAME,
        _DEAL,
        DumpColumn("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
        DumpColumn(
            "seat",
            "SMALLINT",
            _("the seat that gained; null for a line in which several gained alike"),
        ),
        DumpColumn("yaku", "VARCHAR", _("its id")),
        DumpColumn("kind", "VARCHAR", _("dealt, captured, special, or other payment")),
        DumpColumn("amount", "BIGINT", _("what the whole line gave that seat, in points or mon")),
        DumpColumn("parts", "SMALLINT", _("how many yaku share the line")),
        DumpColumn("void", "BOOLEAN", _("struck out")),
    ),
)

TABLES: Final[Mapping[str, DumpTable]] = {
    table.name: table for table in (_GAMES, _DEALS, _TURNS, _YAKU)
}
