"""Games that changed since a moment or a cursor, for mirrors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.openapi import register_component, schema_of
from api.paging import DEFAULT_PAGE_SIZE, LINK, MAX_PAGE_SIZE, link_header, parse_page_size
from api.problems import invalid_parameter
from api.renderers import NdjsonRenderer
from api.views import export
from api.views.base import Resource, document, make_file_view
from records.base.release import absolute
from records.search import filters
from records.search.changes import UnknownPlace, every_place, games_or_tombstones, place_at, places
from records.search.export import Place
from records.search.export_forms import make_change_line, write_changes
from records.search.selection import cursor, read_cursor
from records.shapes.records import Changes, Export, TombstoneJson

NAME: Final = "changed_since"
#: Maximum characters of game texts on a page of JSON, except for a single longer text.
MAX_TEXT_LENGTH: Final = 4 << 20
#: The former choice of changes at the address of the games.
FORMER_PARAMETER: Final = OpenApiParameter(NAME, str, exclude=True)
_PARAMETERS: Final = (
    OpenApiParameter(
        NAME,
        str,
        required=True,
        description="A moment (`2026-03-01T12:00:00Z`), or the last `cursor` of this list.",
    ),
    LINK,
)
_SUMMARY: Final = "Games that changed, the oldest change first"
_DESCRIPTION: Final = (
    "Games whose public form changed since a moment, for mirrors, with tombstones of games that "
    "are no longer public. You miss no change; a game may come twice."
)


def is_requested(request: Request) -> bool:
    """Return whether a request is for changes."""
    return bool(request.query_params.get(NAME, "").strip())


class RecordChanges(Resource):
    """The changes of games, for mirrors."""

    @document(
        "records_changes",
        _SUMMARY,
        Changes,
        description=_DESCRIPTION,
        parameters=[
            *_PARAMETERS,
            OpenApiParameter(
                "page_size",
                {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE},
                description=f"Results a page; without it {DEFAULT_PAGE_SIZE}.",
            ),
        ],
        problems=(406,),
    )
    def get(self, request: Request) -> Any:
        """Return a page of changes, or a file of all changes."""
        return list_changes(request)


RecordChangesNdjson: Final = make_file_view(
    RecordChanges,
    NdjsonRenderer,
    "records_changes",
    _SUMMARY,
    register_component("GameOrTombstone", lambda: schema_of(Export | TombstoneJson)),
    description=_DESCRIPTION,
    parameters=[*_PARAMETERS, export.BLOCK],
)


def list_changes(request: Request) -> Any:
    """Return the changes after the requested position, as a page of JSON or a file of NDJSON.

    Raise a 400 problem for another format, and for parameters that changes cannot have.
    """
    for name in (*filters.NAMES, "cursor", "include"):
        if request.query_params.get(name):
            message = _("%(name)s: cannot be combined with %(other)s.")
            raise invalid_parameter(name, message % {"name": name, "other": NAME})
    after = _read_position(request.query_params.get(NAME, "").strip())
    form = request.accepted_renderer.format
    if form == "json":
        return _page_response(request, after)
    if form != NdjsonRenderer.format:
        values = {"name": "format", "expected": "json, ndjson"}
        raise invalid_parameter("format", _("%(name)s: expected %(expected)s.") % values)
    following = None
    change_places = every_place(after)
    if "page_size" in request.query_params:
        block, is_more = _load_places(after, parse_page_size(request, export.MAX_BLOCK_SIZE))
        change_places = iter(block)
        if is_more:
            following = _build_address(request, block[-1] if block else after)
    lines = write_changes(games_or_tombstones(change_places))
    return export.stream(request, lines, "changes", **link_header(following))


def _page_response(request: Request, after: Place) -> Response:
    block, has_more = _load_places(after, parse_page_size(request, MAX_PAGE_SIZE))
    lines: list[Export | TombstoneJson] = []
    size, last = 0, after
    for place, change in games_or_tombstones(block):
        lines.append(make_change_line(place, change))
        last = place
        size += len(getattr(lines[-1], "text", ""))
        if size > MAX_TEXT_LENGTH:
            has_more = has_more or place != block[-1]
            break
    else:
        last = block[-1] if block else after
    following = _build_address(request, last) if has_more else None
    headers = {"Cache-Control": "no-store", **link_header(following)}
    return Response(Changes(following, cursor(last), lines), headers=headers)


def _build_address(request: Request, place: Place) -> str:
    address = absolute(request.get_full_path())
    return str(replace_query_param(address, NAME, cursor(place)))


def _load_places(after: Place, most: int) -> tuple[list[Place], bool]:
    try:
        return places(after, most)
    except UnknownPlace:
        text = _("%(name)s: this cursor is not of this archive; fetch all games again.")
        raise invalid_parameter(NAME, text % {"name": NAME}) from None


def _read_position(text: str) -> Place:
    """Return the position of a moment or cursor; raise a 400 problem if invalid."""
    try:
        moment = _parse_moment(text)
        return place_at(moment) if moment else tuple(read_cursor(text, 2)[1])
    except (ValueError, OverflowError):
        message = _(
            "%(name)s: expected a moment such as 2026-03-01T12:00:00Z, or a cursor of this list."
        )
        raise invalid_parameter(NAME, message % {"name": NAME}) from None


def _parse_moment(text: str) -> datetime | None:
    """Return a moment in ISO 8601, by default in UTC, or None for other text."""
    day = parse_date(text)
    if day is not None:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    moment = parse_datetime(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None
