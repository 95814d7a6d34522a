"""The page of a club: what a member needs on the evening, then standings, next date and games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from clubs import evenings, games, seasons
from clubs.access import Access
from clubs.models import Evening, Season
from clubs.pages.games import load_games
from clubs.pages.summary import summarize
from clubs.pages.view import club_view, render_club, state_of
from clubs.shown import show_tables
from kafu.rules.rulesets import RULESETS
from records.privacy.redaction import archive_redaction
from records.serving.cached_responses import cached_page

#: Rows of the short table, and number of games.
TOP: Final = 5
GAMES: Final = 6


@dataclass(frozen=True, slots=True)
class Table:
    """A drawn table: its names, and the address of a score sheet with them."""

    names: list[str]
    sheet: str


def _state(request: HttpRequest, key: str) -> tuple[object, ...] | None:
    state = state_of(request, key)
    return None if state is None else (*state, timezone.localdate())


@require_safe
@cached_page(_state)
@club_view()
def show_club(request: HttpRequest, club: Access) -> HttpResponse:
    """Show the club."""
    today = timezone.localdate()
    season = seasons.current_season(club, today)
    rows = games.games_of(club.club, games.level_of(club)).order_by("-record_id")[:GAMES]
    coming = evenings.coming(club.club, today).first()
    context: dict[str, Any] = {
        "season": season,
        "summary": summarize(request, club, season, TOP) if season is not None else None,
        "evening": coming,
        "is_today": coming is not None and coming.day == today,
        "games": load_games(club, rows),
    }
    if club.is_member:
        context |= {
            "sheet": editor_address("new-sheet", club, season),
            "record": editor_address("new-record", club, season),
            "tables": list(_tables(club, season, coming, today)),
            "claims": club.is_officer and club.club.members.filter(claims__isnull=False).count(),
        }
    return render_club(request, "club", club, "home", context)


def editor_address(name: str, club: Access, season: Season | None, *players: str) -> str:
    """Return the address of an editor that knows club, ruleset and players.

    The ruleset is the season's, or one for the number of players. Names with a pseudonym are left
    empty, because the name in the game would be another one.
    """
    rulesets = [season.ruleset] if season is not None else []
    if players:
        rulesets = [id for id in (*rulesets, *RULESETS) if len(players) in RULESETS[id].seats]
    query = [("club", club.club.key), *(("ruleset", id) for id in rulesets[:1])]
    pseudonyms = archive_redaction()
    query += [("player", name if pseudonyms.redact(name) == name else "") for name in players]
    return f"{reverse(name)}?{urlencode(query)}"


def _tables(
    club: Access, season: Season | None, evening: Evening | None, today: date
) -> Iterator[Table]:
    """Yield the tables that are drawn for today."""
    if evening is not None and evening.day == today:
        for names, shown in zip(evening.tables, show_tables(club, evening.tables), strict=True):
            yield Table(shown, editor_address("new-sheet", club, season, *names))
