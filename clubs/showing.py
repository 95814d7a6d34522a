"""Clubs and their parts as responses (`clubs.shapes`), for a viewer."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from clubs.access import Access
from clubs.figures import standings_of
from clubs.models import Club, Entry, Evening, Member, Role, Season
from clubs.scoring import UNITS
from clubs.seasons import scoring_of
from clubs.shapes import (
    ClubJson,
    EveningJson,
    MemberJson,
    SeasonEntryJson,
    SeasonJson,
    StandingJson,
)
from clubs.shown import ShownPlayer, show_names, show_players, show_tables
from clubs.standings import Standing
from records.base.csv_cells import safe_cell
from records.base.release import absolute
from records.models import Visibility
from records.privacy.redaction import archive_redaction


def _address(name: str, *arguments: object) -> str:
    return absolute(reverse(name, args=arguments))


def with_sizes(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Add the number of members to clubs, as ``size``."""
    current = Q(members__left=None, members__role__gte=Role.MEMBER)
    return clubs.annotate(size=Count("members", filter=current))


def show_club(club: Club, size: int, role: int) -> ClubJson:
    """Return a club with ``size`` members for a viewer with a role; see `clubs.access.Access`."""
    redact = archive_redaction().redact
    return ClubJson.build(
        club,
        name=redact(club.name),
        words=redact(club.words),
        visibility=Visibility(club.visibility).id,
        members=size,
        role=Role(role).id if role in Role.values else None,
        page=_address("club", club.key),
    )


def show_members(access: Access, members: Iterable[Member]) -> list[MemberJson]:
    """Return members as the viewer may see them."""
    rows = list(members)
    shown = show_players(access, [member.key for member in rows])
    return [
        MemberJson.build(
            member,
            name=shown[member.key].name,
            role=Role(member.role).id,
            player=_address("player", page) if (page := shown[member.key].page) else None,
        )
        for member in rows
    ]


def show_season(access: Access, season: Season) -> SeasonJson:
    """Return a season."""
    return SeasonJson.build(
        season,
        name=archive_redaction().redact(season.name),
        page=_address("club-season", access.club.key, season.key),
    )


def show_standings(request: HttpRequest, access: Access, season: Season) -> list[StandingJson]:
    """Return the standings of a season as the viewer may see them."""
    rows = standings_of(request, access, season)
    return show_rows(season, rows, show_players(access, [row.player for row in rows]))


def show_rows(
    season: Season, rows: Sequence[Standing], shown: Mapping[str, ShownPlayer]
) -> list[StandingJson]:
    """Return standings of a season with the names of players as a viewer sees them."""
    unit = scoring_of(season).unit
    return [
        StandingJson.build(
            row,
            name=shown[row.player].name,
            member=shown[row.player].member or None,
            guest=shown[row.player].is_guest,
            score=None if row.score is None else row.score / unit,
            wins=row.wins / UNITS["wins"],
            mean=None if row.mean is None else row.mean / UNITS["mean"],
        )
        for row in rows
    ]


def to_csv(rows: Iterable[StandingJson], headings: Mapping[str, str]) -> str:
    """Return fields of standings as CSV (RFC 4180), below a heading for each field.

    The text begins with a BOM, by which spreadsheets recognise UTF-8.
    """
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(headings.values())
    for row in rows:
        cells: list[Any] = [getattr(row, field) for field in headings]
        writer.writerow(safe_cell(cell) if isinstance(cell, str) else cell for cell in cells)
    return text.getvalue()


def show_evening(access: Access, evening: Evening) -> EveningJson:
    """Return an evening as the viewer may see it."""
    redact = archive_redaction().redact
    *tables, byes = show_tables(access, [*evening.tables, evening.byes])
    return EveningJson.build(
        evening,
        time=evening.time.strftime("%H:%M") if evening.time is not None else None,
        place=redact(evening.place),
        line=redact(evening.line),
        tables=tables,
        byes=byes,
        page=_address("club-evening", access.club.key, evening.day),
    )


def show_entries(access: Access, entries: Iterable[Entry]) -> list[SeasonEntryJson]:
    """Return entries of a season as the viewer may see them."""
    rows = list(entries)
    shown = show_names(access, {entry.name for entry in rows})
    redact = archive_redaction().redact
    return [
        SeasonEntryJson.build(
            entry,
            name=shown[entry.name],
            reason=redact(entry.reason),
        )
        for entry in rows
    ]
