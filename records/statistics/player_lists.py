"""Lists of players, a page at a time, at the same cost however long they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy

from records.search.selection import beyond, cursor, read_cursor
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.questions import Parameter, Question, count_to, cursor_parameter

#: Players of a page, and the maximum.
PAGE: Final = 50
MOST: Final = 1000


#: The parameters of a figure with such a list. A cursor is the last row: its sort values, its key,
#: and its number in the list.
PAGED: Final = (
    cursor_parameter(3),
    Parameter(
        "page_size",
        gettext_lazy("Players in one answer."),
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
        count_to(MOST, 1),
        PAGE,
    ),
)


@dataclass(frozen=True, slots=True)
class GatheredPage(Gathered):
    """Games, and of their ``total`` players the ``listed``, the first of whom is ``number``."""

    listed: Sequence[Any] = ()
    number: int = 1
    next: str = ""
    total: int = 0


def listed(question: Question, rows: QuerySet[Any], names: Sequence[str]) -> GatheredPage:
    """Return a page of rows, in descending order of two columns, the second of which is unique."""
    size = question.own.get("page_size", PAGE)
    place, number = read_place(question)
    page = rows.filter(beyond(names, place, "lt")) if place else rows
    found = list(page[: size + 1])
    more, found = len(found) > size, found[:size]
    gathered: GatheredPage = extended(
        GatheredPage,
        gather(Question(ruleset=question.ruleset)),
        stamp=stamp(found),
        listed=found,
        number=number + 1,
        next=cursor([*(getattr(found[-1], name) for name in names), number + size]) if more else "",
        total=rows.count(),
    )
    return gathered


def read_place(question: Question) -> tuple[list[int], int]:
    """Return the sort values of the last row before the page, and its number; ([], 0) for none."""
    written = question.own.get("cursor")
    if not written:
        return [], 0
    _way, (*place, number) = read_cursor(written, 3)
    return place, number


def stamp(rows: Iterable[Model]) -> str:
    """A hash that changes with any value of the rows, or with their players."""
    kept = [
        (*(getattr(row, one.attname) for one in row._meta.concrete_fields), _key_of(row))
        for row in rows
    ]
    return stamp_of(map(repr, kept))


def _key_of(row: Any) -> str:
    return row.player.name if "player" in row._state.fields_cache else ""


def extended(
    kind: type[Any], gathered: Gathered, *, stamp: str, as_of: datetime | None = None, **more: Any
) -> Any:
    """The counted data as an instance of a subclass, with more fields."""
    parts = {one.name: getattr(gathered, one.name) for one in fields(Gathered)}
    parts["stamp"] = f"{gathered.stamp} {stamp}"
    times = [time for time in (gathered.as_of, as_of) if time]
    parts["as_of"] = max(times, default=None)
    return kind(**{**parts, **more})
