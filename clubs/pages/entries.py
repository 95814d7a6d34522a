"""Entries of a season: penalties and corrections, and totals from a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import figures, members, seasons
from clubs.access import Access
from clubs.days import list_days
from clubs.models import Entry, Measure, Role, Season
from clubs.names import find_by_name, names_of_keys, players_of
from clubs.pages.season import show_entries
from clubs.pages.season_forms import EntryForm, TotalsForm
from clubs.pages.seasons import find_season
from clubs.pages.view import club_view, render_club
from clubs.refused import Refused
from clubs.scores import write_entry
from clubs.seasons import NewEntry
from clubs.shown import show_players
from clubs.totals import MAX_BYTES, Totals, TotalsError, read_totals
from kafu.notation.stream.encoding import UTF8, detect_file_encoding, detect_piece_encoding
from kafu.rules.rulesets import RULESETS
from records.base import dates
from records.base.keys import player_key

#: Entries on a page, and suggested names.
PAGE: Final = 100
_NAMES: Final = 300


@club_view(Role.OFFICER)
def change_entries(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Show all entries and the form of a new one; by POST add one, or delete ``delete``."""
    stored = find_season(club, season)
    here = redirect("club-entries", club.club.key, stored.key)
    if key := request.POST.get("delete", "").replace("\0", ""):
        seasons.delete_entry(club, stored, key)
        messages.success(request, _("The entry is deleted."))
        return here
    day = min(max(timezone.localdate(), stored.first), stored.last)
    form = EntryForm(stored, request.POST or None, initial={"day": day})
    table = figures.standings_of(request, club, stored)
    players = show_players(club, {row.player for row in table[:_NAMES]})

    def add(values: Mapping[str, Any]) -> None:
        _check_name(club, values["name"], {row.player for row in table})
        seasons.add_entries(club, stored, [NewEntry(**values)])

    if request.method == "POST" and form.act(add):
        messages.success(request, _("The entry is added."))
        return here
    entries = stored.entries.order_by("-day", "-pk")
    page = Paginator(entries, PAGE).get_page(request.GET.get("page"))
    context = {
        "season": stored,
        "form": form,
        "page": page,
        "rows": show_entries(club, stored, list(page.object_list)),
        "names": sorted({player.name for player in players.values()}),
    }
    return render_club(request, "entries", club, "seasons", context)


def _check_name(club: Access, name: str, playing: set[str]) -> None:
    """Raise Refused unless a name is a member's, or that of a player of the season."""
    player = players_of(club.club.pk, [name])[name]
    if player not in playing and find_by_name(club.club.pk, player_key(name)) is None:
        text = _("Nobody plays as %(name)s here: add the member first, or correct the name.")
        raise Refused("no-player", text % {"name": name}, "name")


@dataclass(frozen=True, slots=True)
class Preview:
    """Totals as they were read: a row for each name with its amounts, and what to look at.

    ``fresh`` are names that no member has, ``doubled`` days that have games or totals already.
    """

    totals: Totals
    rows: list[tuple[str, list[str]]]
    fresh: list[str]
    doubled: list[str]


