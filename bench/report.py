"""docs/performance.md from the last run of `python -m bench`, or from a file of var/bench/.

    python -m bench.report [FILE]

Replaces the figures between the marks of the page, and adds a line to its history, or replaces the
line of the same commit.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from bench import ROOT, figures
from bench.figures import Figure, Row, number
from bench.machine import Run

PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of the figures -->\n"
TEXT, INTAKE, SERVING = "Text to verdict", "Intake", "Serving, one web process"
#: Columns of the history after date and commit: table, pattern of the row's name, column.
HISTORY = {
    "koikoi": (TEXT, "koikoi", "ratio"),
    "hachihachi": (TEXT, "hachihachi", "ratio"),
    "hachihachi-bga": (TEXT, "hachihachi-bga", "ratio"),
    "hanaawase": (TEXT, "hanaawase", "ratio"),
    "ten-five-one": (TEXT, "ten-five-one", "ratio"),
    "intake, games/s": (INTAKE, ".+", "games/s"),
    "kB a game": (INTAKE, ".+", "kB a game"),
    "game page/s": (SERVING, "game; 8 readers", "answers/s"),
    "replay.json/s": (SERVING, "replay.json; 8 readers", "answers/s"),
    "list/s": (SERVING, "list; 8 readers", "answers/s"),
    "statistics/s": (SERVING, "statistics; 8 readers", "answers/s"),
}


def load(path: Path) -> tuple[Run, list[Figure]]:
    """A run and its figures."""
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    return Run.loads(first), [figures.loads(line) for line in rest]


def value(found: Sequence[Figure], table: str, name: str, column: str) -> str:
    """A value as it is written, – if it was not measured."""
    for row in found:
        if isinstance(row, Row) and row.table == table and re.fullmatch(name, row.name):
            return number(row.values[column])
    return "–"


def history_line(run: Run, found: Sequence[Figure]) -> str:
    """The run as a line of the history."""
    library = ", compiled" if run.compiled else ""
    values = [value(found, *where) for where in HISTORY.values()]
    return f"| {run.date} | {run.commit}{library} | {' | '.join(values)} |\n"


def updated(page: str, run: Run, found: Sequence[Figure]) -> str:
    """The page with the figures of a run. Raises ValueError where it lacks a mark."""
    before, rest = page.split(BEGIN)
    _old, after = rest.split(END)
    new = history_line(run, found)
    head = "|".join(new.split("|")[:3])
    lines = [line for line in after.splitlines(keepends=True) if not line.startswith(f"{head}|")]
    last = max(place for place, line in enumerate(lines) if line.startswith("|"))
    lines.insert(last + 1, new)
    return f"{before}{BEGIN}\n{run}\n\n{figures.markdown(found)}\n\n{END}{''.join(lines)}"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path, nargs="?", help="the last one if none is named")
    given: Path | None = parser.parse_args().file
    path = given or max((ROOT / "var" / "bench").glob("*.json"))
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8"), *load(path)), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} has the figures of {path.name}")


if __name__ == "__main__":
    main()
