"""Lists of players, a page at a time, at the same cost however long they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.search.selection import AFTER, beyond, cursor, read_cursor
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.questions import Parameter, Question, count_to

#: Players of a page, and the maximum.
PAGE: Final = 50
MOST: Final = 1000


def _read_cursor(written: str, question: Question) -> str:
    try:
        way, _place = read_cursor(written, 3)
    except ValueError:
        way = ""
    if way != AFTER:
        raise ValueError(_("use a value that this list has returned."))
    return written


#: The parameters of a figure with such a list. A cursor is the last row: its sort values, its key,
#: and its number in the list.
PAGED: Final = (
    Parameter(
        "cursor",
        gettext_lazy("Where to continue; taken from `next`."),
        {"type": "string"},
        _read_cursor,
    ),
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
    """Games, and of their players the ``listed``, the first of whom is ``number``."""

    listed: Sequence[Any] = ()
    number: int = 1
    next: str = ""


def listed(
    question: Question,
    rows: QuerySet[Any] | Sequence[Any],
    names: Sequence[str],
    of: Gathered | None = None,
) -> GatheredPage:
    """A page of rows, in descending order of two columns, ``names``, the second unique.

    They are ``of`` these games, or all of the ruleset.
    """
    own = question.own
    size = own.get("page_size", PAGE)
    number = 0
    if written := own.get("cursor"):
        _way, (*place, number) = read_cursor(written, 3)
        if isinstance(rows, QuerySet):
            rows = rows.filter(beyond(names, place, "lt"))
        else:
            rows = [row for row in rows if [getattr(row, name) for name in names] < place]
    found = list(rows[: size + 1])
    more, found = len(found) > size, found[:size]
    return extended(
        GatheredPage,
        of or gather(Question(ruleset=question.ruleset)),
        stamp=stamp(found),
        listed=found,
        number=number + 1,
        next=cursor([*(getattr(found[-1], name) for name in names), number + size]) if more else "",
    )


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