@club_view(Role.OFFICER)
def add_totals(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Show the form of totals; by POST show what was read, and with ``save`` add it."""
    stored = find_season(club, season)
    form = TotalsForm(request.POST or None, request.FILES or None)
    previews: list[Preview] = []

    def read(values: Mapping[str, Any]) -> None:
        text = values["text"]
        if values["file"] is not None:
            text = _decode(values["file"].read(MAX_BYTES + 1))
            entered: Any = form.data
            form.data = entered = entered.copy()
            entered["text"] = text
        previews.append(_preview(club, stored, _read(stored, text)))
        if "save" in request.POST:
            _save(club, stored, previews[0], values["games"], request.POST.get("fresh", ""))

    if request.method == "POST" and form.act(read) and "save" in request.POST:
        count = len(previews[0].totals.totals)
        text = ngettext("%(count)d total is added.", "%(count)d totals are added.", count)
        messages.success(request, text % {"count": count})
        return redirect("club-season", club.club.key, stored.key)
    context = {"season": stored, "form": form, "preview": previews[0] if previews else None}
    return render_club(request, "totals", club, "seasons", context)


def _decode(data: bytes) -> str:
    """Return the text of a file in any of the encodings that the archive reads."""
    encoding = detect_file_encoding(data)
    if encoding == UTF8:
        encoding = detect_piece_encoding(data)
    try:
        return data.decode(encoding)
    except (LookupError, UnicodeDecodeError) as error:
        text = _("This is not a text: save the spreadsheet as CSV, or copy its cells.")
        raise Refused("file", text, "file") from error


def _read(season: Season, text: str) -> Totals:
    """Return the totals of a text. Raise Refused that names the cell."""
    in_kan = season.scoring in (Measure.SUM, Measure.MEAN) and RULESETS[season.ruleset].kan
    try:
        return read_totals(text, season.first, kan=in_kan)
    except TotalsError as error:
        raise Refused(f"totals-{error.reason}", _explain(error), "text") from error


def _explain(error: TotalsError) -> str:
    words = {
        "too-large": _("The table is too large: add it in parts."),
        "no-dates": _(
            "No dates were found. The first row has the dates, as 2026-04-03 or 4月3日, and the "
            "first column the names; or the other way round."
        ),
        "no-totals": _("No sums were found between the names and the dates."),
        "date": _("This head is not a date: write 2026-04-03, 4/3 or 4月3日."),
        "date-twice": _("This date is in the table twice."),
        "name": _("A name is missing or too long."),
        "name-twice": _("This name is in the table twice."),
        "amount": _("This is not an integer. Leave the cell empty if the player was not there."),
        "no-kan": _("The scoring of this season has no 貫: write points."),
        "sum": _("This sum does not agree with its row or column."),
    }
    if error.reason in ("too-large", "no-dates", "no-totals"):
        return words[error.reason]
    values = {"cell": error.cell, "found": error.found or "–", "why": words[error.reason]}
    return _("Cell %(cell)s (%(found)s): %(why)s") % values


def _preview(club: Access, season: Season, totals: Totals) -> Preview:
    amounts = {(total.player, total.day): total.amount for total in totals.totals}
    rows = [
        (
            name,
            [
                write_entry(season, amounts[name, day]) if (name, day) in amounts else ""
                for day in totals.days
            ],
        )
        for name in totals.players
    ]
    keys = {name: player_key(name) for name in totals.players}
    members_by_name = names_of_keys(club.club.pk, keys.values())
    fresh = [name for name in totals.players if keys[name] not in members_by_name]
    known = {day.day for day in list_days(club, season) if day.games}
    known |= set(season.entries.filter(kind=Entry.Kind.TOTAL).values_list("day", flat=True))
    doubled = [dates.day(day) for day in totals.days if day in known]
    return Preview(totals, rows, fresh, doubled)


def _save(club: Access, season: Season, preview: Preview, games: int, fresh: str) -> None:
    """Add totals, after their new names as members or guests."""
    entries = [
        NewEntry(Entry.Kind.TOTAL, total.player, total.day, total.amount, games)
        for total in preview.totals.totals
    ]
    _check_days(season, preview.totals.days)
    with transaction.atomic():
        if preview.fresh:
            role = Role.GUEST if fresh == "guests" else Role.MEMBER
            members.add(club, preview.fresh, role)
        seasons.add_entries(club, season, entries)


def _check_days(season: Season, days: Sequence[date]) -> None:
    """Raise Refused, at the table, for a day that is not in the season."""
    for day in days:
        if not season.first <= day <= season.last:
            text = _("%(day)s is not in the season, which lasts from %(first)s to %(last)s.")
            values = {"day": day, "first": season.first, "last": season.last}
            raise Refused("outside", text % values, "text")
