"""Three questions answered over a dump, from its Parquet files alone.

The answers are stored with the files, so that a page shows what was computed when they were made.
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


def run(directory: Path) -> list[dict[str, Any]]:
    """The answers over the dump in a directory, in the order of `CELLS`.

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
    """Answer all questions, and write the answers next to the tables, as JSON and as Markdown."""
    found = run(directory)
    text = json.dumps(found, ensure_ascii=False, indent=1, default=float)
    (directory / FILE).write_text(text + "\n", encoding="utf-8")
    (directory / MARKDOWN).write_text("\n".join(_markdown(json.loads(text))), encoding="utf-8")


def _markdown(found: list[dict[str, Any]]) -> Iterator[str]:
    yield "# Three questions\n"
    yield "Run in the directory of the Parquet files: `duckdb`, or `duckdb.sql(…)` in Python."
    for cell in found:
        yield f"\n## {cell['question']}\n\n{cell['meaning']}\n\n```sql\n{cell['sql']}\n```\n"
        yield f"| {' | '.join(cell['columns'])} |"
        yield f"|{'---|' * len(cell['columns'])}"
        for row in cell["rows"]:
            yield f"| {' | '.join('' if value is None else str(value) for value in row)} |"
    yield ""
