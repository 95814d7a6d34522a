"""Sums of facts: the SQL queries behind the figures.

Each query returns numbers by name for every value of a key. All sums are exact whole numbers, in
the ruleset's small unit (the kan of hachihachi × 12). A deal is *won* by the seat that the rules
name as its winner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kafu.cards import LETTERS
from kafu.rules.rulesets import RULESETS
from records.serving.cached_responses import key_of, once
from records.statistics.selection import LINES, PLAYED, Selection

#: The key of sums with a single key, and the key that stands for any value.
ALL: Final = "all"
#: Bins on either side of 0. The outermost contain all larger scores: a sheet may have any sum.
MOST_BINS: Final = 200


class Sums(dict[str, dict[str, int]]):
    """The numbers of a query by key and name. A missing key has zeros."""

    def __init__(self, names: Iterable[str], rows: Mapping[str, dict[str, int]] = {}) -> None:
        """Take the names of the numbers, and the rows that are not all zeros."""
        super().__init__(rows)
        self.names = tuple(names)

    def __missing__(self, key: str) -> dict[str, int]:
        return dict.fromkeys(self.names, 0)

    def total(self) -> dict[str, int]:
        """Return the sum of each number over all keys."""
        return {name: sum(row[name] for row in self.values()) for name in self.names}

    def most_frequent(self) -> list[tuple[str, dict[str, int]]]:
        """Return keys with their numbers, the largest first number first."""
        return sorted(self.items(), key=lambda item: (-item[1][self.names[0]], item[0]))


@dataclass(frozen=True, slots=True)
class SumsQuery:
    """A query for the ``numbers`` (SQL aggregates by name) of each ``key`` of a table.

    The key is SQL, null for rows that do not count. ``source`` is ``{rows}`` (the rows of the
    table) or a subquery over ``{rows}``. ``is_split``: the query runs over a few parts at a time,
    so that grouping rows by deal needs little memory.
    """

    table: str
    key: str
    numbers: Mapping[str, str]
    where: str = "true"
    source: str = "{rows}"
    is_split: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numbers."""
        return tuple(self.numbers)

    def statement(self, rows: str) -> str:
        """Return the SQL statement with ``rows`` as its source."""
        selected = ", ".join((self.key, *self.numbers.values()))
        source = self.source.format(rows=rows)
        return f"SELECT {selected} FROM {source} WHERE {self.where} GROUP BY 1"


_SCORED: Final = {
    "n": "count(*)",
    "won": "count(*) FILTER (won)",
    "score": "sum(score)",
    "score_sq": "sum(score * score)",
}
#: The score and the number of the selected seats in play at the deal of a row. With a player or a
#: seat in the query only one seat of a deal is selected.
_OF_DEAL: Final = {
    "deal_score": "if($single, score, score + others)",
    "deal_seats": "if($single, 1, bit_count(playing))",
}
#: A set of cards is split into parts of this many cards.
_PART: Final = 8


def _select(numbers: Mapping[str, str]) -> str:
    return ", ".join(f"{sql} AS {name}" for name, sql in numbers.items())


def _add_up(numbers: Iterable[str]) -> dict[str, str]:
    """Return aggregates of numbers that a source has already summed."""
    return {name: f"sum({name})" for name in numbers}


