"""The questions of the notebook, in SQL for the files of a dump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafu import cards
from kafu.rules.rulesets import RULESETS

#: Wilson's interval of 95 % for `won` of `n`, as columns.
_WILSON: Final = """\
       round(greatest(0, (won + 1.920729 - 1.959964 * sqrt(won * (n - won) / n + 0.960365))
           / (n + 3.841459)), 4) AS low,
       round(least(1, (won + 1.920729 + 1.959964 * sqrt(won * (n - won) / n + 0.960365))
           / (n + 3.841459)), 4) AS high"""


@dataclass(frozen=True, slots=True)
class Cell:
    """A question, the meaning of its figures, and the SQL that computes them."""

    id: str
    question: str | Promise
    meaning: str | Promise
    sql: Callable[[], str]


def _dealer() -> str:
    return f"""\
WITH decided AS (
    SELECT ruleset, len(players) AS players, winner = dealer AS wins, score
    FROM 'deals.parquet' JOIN 'games.parquet' USING (game)
         JOIN 'seats.parquet' USING (game, deal)
    WHERE winner IS NOT NULL AND seat = dealer
), counted AS (
    SELECT ruleset, round(avg(players), 2) AS players, count(*) AS n,
           count(*) FILTER (wins) AS won, round(avg(score), 2) AS mean_score
    FROM decided GROUP BY ruleset
)
SELECT ruleset, players, n, won, round(won / n, 4) AS rate,
{_WILSON},
       mean_score
FROM counted ORDER BY ruleset"""


def _koikoi() -> str:
    return f"""\
WITH counted AS (
    SELECT "left" AS cards_left, word, count(*) AS n, count(*) FILTER (won) AS won,
           round(avg(margin), 2) AS mean_margin,
           round(avg(margin - stop_margin), 2) AS mean_gain
    FROM 'choices.parquet' JOIN 'games.parquet' USING (game)
    WHERE ruleset = 'koikoi'
    GROUP BY cards_left, word
)
SELECT cards_left, word, n, won, round(won / n, 4) AS rate,
{_WILSON},
       mean_margin, mean_gain
FROM counted ORDER BY cards_left DESC, word"""


def _teshi() -> str:
    exact = ",\n           ".join(
        f"('{id}', {float(four_of_a_month(rules.hand)):.10f})" for id, rules in RULESETS.items()
    )
    return f"""\
WITH dealt AS (
    SELECT ruleset, unnest(hands) AS hand
    FROM 'cards.parquet' JOIN 'games.parquet' USING (game)
         SEMI JOIN 'deals.parquet' USING (game, deal)
    WHERE len(players) < 7
), known AS (
    SELECT ruleset, list_transform(string_split(hand, ''),
               lambda card : (instr('{cards.LETTERS}', card) - 1) // 4) AS months
    FROM dealt WHERE hand <> '-' AND hand NOT LIKE '%?%'
), counted AS (
    SELECT ruleset, count(*) AS n,
           count(*) FILTER (list_max(list_transform(range(12),
               lambda month : len(list_filter(months, lambda held : held = month)))) = 4) AS won
    FROM known GROUP BY ruleset
), odds(ruleset, exact) AS (
    VALUES {exact}
)
SELECT ruleset, n, won AS with_four, round(won / n, 6) AS rate,
{_WILSON},
       round(exact, 6) AS exact
FROM counted LEFT JOIN odds USING (ruleset) ORDER BY ruleset"""


def four_of_a_month(size: int) -> Fraction:
    """Return the probability that a hand of ``size`` cards has all four cards of a month.

    >>> round(float(four_of_a_month(7)), 6)
    0.002158
    """
    hands = sum(
        (-1) ** (months + 1) * comb(12, months) * comb(48 - 4 * months, size - 4 * months)
        for months in range(1, size // 4 + 1)
    )
    return Fraction(hands, comb(48, size))


CELLS: Final = (
    Cell(
        "dealer",
        _("Does the dealer win more?"),
        _(
            "Deals that somebody won, by ruleset. “rate” is the share that the dealer won, “low” "
            "and “high” the bounds of its 95 per cent interval, “mean_score” the dealer's mean "
            "score in a deal. If all players had equal chances, the rate would be 1 ÷ players."
        ),
        _dealer,
    ),
    Cell(
        "koikoi",
        _("Is koi-koi worth saying?"),
        _(
            "Decisions with a yaku made, by the number of cards left in the hand after the turn. "
            "“won” counts the deals that the deciding player won in the end. “mean_margin” is the "
            "mean of that player's score less the opponent's in the deal, “mean_gain” what it was "
            "more than stopping would have given. Stopping always wins, so look at the rates and "
            "gains of koi-koi only."
        ),
        _koikoi,
    ),
    Cell(
        "teshi",
        _("Are all four cards of a month dealt as often as expected?"),
        _(
            "Dealt hands of which every card is known, with all four cards of a month (teshi and "
            "every yaku that contains it). “exact” is the probability, counted over all possible "
            "hands; by chance alone it lies outside “low” to “high” once in twenty."
        ),
        _teshi,
    ),
)
