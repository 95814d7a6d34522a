"""Downloads of many games: by filters, by keys, and the caller's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.http import Http404, StreamingHttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.authentication import viewer_of
from api.filters import FILTER_PARAMETERS, parse_selection
from api.openapi import schema_of
from api.paging import LINK, link_header, parse_cursor, parse_page_size
from api.problems import invalid_parameter
from api.renderers import CsvRenderer, KafuRenderer, NdjsonRenderer
from api.views.account import AccountResource
from api.views.base import FORMAT, NegotiatedResource, Resource, document, make_file_view
from records.base.labels import lang
from records.base.release import absolute
from records.privacy.access import mark
from records.search.export import MOST_KEYS, Place, by_keys, games, places, texts_of
from records.search.export_forms import write_games
from records.search.inclusions import NAMES, VERDICT, Inclusion
from records.search.selection import AFTER, SORTS, GameSelection, cursor
from records.serving.downloads import RETRY_SECONDS, Download
from records.serving.gates import TooMany
from records.serving.limits import GROUPS, account_of, charge
from records.shapes.records import Export

RENDERERS: Final[tuple[Any, ...]] = (NdjsonRenderer, KafuRenderer, CsvRenderer)
RESPONSES: Final[dict[Any, Any]] = {
    (200, NdjsonRenderer.media_type): schema_of(Export),
    (200, KafuRenderer.media_type): OpenApiTypes.STR,
    (200, CsvRenderer.media_type): OpenApiTypes.STR,
}
#: Descriptions of the formats.
_CONTENTS: Final = {
    "ndjson": "A game per line, as JSON.",
    "kafu": "Canonical texts with an empty line between games. They can be uploaded again.",
    "csv": "A table of games, without moves.",
}
#: Maximum number of games in a block.
MAX_BLOCK_SIZE: Final = 10_000
BLOCK: Final = OpenApiParameter(
    "page_size",
    {"type": "integer", "minimum": 1, "maximum": MAX_BLOCK_SIZE},
    description="Maximum number of games; `Link` then has the address of the next block.",
)
#: Parameters of a download of selected games.
SELECTION_PARAMETERS: Final = (
    OpenApiParameter(
        "cursor",
        str,
        description="Where to continue: the `cursor` of a line, or of the header `Link`.",
    ),
    *(BLOCK, LINK, *FILTER_PARAMETERS),
)
#: Description of an address whose files have addresses of their own now.
FORMER_FILE: Final = "The parameter `format` or `Accept` chooses NDJSON (the default), Kafu or CSV."
INCLUDE: Final = OpenApiParameter(
    "include",
    {"type": "array", "items": {"type": "string", "enum": [*NAMES]}},
    style="form",
    explode=False,
    description=(
        "Additional members of each line of NDJSON, separated by commas. `verdict`: the verdict; "
        "`moves`: the JSON form of Kafu; `facts`: the facts of each deal for statistics."
    ),
)


def read_inclusion(request: Request) -> Inclusion:
    """Return the members that `include` adds to each line.

    Raise a 400 problem for an unknown member, and for a format other than NDJSON.
    """
    names = [name for name in request.query_params.get("include", "").split(",") if name]
    if any(name not in NAMES for name in names):
        values = {"known": ", ".join(NAMES)}
        raise invalid_parameter(
            "include", _("include: expected %(known)s, separated by commas.") % values
        )
    renderer: Any = request.accepted_renderer
    if names and renderer.format != NdjsonRenderer.format:
        raise invalid_parameter("include", _("include: only with the format ndjson."))
    return Inclusion(tuple(dict.fromkeys(names)), lang())


def make_file_views(
    resource: type[Resource],
    operation: str,
    summary: str | Promise,
    description: str,
    parameters: Sequence[OpenApiParameter],
    problems: Sequence[int] = (),
) -> Mapping[str, type[Resource]]:
    """Return the views of a download of games, by format."""
    views = {}
    for renderer in RENDERERS:
        is_ndjson = renderer is NdjsonRenderer
        views[renderer.format] = make_file_view(
            resource,
            renderer,
            operation,
            summary,
            Export if is_ndjson else OpenApiTypes.STR,
            description=f"{_CONTENTS[renderer.format]}\n\n{description}",
            parameters=[*parameters, *([INCLUDE] if is_ndjson else [])],
            problems=problems,
        )
    return views


def stream(
    request: Request,
    chunks: Iterator[bytes],
    name: str,
    *,
    group: str | None = "export",
    **extra_headers: str,
) -> Any:
    """Stream the chunks of a file, charged as a request of ``group``; None: charged already.

    ``name`` is the name of the file without its ending, which is that of the requested format.
    Raise 429 if the sender has too many downloads or no budget left, and 503 if the server has too
    many downloads.
    """
    renderer: Any = request.accepted_renderer
    account = account_of(request)
    try:
        download = Download(iter(()) if request.method == "HEAD" else chunks, account)
    except TooMany:
        text = _("At most %(most)d files can be downloaded at once; wait until one has finished.")
        raise Throttled(RETRY_SECONDS, text % {"most": GROUPS["export"].per_sender}) from None
    try:
        if group is not None:
            charge(request._request, group, account)
    except TooMany:
        download.close()
        raise
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.{renderer.format}"',
        "Cache-Control": "no-store",
        **extra_headers,
    }
    kind = f"{renderer.media_type}; charset=utf-8"
    return StreamingHttpResponse(download, content_type=kind, headers=headers)


def stream_selection(request: Request, selection: GameSelection, name: str) -> Any:
    """Stream the games of a selection after the cursor, or one block of them."""
    form = request.accepted_renderer.format
    after = _read_position(request, selection)
    block_places: Iterator[Place] = places(selection, after)
    following = None
    if "page_size" in request.query_params:
        size = parse_page_size(request, MAX_BLOCK_SIZE)
        block = list(places(selection, after, size + 1))
        block_places = iter(block[:size])
        if len(block) > size:
            address = absolute(request.get_full_path())
            following = replace_query_param(address, "cursor", cursor(block[size - 1]))
    include = read_inclusion(request)
    texts = games(block_places, selection.owner, verdicts=VERDICT in include.names)
    pieces = write_games(form, texts, head=not after, include=include)
    return stream(request, pieces, name, **link_header(following))


def _read_position(request: Request, selection: GameSelection) -> Sequence[int]:
    text = request.query_params.get("cursor")
    if not text:
        return ()
    direction, place = parse_cursor(text, len(SORTS[selection.sort]))
    if direction != AFTER:
        raise invalid_parameter(
            "cursor", _("cursor: this one points backwards; a download only goes forwards.")
        )
    return place


_OF_KEYS: Final = "Games by their keys, in one file"
_KEYS_PARAMETERS: Final = (
    OpenApiParameter("keys", str, required=True, description="Keys of games, separated by commas."),
    OpenApiParameter(
        "Missing-Keys",
        str,
        OpenApiParameter.HEADER,
        response=[200],
        description="Separated by commas",
    ),
)


class RecordsExport(NegotiatedResource):
    """Download of games by their keys."""

    renderer_classes = RENDERERS

    @document(
        "records_export",
        _OF_KEYS,
        RESPONSES,
        description=FORMER_FILE,
        parameters=[FORMAT, *_KEYS_PARAMETERS, INCLUDE],
        problems=(404, 406),
    )
    def get(self, request: Request) -> Any:
        """Stream the games with the requested keys."""
        keys = [key for key in request.query_params.get("keys", "").split(",") if key]
        if not 0 < len(keys) <= MOST_KEYS or not all(_is_key(key) for key in keys):
            values = {"most": MOST_KEYS}
            message = (
                _("keys: expected keys of games, separated by commas; at most %(most)d.") % values
            )
            raise invalid_parameter("keys", message)
        viewer = viewer_of(request)
        records = by_keys(keys, viewer)
        for record in records:
            mark(request._request, record.visibility)
        if not records:
            raise Http404
        found_keys = {record.key for record in records}
        missing = ",".join(key for key in dict.fromkeys(keys) if key not in found_keys)
        missing_header = {"Missing-Keys": missing} if missing else {}
        form = request.accepted_renderer.format
        include = read_inclusion(request)
        texts = texts_of(records, viewer, verdicts=VERDICT in include.names)
        pieces = write_games(form, texts, include=include)
        return stream(request, pieces, "games", group="export by keys", **missing_header)


RECORDS_EXPORT_FILES: Final = make_file_views(
    RecordsExport,
    "records_export",
    _OF_KEYS,
    f"Up to {MOST_KEYS} games, in the order of the keys, including unlisted games and your own "
    "private games. `Missing-Keys` has the keys of games that do not exist for you; 404 if none "
    "exists.",
    _KEYS_PARAMETERS,
    problems=(404,),
)


def _is_key(text: str) -> bool:
    return text.isascii() and text.isalnum() and len(text) <= 44


_MY_GAMES: Final = "The caller's games, filtered, in one file"


class MyGamesExport(NegotiatedResource, AccountResource):
    """Download of the games that the caller owns."""

    renderer_classes = RENDERERS

    @document(
        "me_games_export",
        _MY_GAMES,
        RESPONSES,
        description=FORMER_FILE,
        parameters=[FORMAT, *SELECTION_PARAMETERS, INCLUDE],
        problems=(406,),
    )
    def get(self, request: Request) -> Any:
        """Stream the caller's games, or a block of them."""
        selection = parse_selection(request, owner=viewer_of(request).user)
        return stream_selection(request, selection, "my-games")


MY_GAMES_FILES: Final = make_file_views(
    MyGamesExport,
    "me_games",
    _MY_GAMES,
    "Games of every visibility, as the caller uploaded them. See `records_list_ndjson`.",
    SELECTION_PARAMETERS,
)
