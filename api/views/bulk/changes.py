"""Games that changed since a moment or a cursor, for mirrors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.paging import MOST, page_size
from api.problems import invalid
from api.renderers import NdjsonRenderer
from api.views import export
from records.base.site import absolute
from records.search import filters
from records.search.changes import UnknownPlace, every_place, games_or_tombstones, place_at, places
from records.search.export import Place
from records.search.export_forms import make_change_line, write_changes
from records.search.selection import cursor, read_cursor

NAME: Final = "changed_since"
#: Characters of texts on a page of JSON, after which it ends; a single text may be longer.
MOST_TEXT: Final = 4 << 20
PARAMETER: Final = OpenApiParameter(
    NAME,
    OpenApiTypes.STR,
    description=(
        "Games whose public form changed since this moment (`2026-03-01T12:00:00Z`) or `cursor`, "
        "the oldest change first, and tombstones of those that are no longer public; without "
        "filters. As JSON in pages, or as NDJSON."
    ),
)


def is_requested(request: Request) -> bool:
    """Whether a request is for changes."""
    return bool(request.query_params.get(NAME, "").strip())


def changes(request: Request) -> Any:
    """The changes after the caller's place: a page of JSON, or a file of NDJSON.

    Raises the problem 400 for another format, and for parameters that do not belong here.
    """
    for name in (*filters.NAMES, "cursor", "include"):
        if request.query_params.get(name):
            message = _("%(name)s: cannot be combined with %(other)s.")
            raise invalid(name, message % {"name": name, "other": NAME})
    after = _place(request.query_params[NAME].strip())
    form = request.accepted_renderer.format
    if form == "json":
        return _page(request, after)
    if form != NdjsonRenderer.format:
        words = {"name": "format", "expected": "json, ndjson"}
        raise invalid("format", _("%(name)s: expected %(expected)s.") % words)
    more = {}
    found = every_place(after)
    if "page_size" in request.query_params:
        block, is_more = _places(after, page_size(request, export.MOST))
        found = iter(block)
        if is_more:
            more["Link"] = f'<{_address(request, block[-1] if block else after)}>; rel="next"'
    return export.stream(request, write_changes(games_or_tombstones(found)), "changes", **more)


def _page(request: Request, after: Place) -> Response:
    block, more = _places(after, page_size(request, MOST))
    lines: list[dict[str, Any]] = []
    size, last = 0, after
    for place, change in games_or_tombstones(block):
        lines.append(make_change_line(place, change))
        last = place
        size += len(lines[-1].get("text", ""))
        if size > MOST_TEXT:
            more = more or place != block[-1]
            break
    else:
        last = block[-1] if block else after
    following = _address(request, last) if more else None
    body = {"next": following, "cursor": cursor(last), "results": lines}
    return Response(body, headers={"Cache-Control": "no-store"})


def _address(request: Request, place: Place) -> str:
    address = absolute(request.get_full_path())
    return str(replace_query_param(address, NAME, cursor(place)))


def _places(after: Place, most: int) -> tuple[list[Place], bool]:
    try:
        return places(after, most)
    except UnknownPlace:
        text = _("%(name)s: this cursor is not of this archive; fetch all games again.")
        raise invalid(NAME, text % {"name": NAME}) from None


def _place(written: str) -> Place:
    """The place that a caller names by a moment or a cursor. Raises the problem 400."""
    try:
        moment = _moment(written)
        return place_at(moment) if moment else tuple(read_cursor(written, 2)[1])
    except (ValueError, OverflowError):
        message = _(
            "%(name)s: expected a moment such as 2026-03-01T12:00:00Z, or a cursor of this list."
        )
        raise invalid(NAME, message % {"name": NAME}) from None


def _moment(written: str) -> datetime | None:
    """A moment in ISO 8601, in UTC where it names no zone; None for no moment."""
    day = parse_date(written)
    if day is not None:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    moment = parse_datetime(written)
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
