"""The evenings of a club: their list, an evening with its games and tables, sheets to print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs import evenings, figures, seasons
from clubs.access import Access
from clubs.changes import stamp
from clubs.days import list_days
from clubs.games import games_of, level_of, load_results
from clubs.models import Evening, Member, MemberName, Role, Season
from clubs.pages.editors import list_tables, ruleset_for
from clubs.pages.feeds import address_of
from clubs.pages.season_forms import EveningForm
from clubs.pages.seasons import PAGE_NUMBER, state_of_day
from clubs.pages.tables import build_rows, split_guests
from clubs.pages.view import club_view, render_club, state_of
from clubs.refused import Refused
from clubs.scores import write_sum
from clubs.shown import ShownPlayer, show_players, show_tables
from kafu.facade.rulesets import options_of
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Record, Seat
from records.search.games import list_records
from records.serving.cached_responses import cached_page
from records.serving.parameters import Parameters, last_of

#: Evenings on a page, shown games of an evening, and members to tick.
PAGE: Final = 60
MOST_GAMES: Final = 60
MOST_TICKED: Final = 300
#: Rows of the sums of an evening, and the maximum number of games with a column of their own.
MOST_SUMS: Final = 100
MOST_COLUMNS: Final = 24
#: The time before an evening in which attendance decides the order of members.
_REMEMBERED: Final = timedelta(days=366)
#: Rows of the running table.
_TOP: Final = 20
_DAY: Final[Parameters] = {"day": last_of(lambda text: text if _is_day(text) else "")}


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class EveningSum:
    """The sum of a player in an evening, by game; "" for a game without the player."""

    player: ShownPlayer
    cells: list[str]
    total: str


@dataclass(frozen=True, slots=True)
class Attendee:
    """A member to tick for the draw, with the last day on which the member played."""

    name: str
    day: date | None
    is_present: bool


@require_safe
@cached_page(state_of_day, parameters=PAGE_NUMBER | _DAY)
@club_view()
def show_evenings(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the coming evenings, the next one first, and the past ones, the newest first.

    ``?day=`` leads to the evening of a day.
    """
    if day := request.GET.get("day"):
        return redirect("club-evening", club.club.key, day)
    today = timezone.localdate()
    days = list_days(club)
    page = Paginator([day for day in days if day.day < today], PAGE)
    context = {
        "today": today,
        "coming": [day for day in reversed(days) if day.day >= today],
        "page": page.get_page(request.GET.get("page")),
        "feed": address_of("club-feed", club, lang=labels.lang()),
        "calendar": address_of("club-calendar", club),
    }
    return render_club(request, "evenings", club, "evenings", context)


@cached_page(state_of_day)
@club_view()
def show_evening(request: HttpRequest, club: Access, day: date) -> HttpResponse:
    """Show an evening; by POST write about it, delete that, or draw its tables (``do``).

    Officers see each day, others those with games or words.
    """
    evening = evenings.find(club.club, day)
    form = EveningForm(
        request.POST if request.POST.get("do") == "write" else None,
        initial={name: getattr(evening, name) for name in ("time", "place", "line")}
        if evening is not None
        else {},
    )
    if request.method == "POST" and _change(request, club, day, evening, form):
        return redirect("club-evening", club.club.key, day)
    games = games_of(club.club, level_of(club)).filter(day=day)
    rulesets = dict(games.order_by().values_list("ruleset").annotate(Count("pk")))
    count = sum(rulesets.values())
    if not (evening or count or club.is_officer):
        raise Http404
    season = _season_of(club, day, list(rulesets))
    newest = games.values_list("record_id", flat=True)[:MOST_GAMES]
    records = list_records(sorted(newest), club.viewer)
    sums = _list_sums(club, day, [*rulesets], records if count <= MOST_COLUMNS else ())
    context = {
        "day": day,
        "today": timezone.localdate(),
        "evening": evening,
        "was": form.data.get("was") or (stamp(evening) if evening is not None else ""),
        "form": form,
        "records": records,
        "more": count - len(records),
        "sums": sums[:MOST_SUMS],
        "more_sums": max(0, len(sums) - MOST_SUMS),
        "season": season,
        "tables": list(list_tables(club, evening, season)),
        "byes": show_tables(club, [evening.byes])[0] if evening is not None else [],
    }
    if season is not None and count:
        standings = figures.standings_until(request, club, season, day)
        ranked, _guests = split_guests(club, standings)
        context["rows"] = build_rows(club, season, ranked[:_TOP])
    if club.is_officer:
        is_refused = request.POST.get("do") == "draw"
        present = {name for table in (evening.tables if evening else ()) for name in table}
        present |= set(evening.byes if evening else ())
        if is_refused:
            present = set(_list_present(request.POST))
        attendees = list_attendees(club, day, present)
        context |= {
            "attendees": attendees,
            "typed": "\n".join(sorted(present - {attendee.name for attendee in attendees})),
            "rulesets": [(id, labels.ruleset_brief(id)) for id in RULESETS],
            "ruleset": request.POST.get("ruleset") or (season.ruleset if season else ""),
            "fixed": request.POST.getlist("fixed"),
            "is_refused": is_refused,
        }
    return render_club(request, "evening", club, "evenings", context)


