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
class FactColumn:
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
    specific: tuple[FactColumn, ...]
    of_seat: bool = False
    brief: bool = False
    sort: tuple[str, ...] = ("game",)

    @property
    def columns(self) -> tuple[FactColumn, ...]:
        """All columns, in storage order."""
        return (
            *(GAME[:3] if self.brief else GAME),
            *(SEAT if self.of_seat else ()),
            *self.specific,
        )


#: Columns of the game, in every table. The same in all rows of a game.
GAME: Final = (
    FactColumn("game", "BIGINT", _("the game's id in the database")),
    FactColumn("revision", "INTEGER", _("the revision of the game that the row describes")),
    FactColumn("ruleset", "VARCHAR", _("the rules of the game")),
    FactColumn("profile", "VARCHAR", _("the house rules; the ruleset where none are named")),
    FactColumn("options", "VARCHAR", _("the options as in the tag, sorted by name")),
    FactColumn("sheet", "BOOLEAN", _("a score sheet, which has no cards")),
    FactColumn("players", "VARCHAR", _("ids of the players by seat"), "BIGINT[]"),
    FactColumn("played", "INTEGER", _("YYYYMM of the date; YYYY00 if only the year is known")),
    FactColumn("day", "INTEGER", _("days since 0001-01-01, from 1, of the first day it can mean")),
    FactColumn("last_day", "INTEGER", _("the last day that the date can mean")),
    FactColumn("time", "INTEGER", _("the second of the day, from 1, at which the game began")),
    FactColumn("event", "INTEGER", _("the id of the event's name")),
)

#: Columns of a seat in a finished deal.
SEAT: Final = (
    FactColumn("deal", "SMALLINT", _("the number of the deal in the game, from 1")),
    FactColumn("seat", "TINYINT", _("the number of the seat, from 1")),
    FactColumn("player", "BIGINT", _("the id of the player at the seat")),
    FactColumn("month", "SMALLINT", _("the month that is played")),
    FactColumn("grade", "VARCHAR", _("the field grade: small, large, absolute; null for none")),
    FactColumn("ending", "VARCHAR", _("how the deal ended, as in the verdict")),
    FactColumn(
        "scored", "BOOLEAN", _("whether the deal could be won: not dealt again, nor given up")
    ),
    FactColumn(
        "place",
        "TINYINT",
        _("the place in the order of play, the dealer's is 1; 0 for a seat that sat out"),
    ),
    FactColumn("playing", "SMALLINT", _("the seats in play: bit 0 is seat 1")),
    FactColumn(
        "standing",
        "BIGINT",
        _("the seat's sum before the deal, less the highest sum of another seat"),
    ),
    FactColumn(
        "game_won",
        "BOOLEAN",
        _("whether the seat won the game alone; null for a game without an end"),
    ),
    FactColumn("score", "BIGINT", _("what the deal gave the seat")),
    FactColumn(
        "margin",
        "BIGINT",
        _(
            "the score, less the opponent's where the scores do not add up to zero (houses of "
            "koi-koi in which the loser pays nothing)"
        ),
    ),
    FactColumn("others", "BIGINT", _("what the deal gave the other seats in play")),
    FactColumn("won", "BOOLEAN", _("whether the seat won the deal")),
    FactColumn("turns", "SMALLINT", _("the number of turns of the deal; 0 for a score sheet")),
    FactColumn(
        "yaku",
        "VARCHAR",
        _("ids of the yaku made, each once, without struck-out ones"),
        "VARCHAR[]",
    ),
    FactColumn(
        "hand_row", "VARCHAR", _("the dealt hand's yaku by count, or “-”; null if not known")
    ),
    FactColumn("hand_column", "VARCHAR", _("the dealt hand's yaku by chaff, or “-”")),
    FactColumn("first_card", "VARCHAR", _("the deal's first card, for the seat that played it")),
    FactColumn("first_take", "VARCHAR", _("the cards that it captured; empty for none")),
    FactColumn("captured", "BIGINT", _("the cards that the seat had captured at the end")),
    FactColumn("received", "BIGINT", _("the sum of the payments that gave the seat something")),
    FactColumn("paid", "BIGINT", _("the sum of the payments that took something from it")),
)

_DEAL: Final = SEAT[0]
_NUMBER: Final = SEAT[1]
_PLAYER: Final = SEAT[2]

