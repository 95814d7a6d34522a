"""Games: list, whole game, text, replay, history, score sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypedDict

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.caching import cached_get
from api.filters import FILTER_PARAMETERS, parse_selection
from api.paging import PAGE_PARAMETERS, PARAMETERS, page_response
from api.problems import NO_REPLAY, NO_SHEET, Problem
from api.renderers import CsvRenderer, JsonRenderer, KafuRenderer, NdjsonRenderer
from api.serializers.records import (
    GAME_OR_TOMBSTONE,
    RECORDS_OR_CHANGES,
    History,
    WholeRecord,
    correction_json,
    record_json,
    whole_record_json,
)
from api.views import changes, export
from api.views.base import NegotiatedResource, Resource, document
from kafu.judging.replay import PlayedGame
from kafu.notation.json_types import OneOf, RulesetId
from kafu.rules.rulesets import Unsupported
from kafu.score_sheet import SUMS
from records.base import labels
from records.models import Listing, Record
from records.privacy.access import mark
from records.search import filters, games
from records.search.corrections import corrections
from records.search.games import records_of
from records.search.selection import listings
from records.services.replays import replay_of_text
from records.serving.limits import expensive
from records.states import of_record, of_ruleset
from records.wording.sheets import SheetTable, table_of, to_csv

KAFU_RESPONSE = {(200, KafuRenderer.media_type): OpenApiTypes.STR}


class Replay(PlayedGame):
    """A game step by step, up to its end or first fault."""

    ruleset: RulesetId


class SheetRow(TypedDict):
    """A row with a text for each column; a month has a row for each payment."""

    kind: Annotated[str, OneOf("SheetRowKind", ("month", "player", *SUMS))]
    void: Annotated[bool, "Struck out: not in the sums."]
    cells: list[str]


class Sheet(TypedDict):
    """A sheet in the layout of its ruleset's document; texts in the requested language."""

    ruleset: str
    columns: list[str]
    rows: list[SheetRow]


def get_game(request: Request, key: str) -> Record:
    """Return the game with this key for the caller.

    Raise Http404, or :class:`records.search.games.GameGone` for a removed game.
    """
    record = games.get(key, viewer_of(request))
    mark(request._request, record.visibility)
    return record


class Records(NegotiatedResource):
    """The list of games, newest first by default."""

    renderer_classes = (JsonRenderer, *export.RENDERERS)
    parameters = ("format", "include", *PARAMETERS, changes.NAME, *filters.NAMES)

    @document(
        "records_list",
        "Games, filtered and sorted",
        {
            (200, "application/json"): RECORDS_OR_CHANGES,
            **export.RESPONSES,
            (200, NdjsonRenderer.media_type): GAME_OR_TOMBSTONE,
        },
        description=(
            "A game must match all filters. Empty values are ignored. JSON comes in pages. Other "
            "formats are one file of all games, or of all games after `cursor`. With `page_size` "
            f"(at most {export.MAX_BLOCK_SIZE}) the file is a block of games, and the header "
            "`Link` has the address of the next block."
        ),
        parameters=[
            export.format_parameter("json", *(r.format for r in export.RENDERERS)),
            export.INCLUDE,
            changes.PARAMETER,
            *PAGE_PARAMETERS,
            *FILTER_PARAMETERS,
        ],
        problems=(406, 412),
    )
    def get(self, request: Request) -> Any:
        """Return a page of games, or a file of games or changes."""
        if changes.is_requested(request):
            return changes.list_changes(request)
        if isinstance(request.accepted_renderer, JsonRenderer):
            export.read_inclusion(request)
            return self._page(request)
        return export.stream_selection(request, parse_selection(request), "games")

    @cached_get(of_ruleset)
    def _page(self, request: Request) -> HttpResponseBase:
        return page_response(request, listings(parse_selection(request)), _show_listings)


def _show_listings(rows: list[Listing]) -> Iterable[dict[str, Any]]:
    return map(record_json, records_of(rows))


