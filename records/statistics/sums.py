"""Sums of facts: the queries that figures are made of.

Each returns numbers by name for every value of a key. All sums are exact whole numbers, in the
ruleset's small unit (the kan of hachihachi × 12). A deal is *won* by the seat that the rules name
as its winner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kafu.cards import LETTERS
from kafu.rules.rulesets import RULESETS
from records.serving.cached_responses import key_of, once
from records.statistics.selection import LINES, Selection

#: The key of sums that have one key only, and the key for any value.
ALL: Final = "all"
#: Bins on either side of 0. The outermost contain all scores beyond: a sheet may have any sum.
MOST_BINS: Final = 200


class Sums(dict[str, dict[str, int]]):
    """The numbers of a query by key, each by its name. A missing key has zeros."""

    def __init__(self, names: Iterable[str], rows: Mapping[str, dict[str, int]] = {}) -> None:
        """Take the names of the numbers, and those that differ from 0."""
        super().__init__(rows)
        self.names = tuple(names)

    def __missing__(self, key: str) -> dict[str, int]:
        return dict.fromkeys(self.names, 0)


@dataclass(frozen=True, slots=True)
class SumsQuery:
    """A query for sums: SQL with ``{rows}`` for the rows of ``table``, and the numbers' names.

    The SQL returns the key and these numbers.
    """

    table: str
    names: tuple[str, ...]
    sql: str


_SCORED: Final = ("deals", "won", "score", "score_sq")
_SCORED_SQL: Final = "count(*), count(*) FILTER (won), sum(score), sum(score * score)"
# What a deal gave, and would have given had the seat stopped: own points, and the margin. gain_sq
# and own_gain_sq are squares of the differences.
_DECIDED: Final = (
    *("n", "won", "score", "score_sq", "margin", "stop", "stop_margin"),
    *("gain_sq", "own_gain_sq"),
)
_DECIDED_SQL: Final = (
    "count(*)",
    "count(*) FILTER (won)",
    "sum(score)",
    "sum(score * score)",
    "sum(margin)",
    "sum(stop)",
    "sum(stop_margin)",
    "sum((margin - stop_margin) * (margin - stop_margin))",
    "sum((score - stop) * (score - stop))",
)
#: The lower bound of the bin of a value.
_BIN: Final = "least(greatest(CAST(floor({value} / {width}) AS BIGINT), -{most}), {most}) * {width}"
# Deals or games with a seat in a bin, such seats, ordered pairs of them at the same table, and sums
# of what each table gave them together.
_BINNED: Final = ("tables", "seats", "pairs", "total", "total_sq")
#: A set of cards is split into parts of this many cards.
_PART: Final = 8


def _spread_cards(rows: str, column: str, numbers: Mapping[str, str], taken: str = "") -> str:
    """Return CTEs that end in ``cards``: numbers for each card of a set of cards.

    Rows are grouped by the parts of their sets, which have at most 256 values each, before they are
    spread over the cards. ``taken`` is a second set; ``is_taken`` says whether the card is in it.
    """
    second = f", ({taken} >> {{first}}) & 255 AS taken" if taken else ""
    sums = ", ".join(f"{sql} AS {name}" for name, sql in numbers.items())
    parts = " UNION ALL ".join(
        f"SELECT {first} AS first, ({column} >> {first}) & 255 AS cards"
        f"{second.format(first=first)}, {sums} FROM picked GROUP BY ALL"
        for first in range(0, len(LETTERS), _PART)
    )
    is_taken = ", (taken >> i) & 1 AS is_taken" if taken else ""
    return (
        f"picked AS MATERIALIZED ({rows}), parts AS ({parts}),"
        f" cards AS (SELECT $letters[first + i + 1] AS card, {', '.join(numbers)}{is_taken}"
        f" FROM parts, range({_PART}) AS places(i) WHERE (cards >> i) & 1 = 1)"
    )


def _decide(*situation: str) -> str:
    """Return SQL for decisions by their word, each yaku held, and the rest of a situation.

    Rows are grouped by all yaku held before they are spread over each of them.
    """
    names = [f"part_{number}" for number in range(len(situation))]
    parts = ", ".join(f"{sql} AS {name}" for sql, name in zip(situation, names, strict=True))
    sums = ", ".join(f"{sql} AS {name}" for sql, name in zip(_DECIDED_SQL, _DECIDED, strict=True))
    word, *others = names
    return (
        f"WITH decided AS (SELECT {parts}, held, {sums} FROM {{rows}} GROUP BY ALL),"
        " spread AS (SELECT *, unnest(list_append(held, 'all')) AS id FROM decided)"
        f" SELECT concat_ws(' ', {', '.join((word, 'id', *others))}) AS key,"
        f" {', '.join(f'sum({name})' for name in _DECIDED)} FROM spread GROUP BY key"
    )


def _bin_tables(value: str, table: str, condition: str) -> str:
    """Return SQL for `_BINNED` by the bin of a value of seats, and by ``all`` of them.

    ``table`` is the columns that seats at one table have in common.
    """
    lower = _BIN.format(value=value, width=f"${value}_bin", most=MOST_BINS)
    return (
        f"WITH seats AS (SELECT {table}, {value} AS value, {lower} AS bin FROM {{rows}}"
        f" WHERE {condition}), tables AS (SELECT bin, count(*) AS seats, sum(value) AS total"
        f" FROM seats GROUP BY GROUPING SETS (({table}, bin), ({table})))"
        " SELECT coalesce(bin::VARCHAR, 'all'), count(*), sum(seats), sum(seats * (seats - 1)),"
        " sum(total), sum(total * total) FROM tables GROUP BY bin"
    )


QUERIES: Final[Mapping[str, SumsQuery]] = {
    "games": SumsQuery(
        "games",
        ("games", "deals", "analysed", "analysed_deals"),
        "SELECT 'all', count(*), sum(deals), count(*) FILTER (analysed),"
        " coalesce(sum(deals) FILTER (analysed), 0) FROM {rows} HAVING count(*) > 0",
    ),
    # By house rules.
    "houses": SumsQuery(
        "games",
        ("games",),
        "SELECT profile, count(*) FROM {rows} GROUP BY profile",
    ),
    "ends": SumsQuery(
        "deals",
        ("deals", "turns"),
        "SELECT ending, count(*), sum(turns) FROM {rows} GROUP BY ending",
    ),
    # What was carried over into a deal, and the grade of its field.
    "grades": SumsQuery(
        "deals",
        ("deals",),
        "SELECT bound || ' ' || grade, count(*) FROM {rows}"
        " WHERE grade IS NOT NULL AND bound IS NOT NULL GROUP BY bound, grade",
    ),
    # A card that lay on the field when the first card was played; taken: captured by that card.
    "lay": SumsQuery(
        "deals",
        ("deals", "taken"),
        "WITH "
        + _spread_cards(
            "SELECT laid, first_take FROM {rows} WHERE laid IS NOT NULL",
            "laid",
            {"n": "count(*)"},
            taken="first_take",
        )
        + " SELECT card, sum(n), sum(n * is_taken) FROM cards GROUP BY card",
    ),
    "seat": SumsQuery(
        "results",
        ("games", "ended", "first", "shared_first", "final", "final_sq"),
        "SELECT 'all', count(*), count(*) FILTER (ended),"
        " count(*) FILTER (rank = 1 AND NOT shared), count(*) FILTER (rank = 1 AND shared),"
        " coalesce(sum(final), 0), coalesce(sum(final * final), 0)"
        " FROM {rows} HAVING count(*) > 0",
    ),
    "place": SumsQuery(
        "results",
        ("games",),
        "SELECT rank, count(*) FROM {rows} WHERE rank IS NOT NULL GROUP BY rank",
    ),
    # By place in the order of play, "out" for those who sat out.
    "deals": SumsQuery(
        "seats",
        _SCORED,
        f"SELECT if(place = 0, 'out', place::VARCHAR), {_SCORED_SQL}"
        " FROM {rows} WHERE scored AND place IS NOT NULL GROUP BY place",
    ),
    # By the lower bound of the bin of a deal's score, and of a final sum; "all" for any.
    "score": SumsQuery("seats", _BINNED, _bin_tables("score", "game, deal", "scored")),
    "final": SumsQuery("results", _BINNED, _bin_tables("final", "game", "final IS NOT NULL")),
    # times: lines that were not struck out; zero: of these the ones that gave the seat nothing;
    # alone, amount: of the others the lines of this yaku only, and what they gave.
    "yaku": SumsQuery(
        "yaku",
        ("times", "alone", "amount", "void", "amount_sq", "zero"),
        "WITH lines AS (SELECT yaku, void, NOT void AND amount = 0 AS zero,"
        " NOT void AND amount <> 0 AND parts = 1 AS alone, amount FROM {rows})"
        " SELECT yaku, count(*) FILTER (NOT void), count(*) FILTER (alone),"
        " coalesce(sum(amount) FILTER (alone), 0), count(*) FILTER (void),"
        " coalesce(sum(amount * amount) FILTER (alone), 0), count(*) FILTER (zero)"
        " FROM lines GROUP BY yaku",
    ),
    # Payments that are no yaku. times: lines that changed a sum; zero: lines that did not.
    "payments": SumsQuery(
        LINES,
        ("times", "zero", "void"),
        "SELECT payment, count(*) FILTER (NOT void AND NOT zero), count(*) FILTER (zero),"
        " count(*) FILTER (void)"
        " FROM {rows} GROUP BY payment",
    ),
    # Those that gave a seat something, how much; those that took something.
    "paid": SumsQuery(
        "payments",
        ("received", "amount", "amount_sq", "paid"),
        "SELECT payment, count(*) FILTER (amount > 0),"
        " coalesce(sum(amount) FILTER (amount > 0), 0),"
        " coalesce(sum(amount * amount) FILTER (amount > 0), 0), count(*) FILTER (amount < 0)"
        " FROM {rows} WHERE NOT void GROUP BY payment",
    ),
    # By "hands", "row ID" and "col ID" as `kafu.odds.exact.Hands.matrix` has them.
    "hands": SumsQuery(
        "seats",
        ("deals",),
        "WITH hands AS (SELECT hand_row, hand_column FROM {rows} WHERE hand_row IS NOT NULL)"
        " SELECT 'hands', count(*) FROM hands HAVING count(*) > 0"
        " UNION ALL SELECT 'row ' || hand_row AS key, count(*) FROM hands GROUP BY key"
        " UNION ALL SELECT 'col ' || hand_column AS key, count(*) FROM hands GROUP BY key",
    ),
    # By word and yaku held, by itself or with others, or "all" for any.
    "choices": SumsQuery("choices", _DECIDED, _decide("word")),
    # The same with the cards left in hand, and the opponent's captured cards in fours.
    "decisions": SumsQuery("choices", _DECIDED, _decide("word", '"left"', "opponent // 4 * 4")),
    # By kind of choice, "all" for any; the loss in thousandths of the small unit.
    "losses": SumsQuery(
        "losses",
        ("n", "costly", "loss", "loss_sq"),
        "SELECT unnest(['all', kind]) AS key, count(*), count(*) FILTER (costly), sum(loss),"
        " sum(loss * loss) FROM {rows} GROUP BY key",
    ),
    # A card that was thrown against the rule, and what was paid for others because of it.
    "hatto": SumsQuery(
        "throws",
        ("n", "cost", "paid"),
        "SELECT card, count(*) FILTER (cost IS NULL), coalesce(sum(cost), 0), count(cost)"
        " FROM {rows} GROUP BY card",
    ),
    # A card that the seat had captured when the deal ended; "all" for any.
    "cards": SumsQuery(
        "seats",
        _SCORED,
        "WITH "
        + _spread_cards(
            "SELECT captured, won, score FROM {rows} WHERE captured IS NOT NULL",
            "captured",
            {
                "n": "count(*)",
                "wins": "count(*) FILTER (won)",
                "total": "sum(score)",
                "squares": "sum(score * score)",
            },
        )
        + " SELECT card, sum(n), sum(wins), sum(total), sum(squares) FROM cards GROUP BY card"
        f" UNION ALL SELECT 'all', {_SCORED_SQL} FROM picked HAVING count(*) > 0",
    ),
    # The first card from the hand and what it captured: "A B", or "A -".
    "openings": SumsQuery(
        "seats",
        _SCORED,
        "SELECT first_card || ' ' || if(first_take = '', '-', first_take),"
        f" {_SCORED_SQL} FROM {{rows}} WHERE first_card IS NOT NULL"
        " GROUP BY first_card, first_take",
    ),
}
#: No sums: those of a query without games.
NO_SUMS: Final[Mapping[str, Sums]] = {name: Sums(query.names) for name, query in QUERIES.items()}


def load_sums(selection: Selection, name: str) -> Sums:
    """Return the sums of a query over a selection, from the cache if its snapshot is the same.

    Raises `records.facts.database.QueryTimeout`.
    """
    query = QUERIES[name]

    def compute() -> bytes:
        return json.dumps(compute_sums(selection, query)).encode()

    key = key_of("sums", name, selection.stamp)
    return Sums(query.names, json.loads(once(key, compute)))


def compute_sums(selection: Selection, query: SumsQuery) -> dict[str, dict[str, int]]:
    """Return the numbers of a query by key. Keys with zeros only are left out."""
    values: dict[str, Any] = {"letters": list(LETTERS)}
    if selection.question.ruleset:
        score, final = RULESETS[selection.question.ruleset].bins
        values |= {"score_bin": score, "final_bin": final}
    rows = selection.fetch(query.sql.format(rows=selection.rows(query.table)), **values)
    return {
        str(key): dict(zip(query.names, map(int, numbers), strict=True))
        for key, *numbers in rows
        if any(numbers)
    }


class SelectionSums(Mapping[str, Sums]):
    """The sums of a selection by the name of their query, each loaded when it is first used."""

    def __init__(self, selection: Selection) -> None:
        """Take the rows that count."""
        self._selection = selection
        self._loaded: dict[str, Sums] = {}

    def __getitem__(self, name: str) -> Sums:
        if name not in self._loaded:
            self._loaded[name] = load_sums(self._selection, name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(QUERIES)

    def __len__(self) -> int:
        return len(QUERIES)