_ALL: Final = (
    FactTable(
        "games",
        _("a game"),
        (
            FactColumn("status", "VARCHAR", _("the verdict")),
            FactColumn("ended", "BOOLEAN", _("whether the game came to its end")),
            FactColumn("deals", "SMALLINT", _("the number of deals that ended")),
            FactColumn("turns", "INTEGER", _("the number of turns of these deals")),
            FactColumn("analysed", "BOOLEAN", _("whether its choices are analysed")),
        ),
    ),
    FactTable(
        "results",
        _("a seat of a game"),
        (
            _NUMBER,
            _PLAYER,
            FactColumn("status", "VARCHAR", _("the verdict on the game")),
            FactColumn("ended", "BOOLEAN", _("whether the game came to its end")),
            FactColumn("final", "BIGINT", _("the final sum")),
            FactColumn("rank", "TINYINT", _("the place in the final; equals share the better")),
            FactColumn("shared", "BOOLEAN", _("whether several seats have this rank")),
        ),
    ),
    FactTable(
        "deals",
        _("a deal that ended"),
        (
            _DEAL,
            FactColumn("month", "SMALLINT", _("the month that is played")),
            FactColumn("dealer", "TINYINT", _("the dealer's seat")),
            FactColumn("next_dealer", "TINYINT", _("the seat that deals next")),
            FactColumn("winner", "TINYINT", _("the seat that won; null for none")),
            FactColumn("ending", "VARCHAR", _("how it ended, as in the verdict")),
            FactColumn("scored", "BOOLEAN", _("whether the deal could be won")),
            FactColumn("turns", "SMALLINT", _("the number of turns; 0 for a score sheet")),
            FactColumn("grade", "VARCHAR", _("the field grade; null for none or not known")),
            FactColumn(
                "bound",
                "VARCHAR",
                _("what was carried over into the deal, “-” for nothing; null if not known"),
            ),
            FactColumn("laid", "BIGINT", _("the field when the first card was played")),
            FactColumn("first_take", "BIGINT", _("what the first card captured")),
        ),
    ),
    FactTable(
        "cards",
        _("a deal that began: its cards, as they were dealt and played"),
        (
            _DEAL,
            FactColumn(
                "hands",
                "VARCHAR",
                _("the cards dealt to each seat, ? for unknown ones; “-” for a seat without cards"),
                "VARCHAR[]",
            ),
            FactColumn("field", "VARCHAR", _("the cards dealt to the field; null if not recorded")),
            FactColumn(
                "stock",
                "VARCHAR",
                _(
                    "the draw pile, top card first; “...” for what is not known of it, "
                    "null if it is not recorded"
                ),
            ),
            FactColumn(
                "turn_order",
                "VARCHAR",
                _("the seats that play, in the order of their turns"),
                "BIGINT[]",
            ),
            FactColumn(
                "turns", "VARCHAR", _("the turns, each as in Kafu: BxA/GxH=koikoi"), "VARCHAR[]"
            ),
        ),
    ),
    FactTable(
        "seats",
        _("a seat in a deal that ended"),
        (
            FactColumn(
                "turn_order",
                "VARCHAR",
                _("the seats in play, in the order of their turns; null if not known"),
                "BIGINT[]",
            ),
            FactColumn(
                "balances",
                "VARCHAR",
                _(
                    "what the seat received from each seat, less what it paid to it; null if the "
                    "payers are not known"
                ),
                "BIGINT[]",
            ),
        ),
        of_seat=True,
    ),
    FactTable(
        "completions",
        _("a captured yaku that a seat completed in a deal that ended, paid for or not"),
        (
            FactColumn("completed", "VARCHAR", _("the id of the yaku")),
            FactColumn("turn", "TINYINT", _("the number of the seat's own turn, from 1")),
        ),
        of_seat=True,
    ),
    FactTable(
        "yaku",
        _("a payment for a yaku, from the view of the seat that made it"),
        (
            _DEAL,
            FactColumn("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
            _NUMBER,
            _PLAYER,
            FactColumn("yaku", "VARCHAR", _("the id of the yaku")),
            FactColumn("kind", "VARCHAR", _("its family: dealt, captured or special")),
            FactColumn("part", "TINYINT", _("the number of the yaku in its line, from 1")),
            FactColumn("parts", "TINYINT", _("the number of yaku that share the line")),
            FactColumn("amount", "BIGINT", _("what the whole line gave the seat")),
            FactColumn("void", "BOOLEAN", _("whether the line was struck out")),
        ),
    ),
    FactTable(
        "payments",
        _("a payment that is no yaku (seat 0), and the part of each seat that it changed"),
        (
            _DEAL,
            FactColumn("line", "SMALLINT", _("the line of the deal's ledger, from 1")),
            FactColumn("seat", "TINYINT", _("the seat; 0 for the payment as a whole")),
            FactColumn("player", "BIGINT", _("the id of the player; 0 for the payment as a whole")),
            FactColumn("payment", "VARCHAR", _("the id of the payment")),
            FactColumn(
                "amount", "BIGINT", _("what it gave the seat; 0 for the payment as a whole")
            ),
            FactColumn("void", "BOOLEAN", _("whether the line was struck out")),
            FactColumn("zero", "BOOLEAN", _("whether the line, not struck out, changed no sum")),
        ),
    ),
    FactTable(
        "throws",
        _("a card thrown against the rule (hatto), and a payment for one"),
        (
            _DEAL,
            _NUMBER,
            _PLAYER,
            FactColumn("card", "VARCHAR", _("the card")),
            FactColumn(
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
            FactColumn("word", "VARCHAR", _("the word said")),
            FactColumn("on", "BOOLEAN", _("whether the word plays on")),
            FactColumn("held", "VARCHAR", _("ids of the captured yaku held"), "VARCHAR[]"),
            FactColumn("left", "TINYINT", _("the cards left in the seat's hand")),
            FactColumn("opponent", "TINYINT", _("the captured cards of the opponent who had most")),
            FactColumn("stop", "BIGINT", _("the seat's score had it stopped")),
            FactColumn("stop_margin", "BIGINT", _("the seat's margin had it stopped")),
        ),
        of_seat=True,
    ),
    FactTable(
        "losses",
        _("a choice that was analysed and was not forced"),
        (
            FactColumn("kind", "VARCHAR", _("the kind of choice")),
            FactColumn("loss", "BIGINT", _("its loss, in thousandths of the small unit")),
            FactColumn("costly", "BOOLEAN", _("whether the analysis marks it as costly")),
            FactColumn("word", "VARCHAR", _("the word said or the bid made; null for other kinds")),
            FactColumn(
                "bold",
                "BOOLEAN",
                _("whether the word plays on or goes in; null for words that do neither"),
            ),
        ),
        of_seat=True,
    ),
    FactTable(
        "luck",
        _("a seat in a deal that ended and was measured, with amounts in thousandths"),
        (
            FactColumn("deal_luck", "BIGINT", _("the luck of the deal")),
            FactColumn("stock_luck", "BIGINT", _("the luck of the draw pile")),
            FactColumn("own_choices", "BIGINT", _("what the seat's own choices contributed")),
            FactColumn("other_choices", "BIGINT", _("what choices of the other seats contributed")),
            FactColumn(
                "error",
                "BIGINT",
                _("the standard error of the luck of deal and draw pile together"),
            ),
        ),
        of_seat=True,
    ),
    FactTable(
        "situations",
        _("a situation that is compared with those of other games"),
        (
            FactColumn(
                "key", "BIGINT", _("equal for the same field, captured cards, or yaku held")
            ),
            FactColumn("stop", "BIGINT", _("what stopping would bring; 0 where a card is played")),
            FactColumn("rest", "INTEGER", _("equal for equal other parts of a decision; else 0")),
            _DEAL,
            FactColumn("step", "SMALLINT", _("the step of the deal after which it arose, from 0")),
            _NUMBER,
            FactColumn("choice", "SMALLINT", _("the number of the choice that was made")),
            FactColumn("score", "BIGINT", _("what the deal brought the seat from there on")),
            FactColumn("margin", "BIGINT", _("the margin of the seat from there on")),
        ),
        brief=True,
        sort=("key", "stop", "rest", "game"),
    ),
)
#: The tables by name.
TABLES: Final[Mapping[str, FactTable]] = {table.name: table for table in _ALL}
#: The form of the tables. Parts of another form cannot be read, and are written again.
FORM: Final = 5
#: The prefix of temporary folders; the sweep removes folders of killed processes.
PREFIX: Final = "hana-facts-"
#: The versions of the engines for judging and analysis. Rows of earlier versions count until
#: rewritten.
ENGINE: Final = f"{ENGINE_VERSION}.{report.VERSION}"
