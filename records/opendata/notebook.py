"""Questions about a dump, answered from its Parquet files alone, and a replayed game.

The results are stored with the files, so that a page shows the results of the day of the dump.

The questions of the notebook, in SQL for the files of a dump.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any, Final

import duckdb
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafu import cards
from kafu.rules.rulesets import RULESETS
from records.facts.database import open_cursor
from records.facts.parts import quote

#: Wilson's interval of 95 % for `won` of `n`, as columns.
_WILSON: Final = """\
       round(greatest(0, (won + 1.920729 - 1.959964 * sqrt(won * (n - won) / n + 0.960365))
           / (n + 3.841459)), 4) AS low,
       round(least(1, (won + 1.920729 + 1.959964 * sqrt(won * (n - won) / n + 0.960365))
           / (n + 3.841459)), 4) AS high"""
RESULTS: Final = "notebook.json"
MARKDOWN: Final = "notebook.md"
JUPYTER: Final = "notebook.ipynb"
FILES: Final = (RESULTS, MARKDOWN, JUPYTER)
#: A query over all rows of a dump is never interrupted before.
_SECONDS: Final = 3600.0
#: A cell that finds the text of a row in the tables: the library reads the text file.
_REPLAY_TITLE: Final = "Replay the longest game"
_REPLAY: Final = """\
import kafu  # pip install 'kafu[zstd]'

longest = duckdb.sql(\"\"\"
SELECT number, turns FROM 'games.parquet' WHERE turns > 0 ORDER BY turns DESC, number LIMIT 1
\"\"\")
for number, turns in longest.fetchall():
    (record,) = kafu.records("{texts}", numbers={{number}})
    steps = list(kafu.replay(record.game))
    print(kafu.verify(record).status, turns, "turns,", len(steps), "steps")"""
_ABOUT: Final = "Run in the directory of the Parquet files: `duckdb`, or `duckdb.sql(…)` in Python."


@dataclass(frozen=True, slots=True)
class NotebookQuestion:
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
        f"('{id}', {float(four_of_a_month(description.hand)):.10f})"
        for id, description in RULESETS.items()
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
    NotebookQuestion(
        "dealer",
        _("Does the dealer win more?"),
        _(
            "Deals that somebody won, by ruleset. “rate” is the share that the dealer won, “low” "
            "and “high” the bounds of its 95 per cent interval, “mean_score” the dealer's mean "
            "score in a deal. If all players had equal chances, the rate would be 1 ÷ players."
        ),
        _dealer,
    ),
    NotebookQuestion(
        "koikoi",
        _("Is koi-koi worth saying?"),
        _(
            "Decisions with a yaku made, by the number of cards left in the hand after the turn. "
            "“won” counts the deals that the deciding player won in the end. “mean_margin” is the "
            "mean of that player's margin in the deal, “mean_gain” what it was "
            "more than stopping would have given. Stopping always wins, so look at the rates and "
            "gains of koi-koi only."
        ),
        _koikoi,
    ),
    NotebookQuestion(
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


def write(directory: Path) -> None:
    """Run all queries and write the results next to the tables.

    The files are JSON, Markdown, and a Jupyter notebook whose cells can be run again.
    """
    with open_tables(directory) as cursor:
        text = _format_json([_answer(cursor, cell) for cell in CELLS])
    # Convert times, dates and decimals to the form in the files.
    results = json.loads(text)
    (texts,) = directory.glob("*.kafu.zst")
    replay = _REPLAY.format(texts=texts.name)
    (directory / RESULTS).write_text(text, encoding="utf-8")
    (directory / MARKDOWN).write_text(
        "\n".join(_format_markdown(results, replay)), encoding="utf-8"
    )
    (directory / JUPYTER).write_text(_format_json(_make_jupyter(results, replay)), encoding="utf-8")


@contextmanager
def open_tables(directory: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a cursor that finds the files of a dump by name."""
    with open_cursor(_SECONDS) as cursor:
        cursor.execute(f"SET SESSION file_search_path = '{quote(str(directory))}'")
        yield cursor


def _answer(cursor: duckdb.DuckDBPyConnection, cell: NotebookQuestion) -> dict[str, Any]:
    """Return a cell with the columns and rows of its result."""
    sql = cell.sql()
    rows = cursor.execute(sql).fetchall()
    return {
        "id": cell.id,
        "question": str(cell.question),
        "meaning": str(cell.meaning),
        "sql": sql,
        "columns": [column[0] for column in cursor.description or ()],
        "rows": rows,
    }


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=float) + "\n"


def _format_markdown(results: list[dict[str, Any]], replay: str) -> Iterator[str]:
    yield "# Three questions\n"
    yield _ABOUT
    for cell in results:
        yield f"\n## {cell['question']}\n\n{cell['meaning']}\n\n```sql\n{cell['sql']}\n```\n"
        yield from _format_table(cell)
    yield f"\n## {_REPLAY_TITLE}\n\n```python\n{replay}\n```\n"


def _format_table(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the result of a question as the lines of a table in Markdown."""
    yield f"| {' | '.join(cell['columns'])} |"
    yield f"|{'---|' * len(cell['columns'])}"
    for row in cell["rows"]:
        yield f"| {' | '.join('' if value is None else str(value) for value in row)} |"


def _make_jupyter(results: list[dict[str, Any]], replay: str) -> dict[str, Any]:
    """Return the notebook in Jupyter's form (nbformat 4.5), with the results."""
    cells = [
        _make_cell("about", "markdown", f"# Three questions\n\n{_ABOUT}"),
        _make_code_cell("start", "import duckdb  # pip install duckdb"),
    ]
    for cell in results:
        table = {"text/markdown": _split_lines("\n".join(_format_table(cell)))}
        output = {"output_type": "execute_result", "metadata": {}, "data": table}
        cells += [
            _make_cell(
                f"{cell['id']}-question", "markdown", f"## {cell['question']}\n\n{cell['meaning']}"
            ),
            _make_code_cell(cell["id"], f'duckdb.sql("""\n{cell["sql"]}\n""")', output),
        ]
    cells += [
        _make_cell("replay-title", "markdown", f"## {_REPLAY_TITLE}"),
        _make_code_cell("replay", replay),
    ]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _make_cell(id: str, kind: str, text: str) -> dict[str, Any]:
    return {"cell_type": kind, "id": id, "metadata": {}, "source": _split_lines(text)}


def _make_code_cell(id: str, code: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    never_run: dict[str, Any] = {"execution_count": None}
    results = [output | never_run for output in outputs]
    return _make_cell(id, "code", code) | never_run | {"outputs": results}


def _split_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
