"""The seasons of a club: their list, the form of a season, and deleting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import seasons
from clubs.access import Access
from clubs.changes import stamp
from clubs.models import ClubGame, Role, Season
from clubs.pages.season_forms import SeasonForm
from clubs.pages.view import club_view, render_club, state_of
from clubs.refused import Refused
from records.serving.cached_responses import cached_page
from records.serving.parameters import Parameters, last_of

#: Seasons on a page.
PAGE: Final = 50
#: The parameter that chooses a page of a list.
PAGE_NUMBER: Final[Parameters] = {
    "page": last_of(lambda value: value if value.isdecimal() and len(value) < 7 else "")
}


def state_of_day(
    request: HttpRequest, key: str, *args: Any, **kwargs: Any
) -> tuple[object, ...] | None:
    """Return the state of a page that depends on the present day too."""
    state = state_of(request, key)
    return None if state is None else (*state, timezone.localdate())


def find_season(club: Access, key: str) -> Season:
    """Return a season of a club. Raise Http404."""
    try:
        return seasons.find(club, key)
    except Refused as refused:
        raise Http404 from refused


@cached_page(state_of_day, parameters=PAGE_NUMBER)
@club_view()
def show_seasons(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the seasons of a club, the newest first."""
    page = Paginator(club.club.seasons.all(), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "today": timezone.localdate()}
    return render_club(request, "seasons", club, "seasons", context)


@club_view(Role.OFFICER)
def begin(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the form of a new season; by POST create it."""
    form = SeasonForm(request.POST or None, initial=_suggest(club))
    created: list[Season] = []

    def create(_values: Mapping[str, Any]) -> None:
        with _placed(form):
            created.append(seasons.create(club, form.fields_of_season()))

    if request.method == "POST" and form.act(create):
        messages.success(request, _("The season is created."))
        return redirect("club-season", club.club.key, created[0].key)
    return render_club(request, "season_form", club, "seasons", {"form": form})


@club_view(Role.OFFICER)
def change(request: HttpRequest, club: Access, season: str) -> HttpResponse:
    """Show the form of a season; by POST change it, or delete it after a confirmation."""
    stored = find_season(club, season)
    if "delete" in request.POST:
        if "confirmed" in request.POST:
            seasons.delete(club, stored)
            messages.success(request, _("The season is deleted. Its games stay in the club."))
            return redirect("club-seasons", club.club.key)
        context = {"season": stored, "entries": stored.entries.count()}
        return render_club(request, "season_delete", club, "seasons", context)
    was = stamp(stored)
    name = stored.name
    form = SeasonForm(request.POST or None, initial=SeasonForm.read(stored))

    def update(_values: Mapping[str, Any]) -> None:
        with _placed(form):
            seasons.update(club, stored, form.fields_of_season(), form.data.get("was", ""))

    if request.method == "POST" and form.act(update, stored):
        messages.success(request, _("The season is changed."))
        return redirect("club-season", club.club.key, stored.key)
    context = {"form": form, "season": stored, "was": form.data.get("was", was), "name": name}
    return render_club(request, "season_form", club, "seasons", context)


@contextmanager
def _placed(form: SeasonForm) -> Iterator[None]:
    """Move a refusal to the field of the form that shows it."""
    try:
        yield
    except Refused as refused:
        place = form.place_of(refused.field)
        raise Refused(refused.code, refused.words, place) from refused


def _suggest(club: Access) -> dict[str, Any]:
    """Return the fields of a season of this year, like the newest one, else of the newest game."""
    today = timezone.localdate()
    fields: dict[str, Any] = {}
    newest = club.club.seasons.first()
    game = ClubGame.objects.filter(club=club.club, out=None).first()
    if newest is not None:
        fields = SeasonForm.read(newest)
    elif game is not None:
        fields["ruleset"] = game.ruleset
    year = {"first": today.replace(month=1, day=1), "last": today.replace(month=12, day=31)}
    is_taken = club.club.seasons.filter(name=str(today.year)).exists()
    return fields | year | {"name": "" if is_taken else str(today.year)}
