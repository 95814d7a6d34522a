"""What is measured, as lines of JSON and as tables in Markdown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median

#: Of each figure the median of so many rounds is taken.
ROUNDS = 5


@dataclass(frozen=True)
class Ratio:
    """One speed or size by another of the same run; ``aim`` is what it is to be at least, or, with
    ``most``, at most.
    """

    name: str
    value: float
    aim: float | None = None
    most: bool = False


@dataclass(frozen=True)
class Row:
    """A line of a table: a value for each column, in the unit that the column's name ends with."""

    table: str
    name: str
    values: dict[str, float]


Figure = Ratio | Row


def dumps(figure: Figure) -> str:
    """One line of JSON, which `loads` reads."""
    return json.dumps(asdict(figure))


def loads(line: str) -> Figure:
    """The figure of a line. Raises TypeError or ValueError for other text."""
    found = json.loads(line)
    return Row(**found) if "table" in found else Ratio(**found)


def of_lines(lines: Iterable[str]) -> Iterator[Figure]:
    """The figures among what a part printed: its processes say something now and then."""
    return (loads(line) for line in lines if line.startswith("{"))


def publish(figures: Iterable[Figure], *, as_json: bool) -> None:
    """Print figures: each at once as JSON, or all together as tables."""
    if as_json:
        for one in figures:
            print(dumps(one), flush=True)
    else:
        print(markdown(list(figures)))


def cpu_seconds(work: Callable[[], object]) -> float:
    """Seconds of a core that this process needs for it."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def paired(
    first: Callable[[], object], second: Callable[[], object], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """Seconds of a core of each, and how often the second fits into the first: medians of rounds,
    in each of which one runs right after the other.
    """
    pairs = [(cpu_seconds(first), cpu_seconds(second)) for _ in range(rounds)]
    return (
        median(one for one, _ in pairs),
        median(other for _, other in pairs),
        median(one / other for one, other in pairs),
    )


def markdown(figures: Sequence[Figure]) -> str:
    """Ratios first, then a table of each kind of row."""
    parts = list(_tables(figures))
    if ratios := [one for one in figures if isinstance(one, Ratio)]:
        aims = [("≤ " if one.most else "≥ ") + number(one.aim) if one.aim else "" for one in ratios]
        rows = [[one.name, number(one.value), aim] for one, aim in zip(ratios, aims, strict=True)]
        parts.insert(0, table(["Ratio", "measured", "aim"], rows))
    return "\n\n".join(parts)


def _tables(figures: Sequence[Figure]) -> Iterator[str]:
    rows = [one for one in figures if isinstance(one, Row)]
    for name in dict.fromkeys(row.table for row in rows):
        of_it = [row for row in rows if row.table == name]
        columns = list(dict.fromkeys(column for row in of_it for column in row.values))
        cells = [
            [row.name, *(number(row.values[one]) if one in row.values else "" for one in columns)]
            for row in of_it
        ]
        yield table([name, *columns], cells)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, its columns as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = cells
        padded = [
            first.ljust(widths[0]),
            *(one.rjust(w) for one, w in zip(rest, widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    marks = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(head), line(marks), *map(line, rows)])


def number(value: float) -> str:
    """Three figures, but no part of what is counted in hundreds."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
