"""Cursor pagination of lists, stable while rows are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from api.problems import invalid_parameter
from records.base.release import absolute
from records.search.selection import AFTER, BEFORE, beyond, cursor, place_of, read_cursor

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
#: The parameters of every list.
PARAMETERS: Final = ("cursor", "page_size")


_DESCRIBED: Final[tuple[dict[str, Any], ...]] = (
    {
        "name": "cursor",
        "in": "query",
        "description": "Where to continue; taken from `next` or `previous`.",
        "schema": {"type": "string"},
    },
    {
        "name": "page_size",
        "in": "query",
        "description": f"Results a page; without it {DEFAULT_PAGE_SIZE}.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE},
    },
)


class CursorPagination(BasePagination):
    """Pagination of a query ordered by integer fields, unique together, in one direction.

    The cursor holds all fields, such as ``["a", file, number]``. The framework's own cursor holds
    the first field and counts the remaining rows, but a file of 100,000 games has a single value of
    that field.
    """

    def paginate_queryset(  # type: ignore[override]
        self, queryset: QuerySet[Any], request: Request, view: Any = None
    ) -> list[Any]:
        """Return one page of rows; raise a 400 problem for an invalid cursor or page size."""
        size = parse_page_size(request)
        self.url = absolute(request.get_full_path())
        order = [str(name) for name in queryset.query.order_by]
        self.names = [name.removeprefix("-") for name in order]
        is_descending = order[0].startswith("-")
        direction, place = self._read_cursor(request)
        is_backward = direction == BEFORE
        if is_backward:
            queryset = queryset.reverse()
        if place:
            queryset = queryset.filter(
                beyond(self.names, place, "lt" if is_descending ^ is_backward else "gt")
            )
        rows = list(queryset[: size + 1])
        has_more = len(rows) > size
        rows = rows[:size]
        if is_backward:
            rows.reverse()
        self.previous = (
            self._build_link(BEFORE, rows[0])
            if rows and (has_more if is_backward else place)
            else None
        )
        self.next = (
            self._build_link(AFTER, rows[-1]) if rows and (is_backward or has_more) else None
        )
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        """Return the page with the addresses of the next and previous page."""
        return Response({"next": self.next, "previous": self.previous, "results": data})

    def _read_cursor(self, request: Request) -> tuple[str, list[int]]:
        """Return direction and position of the requested cursor; no position without a cursor."""
        text = request.query_params.get("cursor")
        return parse_cursor(text, len(self.names)) if text else (AFTER, [])

    def _build_link(self, direction: str, row: Any) -> str:
        cursor_text = cursor(place_of(row, self.names), direction)
        return str(replace_query_param(self.url, "cursor", cursor_text))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """Return the paging parameters for the OpenAPI document."""
        return [dict(parameter) for parameter in _DESCRIBED]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema of a page for the OpenAPI document."""
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }


def paging_parameters() -> list[OpenApiParameter]:
    """Return `PARAMETERS` for the OpenAPI document of a view with its own pagination."""
    parameters = []
    for parameter in _DESCRIBED:
        name, schema, text = (
            str(parameter["name"]),
            dict[str, Any](parameter["schema"]),
            parameter["description"],
        )
        parameters.append(
            OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=str(text))
        )
    return parameters


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
