"""The top of the standings of a season, and a member's own place, for the club's and own page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest

from clubs import figures
from clubs.access import Access
from clubs.models import Season
from clubs.scores import write_score
from clubs.shown import ShownPlayer, show_players
from clubs.standings import Standing


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A row of a short table of standings."""

    standing: Standing
    player: ShownPlayer
    score: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A short table of a season: its ``top``, and the viewer's row between its neighbours.

    ``around`` is empty if the viewer has no row, ``count`` the number of players.
    """

    season: Season
    top: list[SummaryRow]
    around: list[SummaryRow]
    count: int

    @property
    def own(self) -> SummaryRow | None:
        """The viewer's row."""
        return next((row for row in self.around if row.is_own), None)

    @property
    def apart(self) -> list[SummaryRow]:
        """The rows around the viewer below the top."""
        top = {row.standing.player for row in self.top}
        return [row for row in self.around if row.standing.player not in top]


def summarize(request: HttpRequest, club: Access, season: Season, size: int) -> Summary:
    """Return the first ``size`` rows of the standings, and those around the viewer."""
    standings = figures.standings_of(request, club, season)
    own = club.member.key if club.member is not None else ""
    place = next((i for i, row in enumerate(standings) if row.player == own), None)
    around = [] if place is None else standings[max(0, place - 1) : place + 2]
    top = standings[:size]
    shown = show_players(club, {row.player for row in (*top, *around)})

    def rows(standings: Iterable[Standing]) -> list[SummaryRow]:
        return [
            SummaryRow(row, shown[row.player], write_score(season, row.score), row.player == own)
            for row in standings
        ]

    return Summary(season, rows(top), rows(around), len(standings))
