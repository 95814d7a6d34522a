"""Pages of a list with changes between requests, addressed by the key of a neighbour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from records.models import Listing, Player, Record, Visibility
from records.search.games import records_of
from records.search.selection import beyond, place_of

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of games in the list's order, with the keys for the adjacent pages, "" at an end."""

    records: list[Record]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A page of players in the list's order, with the keys as in `ListPage`."""

    players: list[Player]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class KeyPage:
    """A page of rows with keys in the list's order, with the keys as in `ListPage`."""

    rows: list[Any]
    before: str
    after: str


def page_of(queryset: QuerySet[Listing], params: Mapping[str, str], size: int) -> ListPage:
    """Return the page after or before the game with a key, by default the first page.

    ``queryset`` is ordered as in `records.search.selection.SORTS`. An unknown key gives the first
    page.
    """
    before, after = (
        # An unlisted game is no place in a list; otherwise the response would reveal its existence.
        queryset.filter(record__key=key).first()
        or Listing.objects.filter(record__key=key, visibility=Visibility.PUBLIC).first()
        if (key := _key(params, name))
        else None
        for name in ("before", "after")
    )
    rows, more_before, more_after = window(queryset, before, after, size)
    records = records_of(rows)
    return ListPage(
        records,
        before=records[0].key if records and more_before else "",
        after=records[-1].key if records and more_after else "",
    )


def players_of(queryset: QuerySet[Player], params: Mapping[str, str], size: int) -> PlayerPage:
    """Return the page after or before the player with a key, by default the first page."""
    before, after = (
        Player.objects.filter(key=key, games__gt=0).first() if (key := _key(params, name)) else None
        for name in ("before", "after")
    )
    rows, more_before, more_after = window(queryset, before, after, size)
    return PlayerPage(
        rows,
        before=rows[0].key if rows and more_before else "",
        after=rows[-1].key if rows and more_after else "",
    )


def key_page(queryset: QuerySet[Any], params: Mapping[str, str], size: int) -> KeyPage:
    """Return the page after or before the row with a key, by default the first; see `page_of`."""
    before, after = (
        queryset.filter(key=key).first() if (key := _key(params, name)) else None
        for name in ("before", "after")
    )
    rows, more_before, more_after = window(queryset, before, after, size)
    return KeyPage(
        rows,
        before=rows[0].key if rows and more_before else "",
        after=rows[-1].key if rows and more_after else "",
    )


def pk_page(queryset: QuerySet[Any], params: Mapping[str, str], size: int) -> KeyPage:
    """Return a page as `key_page`, for rows that are addressed by their primary key."""
    before, after = (
        queryset.filter(pk=int(pk)).first()
        if (pk := _key(params, name)).isdecimal() and len(pk) < 19
        else None
        for name in ("before", "after")
    )
    rows, more_before, more_after = window(queryset, before, after, size)
    return KeyPage(
        rows,
        before=str(rows[0].pk) if rows and more_before else "",
        after=str(rows[-1].pk) if rows and more_after else "",
    )


def window(
    queryset: QuerySet[Row], before: Row | None, after: Row | None, size: int
) -> tuple[list[Row], bool, bool]:
    """Return the rows next to a row of the list.

    The flags tell whether more rows come before and after. ``queryset`` is ordered in one direction
    by whole numbers, unique together.
    """
    order = [str(name) for name in queryset.query.order_by]
    names = [name.removeprefix("-") for name in order]
    falling = order[0].startswith("-")

    if before is not None:
        queryset = queryset.filter(
            beyond(names, place_of(before, names), "gt" if falling else "lt")
        )
        rows = list(queryset.reverse()[: size + 1])
        return rows[:size][::-1], len(rows) > size, True
    if after is not None:
        queryset = queryset.filter(beyond(names, place_of(after, names), "lt" if falling else "gt"))
    rows = list(queryset[: size + 1])
    return rows[:size], after is not None, len(rows) > size


def _key(params: Mapping[str, str], name: str) -> str:
    """Return the key in a parameter, empty if the database cannot compare it (NUL)."""
    key = params.get(name, "")
    return key if key.isalnum() else ""
