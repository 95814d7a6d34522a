"""The figures of a season, computed once for each state of the archive.

Nothing is stored but the cached result: a corrected, withdrawn or re-verified game, a merge or a
penalty counts in the next response.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from datetime import date
from typing import Final, TypeVar

import msgspec
from django.http import HttpRequest

from clubs import honours, standings
from clubs.access import Access
from clubs.games import level_of
from clubs.honours import Award, Meeting, SeasonRecord
from clubs.models import Season
from clubs.seasons import Played, load, scoring_of
from clubs.standings import Point, Standing
from records.privacy import revisions
from records.serving.cached_responses import key_of, once

#: Number of first players and of first members whose meetings, scores and months are shown.
MOST_SHOWN: Final = 60
_PLAYED: Final = "hana_club_played"

Figures = TypeVar("Figures")


class Details(msgspec.Struct):
    """What the page of a season shows below the standings.

    Of the first `MOST_SHOWN` players: ``meetings`` are their games against each other,
    ``progress`` their scores after each evening, ``months`` their rows in the standings of each
    calendar month.
    """

    meetings: dict[str, dict[str, Meeting]]
    progress: dict[str, list[Point]]
    months: dict[str, list[Standing]]
    records: list[SeasonRecord]
    titles: list[Award]


def standings_of(request: HttpRequest, access: Access, season: Season) -> list[Standing]:
    """Return the standings of a season for a viewer, guests without a rank."""
    return _cached(request, access, season, "standings", list[Standing], _compute_standings)


def details_of(request: HttpRequest, access: Access, season: Season) -> Details:
    """Return the further figures of a season for a viewer."""

    def compute(season: Season, played: Played) -> Details:
        return _compute_details(season, played, standings_of(request, access, season))

    return _cached(request, access, season, "details", Details, compute)


def standings_until(
    request: HttpRequest, access: Access, season: Season, day: date
) -> list[Standing]:
    """Return the standings of a season for a viewer, as they were at the end of a day."""

    def compute(season: Season, played: Played) -> list[Standing]:
        return _compute_standings(season, played, day)

    return _cached(request, access, season, f"standings-{day}", list[Standing], compute)


def _cached(
    request: HttpRequest,
    access: Access,
    season: Season,
    kind: str,
    type_: type[Figures],
    compute: Callable[[Season, Played], Figures],
) -> Figures:
    level = level_of(access)
    version = revisions.at(request, season.ruleset, revisions.OTHER)
    key = key_of(f"club-{kind}", season.pk, level, version)

    def make() -> bytes:
        figures = compute(season, _load(request, season, level))
        # Standings of many players would exceed the limit of the cache: a fiftieth of the size
        # remains.
        return zlib.compress(msgspec.json.encode(figures), 1)

    return msgspec.json.decode(zlib.decompress(once(key, make)), type=type_)


def _load(request: HttpRequest, season: Season, level: int) -> Played:
    """Return what was played in a season, loaded once for a request."""
    loaded: dict[tuple[int, int], Played] = request.__dict__.setdefault(_PLAYED, {})
    if (season.pk, level) not in loaded:
        loaded[season.pk, level] = load(season, level)
    return loaded[season.pk, level]


def _compute_standings(season: Season, played: Played, until: date = date.max) -> list[Standing]:
    games = [game for game in played.games if game.day <= until]
    entries = [entry for entry in played.entries if entry.day <= until]
    return standings.compute_standings(games, entries, scoring_of(season), played.guests)


def _compute_details(season: Season, played: Played, table: list[Standing]) -> Details:
    scoring = scoring_of(season)
    ranked = [row for row in table if row.player not in played.guests]
    shown = {row.player for row in (*table[:MOST_SHOWN], *ranked[:MOST_SHOWN])}
    titles = season.titles or honours.TITLES
    parts = played.games, played.entries, scoring, shown
    return Details(
        meetings=honours.build_cross_table(played.games, shown),
        progress=standings.compute_progress(*parts),
        months={
            month.isoformat(): rows for month, rows in standings.compute_months(*parts).items()
        },
        records=list(honours.find_records(played.games)),
        titles=list(honours.award_titles(ranked, titles)),
    )
