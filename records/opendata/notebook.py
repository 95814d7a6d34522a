"""Questions about a dump, answered from its Parquet files alone, and a replayed game.

The results are stored with the files, so that a page shows the results of the day of the dump.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import duckdb

from records.facts.database import open_cursor
from records.facts.parts import quote
from records.opendata.cells import CELLS, Cell

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


def _answer(cursor: duckdb.DuckDBPyConnection, cell: Cell) -> dict[str, Any]:
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
