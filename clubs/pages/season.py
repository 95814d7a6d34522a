"""The page of a season: standings and all further figures; its print, table and picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from clubs import figures, showing
from clubs.access import Access
from clubs.days import list_days
from clubs.honours import Award, Holder, SeasonRecord
from clubs.models import Entry, Season
from clubs.pages.picture import PictureRow, draw_standings
from clubs.pages.progress import MOST, draw_progress, list_scores
from clubs.pages.seasons import PAGE_NUMBER, find_season
from clubs.pages.tables import (
    StandingRow,
    build_cross,
    build_months,
    build_rows,
    own_key,
    split_guests,
)
from clubs.pages.view import club_view, render_club, state_of
from clubs.scores import (
    RECORD_NAMES,
    TITLE_NAMES,
    describe_scoring,
    write_entry,
    write_record,
    write_title,
)
from clubs.seasons import scoring_of
from clubs.shown import ShownPlayer, redact, show_names, show_players
from records.base import dates, labels
from records.base.release import absolute
from records.drawing.pictures import to_png
from records.models import Record, Visibility
from records.serving.cached_responses import cached_page
from records.serving.computing import compute
from records.serving.parameters import LANG, activate_language, one_of
from records.wording.previews import LinkPreview, picture_path

#: Rows of the standings on a page, and of guests.
PAGE: Final = 100
#: Numbers of players of the cross table and the table of months.
TOPS: Final = ("10", "20", "40")
#: Entries on the page, the newest.
MOST_ENTRIES: Final = 100
#: Rows, columns and evenings on a printed page.
_PRINTED_ROWS, _PRINTED_CROSS, _PRINTED_DAYS = 30, 10, 20
#: Rows of a picture.
_PICTURE_ROWS: Final = 8


@dataclass(frozen=True, slots=True)
class TitleView:
    """A title: what it is given for, its holders, and their value."""

    name: str
    players: list[ShownPlayer]
    value: str


@dataclass(frozen=True, slots=True)
class RecordView:
    """A record of the season: name, value, and its holders with the day and the game."""

    name: str
    value: str
    holders: list[tuple[ShownPlayer, Holder, str]]
    more: int


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry of the season: the player's name and the amount in words."""

    entry: Entry
    name: str
    kind: str
    amount: str


