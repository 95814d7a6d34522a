"""The days on which a club plays or has played, with the number of games that a viewer sees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Count

from clubs.access import Access
from clubs.games import games_of, level_of
from clubs.models import Evening, Season


@dataclass(frozen=True, slots=True)
class ClubDay:
    """A day with games, or with an evening that an officer wrote about."""

    day: date
    games: int
    evening: Evening | None


def list_days(access: Access, season: Season | None = None) -> list[ClubDay]:
    """Return the days of a club, the newest first; of a season those with its games or dates."""
    games = games_of(access.club, level_of(access)).order_by()
    evenings = access.club.evenings.order_by()
    if season is not None:
        games = games.filter(ruleset=season.ruleset, day__range=(season.first, season.last))
        evenings = evenings.filter(day__range=(season.first, season.last))
    counts = dict(games.values_list("day").annotate(Count("pk")))
    rows = {evening.day: evening for evening in evenings}
    days = sorted(counts.keys() | rows.keys(), reverse=True)
    return [ClubDay(day, counts.get(day, 0), rows.get(day)) for day in days]
