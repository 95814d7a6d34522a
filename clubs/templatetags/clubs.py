"""Clubs on the user's own page, and texts without names.

``{% my_clubs %}`` shows the user's clubs, ``{% followed_games players %}`` what the user follows.
"""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils import timezone

from clubs import access, evenings, follows, seasons
from clubs.pages.summary import summarize
from clubs.shown import redact, redact_club
from records.models import Player
from records.privacy.access import viewer_of

register = template.Library()
register.filter("redacted", redact)
#: Maximum number of clubs on the own page.
MOST: Final = 10


@register.inclusion_tag("clubs/_mine.html", takes_context=True)
def my_clubs(context: dict[str, Any]) -> dict[str, Any]:
    """Show the user's clubs: next evening, the own rank in the season, and the neighbours."""
    request = context["request"]
    viewer, today = viewer_of(request), timezone.localdate()
    rows = []
    for member in access.clubs_of(viewer.user or 0)[:MOST]:
        club = access.Access(member.club, viewer, member)
        season = seasons.current_season(club, today)
        summary = summarize(request, club, season, 0) if season is not None else None
        rows.append(
            (redact_club(member.club), evenings.coming(member.club, today).first(), summary)
        )
    return {"clubs": rows}


@register.inclusion_tag("clubs/_followed.html", takes_context=True)
def followed_games(context: dict[str, Any], players: list[Player]) -> dict[str, Any]:
    """Show the newest games of followed clubs and ``players``, with links to stop following."""
    viewer = viewer_of(context["request"])
    clubs = list(follows.followed_by(viewer))
    return {
        "games": follows.load_games(viewer, clubs, players),
        "clubs": [redact_club(club) for club in clubs],
        "players": players,
    }