def _change(
    request: HttpRequest, club: Access, day: date, evening: Evening | None, form: EveningForm
) -> bool:
    """Do what a form of the evening asks. Return whether the page is to be loaded again."""
    match request.POST.get("do"):
        case "write":

            def write(values: Mapping[str, Any]) -> None:
                evenings.write(club, day, values, request.POST.get("was", ""))

            if not form.act(write, evening):
                return False
            messages.success(request, _("The evening is saved."))
        case "delete" if evening is not None:
            evenings.delete(club, evening)
            messages.success(request, _("What was written about the evening is deleted."))
        case "draw":
            club.require(Role.OFFICER)
            try:
                _draw(request.POST, club, day, evening)
            except Refused as refused:
                messages.error(request, refused.words)  # The page keeps the ticks.
                return False
            messages.success(request, _("The tables are drawn."))
    return True


def _list_present(fields: QueryDict) -> list[str]:
    """Return the ticked and the typed names of a draw."""
    typed = fields.get("typed", "").replace("、", "\n").replace(",", "\n").splitlines()
    return [*fields.getlist("present"), *(name.strip() for name in typed if name.strip())]


def _draw(fields: QueryDict, club: Access, day: date, evening: Evening | None) -> None:
    """Draw the tables for the ticked and the typed names. Raise Refused."""
    ruleset = fields.get("ruleset", "")
    if ruleset not in RULESETS:
        raise Refused("no-ruleset", _("Choose one of the rulesets."), "ruleset")
    chosen = fields.getlist("fixed")
    tables = evening.tables if evening is not None else []
    fixed = [table for number, table in enumerate(tables, start=1) if str(number) in chosen]
    season = _season_of(club, day, [ruleset])
    played = seasons.load(season, level_of(club)) if season is not None else None
    present = _list_present(fields)
    with transaction.atomic():  # A refused draw leaves no evening.
        if evening is None:
            evening = evenings.write(club, day, {})
        evenings.draw(club, evening, ruleset, present, played=played, fixed=fixed)


def _season_of(club: Access, day: date, rulesets: Sequence[str]) -> Season | None:
    """Return the season of a day, if possible of the ruleset of its games."""
    running = club.club.seasons.filter(first__lte=day, last__gte=day).order_by("-first", "-pk")
    return running.filter(ruleset__in=rulesets).first() or running.first()


def _list_sums(
    club: Access, day: date, rulesets: Sequence[str], columns: Sequence[Record]
) -> list[EveningSum]:
    """Return the players of an evening with their sums, the highest first.

    The cells are the sums in the games of ``columns``. The sums of different rulesets are not added
    up: the list is empty.
    """
    if len(rulesets) != 1:
        return []
    season = Season(ruleset=rulesets[0])
    rows = MemberName.objects.filter(club=club.club).order_by()
    players = dict(rows.values_list("key", "member__key"))
    results = load_results(games_of(club.club, level_of(club)).filter(day=day), players)
    sums: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for game in results:
        for seat in game.seats:
            sums[seat.player][game.key] += seat.final
    shown = show_players(club, set(sums))
    games = [str(record.pk) for record in columns]
    order = sorted(sums, key=lambda player: (-sum(sums[player].values()), shown[player].name))
    return [
        EveningSum(
            shown[player],
            [
                write_sum(season, sums[player][game]) if game in sums[player] else ""
                for game in games
            ],
            write_sum(season, sum(sums[player].values())),
        )
        for player in order
    ]


def list_attendees(club: Access, day: date, present: set[str]) -> list[Attendee]:
    """Return members to tick for a day, those who played last in the year before it first."""
    names = dict(MemberName.objects.filter(club=club.club).order_by().values_list("key", "member"))
    seats = Seat.objects.filter(
        record__club_game__club=club.club,
        record__club_game__out=None,
        record__club_game__day__range=(max(day, date.min + _REMEMBERED) - _REMEMBERED, day),
    )
    newest = seats.order_by().values_list("player__origin").annotate(Max("record__club_game__day"))
    last_days: dict[int, date] = {}
    for key, played in newest:
        if key in names:
            last_days[names[key]] = max(played, last_days.get(names[key], played))
    members = Member.objects.filter(club=club.club, left=None, role__gte=Role.MEMBER)
    rows = sorted(
        members.order_by().values_list("pk", "name"),
        key=lambda row: (-last_days.get(row[0], date.min).toordinal(), row[1]),
    )
    return [Attendee(name, last_days.get(pk), name in present) for pk, name in rows[:MOST_TICKED]]


# Blank sheets -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlankSheet:
    """A sheet to print; ``names`` are in the order of seats, ``house`` are the rules in words."""

    names: Sequence[str]
    ruleset: str
    house: list[tuple[str, str]]
    months: range


@require_safe
@cached_page(state_of)
@club_view()
def print_sheets(request: HttpRequest, club: Access, day: date) -> HttpResponse:
    """Show a blank score sheet for each table of an evening; without tables one without names."""
    evening = evenings.find(club.club, day)
    season = _season_of(club, day, [])
    tables = show_tables(club, evening.tables) if evening is not None else []
    if not tables:
        first = season.ruleset if season is not None else "koikoi"
        tables = [[""] * min(RULESETS[first].seats)]
    sheets = [_blank_sheet(club, season, names) for names in tables]
    context = {"day": day, "evening": evening, "sheets": sheets}
    return render_club(request, "sheets", club, "evenings", context)


def _blank_sheet(club: Access, season: Season | None, names: Sequence[str]) -> BlankSheet:
    """Return the sheet of a table with the house rules of the club."""
    ruleset = ruleset_for(club, season, len(names))
    options = options_of(ruleset, club.club.houses.get(ruleset, ""))
    house = [labels.option(ruleset, f"{name}={value}") for name, value in options.items()]
    months = int(options.get("months", "12")) if options.get("months", "12").isdecimal() else 12
    return BlankSheet(names, ruleset, house, range(1, months + 1))
