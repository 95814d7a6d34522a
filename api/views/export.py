"""Games as files, of any number: by filters, by keys, and the caller's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.http import Http404, StreamingHttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.authentication import viewer_of
from api.filters import RecordFilter, selection_of
from api.paging import page_size, read_place
from api.problems import invalid
from api.renderers import CsvRenderer, KafuRenderer, NdjsonRenderer
from api.schemas import schema_of
from api.views.base import LANG, problems
from api.views.forms import NegotiatedResource
from api.views.me import AccountResource
from records.base.labels import lang
from records.base.site import absolute
from records.privacy.access import mark
from records.search import filters
from records.search.export import MOST_KEYS, Place, by_keys, games, places, texts_of
from records.search.export_forms import Export, write_games
from records.search.inclusions import NAMES, VERDICT, Inclusion
from records.search.selection import AFTER, SORTS, Selection, cursor
from records.serving.downloads import RETRY_SECONDS, Download
from records.serving.limits import GROUPS, TooMany, charge
from records.serving.senders import sender_of

RENDERERS: Final[tuple[Any, ...]] = (NdjsonRenderer, KafuRenderer, CsvRenderer)
RESPONSES: Final[dict[Any, Any]] = {
    (200, NdjsonRenderer.media_type): schema_of(Export),
    (200, KafuRenderer.media_type): OpenApiTypes.STR,
    (200, CsvRenderer.media_type): OpenApiTypes.STR,
}
#: Games of one block, if blocks are requested.
MOST: Final = 10_000
_CURSOR: Final = OpenApiParameter(
    "cursor", str, description="Continue after this one: from a line, or from the header `Link`."
)
_BLOCK: Final = OpenApiParameter(
    "page_size",
    {"type": "integer", "minimum": 1, "maximum": MOST},
    description="At most this many games; `Link` then has the address of the next block.",
)
_LINK: Final = OpenApiParameter(
    "Link", str, OpenApiParameter.HEADER, response=[200], description='`<address>; rel="next"`'
)


INCLUDE: Final = OpenApiParameter(
    "include",
    {"type": "array", "items": {"type": "string", "enum": [*NAMES]}},
    style="form",
    explode=False,
    description=(
        "With NDJSON: members that each line has in addition, separated by commas. `verdict`: the "
        "verdict; `moves`: the JSON form of Kafu; `facts`: of each deal what statistics count."
    ),
)


def included(request: Request) -> Inclusion:
    """What the lines of a file are to have besides; nothing without `include`.

    Raises the problem 400 for what there is not, and for another form than NDJSON.
    """
    names = [name for name in request.query_params.get("include", "").split(",") if name]
    if any(name not in NAMES for name in names):
        words = {"known": ", ".join(NAMES)}
        raise invalid("include", _("include: expected %(known)s, separated by commas.") % words)
    renderer: Any = request.accepted_renderer
    if names and renderer.format != NdjsonRenderer.format:
        raise invalid("include", _("include: only with the format ndjson."))
    return Inclusion(tuple(dict.fromkeys(names)), lang())


def format_parameter(*forms: str) -> OpenApiParameter:
    """`format`, for the schema."""
    return OpenApiParameter(
        "format", str, enum=forms, description="Takes precedence over `Accept`."
    )


def stream(
    request: Request, found: Iterator[bytes], name: str, *, group: str = "export", **more: str
) -> Any:
    """Stream the chunks of a file, charged as a request of ``group``.

    Raises 429 if the sender has too many downloads already or no budget left, 503 if there are too
    many in all.
    """
    renderer: Any = request.accepted_renderer
    try:
        download = Download(iter(()) if request.method == "HEAD" else found, sender_of(request))
    except TooMany:
        text = _("At most %(most)d files can be downloaded at once; wait until one has finished.")
        raise Throttled(RETRY_SECONDS, text % {"most": GROUPS["export"].per_sender}) from None
    try:
        charge(request._request, group)
    except TooMany:
        download.close()
        raise
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.{renderer.format}"',
        "Cache-Control": "no-store",
        **more,
    }
    kind = f"{renderer.media_type}; charset=utf-8"
    return StreamingHttpResponse(download, content_type=kind, headers=headers)


def selected(request: Request, wanted: Selection, name: str) -> Any:
    """The games of a selection: all after the cursor, or one block and the start of the next."""
    form = request.accepted_renderer.format
    after = _after(request, wanted)
    found: Iterator[Place] = places(wanted, after)
    more = {}
    if "page_size" in request.query_params:
        size = page_size(request, MOST)
        block = list(places(wanted, after, size + 1))
        found = iter(block[:size])
        if len(block) > size:
            address = absolute(request.get_full_path())
            following = replace_query_param(address, "cursor", cursor(block[size - 1]))
            more["Link"] = f'<{following}>; rel="next"'
    include = included(request)
    texts = games(found, wanted.owner, verdicts=VERDICT in include.names)
    pieces = write_games(form, texts, head=not after, include=include)
    return stream(request, pieces, name, **more)


def _after(request: Request, wanted: Selection) -> Sequence[int]:
    given = request.query_params.get("cursor")
    if not given:
        return ()
    way, place = read_place(given, len(SORTS[wanted.sort]))
    if way != AFTER:
        raise invalid(
            "cursor", _("cursor: this one points backwards; a download only goes forwards.")
        )
    return place


class RecordsExport(NegotiatedResource):
    """Some games, by their keys."""

    renderer_classes = RENDERERS
    parameters = ("format", "include", "keys")

    @extend_schema(
        operation_id="records_export",
        summary="Games by their keys, in one file",
        description=(
            f"Up to {MOST_KEYS} of them, in the order of the keys; unlisted games and your own "
            "private ones too. `Missing-Keys` names those that do not exist for you; 404 if "
            "that is all of them."
        ),
        parameters=[
            LANG,
            format_parameter("ndjson", "kafu", "csv"),
            INCLUDE,
            OpenApiParameter(
                "keys", str, required=True, description="Keys of games, separated by commas."
            ),
            OpenApiParameter(
                "Missing-Keys",
                str,
                OpenApiParameter.HEADER,
                response=[200],
                description="Separated by commas",
            ),
        ],
        responses={**RESPONSES, **problems(400, 404, 406)},
    )
    def get(self, request: Request) -> Any:
        """All of them."""
        keys = [key for key in request.query_params.get("keys", "").split(",") if key]
        if not 0 < len(keys) <= MOST_KEYS or not all(_is_key(key) for key in keys):
            words = {"most": MOST_KEYS}
            message = (
                _("keys: expected keys of games, separated by commas; at most %(most)d.") % words
            )
            raise invalid("keys", message)
        viewer = viewer_of(request)
        found = by_keys(keys, viewer)
        for record in found:
            mark(request._request, record.visibility)
        if not found:
            raise Http404
        there = {record.key for record in found}
        missing = ",".join(key for key in dict.fromkeys(keys) if key not in there)
        more = {"Missing-Keys": missing} if missing else {}
        form = request.accepted_renderer.format
        include = included(request)
        texts = texts_of(found, viewer, verdicts=VERDICT in include.names)
        pieces = write_games(form, texts, include=include)
        return stream(request, pieces, "games", group="export by keys", **more)


def _is_key(written: str) -> bool:
    return written.isascii() and written.isalnum() and len(written) <= 44


class MyGamesExport(NegotiatedResource, AccountResource):
    """All games that the caller owns."""

    renderer_classes = RENDERERS
    filter_backends = (RecordFilter,)
    parameters = ("format", "include", "cursor", "page_size", *filters.NAMES)

    @extend_schema(
        operation_id="me_games_export",
        summary="The caller's games, filtered, in one file",
        description="Whatever their visibility, as the caller uploaded them. See `records`.",
        parameters=[
            *(LANG, format_parameter("ndjson", "kafu", "csv"), INCLUDE),
            *(_CURSOR, _BLOCK, _LINK),
        ],
        filters=True,
        responses={**RESPONSES, **problems(400, 406)},
    )
    def get(self, request: Request) -> Any:
        """All of them, or a block."""
        wanted = selection_of(request, owner=viewer_of(request).user)
        return selected(request, wanted, "my-games")