@require_safe
@cached_page(state_of, parameters={**PAGE_NUMBER, "top": one_of(TOPS)})
@club_view()
def show_season(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Show a season: ``?page=`` of the standings, ``?top=`` players of the cross table."""
    stored = find_season(club, season)
    members, guests = split_guests(club, figures.standings_of(request, club, stored))
    page = Paginator(members, PAGE).get_page(request.GET.get("page"))
    own = own_key(club)
    apart = [row for row in members if row.player == own and row not in page.object_list]
    top = int(request.GET.get("top", TOPS[0]))
    rows = build_rows(club, stored, members[:top])
    details = figures.details_of(request, club, stored)
    months, month_rows = build_months(stored, rows, details)
    context = {
        **_head(club, stored),
        "page": page,
        "rows": build_rows(club, stored, list(page.object_list)),
        "apart": build_rows(club, stored, apart),
        "guests": build_rows(club, stored, guests[:PAGE]),
        "more_guests": max(0, len(guests) - PAGE),
        "count": len(members),
        "top": top,
        "tops": [int(size) for size in TOPS] if len(members) > int(TOPS[0]) else [],
        "cross": build_cross(stored, rows, details.meetings),
        "months": months,
        "month_rows": month_rows,
        "lines": rows[:MOST],
        "chart": draw_progress(stored, rows[:MOST], details.progress),
        "scores": list_scores(stored, rows[:MOST], details.progress),
        "titles": list(_show_titles(club, stored, details.titles)),
        "records": list(_show_records(club, stored, details.records)),
        **_show_entries(club, stored),
    }
    return render_club(request, "season", club, "seasons", context)


@require_safe
@cached_page(state_of)
@club_view()
def print_season(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Show standings, cross table and evenings of a season on one page of A4."""
    stored = find_season(club, season)
    members, guests = split_guests(club, figures.standings_of(request, club, stored))
    details = figures.details_of(request, club, stored)
    rows = build_rows(club, stored, [*members, *guests][:_PRINTED_ROWS])
    days = list_days(club, stored)
    context = {
        **_head(club, stored),
        "rows": rows,
        "more": max(0, len(members) + len(guests) - _PRINTED_ROWS),
        "cross": build_cross(stored, rows[:_PRINTED_CROSS], details.meetings),
        "days": days[:_PRINTED_DAYS],
        "more_days": max(0, len(days) - _PRINTED_DAYS),
        "titles": list(_show_titles(club, stored, details.titles)),
        "entries": _show_entries(club, stored)["entries"],
    }
    return render_club(request, "season_print", club, "seasons", context)


def _head(club: Access, season: Season) -> dict[str, Any]:
    return {
        "season": season,
        "scoring": describe_scoring(season, scoring_of(season)),
        "preview": _preview(club, season),
    }


def _preview(club: Access, season: Season) -> LinkPreview:
    title = redact(f"{season.name} · {club.club.name}")
    return LinkPreview(
        description=_("Standings of %(title)s") % {"title": title},
        image=picture_path("club-picture", club.club.key, season.key),
        alt=_("Standings of %(title)s") % {"title": title},
        url=absolute(reverse("club-season", args=[club.club.key, season.key])),
    )


def _show_titles(club: Access, season: Season, awards: Sequence[Award]) -> Iterator[TitleView]:
    shown = show_players(club, {player for award in awards for player in award.players})
    for award in awards:
        yield TitleView(
            str(TITLE_NAMES[award.title]),
            [shown[player] for player in award.players],
            write_title(season, award.title, award.value),
        )


def _show_records(
    club: Access, season: Season, records: Sequence[SeasonRecord]
) -> Iterator[RecordView]:
    holders = [holder for record in records for holder in record.holders]
    shown = show_players(club, {holder.player for holder in holders})
    games = {int(holder.game) for holder in holders if holder.game}
    keys = dict(Record.objects.order_by().filter(pk__in=games).values_list("pk", "key"))
    for record in records:
        yield RecordView(
            str(RECORD_NAMES[record.id]),
            write_record(season, record.id, record.value),
            [
                (shown[holder.player], holder, keys.get(int(holder.game or 0), ""))
                for holder in record.holders
            ],
            record.times - len(record.holders),
        )


def _show_entries(club: Access, season: Season) -> dict[str, Any]:
    """Return the newest penalties and corrections, and the number of totals."""
    entries = season.entries.order_by("-day", "-pk")
    visible = list(entries.exclude(kind=Entry.Kind.TOTAL)[:MOST_ENTRIES])
    return {
        "entries": show_entries(club, season, visible),
        "totals": season.entries.filter(kind=Entry.Kind.TOTAL).count(),
    }


def show_entries(club: Access, season: Season, entries: Sequence[Entry]) -> list[EntryView]:
    """Return entries in words, with the names of their players as the viewer may see them."""
    shown = show_names(club, {entry.name for entry in entries})
    return [
        EntryView(
            entry,
            shown[entry.name],
            str(entry.get_kind_display()),
            write_entry(season, entry.amount),
        )
        for entry in entries
    ]


@require_safe
@cached_page(state_of)
@club_view()
def standings_csv(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Return the standings as a file for spreadsheets, guests last."""
    stored = find_season(club, season)
    rows = showing.show_standings(request, club, stored)
    headings = {
        "rank": _("Rank"),
        "change": _("Change of rank"),
        "name": _("Name"),
        "score": _("Score"),
        "games": _("Games"),
        "evenings": _("Evenings"),
        "wins": _("Wins"),
        "total": _("Total"),
        "mean": _("Mean"),
        "best_month": _("Best month"),
        "months_won": _("Months won"),
        "penalties": _("Penalties"),
        "corrections": _("Corrections"),
    }
    return HttpResponse(
        showing.to_csv(sorted(rows, key=attrgetter("guest")), headings),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{club.club.key}.csv"'},
    )


@require_safe
@cached_page(state_of, parameters=LANG, group="picture")
@club_view()
def picture(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Return the top of the standings as a picture in the language ``lang``."""
    stored = find_season(club, season)
    with activate_language(request):
        standings = figures.standings_of(request, club, stored)
        rows = build_rows(club, stored, standings[:_PICTURE_ROWS])
        drawn = [_picture_row(row) for row in rows]
        days = list_days(club, stored)
        played = [day for day in days if day.games]
        count = sum(day.games for day in played)
        parts = [labels.ruleset_brief(stored.ruleset)]
        parts.append(ngettext("%(count)d game", "%(count)d games", count) % {"count": count})
        if played:
            parts.append(dates.day(played[0].day))
        title = redact(f"{club.club.name} · {stored.name}")
        png = compute(to_png, draw_standings(title, drawn, " · ".join(parts)))
    response = HttpResponse(png, content_type="image/png")
    if club.club.visibility >= Visibility.UNLISTED:
        response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _picture_row(row: StandingRow) -> PictureRow:
    standing = row.standing
    return PictureRow(
        "–" if standing.rank is None else str(standing.rank),
        labels.person(row.player.name),
        row.score,
        standing.change or 0,
        is_first=standing.rank == 1,
    )
