"""The lines that `bench.serving` prints, as figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bench.figures import Figure, Ratio, Row

#: Where the name of a kind ends in a line, and what follows the number of readers.
NAME = 24
COLUMNS = ("answers/s", "p50 ms", "p99 ms", "ms of a core", "answers/s of a core")
#: Kind of answer and readers -> column, what it is to be, whether at most.
AIMS = {
    ("game", 50): ("answers/s", 500.0, False),
    ("replay.json", 50): ("answers/s", 500.0, False),
    ("statistics", 50): ("answers/s", 100.0, False),
    ("game, 500/s", 50): ("p99 ms", 50.0, True),
    ("replay.json, 500/s", 50): ("p99 ms", 50.0, True),
}


def figures_of(lines: Iterable[str]) -> Iterator[Figure]:
    """A row for each line with figures, and what is aimed at."""
    for line in lines:
        name, cells = line[:NAME].strip(), line[NAME:].replace(",", "").split()
        if not name or not cells or not cells[0].isdigit():
            continue
        readers, *values = cells[: len(COLUMNS) + 1]
        row = dict(zip(COLUMNS, map(float, values), strict=True))
        yield Row("Serving, one web process", f"{name}; {readers} readers", row)
        if aim := AIMS.get((name, int(readers))):
            column, wanted, most = aim
            yield Ratio(f"{name}, {readers} readers: {column}", row[column], wanted, most)
