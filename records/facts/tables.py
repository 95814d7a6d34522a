"""The fact tables: name, columns, types and meaning of each, defined once.

Storage, statistics, API docs and open data all read this definition. Rows contain ids only: names
of players and events are joined from the database when a response is made.

Sums are whole numbers in the ruleset's small unit (mon or points). Sets of cards are masks
(`kafu.cards`). A null value is unknown or does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafu.analysis import report
from kafu.rules import ENGINE_VERSION


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a fact table, its DuckDB type and its meaning.

    ``list_type`` is the type that a column of lists has in open data. Facts contain the elements of
    a list as one text, separated by spaces: DuckDB groups by texts three times as fast as by lists.
    """

    name: str
    type: str
    meaning: Promise
    list_type: str = ""

    @property
    def as_list(self) -> str:
        """SQL of the list whose elements the text of a column of lists contains."""
        elements = (
            f"""CASE "{self.name}" WHEN '' THEN [] ELSE string_split("{self.name}", ' ') END"""
        )
        return f"CAST({elements} AS {self.list_type})"


@dataclass(frozen=True, slots=True)
class FactTable:
    """A fact table: the meaning of a row, the specific columns, and the sort columns.

    Every table also has the columns of its game (`GAME`; if ``brief``, only the first three).
    Tables with ``of_seat`` also have the columns of a seat in a deal (`SEAT`).
    """

    name: str
    row: Promise
    specific: tuple[Column, ...]
    of_seat: bool = False
    brief: bool = False
    sort: tuple[str, ...] = ("game",)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in storage order."""
        return (
            *(GAME[:3] if self.brief else GAME),
            *(SEAT if self.of_seat else ()),
            *self.specific,
        )


#: Columns of the game, in every table. The same in all rows of a game.
GAME: Final = (
    Column("game", "BIGINT", _("the game's id in the database")),
    Column("revision", "INTEGER", _("the revision of the game that the row describes")),
    Column("ruleset", "VARCHAR", _("the rules of the game")),
    Column("profile", "VARCHAR", _("the house rules; the ruleset where none are named")),
    Column("options", "VARCHAR", _("the options as in the tag, sorted by name")),
    Column("sheet", "BOOLEAN", _("a score sheet, which has no cards")),
    Column("players", "VARCHAR", _("ids of the players by seat"), "BIGINT[]"),
    Column("played", "INTEGER", _("YYYYMM of the date; YYYY00 if only the year is known")),
    Column("day", "INTEGER", _("days since 0001-01-01, from 1, of the first day it can mean")),
    Column("last_day", "INTEGER", _("the last day that the date can mean")),
    Column("time", "INTEGER", _("the second of the day, from 1, at which the game began")),
    Column("event", "INTEGER", _("the id of the event's name")),
)

#: Columns of a seat in a finished deal.
SEAT: Final = (
    Column("deal", "SMALLINT", _("the number of the deal in the game, from 1")),
    Column("seat", "TINYINT", _("the number of the seat, from 1")),
    Column("player", "BIGINT", _("the id of the player at the seat")),
    Column("month", "SMALLINT", _("the month that is played")),
    Column("grade", "VARCHAR", _("the field grade: small, large, absolute; null for none")),
    Column("ending", "VARCHAR", _("how the deal ended, as in the verdict")),
    Column("scored", "BOOLEAN", _("whether the deal could be won: not dealt again, nor given up")),
    Column(
        "place",
        "TINYINT",
        _("the place in the order of play, the dealer's is 1; 0 for a seat that sat out"),
    ),
    Column("playing", "SMALLINT", _("the seats in play: bit 0 is seat 1")),
    Column("score", "BIGINT", _("what the deal gave the seat")),
    Column(
        "margin",
        "BIGINT",
        _(
            "the score, less the opponent's where the scores do not add up to zero (houses of "
            "koi-koi in which the loser pays nothing)"
        ),
    ),
    Column("others", "BIGINT", _("what the deal gave the other seats in play")),
    Column("won", "BOOLEAN", _("whether the seat won the deal")),
    Column("turns", "SMALLINT", _("the number of turns of the deal; 0 for a score sheet")),
    Column(
        "yaku",
        "VARCHAR",
        _("ids of the yaku made, each once, without struck-out ones"),
        "VARCHAR[]",
    ),
    Column("hand_row", "VARCHAR", _("the dealt hand's yaku by count, or “-”; null if not known")),
    Column("hand_column", "VARCHAR", _("the dealt hand's yaku by chaff, or “-”")),
    Column("first_card", "VARCHAR", _("the deal's first card, for the seat that played it")),
    Column("first_take", "VARCHAR", _("the cards that it captured; empty for none")),
    Column("captured", "BIGINT", _("the cards that the seat had captured at the end")),
    Column("received", "BIGINT", _("the sum of the payments that gave the seat something")),
    Column("paid", "BIGINT", _("the sum of the payments that took something from it")),
)

_DEAL: Final = SEAT[0]
_NUMBER: Final = SEAT[1]
_PLAYER: Final = SEAT[2]

_ALL: Final = (
    FactTable(
        "games",
        _("a game"),
        (
            Column("status", "VARCHAR", _("the verdict")),
            Column("ended", "BOOLEAN", _("whether the game came to its end")),
            Column("deals", "SMALLINT", _("the number of deals that ended")),
            Column("turns", "INTEGER", _("the number of turns of these deals")),
            Column("analysed", "BOOLEAN", _("whether its choices are analysed")),
        ),
    ),
    FactTable(
        "results",
        _("a seat of a game"),
        (
            _NUMBER,
            _PLAYER,
            Column("status", "VARCHAR", _("the verdict on the game")),
            Column("ended", "BOOLEAN", _("whether the game came to its end")),
            Column("final", "BIGINT", _("the final sum")),
            Column("rank", "TINYINT", _("the place in the final; equals share the better")),
            Column("shared", "BOOLEAN", _("whether several seats have this rank")),
        ),
    ),
    FactTable(
        "deals",
        _("a deal that ended"),
        (
            _DEAL,
            Column("month", "SMALLINT", _("the month that is played")),
            Column("dealer", "TINYINT", _("the dealer's seat")),
            Column("next_dealer", "TINYINT", _("the seat that deals next")),
            Column("winner", "TINYINT", _("the seat that won; null for none")),
            Column("ending", "VARCHAR", _("how it ended, as in the verdict")),
            Column("scored", "BOOLEAN", _("whether the deal could be won")),
            Column("turns", "SMALLINT", _("the number of turns; 0 for a score sheet")),
            Column("grade", "VARCHAR", _("the field grade; null for none or not known")),
            Column(
                "bound",
                "VARCHAR",
                _("what was carried over into the deal, “-” for nothing; null if not known"),
            ),
            Column("laid", "BIGINT", _("the field when the first card was played")),
            Column("first_take", "BIGINT", _("what the first card captured")),
        ),
    ),
    FactTable(
        "cards",
        _("a deal that began: its cards, as they were dealt and played"),
        (
            _DEAL,
            Column(
                "hands",
                "VARCHAR",
                _("the cards dealt to each seat, ? for unknown ones; “-” for a seat without cards"),
                "VARCHAR[]",
            ),
            Column("field", "VARCHAR", _("the cards dealt to the field; null if not recorded")),
            Column(
                "stock",
                "VARCHAR",
                _(
                    "the draw pile, top card first; “...” for what is not known of it, "
                    "null if it is not recorded"
                ),
            ),
            Column(
                "turn_order",
                "VARCHAR",
                _("the seats that play, in the order of their turns"),
                "BIGINT[]",
            ),
            Column(
                "turns", "VARCHAR", _("the turns, each as in Kafu: BxA/GxH=koikoi"), "VARCHAR[]"
            ),
        ),
    ),
    FactTable(
        "seats",
        _("a seat in a deal that ended"),
        (),
        of_seat=True,
    ),
    FactTable(
        "yaku",
        _("a payment for a yaku, from the view of the seat that made it"),
        (
            _DEAL,
            Column("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
            _NUMBER,
            _PLAYER,
            Column("yaku", "VARCHAR", _("the id of the yaku")),
            Column("kind", "VARCHAR", _("its family: dealt, captured or special")),
            Column("part", "TINYINT", _("the number of the yaku in its line, from 1")),
            Column("parts", "TINYINT", _("the number of yaku that share the line")),
            Column("amount", "BIGINT", _("what the whole line gave the seat")),
            Column("void", "BOOLEAN", _("whether the line was struck out")),
        ),
    ),
    FactTable(
        "payments",
        _("a payment that is no yaku (seat 0), and the part of each seat that it changed"),
        (
            _DEAL,
            Column("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
            Column("seat", "TINYINT", _("the seat; 0 for the payment as a whole")),
            Column("player", "BIGINT", _("the id of the player; 0 for the payment as a whole")),
            Column("payment", "VARCHAR", _("the id of the payment")),
            Column("amount", "BIGINT", _("what it gave the seat; 0 for the payment as a whole")),
            Column("void", "BOOLEAN", _("whether the line was struck out")),
            Column("zero", "BOOLEAN", _("whether the line, not struck out, changed no sum")),
        ),
    ),
    FactTable(
        "throws",
        _("a card thrown against the rule (hatto), and a payment for one"),
        (
            _DEAL,
            _NUMBER,
            _PLAYER,
            Column("card", "VARCHAR", _("the card")),
            Column(
                "cost",
                "BIGINT",
                _("what the seat paid for others; null in the row of the throw itself"),
            ),
        ),
    ),
    FactTable(
        "choices",
        _("a choice of a seat with a yaku to stop or to play on"),
        (
            Column("word", "VARCHAR", _("the word said")),
            Column("on", "BOOLEAN", _("whether the word plays on")),
            Column("held", "VARCHAR", _("ids of the captured yaku held"), "VARCHAR[]"),
            Column("left", "TINYINT", _("the cards left in the seat's hand")),
            Column("opponent", "TINYINT", _("the captured cards of the opponent who had most")),
            Column("stop", "BIGINT", _("the seat's score had it stopped")),
            Column("stop_margin", "BIGINT", _("the seat's margin had it stopped")),
        ),
        of_seat=True,
    ),
    FactTable(
        "losses",
        _("a choice that was analysed and was not forced"),
        (
            Column("kind", "VARCHAR", _("the kind of choice")),
            Column("loss", "BIGINT", _("its loss, in thousandths of the small unit")),
            Column("costly", "BOOLEAN", _("whether the analysis marks it as costly")),
        ),
        of_seat=True,
    ),
    FactTable(
        "situations",
        _("a situation that is compared with those of other games"),
        (
            Column("key", "BIGINT", _("equal for the same field, captured cards, or yaku held")),
            Column("stop", "BIGINT", _("what stopping would bring; 0 where a card is played")),
            Column("rest", "INTEGER", _("equal for equal other parts of a decision; else 0")),
            _DEAL,
            Column("step", "SMALLINT", _("the step of the deal after which it arose, from 0")),
            _NUMBER,
            Column("choice", "SMALLINT", _("the number of the choice that was made")),
            Column("score", "BIGINT", _("what the deal brought the seat from there on")),
            Column("margin", "BIGINT", _("the margin of the seat from there on")),
        ),
        brief=True,
        sort=("key", "stop", "rest", "game"),
    ),
)
#: The tables by name.
TABLES: Final[Mapping[str, FactTable]] = {table.name: table for table in _ALL}
#: The form of the tables. Parts of another form cannot be read, and are written again.
FORM: Final = 3
#: The prefix of temporary folders; the sweep removes folders of killed processes.
PREFIX: Final = "hana-facts-"
#: The versions of the engines that play and analyse games. Rows of other versions count until
#: rewritten.
ENGINE: Final = f"{ENGINE_VERSION}.{report.VERSION}"
