"""The top of the standings of a season, and a member's own place, for the club's and own page."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from clubs import figures
from clubs.access import Access
from clubs.models import Season
from clubs.pages.tables import StandingRow, build_rows, own_key, split_guests


@dataclass(frozen=True, slots=True)
class Summary:
    """A short table of a season: its ``top``, and the viewer's row between its neighbours.

    ``around`` is empty if the viewer has no row, ``count`` the number of members in the table.
    """

    season: Season
    top: list[StandingRow]
    around: list[StandingRow]
    count: int

    @property
    def apart(self) -> list[StandingRow]:
        """The rows around the viewer below the top."""
        top = {row.standing.player for row in self.top}
        return [row for row in self.around if row.standing.player not in top]


def summarize(request: HttpRequest, club: Access, season: Season, size: int) -> Summary:
    """Return the first ``size`` rows of the standings, and those around the viewer."""
    standings, _guests = split_guests(club, figures.standings_of(request, club, season))
    own = own_key(club)
    place = next((i for i, row in enumerate(standings) if row.player == own), None)
    around = [] if place is None else standings[max(0, place - 1) : place + 2]
    top = build_rows(club, season, standings[:size])
    return Summary(season, top, build_rows(club, season, around), len(standings))
