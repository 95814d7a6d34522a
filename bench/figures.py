"""Tables of figures, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        name, *figures = cells
        padded = [
            name.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    marks = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(head), line(marks), *map(line, rows)])


def number(value: float) -> str:
    """Return a number with three digits, without decimals from 100 on."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
