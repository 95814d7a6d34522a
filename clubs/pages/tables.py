"""The tables of a season as pages show them: standings, who met whom, months."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from clubs.access import Access
from clubs.figures import Details
from clubs.honours import Meeting
from clubs.models import Measure, Member, Role, Season
from clubs.scores import write_entry, write_mean, write_parts, write_score, write_sum
from clubs.scoring import UNITS
from clubs.shown import ShownPlayer, show_players
from clubs.standings import Standing


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A row of the standings. ``change`` is the number of ranks gained by the last evening."""

    player: ShownPlayer
    standing: Standing
    score: str
    wins: str
    total: str
    mean: str
    best_month: str
    entries: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class CrossRow:
    """The meetings of a player with the players of the columns, None for none or with oneself."""

    row: StandingRow
    cells: list[CrossCell | None]


@dataclass(frozen=True, slots=True)
class CrossCell:
    """The games of a player against another one, and what the player won from the other."""

    meeting: Meeting
    balance: str


@dataclass(frozen=True, slots=True)
class MonthRow:
    """The scores of a player by month; the ``best`` are those of the months' first places."""

    row: StandingRow
    cells: list[tuple[str, bool]]


def split_guests(
    access: Access, standings: Sequence[Standing]
) -> tuple[list[Standing], list[Standing]]:
    """Return the standings of members and of guests, each in order."""
    unranked = {row.player for row in standings if row.rank is None}
    members: set[str] = set()
    if unranked:
        ranked = Member.objects.filter(club=access.club, role__gte=Role.MEMBER)
        members = unranked & set(ranked.order_by().values_list("key", flat=True))
    guests = unranked - members
    return (
        [row for row in standings if row.player not in guests],
        [row for row in standings if row.player in guests],
    )


def build_rows(
    access: Access, season: Season, standings: Collection[Standing]
) -> list[StandingRow]:
    """Return rows of the standings with names and figures in words."""
    shown = show_players(access, {row.player for row in standings})
    own = own_key(access)
    return [
        StandingRow(
            player=shown[row.player],
            standing=row,
            score=write_score(season, row.score),
            wins=write_parts(row.wins, UNITS["wins"]),
            total=write_sum(season, row.total),
            mean=write_mean(season, row.mean),
            best_month=write_sum(season, row.best_month),
            entries=write_entry(season, row.penalties + row.corrections)
            if row.penalties or row.corrections
            else "",
            is_own=row.player == own,
        )
        for row in standings
    ]


def own_key(access: Access) -> str:
    """Return the key of the viewer's member, "" without one."""
    return access.member.key if access.member is not None else ""


def build_cross(
    season: Season, rows: Sequence[StandingRow], meetings: Mapping[str, Mapping[str, Meeting]]
) -> list[CrossRow]:
    """Return who met whom among the players of rows, in their order."""
    keys = [row.standing.player for row in rows]
    table = []
    for row in rows:
        met = meetings.get(row.standing.player, {})
        cells = [
            CrossCell(met[key], write_sum(season, met[key].balance)) if key in met else None
            for key in keys
        ]
        table.append(CrossRow(row, cells))
    return table


def build_months(
    season: Season, rows: Sequence[StandingRow], details: Details
) -> tuple[list[date], list[MonthRow]]:
    """Return the months of a season, and the scores of the players of rows in each."""
    scoring = Measure.SUM if season.scoring == Measure.RATING else season.scoring
    months = sorted(details.months)
    by_month = [{row.player: row for row in details.months[month]} for month in months]
    table = []
    for row in rows:
        standings = [month.get(row.standing.player) for month in by_month]
        cells = [
            (write_score(season, found.score, scoring), found.rank == 1)
            if found is not None
            else ("", False)
            for found in standings
        ]
        table.append(MonthRow(row, cells))
    return [date.fromisoformat(month) for month in months], table
