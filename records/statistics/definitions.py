"""The definitions of all figures as a table for documents: the text of pages and the API."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import override

from records.statistics.registry import FIGURES


def table() -> str:
    """A row for each figure: id, title, what it is, and its formula; in English, as Markdown."""
    with override("en"):
        return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "| figure | title | what it is | formula |"
    yield "|---|---|---|---|"
    for figure in FIGURES.values():
        words = (f"`{figure.id}`", figure.title, figure.definition, f"`{figure.formula}`")
        yield f"| {' | '.join(str(word).replace('|', '/') for word in words)} |"
