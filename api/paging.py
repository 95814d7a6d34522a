"""Cursor pagination of lists, stable while rows are added."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.openapi import Schema, build_component, register_component, schema_of
from api.problems import invalid_parameter
from records.base.json_types import Component, Url
from records.base.release import absolute
from records.search.selection import AFTER, BEFORE, beyond, cursor, place_of, read_cursor
from records.shapes.shape import Shape

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
LINK: Final = OpenApiParameter(
    "Link",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description='`<address>; rel="next"`, of a page also `rel="prev"`.',
)
#: The parameters of every list, and its header.
PAGE_PARAMETERS: Final = (
    LINK,
    OpenApiParameter(
        "cursor", str, description="Where to continue; taken from `next` or `previous`."
    ),
    OpenApiParameter(
        "page_size",
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE},
        description=f"Results a page; without it {DEFAULT_PAGE_SIZE}.",
    ),
)


class Page(Shape):
    """A page of a list."""

    next: Url | None
    previous: Url | None
    results: list[Any]


def page_of(form: type) -> Any:
    """Return the type of a page of a type of response."""
    rows = schema_of(list[form])  # type: ignore[valid-type]

    def make() -> Schema:
        page = build_component(Page)
        return page | {"properties": page["properties"] | {"results": rows}}

    name = f"Paginated{form.__name__.removesuffix('Json')}List"
    register_component(name, make)
    return Annotated[dict[str, Any], Component(name)]


def page_response(
    request: Request, queryset: QuerySet[Any], show: Callable[[list[Any]], Iterable[Any]]
) -> Response:
    """Return a page of a query; ``show`` returns the responses of its rows.

    The query is ordered by integer fields, unique together, in one direction. The cursor has all
    fields, such as ``["a", file, number]``, because a file of 100,000 games has a single value of
    the first. Raise a 400 problem for an invalid cursor or page size.
    """
    size = parse_page_size(request)
    order = [str(name) for name in queryset.query.order_by]
    names = [name.removeprefix("-") for name in order]
    cursor_text = request.query_params.get("cursor")
    direction, place = parse_cursor(cursor_text, len(names)) if cursor_text else (AFTER, [])
    is_backward = direction == BEFORE
    if is_backward:
        queryset = queryset.reverse()
    if place:
        is_descending = order[0].startswith("-")
        comparison = "lt" if is_descending ^ is_backward else "gt"
        queryset = queryset.filter(beyond(names, place, comparison))
    rows = list(queryset[: size + 1])
    has_more = len(rows) > size
    rows = rows[:size]
    if is_backward:
        rows.reverse()
    following = previous = None
    if rows and (has_more if is_backward else place):
        previous = build_link(request, BEFORE, place_of(rows[0], names))
    if rows and (is_backward or has_more):
        following = build_link(request, AFTER, place_of(rows[-1], names))
    page = Page(following, previous, [*show(rows)])
    return Response(page, headers=link_header(following, previous))


def link_header(following: str | None, previous: str | None = None) -> dict[str, str]:
    """Return the header `Link` (RFC 8288) with the pages after and before a page, if any."""
    addresses = {"next": following, "prev": previous}
    links = [f'<{address}>; rel="{name}"' for name, address in addresses.items() if address]
    return {"Link": ", ".join(links)} if links else {}


def build_link(request: Request, direction: str, place: Sequence[int]) -> str:
    """Return the address of the page before or after a position."""
    url = absolute(request.get_full_path())
    return str(replace_query_param(url, "cursor", cursor(place, direction)))


def parse_cursor(text: str, size: int) -> tuple[str, list[int]]:
    """Return direction and position of a cursor of ``size`` numbers.

    Raise a 400 problem if the cursor is invalid.
    """
    try:
        return read_cursor(text, size)
    except ValueError:
        message = _("cursor: use a value that this list has returned.")
        raise invalid_parameter("cursor", message) from None


def parse_page_size(request: Request, most: int = MAX_PAGE_SIZE) -> int:
    """Return the requested page size; raise a 400 problem unless it is 1 to ``most``."""
    text = request.query_params.get("page_size", str(DEFAULT_PAGE_SIZE))
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    if not 1 <= number <= most:
        raise invalid_parameter(
            "page_size", _("page_size: expected a number from 1 to %(most)d.") % {"most": most}
        )
    return number
