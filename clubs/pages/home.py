"""The page of a club: what a member needs on the evening, then standings, next date and games."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from clubs import evenings, follows, games, seasons
from clubs.access import Access
from clubs.pages.editors import editor_address, list_tables
from clubs.pages.games import load_games
from clubs.pages.members import count_claims
from clubs.pages.seasons import state_of_day
from clubs.pages.summary import summarize
from clubs.pages.view import club_view, render_club
from records.serving.cached_responses import cached_page

#: Rows of the short table, and number of games.
TOP: Final = 5
GAMES: Final = 6


@cached_page(state_of_day)
@club_view()
def show_club(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the club; by POST ``follow`` it, or with ``follow=0`` stop.

    ``me`` leads back to the user's own page.
    """
    if request.method == "POST":
        if request.POST.get("follow") == "0":
            follows.unfollow(club)
        else:
            follows.follow(club)
        return redirect("me") if "me" in request.POST else redirect("club", club.club.key)
    today = timezone.localdate()
    season = seasons.current_season(club, today)
    rows = games.games_of(club.club, games.level_of(club)).order_by("-record_id")[:GAMES]
    coming = evenings.coming(club.club, today).first()
    is_today = coming is not None and coming.day == today
    context: dict[str, Any] = {
        "season": season,
        "summary": summarize(request, club, season, TOP) if season is not None else None,
        "evening": coming,
        "is_today": is_today,
        "games": load_games(club, rows),
    }
    if club.is_member:
        context |= {
            "sheet": editor_address("new-sheet", club, season),
            "record": editor_address("new-record", club, season),
            "tables": list(list_tables(club, coming if is_today else None, season)),
            "claims": club.is_officer and count_claims(club),
        }
    elif club.viewer.user is not None:
        context["is_followed"] = follows.is_followed(club)
    return render_club(request, "club", club, "home", context)