class RecordDetail(Resource):
    """A whole game."""

    renderer_classes = (JsonRenderer, KafuRenderer)

    @document(
        "records_retrieve",
        "A whole game: verdict, tags, moves",
        {(200, "application/json"): WholeRecord, **KAFU_RESPONSE},
        description="With `Accept: text/x-kafu`, its canonical text.",
        problems=(404, 406, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the game as JSON, or as text if the caller prefers text."""
        record = get_game(request, key)
        if isinstance(request.accepted_renderer, KafuRenderer):
            return Response(record.text)
        return Response(whole_record_json(record))


class RecordKafu(Resource):
    """The canonical text of a game."""

    renderer_classes = (KafuRenderer,)

    @document(
        "records_kafu",
        "The canonical text of a game",
        {**KAFU_RESPONSE},
        description="As a file `<key>.kafu`.",
        problems=(404, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the text as a file named after the key."""
        record = get_game(request, key)
        name = f'attachment; filename="{record.key}.kafu"'
        return Response(record.text, headers={"Content-Disposition": name})

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Force the format of the address, whatever a browser accepts."""
        return super().perform_content_negotiation(request, force=True)


class RecordReplay(Resource):
    """The replay of a game."""

    @document(
        "records_replay",
        "A game step by step, with the table after each",
        Replay,
        description=(
            "Returns every deal up to the end of the game, or up to its first fault. Cards are "
            "letters: `A`–`Z`, `a`–`v`, `?` for an unrecorded card; see `names`. A conditional "
            "request (`If-None-Match`) gets a 304 while nothing has changed. 404 with the code "
            "`no-replay` for rulesets that this version does not support."
        ),
        problems=(404, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the steps, or 304 if the caller has them."""
        record = get_game(request, key)
        try:
            found_replay = dict(replay_of_text(record.text))
        except Unsupported as error:
            text = _("This version does not support %(rules)s yet.") % {"rules": str(error)}
            raise Problem(NO_REPLAY, text) from error
        # The library calls the ruleset `rules`, as Kafu does; the API calls it `ruleset`.
        fault = labels.fault(found_replay["error"], found_replay["players"])
        return Response({"ruleset": found_replay.pop("rules"), **found_replay, "error": fault})


class RecordHistory(Resource):
    """The corrections of a game."""

    @document(
        "records_history",
        "How a game was corrected, turn by turn",
        History,
        description=(
            "A game that replaced another game has a history. The address of a replaced game "
            "redirects to its successor (301). Without a successor, the response is 410 with a "
            "`reason`."
        ),
        problems=(404, 410),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the corrections of the game."""
        record = get_game(request, key)
        with expensive(request._request, "verify"):
            steps = corrections(record, viewer_of(request))
        return Response({"key": record.key, "corrections": [*map(correction_json, steps)]})


class RecordSheet(Resource):
    """The score sheet of a game."""

    renderer_classes = (JsonRenderer, CsvRenderer)

    @document(
        "records_sheet",
        "The score sheet of a game",
        {(200, "application/json"): Sheet, (200, CsvRenderer.media_type): OpenApiTypes.STR},
        description=(
            "The layout is that of the ruleset's document: rows of texts in the requested "
            "language, or CSV with `Accept: text/csv`. `*` marks the month stone; struck-out sums "
            "are in brackets in CSV. 404 with the code `no-sheet` for a game without a valid deal."
        ),
        problems=(404, 406, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the sheet as JSON, or as CSV if the caller prefers that."""
        record = get_game(request, key)
        table = table_of(record)
        if table is None:
            raise Problem(NO_SHEET, _("This game has no score sheet."))
        if isinstance(request.accepted_renderer, CsvRenderer):
            return Response(to_csv(table))
        return Response(_sheet_json(record, table))


def _sheet_json(record: Record, table: SheetTable) -> Sheet:
    rows: list[SheetRow] = [
        {"kind": group.kind, "void": row.void, "cells": cells} for group, row, cells in table.rows()
    ]
    return {"ruleset": record.ruleset, "columns": table.columns, "rows": rows}