def add_up_deals(numbers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return aggregates of numbers of deals, with the parts of `DealSums` of dependent cases.

    ``numbers`` has the names of totals by the name of their number of cases; the names of the
    parts are those of `records.statistics.columns.deal_sums`.
    """
    aggregates: dict[str, str] = {}
    for n, totals in numbers.items():
        aggregates |= {
            n: f"sum({n})",
            f"{n}_deals": f"count(*) FILTER ({n} > 0)",
            f"{n}_sq": f"sum({n} * {n})",
        }
        for total in totals:
            aggregates |= {
                total: f"sum({total})",
                f"{total}_sq": f"sum({total} * {total})",
                f"{total}_{n}": f"sum({total} * {n})",
            }
    return aggregates


def _spread_cards(numbers: Mapping[str, str], cards: str, *columns: str, second: str = "0") -> str:
    """Return a source with numbers for each card of a set of cards, and for `ALL` rows.

    The numbers are computed from ``columns``. Before spreading over the cards, rows are grouped by
    the parts of their sets, which have at most 256 values each. ``is_second`` tells whether a card
    is also in the second set.
    """
    columns = (cards, *columns)
    parts = " UNION ALL ".join(
        f"SELECT {first} AS first, ({cards} >> {first}) & 255 AS cards,"
        f" ({second} >> {first}) & 255 AS seconds, {_select(numbers)} FROM picked GROUP BY ALL"
        for first in range(0, len(LETTERS), _PART)
    )
    return f"""(
        WITH picked AS MATERIALIZED (
            SELECT {", ".join(columns)} FROM {{rows}} WHERE {cards} IS NOT NULL
        ),
        parts AS ({parts})
        SELECT $letters[first + i + 1] AS card, (seconds >> i) & 1 AS is_second,
            {", ".join(numbers)}
        FROM parts, (SELECT unnest({[*range(_PART)]}) AS i) AS places WHERE (cards >> i) & 1 = 1
        UNION ALL SELECT '{ALL}', 0, {_select(numbers)} FROM picked
    )"""


def _bins(table: str, value: str, columns: str, condition: str) -> SumsQuery:
    """Return the query by the lower bound of a value's bin, and for `ALL` values.

    ``columns`` identify a table (the seats of a deal or a game). Tables with seats in the same bins
    are counted together. The numbers are the seats in the bin, and sums over tables of their square
    and of their product with all seats; for `ALL` also the tables, and sums of their totals.
    """
    width = f"${value}_bin"
    bin_ = f"least(greatest(CAST(floor({value} / {width}) AS BIGINT), -{MOST_BINS}), {MOST_BINS})"
    return SumsQuery(
        table,
        f"coalesce(bin::VARCHAR, '{ALL}')",
        {
            "tables": "sum(tables)",
            "seats": "sum(tables * seats)",
            "seats_sq": "sum(tables * seats * seats)",
            "seats_n": "sum(tables * seats * size)",
            "total": "sum(tables * total)",
            "total_sq": "sum(tables * total * total)",
        },
        source=f"""(
            WITH tables AS (
                SELECT list({bin_} * {width}) AS bins, sum({value}) AS total
                FROM {{rows}} WHERE {condition} GROUP BY {columns}
            ),
            kinds AS MATERIALIZED (
                SELECT bins, total, count(*) AS tables FROM tables GROUP BY ALL
            ),
            seats AS (
                SELECT row_number() OVER () AS kind, tables, array_length(bins) AS size,
                    unnest(bins) AS bin
                FROM kinds
            )
            SELECT NULL AS bin, tables, array_length(bins) AS seats, array_length(bins) AS size,
                total
            FROM kinds
            UNION ALL SELECT bin, tables, count(*), size, NULL FROM seats
            GROUP BY kind, tables, size, bin
        )""",
        is_split=True,
    )


_CAPTURED: Final = {
    **_SCORED,
    "deal_score": "sum(deal_score)",
    "deal_seats": "sum(deal_seats)",
    "score_deal": "sum(score * deal_score)",
    "score_seats": "sum(score * deal_seats)",
}
_COUNTED: Final = "NOT void AND amount <> 0 AND parts = 1"
QUERIES: Final[Mapping[str, SumsQuery]] = {
    "games": SumsQuery(
        "games",
        f"'{ALL}'",
        {
            "games": "count(*)",
            "deals": "sum(deals)",
            "analysed": "count(*) FILTER (analysed)",
            "analysed_deals": "sum(deals) FILTER (analysed)",
        },
    ),
    "games by day": SumsQuery("games", "day", {"games": "count(*)"}, where="day = last_day"),
    # By house rules.
    "houses": SumsQuery("games", "profile", {"games": "count(*)"}),
    # played: with turns, unlike the deals of a score sheet.
    "ends": SumsQuery(
        "deals",
        "ending",
        {
            "count": "count(*)",
            "played": "count(*) FILTER (NOT sheet)",
            "turns": "sum(turns)",
        },
    ),
    # The carried-over multiplier of a deal, and the grade of its field.
    "grades": SumsQuery("deals", "bound || ' ' || grade", {"count": "count(*)"}),
    # A card on the field when the first card was played; taken: captured by the first card.
    "lay": SumsQuery(
        "deals",
        "card",
        {"n": "sum(n)", "taken": "sum(n * is_second)"},
        source=_spread_cards({"n": "count(*)"}, "laid", "first_take", second="first_take"),
    ),
    "seat": SumsQuery(
        "results",
        f"'{ALL}'",
        {
            "games": "count(*)",
            "ended": "count(*) FILTER (ended)",
            "first": "count(*) FILTER (rank = 1 AND NOT shared)",
        },
    ),
    # By the month of the game (YYYYMM).
    "games by date": SumsQuery(
        "results",
        "played",
        {"games": "count(*)", "first": "count(*) FILTER (rank = 1 AND NOT shared)"},
        where="played % 100 > 0",
    ),
    # By place in the order of play, without seats that sat out.
    "deals": SumsQuery("seats", "place", _SCORED, where=PLAYED),
    # By the month of the game, as "games by date".
    "deals by date": SumsQuery("seats", "played", _SCORED, where=f"{PLAYED} AND played % 100 > 0"),
    # The score of a deal, and the final sum of a game.
    "score": _bins("seats", "score", "game, deal", "scored"),
    "final": _bins("results", "final", "game", "final IS NOT NULL"),
    # times: lines not struck out; zero: times without an amount for the seat; alone, amount: the
    # number and sum of lines with this yaku only.
    "yaku": SumsQuery(
        "yaku",
        "yaku",
        {
            "times": "count(*) FILTER (NOT void)",
            "alone": f"count(*) FILTER ({_COUNTED})",
            "amount": f"sum(amount) FILTER ({_COUNTED})",
            "void": "count(*) FILTER (void)",
            "amount_sq": f"sum(amount * amount) FILTER ({_COUNTED})",
            "zero": "count(*) FILTER (NOT void AND amount = 0)",
        },
    ),
    # Payments except yaku. times: lines with a changed sum; zero: lines without change.
    "payments": SumsQuery(
        LINES,
        "payment",
        {
            "times": "count(*) FILTER (NOT void AND NOT zero)",
            "zero": "count(*) FILTER (zero)",
            "void": "count(*) FILTER (void)",
        },
    ),
    # The number and amount of payments received by a seat, and the number of payments by the seat.
    "paid": SumsQuery(
        "payments",
        "payment",
        {
            "received": "count(*) FILTER (amount > 0)",
            "amount": "sum(amount) FILTER (amount > 0)",
            "amount_sq": "sum(amount * amount) FILTER (amount > 0)",
            "paid": "count(*) FILTER (amount < 0)",
        },
        where="NOT void",
    ),
    # By "hands", "row ID" and "col ID", the keys of `kafu.odds.exact.Hands.matrix`.
    "hands": SumsQuery(
        "seats",
        "unnest(['hands', 'row ' || hand_row, 'col ' || hand_column])",
        {"count": "sum(hands)"},
        source=(
            "(SELECT hand_row, hand_column, count(*) AS hands FROM {rows}"
            " WHERE hand_row IS NOT NULL GROUP BY ALL)"
        ),
    ),
    # Choices to stop or to play on; said: choices to play on; won: deals won after this choice.
    "choices": SumsQuery(
        "choices",
        f"'{ALL}'",
        add_up_deals({"n": ["said"], "said": ["won"]}),
        source=(
            '(SELECT count(*) AS n, count(*) FILTER ("on") AS said,'
            ' count(*) FILTER ("on" AND won) AS won FROM {rows} GROUP BY game, deal)'
        ),
    ),
    # By kind of choice, "all" for any; the loss in thousandths of the small unit.
    "losses": SumsQuery(
        "losses",
        "kind",
        add_up_deals({"n": ["costly", "loss"]}),
        source=(
            f"(SELECT unnest(['{ALL}', kind]) AS kind, count(*) AS n,"
            " count(*) FILTER (costly) AS costly, sum(loss) AS loss"
            " FROM {rows} GROUP BY game, deal, 1)"
        ),
    ),
    # A card thrown against the rule, and the payments for opponents it caused.
    "hatto": SumsQuery(
        "throws",
        "card",
        {"thrown": "count(*) FILTER (cost IS NULL)", "cost": "sum(cost)", "paid": "count(cost)"},
    ),
    # A card that the seat had captured when the deal ended; "all" for any.
    "cards": SumsQuery(
        "seats",
        "card",
        _add_up(_CAPTURED),
        source=_spread_cards(
            _CAPTURED,
            "captured",
            *("won", "score"),
            *(f"{sql} AS {name}" for name, sql in _OF_DEAL.items()),
        ),
    ),
    # The deals of these seats: sums over deals of squares and products of `_OF_DEAL`.
    "captures": SumsQuery(
        "seats",
        f"'{ALL}'",
        {
            "deals": "count(*)",
            "score_sq": "sum(deal_score * deal_score)",
            "score_seats": "sum(deal_score * deal_seats)",
            "seats_sq": "sum(deal_seats * deal_seats)",
        },
        source=(
            f"(SELECT {_select(_OF_DEAL)} FROM {{rows}}"
            " WHERE captured IS NOT NULL AND ($single OR place = 1))"
        ),
    ),
    # The first card from the hand and its capture: "A B", or "A -".
    "openings": SumsQuery(
        "seats", "first_card || ' ' || if(first_take = '', '-', first_take)", _SCORED
    ),
}
#: The sums of a query without games: no rows.
NO_SUMS: Final[Mapping[str, Sums]] = {name: Sums(query.names) for name, query in QUERIES.items()}


def load_sums(selection: Selection, name: str) -> Sums:
    """Return the sums of a query over a selection, cached by the key of its snapshot.

    Raises `records.facts.database.QueryTimeout`.
    """
    query = QUERIES[name]

    def compute() -> bytes:
        return json.dumps(compute_sums(selection, query)).encode()

    key = key_of("sums", name, selection.stamp)
    return Sums(query.names, json.loads(once(key, compute)))


def compute_sums(selection: Selection, query: SumsQuery) -> dict[str, dict[str, int]]:
    """Return the numbers of a query by key. Keys with zeros only are left out."""
    question = selection.question
    values: dict[str, Any] = {
        "letters": list(LETTERS),
        "single": bool(question.player or question.seat),
    }
    if question.ruleset:
        score, final = RULESETS[question.ruleset].bins
        values |= {"score_bin": score, "final_bin": final}
    table = query.table
    sources = selection.split_rows(table) if query.is_split else [selection.rows(table)]
    sums: dict[str, dict[str, int]] = {}
    with selection.snapshot.open_cursor() as cursor:
        for rows in sources:
            for key, *numbers in selection.execute(cursor, query.statement(rows), **values):
                if key is not None and any(numbers):
                    row = sums.setdefault(str(key), dict.fromkeys(query.names, 0))
                    for name, number in zip(query.names, numbers, strict=True):
                        row[name] += int(number or 0)
    return sums


class SelectionSums(dict[str, Sums]):
    """The sums of a selection by query name, each loaded on first use."""

    def __init__(self, selection: Selection) -> None:
        """Take the selection whose rows are summed."""
        super().__init__()
        self._selection = selection

    def __missing__(self, name: str) -> Sums:
        self[name] = load_sums(self._selection, name)
        return self[name]
