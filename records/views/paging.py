"""Pages of a list that grows at its head: by the key of a neighbour, never by counting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from records.models import Record


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, newest first, and the keys to go on from: "" where nothing lies there."""

    records: list[Record]
    newer: str
    older: str


def page_of(found: QuerySet[Record], asked: Mapping[str, str], size: int) -> Page:
    """The page after ``asked["older"]`` or before ``asked["newer"]`` (games' keys), else the first.

    A key that no game has begins at the start.
    """
    newer, older = (_id(asked.get(name, "")) for name in ("newer", "older"))
    if newer is not None:
        rows = list(found.filter(pk__gt=newer).order_by("pk")[: size + 1])
        more_newer, more_older = len(rows) > size, True
        rows = rows[:size][::-1]
    else:
        rows = list((found.filter(pk__lt=older) if older is not None else found)[: size + 1])
        more_newer, more_older = older is not None, len(rows) > size
        rows = rows[:size]
    return Page(
        rows,
        newer=rows[0].key if rows and more_newer else "",
        older=rows[-1].key if rows and more_older else "",
    )


def _id(key: str) -> int | None:
    return Record.objects.filter(key=key).values_list("pk", flat=True).first() if key else None
