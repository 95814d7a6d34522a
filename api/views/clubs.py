"""Clubs: their members, seasons, evenings and games."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import ExtractDay, ExtractMonth, ExtractYear
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from msgspec.structs import asdict
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import viewer_of
from api.forms import form_of, read_body
from api.paging import PAGE_PARAMETERS, page_of, page_response
from api.renderers import CsvRenderer, JsonRenderer
from api.views.base import (
    FORMAT,
    MembersResource,
    NegotiatedResource,
    document,
    make_file_view,
)
from api.views.records import show_game
from clubs import access, games, seasons, showing
from clubs.access import Access
from clubs.games import MOST_ADDED
from clubs.models import ClubGame, Role, Season
from clubs.shapes import (
    AddedGames,
    ClubJson,
    EveningJson,
    MemberJson,
    SeasonEntries,
    SeasonEntryJson,
    SeasonJson,
    SentGames,
    SentSeasonEntries,
    StandingJson,
    Standings,
)
from records.privacy.access import mark
from records.search.games import list_records
from records.serving.limits import expensive
from records.shapes.records import RecordJson

SEASON: Final = OpenApiParameter(
    "season", str, OpenApiParameter.PATH, description="The key of the season."
)
RECORD: Final = OpenApiParameter(
    "record", str, OpenApiParameter.PATH, description="The key of the game."
)


def get_club(request: Request, key: str) -> Access:
    """Return the club with this key for the caller, or raise Http404."""
    club = access.find(key, viewer_of(request))
    if club is None:
        raise Http404
    mark(request._request, club.club.visibility)
    return club


def _get_season(request: Request, key: str, season: str) -> tuple[Access, Season]:
    club = get_club(request, key)
    return club, seasons.find(club, season)


def _by_day(rows: QuerySet[Any], field: str) -> QuerySet[Any]:
    """Order rows by a day, the newest first, as numbers for the cursor of a list."""
    number = ExtractYear(field) * 10000 + ExtractMonth(field) * 100 + ExtractDay(field)
    return rows.annotate(number=number).order_by("-number", "-id")


class ClubResource(MembersResource):
    """Base of the resources of clubs."""

    write_throttle = "clubs"


class Clubs(ClubResource):
    """Public clubs."""

    http_method_names = ("get", "head")

    @document(
        "clubs_list",
        "Public clubs, the newest first",
        page_of(ClubJson),
        parameters=PAGE_PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Return one page of clubs."""
        viewer = viewer_of(request)
        roles = {}
        if viewer.user is not None:
            roles = {row.club_id: row.role for row in access.clubs_of(viewer.user)}

        def show(clubs: Iterable[Any]) -> Iterable[ClubJson]:
            return (showing.show_club(club, club.size, roles.get(club.pk, -1)) for club in clubs)

        return page_response(request, showing.with_sizes(access.public_clubs()), show)


