"""Filters of lists, which refuse invalid values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from api.problems import invalid_parameters
from kafu.notation.vocabulary import MAX_TAG_BYTES
from records.models import Status
from records.search import filters
from records.search.selection import GameSelection


def parse_selection(request: Request, owner: int | None = None) -> GameSelection:
    """Return the games selected by the query parameters.

    With ``owner``, select among the owner's games instead of the public games. Raise a 400 problem
    for an invalid value.
    """
    selection, faults = filters.read(request._request.GET)
    if faults:
        raise invalid_parameters(faults)
    return replace(selection, owner=owner)


_MEANING: Final = {
    "ruleset": "The ruleset of the games.",
    "profile": "House rules.",
    "player": "A whole name, in any spelling. Of several names, all must be players of the game.",
    "event": "The beginning of the event, in any case.",
    "from": "Possibly played on this day or later: `2026-01-31`, `2026-01` or `2026`.",
    "to": "Possibly played on this day or before.",
    "yaku": "A yaku that a player made and that was not struck out.",
    "grade": "A field grade of one of the deals.",
    "status": "The verdict.",
    "form": (
        "`moves`: games with moves; `sheet`: score sheets; `all`: both, the default unless "
        "`sort` is `score`."
    ),
    "deals_min": "Minimum number of deals played.",
    "deals_max": "Maximum number of deals played.",
    "turns_min": "Minimum number of turns played.",
    "turns_max": "Maximum number of turns played.",
    "score_min": (
        "Minimum final sum of the best seat, in the small unit whatever the unit of the "
        "settlement. Unfinished games do not match."
    ),
    "score_max": "Maximum final sum of the best seat.",
    "sort": (
        "`newest`, `oldest`: by the time when the game was added. `played`: the latest date "
        "first, undated games last. `longest`: by turns. `score`: the highest best final sum "
        "first, without score sheets unless `form` requests them."
    ),
}


def _build_schema(name: str) -> dict[str, Any]:
    if name in filters.CHOICES:
        schema: dict[str, Any] = {"type": "string", "enum": list(filters.CHOICES[name]())}
        return schema | ({"default": GameSelection().sort} if name == "sort" else {})
    if name == "player":
        names = {"type": "string", "maxLength": MAX_TAG_BYTES}
        return {"type": "array", "items": names, "maxItems": filters.MAX_PLAYERS}
    range_name = name.rpartition("_")[0]
    if range_name in filters.RANGES:
        return {
            "type": "integer",
            "minimum": filters.RANGES[range_name],
            "maximum": filters.MAX_NUMBER,
        }
    return {"type": "string"} | ({"maxLength": MAX_TAG_BYTES} if name == "event" else {})


#: The parameters of `parse_selection` for the OpenAPI document.
FILTER_PARAMETERS: Final = tuple(
    OpenApiParameter(name, _build_schema(name), description=_MEANING[name])
    for name in filters.NAMES
)


#: Values of the parameters of the games of an upload; see `parse_submission_filters`.
SUBMISSION_FILTERS: Final = {"status": Status.values, "errors": ("true", "false")}


def parse_submission_filters(request: Request) -> dict[str, Any]:
    """Return the filters of `records.ingest.reports.submissions` in the query parameters.

    Raise a 400 problem for an invalid value.
    """
    faults: list[filters.BadParameter] = []
    status, errors = (
        filters.read_choice(request._request.GET, name, values, faults)
        for name, values in SUBMISSION_FILTERS.items()
    )
    if faults:
        raise invalid_parameters(faults)
    return {"status": status, "faulty": errors == "true"}


def submission_parameters() -> list[OpenApiParameter]:
    """Return the parameters of `parse_submission_filters` for the OpenAPI document."""
    status = {"type": "string", "enum": sorted(SUBMISSION_FILTERS["status"])}
    faulty = "`true`: only malformed, illegal or mismatching games."
    return [
        OpenApiParameter("status", status, description=_MEANING["status"]),
        OpenApiParameter("errors", bool, description=faulty),
    ]
