"""Sums of facts: the queries that figures are made of.

Each is a set of rows by a key, with whole numbers by name. All sums are exact, in the ruleset's
small unit (the kan of hachihachi × 12). A deal is *won* by the seat that the rules name as its
winner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kafu.cards import LETTERS
from kafu.rules.rulesets import RULESETS
from records.statistics.selection import Selection

#: The key of sums that have one key only, and the key for any value.
ALL: Final = "all"
#: Bins on either side of 0. The last contains all scores beyond: a sheet may have any sum.
MOST_BINS: Final = 200

#: Numbers by key.
Sums = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class SumsQuery:
    """A query for sums: SQL with ``{rows}`` for the rows of ``table``, and the numbers' names.

    It returns a key and these numbers, the key alone as text.
    """

    table: str
    names: tuple[str, ...]
    sql: str


_SCORED: Final = ("deals", "won", "score", "score_sq")
_SCORED_SQL: Final = "count(*), count_if(won), sum(score), sum(score * score)"
_DECIDED: Final = ("n", "won", "score", "score_sq", "stop", "gain_sq")
_DECIDED_SQL: Final = (
    "count(*), count_if(won), sum(score), sum(score * score), sum(stop),"
    " sum((score - stop) * (score - stop))"
)
_BIN: Final = (
    "least(greatest({value} // {width} - CASE WHEN {value} % {width} < 0 THEN 1 ELSE 0 END,"
    " -{most}), {most}) * {width}"
)


def _per_card(column: str, numbers: str, *, more: str = "") -> str:
    """Return SQL that adds up numbers for each card of a set of cards, by parts of eight cards.

    A set's parts have at most 256 values each, so that rows are grouped before they are spread
    over their cards.
    """
    parts = " UNION ALL ".join(
        f"SELECT {8 * part} AS first, ({column} >> {8 * part}) & 255 AS cards{more.format(part=part)},"
        f" {numbers} FROM picked GROUP BY ALL"
        for part in range(6)
    )
    return parts


QUERIES: Final[Mapping[str, SumsQuery]] = {
    "games": SumsQuery(
        "games",
        ("games", "deals", "turns"),
        "SELECT 'all', count(*), sum(deals), sum(turns) FROM {rows} HAVING count(*) > 0",
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
        "SELECT bound || ' ' || grade AS key, count(*) FROM {rows}"
        " WHERE grade IS NOT NULL AND bound IS NOT NULL GROUP BY key",
    ),
    # A card that lay on the field when the first card was played; taken: captured by that card.
    "lay": SumsQuery(
        "deals",
        ("deals", "taken"),
        "WITH picked AS (SELECT laid, first_take & laid AS taken FROM {rows}"
        " WHERE laid IS NOT NULL), parts AS ("
        + _per_card("laid", "count(*) AS n", more=", (taken >> (8 * {part})) & 255 AS taken")
        + "), cards AS (SELECT first + i AS card, n, (taken >> i) & 1 AS is_taken"
        " FROM parts, (SELECT unnest(range(8)) AS i) WHERE (cards >> i) & 1 = 1)"
        " SELECT $letters[card + 1] AS key, sum(n), sum(n * is_taken) FROM cards GROUP BY key",
    ),
    "seat": SumsQuery(
        "results",
        ("games", "ended", "first", "shared_first", "final", "final_sq"),
        "SELECT 'all', count(*), count_if(ended), count_if(rank = 1 AND NOT shared),"
        " count_if(rank = 1 AND shared), coalesce(sum(final), 0), coalesce(sum(final * final), 0)"
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
        f"SELECT if(place = 0, 'out', place::VARCHAR) AS key, {_SCORED_SQL}"
        " FROM {rows} WHERE scored AND place IS NOT NULL GROUP BY key",
    ),
    # By the lower bound of the bin of a deal's score, and of a final sum.
    "score": SumsQuery(
        "seats",
        ("deals",),
        f"SELECT {_BIN.format(value='score', width='$score_bin', most=MOST_BINS)} AS key,"
        " count(*) FROM {rows} WHERE scored GROUP BY key",
    ),
    "final": SumsQuery(
        "results",
        ("games",),
        f"SELECT {_BIN.format(value='final', width='$final_bin', most=MOST_BINS)} AS key,"
        " count(*) FROM {rows} WHERE final IS NOT NULL GROUP BY key",
    ),
    # times: lines that were not struck out; zero: of these the ones that gave the seat nothing;
    # alone, amount: of the others the lines of this yaku only, and what they gave.
    "yaku": SumsQuery(
        "yaku",
        ("times", "alone", "amount", "void", "amount_sq", "zero"),
        "WITH lines AS (SELECT yaku, void, NOT void AND amount = 0 AS zero,"
        " NOT void AND amount <> 0 AND parts = 1 AS alone, amount FROM {rows})"
        " SELECT yaku, count_if(NOT void), count_if(alone),"
        " coalesce(sum(amount) FILTER (alone), 0), count_if(void),"
        " coalesce(sum(amount * amount) FILTER (alone), 0), count_if(zero)"
        " FROM lines GROUP BY yaku",
    ),
    # Payments that are no yaku. times: lines that changed a sum; zero: lines that did not.
    "payments": SumsQuery(
        "lines",
        ("times", "zero", "void"),
        "SELECT payment, count_if(NOT void AND NOT zero), count_if(zero), count_if(void)"
        " FROM {rows} GROUP BY payment",
    ),
    # Those that gave a seat something, how much; those that took something.
    "paid": SumsQuery(
        "payments",
        ("received", "amount", "amount_sq", "paid"),
        "SELECT payment, count_if(amount > 0), coalesce(sum(amount) FILTER (amount > 0), 0),"
        " coalesce(sum(amount * amount) FILTER (amount > 0), 0), count_if(amount < 0)"
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
    "choices": SumsQuery(
        "choices",
        _DECIDED,
        "WITH held AS (SELECT *, unnest(list_append(held, 'all')) AS id FROM {rows})"
        f" SELECT word || ' ' || id AS key, {_DECIDED_SQL} FROM held GROUP BY key",
    ),
    # The same with the cards left in hand, and the opponent's captured cards in fours.
    "decisions": SumsQuery(
        "choices",
        _DECIDED,
        "WITH held AS (SELECT *, unnest(list_append(held, 'all')) AS id FROM {rows})"
        " SELECT concat_ws(' ', word, id, \"left\", opponent // 4 * 4) AS key,"
        f" {_DECIDED_SQL} FROM held GROUP BY key",
    ),
    # A card that was thrown against the rule, and what was paid for others because of it.
    "hatto": SumsQuery(
        "throws",
        ("n", "cost", "paid"),
        "SELECT card, count_if(cost IS NULL), coalesce(sum(cost), 0), count(cost)"
        " FROM {rows} GROUP BY card",
    ),
    # A card that the seat had captured when the deal ended; "all" for any.
    "cards": SumsQuery(
        "seats",
        _SCORED,
        "WITH picked AS (SELECT captured, won, score FROM {rows} WHERE captured IS NOT NULL),"
        " parts AS ("
        + _per_card(
            "captured",
            "count(*) AS n, count_if(won) AS won, sum(score) AS score,"
            " sum(score * score) AS squares",
        )
        + "), cards AS (SELECT $letters[first + i + 1] AS key, n, won, score, squares"
        " FROM parts, (SELECT unnest(range(8)) AS i) WHERE (cards >> i) & 1 = 1)"
        " SELECT key, sum(n), sum(won), sum(score), sum(squares) FROM cards GROUP BY key"
        f" UNION ALL SELECT 'all', {_SCORED_SQL} FROM picked HAVING count(*) > 0",
    ),
    # The first card from the hand and what it captured: "A B", or "A -".
    "openings": SumsQuery(
        "seats",
        _SCORED,
        "SELECT first_card || ' ' || if(first_take = '', '-', first_take) AS key,"
        f" {_SCORED_SQL} FROM {{rows}} WHERE first_card IS NOT NULL GROUP BY key",
    ),
}


def compute_sums(selection: Selection, name: str) -> Sums:
    """Return the sums of a query over a selection. Keys without any number but 0 are left out."""
    query = QUERIES[name]
    rows = selection.lines() if query.table == "lines" else selection.rows(query.table)
    values: dict[str, Any] = {"letters": list(LETTERS)}
    if selection.question.ruleset:
        score, final = RULESETS[selection.question.ruleset].bins
        values |= {"score_bin": score, "final_bin": final}
    found = selection.fetch(query.sql.format(rows=rows), **values)
    return {
        str(key): dict(zip(query.names, map(int, numbers), strict=True))
        for key, *numbers in found
        if any(numbers)
    }


@dataclass
class SumsOf(Mapping[str, Sums]):
    """The sums of a selection by name, each computed when it is first used."""

    selection: Selection
    _computed: dict[str, Sums] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Sums:
        if name not in self._computed:
            self._computed[name] = compute_sums(self.selection, name)
        return self._computed[name]

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(QUERIES)

    def __len__(self) -> int:
        return len(QUERIES)