class ClubDetail(ClubResource):
    """A club."""

    http_method_names = ("get", "head")

    @document(
        "clubs_retrieve",
        "A club",
        ClubJson,
        description="A private club is visible to its members only.",
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return the club."""
        club = get_club(request, key)
        return Response(showing.show_club(club.club, access.count_members(club.club), club.role))


class ClubMembers(ClubResource):
    """The members of a club."""

    http_method_names = ("get", "head")

    @document(
        "clubs_members_list",
        "The members and guests of a club, in the order of their entry",
        page_of(MemberJson),
        parameters=PAGE_PARAMETERS,
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return one page of members."""
        club = get_club(request, key)
        rows = access.current_members().filter(club=club.club).order_by("pk")
        return page_response(request, rows, partial(showing.show_members, club))


class ClubSeasons(ClubResource):
    """The seasons of a club."""

    http_method_names = ("get", "head")

    @document(
        "clubs_seasons_list",
        "The seasons of a club, the latest first",
        page_of(SeasonJson),
        parameters=PAGE_PARAMETERS,
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return one page of seasons."""
        club = get_club(request, key)
        rows = _by_day(club.club.seasons.all(), "last")
        return page_response(request, rows, partial(map, partial(showing.show_season, club)))


class ClubSeason(ClubResource):
    """A season of a club."""

    http_method_names = ("get", "head")

    @document(
        "clubs_seasons_retrieve",
        "A season of a club",
        SeasonJson,
        parameters=[SEASON],
        problems=(404,),
    )
    def get(self, request: Request, key: str, season: str) -> Response:
        """Return the season."""
        return Response(showing.show_season(*_get_season(request, key, season)))


_TABLE: Final = "The table of a season"
_VISIBLE: Final = (
    "Computed from the games that the caller may see: members see figures of all games, other "
    "callers those of public games, in an unlisted club also of unlisted games. A corrected or "
    "withdrawn game counts in the next response."
)


class SeasonStandings(ClubResource, NegotiatedResource):
    """The table of a season."""

    http_method_names = ("get", "head")
    renderer_classes = (JsonRenderer, CsvRenderer)

    @document(
        "clubs_seasons_standings",
        _TABLE,
        Standings,
        description=_VISIBLE,
        parameters=[SEASON, FORMAT],
        problems=(404, 406),
    )
    def get(self, request: Request, key: str, season: str) -> Response:
        """Return the table as JSON, or as CSV if the caller prefers that."""
        club, row = _get_season(request, key, season)
        with expensive(request._request, "statistics"):
            rows = showing.show_standings(request._request, club, row)
        if isinstance(request.accepted_renderer, CsvRenderer):
            name = f'attachment; filename="{club.club.key}-{row.key}.csv"'
            text = showing.to_csv(rows, {field: field for field in StandingJson.__struct_fields__})
            return Response(text, headers={"Content-Disposition": name})
        return Response(Standings(showing.show_season(club, row), rows))


SeasonStandingsCsv: Final = make_file_view(
    SeasonStandings,
    CsvRenderer,
    "clubs_seasons_standings",
    _TABLE,
    description=_VISIBLE,
    parameters=[SEASON],
    problems=(404,),
)


class ClubSeasonEntries(ClubResource):
    """The entries of a season."""

    @document(
        "clubs_seasons_entries_list",
        "Penalties, corrections and totals of a season, the newest first",
        page_of(SeasonEntryJson),
        parameters=[SEASON, *PAGE_PARAMETERS],
        problems=(404,),
    )
    def get(self, request: Request, key: str, season: str) -> Response:
        """Return one page of entries."""
        club, row = _get_season(request, key, season)
        rows = row.entries.order_by("-pk")
        return page_response(request, rows, partial(showing.show_entries, club))

    @document(
        "clubs_seasons_entries_create",
        "Add entries to a season",
        {201: SeasonEntries},
        description="By an officer. The log of the club has them, and officers can undo them.",
        parameters=[SEASON],
        request=form_of(SentSeasonEntries),
        problems=(404, 409, 413, 415),
    )
    def post(self, request: Request, key: str, season: str) -> Response:
        """Add the entries; return 201 with them."""
        club, row = _get_season(request, key, season)
        club.require(Role.OFFICER)
        sent = read_body(request, SentSeasonEntries)
        new = [seasons.NewEntry(**asdict(entry)) for entry in sent.entries]
        added = seasons.add_entries(club, row, new)
        return Response(SeasonEntries(showing.show_entries(club, added)), status=201)


class ClubEvenings(ClubResource):
    """The evenings of a club."""

    http_method_names = ("get", "head")

    @document(
        "clubs_evenings_list",
        "The evenings of a club, the latest first",
        page_of(EveningJson),
        parameters=PAGE_PARAMETERS,
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return one page of evenings."""
        club = get_club(request, key)
        rows = _by_day(club.club.evenings.all(), "day")
        return page_response(request, rows, partial(map, partial(showing.show_evening, club)))


class ClubGames(ClubResource):
    """The games of a club."""

    @document(
        "clubs_games_list",
        "The games of a club that the caller may see, the newest of the archive first",
        page_of(RecordJson),
        parameters=PAGE_PARAMETERS,
        problems=(404,),
    )
    def get(self, request: Request, key: str) -> Response:
        """Return one page of games."""
        club = get_club(request, key)
        rows = games.games_of(club.club, games.level_of(club)).order_by("-record_id")

        def show(page: Iterable[ClubGame]) -> Iterable[RecordJson]:
            return map(show_game, list_records([row.record_id for row in page], club.viewer))

        return page_response(request, rows, show)

    @document(
        "clubs_games_create",
        "Add games of the archive to a club",
        {201: AddedGames},
        description=(
            f"Officers add games that they may see, members their own, at most {MOST_ADDED} in a "
            "request. A private game of the caller is then visible to the members."
        ),
        request=form_of(SentGames),
        problems=(404, 409, 413, 415),
    )
    def post(self, request: Request, key: str) -> Response:
        """Add the games; return 201 with their numbers and the refused keys."""
        club = get_club(request, key)
        club.require(Role.MEMBER)
        sent = read_body(request, SentGames)
        added = games.add(club, sent.records, sent.day)
        return Response(AddedGames(added.new, added.known, added.refused), status=201)


class ClubGameDetail(ClubResource):
    """A game of a club."""

    http_method_names = ("delete",)

    @document(
        "clubs_games_delete",
        "Take a game out of a club",
        {204: OpenApiResponse(description="The game is not in the club any more.")},
        description="The game stays in the archive. Officers any game, members their own.",
        parameters=[RECORD],
        problems=(404, 409),
    )
    def delete(self, request: Request, key: str, record: str) -> HttpResponse:
        """Take the game out of the club."""
        club = get_club(request, key)
        club.require(Role.MEMBER)
        rows = games.games_of(club.club, games.level_of(club)).filter(record__key=record)
        if games.take_out(club, rows.values_list("record_id", flat=True)) == 0:
            raise Http404
        return HttpResponse(status=204)
