"""Games: list, whole game, text, replay, history, score sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.caching import cached_get
from api.filters import FILTER_PARAMETERS, parse_selection
from api.paging import PAGE_PARAMETERS, page_of, page_response
from api.problems import NO_REPLAY, NO_SHEET, Problem
from api.renderers import CsvRenderer, JsonRenderer, KafuRenderer
from api.views import changes, export
from api.views.base import FORMAT, NegotiatedResource, Resource, document, make_file_view
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.base.release import absolute
from records.models import Listing, Record, Status
from records.privacy.access import mark
from records.search import games
from records.search.corrections import corrections
from records.search.export_forms import game_fields
from records.search.games import records_of
from records.search.selection import listings
from records.services.replays import position_of_text, replay_of_text
from records.serving.limits import expensive
from records.shapes.records import (
    History,
    RecordJson,
    Replay,
    Sheet,
    SheetRow,
    WholeRecord,
)
from records.states import of_record, of_ruleset
from records.wording.sheets import table_of, to_csv

_SUMMARY: Final = "Games, filtered and sorted"
_FILTERING: Final = "A game must match all filters. Empty values are ignored."
_SHEET: Final = "The score sheet of a game"


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

    @document(
        "records_list",
        _SUMMARY,
        page_of(RecordJson),
        description=_FILTERING,
        parameters=[
            *(*PAGE_PARAMETERS, *FILTER_PARAMETERS),
            *(FORMAT, changes.FORMER_PARAMETER, OpenApiParameter("include", str, exclude=True)),
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


RECORDS_FILES: Final = export.make_file_views(
    Records,
    "records_list",
    f"{_SUMMARY}, in one file",
    f"{_FILTERING} The file has all games, or all games after `cursor`. With `page_size` it is a "
    "block of games, and the header `Link` has the address of the next block.",
    export.SELECTION_PARAMETERS,
    problems=(412,),
)


def _show_listings(rows: list[Listing]) -> Iterable[RecordJson]:
    return map(show_game, records_of(rows))


def show_game(record: Record) -> RecordJson:
    """Return a game without its moves."""
    return RecordJson.build(record, **_game_fields(record))


def _game_fields(record: Record) -> dict[str, Any]:
    """Return the fields of `RecordJson` that have other names than those of a record."""

    def address(name: str) -> str:
        return absolute(reverse(name, args=[record.key]))

    return game_fields(record) | {
        "url": address("api:record"),
        "kafu_url": address("api:record-kafu"),
        "replay_url": address("api:record-replay"),
        "sheet_url": address("api:record-sheet"),
        "page": address("game"),
    }


def _show_whole_game(record: Record) -> WholeRecord:
    game = read(record.text).game
    assert game is not None, "canonical text reads"
    is_illegal = record.status == Status.ILLEGAL
    place = position_of_text(record.text, game) if is_illegal else None
    return WholeRecord.build(
        record,
        **_game_fields(record),
        verdict=labels.verdict(record.verdict, record.players),
        position=place.to_json() if place else None,
        kafu=to_json(game),
    )


class RecordDetail(Resource):
    """A whole game."""

    renderer_classes = (JsonRenderer, KafuRenderer)

    @document(
        "records_retrieve",
        "A whole game: verdict, tags, moves",
        WholeRecord,
        description="The canonical text alone is at `records/{key}.kafu`.",
        problems=(404, 406, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the game as JSON, or as text if the caller prefers text."""
        record = get_game(request, key)
        if isinstance(request.accepted_renderer, KafuRenderer):
            name = f'attachment; filename="{record.key}.kafu"'
            return Response(record.text, headers={"Content-Disposition": name})
        return Response(_show_whole_game(record))


RecordKafu: Final = make_file_view(
    RecordDetail,
    KafuRenderer,
    "records",
    "The canonical text of a game",
    description="As a file `<key>.kafu`.",
    problems=(404, 410, 412),
)


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
        return Response(History(record.key, steps))


class RecordSheet(Resource):
    """The score sheet of a game."""

    renderer_classes = (JsonRenderer, CsvRenderer)

    @document(
        "records_sheet",
        _SHEET,
        Sheet,
        description=(
            "The layout is that of the ruleset's document: rows of texts in the requested "
            "language. `*` marks the month stone. 404 with the code `no-sheet` for a game without "
            "a valid deal."
        ),
        problems=(404, 406, 410, 412),
    )
    @cached_get(of_record)
    def get(self, request: Request, key: str) -> Response:
        """Return the sheet as JSON, or as CSV if the caller prefers that."""
        record = get_game(request, key)
        table = table_of(record.text, record.verdict)
        if table is None:
            raise Problem(NO_SHEET, _("This game has no score sheet."))
        if isinstance(request.accepted_renderer, CsvRenderer):
            name = f'attachment; filename="{record.key}.csv"'
            return Response(to_csv(table), headers={"Content-Disposition": name})
        rows = [SheetRow(group.kind, row.void, cells) for group, row, cells in table.rows()]
        return Response(Sheet(record.ruleset, table.columns, rows))


RecordSheetCsv: Final = make_file_view(
    RecordSheet,
    CsvRenderer,
    "records_sheet",
    _SHEET,
    description="The texts of `records_sheet` as CSV; struck-out sums are in brackets.",
    problems=(404, 410, 412),
)
