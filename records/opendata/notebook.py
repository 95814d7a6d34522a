"""Three questions about a dump, answered from its Parquet files alone, and a game replayed.

The results are stored with the files, so that a page shows what was computed when they were made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from records.opendata.cells import CELLS
from records.opendata.parquet import answer, connect

FILE: Final = "notebook.json"
MARKDOWN: Final = "notebook.md"
JUPYTER: Final = "notebook.ipynb"
FILES: Final = (FILE, MARKDOWN, JUPYTER)
#: A cell that goes from a row of the tables to its text: the text file is read by the library.
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


def run(directory: Path) -> list[dict[str, Any]]:
    """Return the results over the dump in a directory, in the order of `CELLS`.

    Each has ``id``, ``question``, ``meaning``, ``sql``, ``columns`` and ``rows``.
    """
    connection = connect(directory)
    try:
        return [
            {
                "id": cell.id,
                "question": str(cell.question),
                "meaning": str(cell.meaning),
                "sql": (sql := cell.sql()),
                **dict(zip(("columns", "rows"), answer(connection, sql), strict=True)),
            }
            for cell in CELLS
        ]
    finally:
        connection.close()


def write(directory: Path) -> None:
    """Answer all questions, and write the results next to the tables: as JSON, as Markdown, and as
    a Jupyter notebook whose cells can be run again.
    """
    text = json.dumps(run(directory), ensure_ascii=False, indent=1, default=float) + "\n"
    results = json.loads(text)
    (texts,) = directory.glob("*.kafu.zst")
    replay = _REPLAY.format(texts=texts.name)
    (directory / FILE).write_text(text, encoding="utf-8")
    (directory / MARKDOWN).write_text("\n".join(_markdown(results, replay)), encoding="utf-8")
    (directory / JUPYTER).write_text(
        json.dumps(_jupyter(results, replay), ensure_ascii=False, indent=1) + "\n",
        encoding="utf-8",
    )


def _markdown(results: list[dict[str, Any]], replay: str) -> Iterator[str]:
    yield "# Three questions\n"
    yield _ABOUT
    for cell in results:
        yield f"\n## {cell['question']}\n\n{cell['meaning']}\n\n```sql\n{cell['sql']}\n```\n"
        yield from _table(cell)
    yield f"\n## {_REPLAY_TITLE}\n\n```python\n{replay}\n```\n"


def _table(cell: dict[str, Any]) -> Iterator[str]:
    """Yield the result of a question as the lines of a table in Markdown."""
    yield f"| {' | '.join(cell['columns'])} |"
    yield f"|{'---|' * len(cell['columns'])}"
    for row in cell["rows"]:
        yield f"| {' | '.join('' if value is None else str(value) for value in row)} |"


def _jupyter(results: list[dict[str, Any]], replay: str) -> dict[str, Any]:
    """Return the notebook in Jupyter's form (nbformat 4.5), with the results."""
    cells = [
        _text("about", f"# Three questions\n\n{_ABOUT}"),
        _code("start", "import duckdb  # pip install duckdb", []),
    ]
    for cell in results:
        answered = {
            "output_type": "execute_result",
            "execution_count": None,
            "metadata": {},
            "data": {"text/markdown": _lines("\n".join(_table(cell)))},
        }
        code = f'duckdb.sql("""\n{cell["sql"]}\n""")'
        cells += [
            _text(f"{cell['id']}-question", f"## {cell['question']}\n\n{cell['meaning']}"),
            _code(cell["id"], code, [answered]),
        ]
    cells += [_text("replay-title", f"## {_REPLAY_TITLE}"), _code("replay", replay, [])]
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _text(id: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": id, "metadata": {}, "source": _lines(text)}


def _code(id: str, code: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": id,
        "metadata": {},
        "execution_count": None,
        "source": _lines(code),
        "outputs": outputs,
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
