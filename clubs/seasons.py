"""Seasons of a club: their fields, the entries of officers, and what their standings depend on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.changes import MOST_ROWS, change
from clubs.games import games_of, load_results
from clubs.models import LINE, NAME, ClubGame, Entry, Measure, MemberName, Role, Season
from clubs.names import check_name
from clubs.refused import Refused
from clubs.scoring import Entry as ScoredEntry
from clubs.scoring import GameResult, Scoring, ScoringError
from kafu.rules.rulesets import RULESETS
from records.base.keys import player_key

#: Maximum number of seasons of a club, and of entries of a season: it is deleted in one change.
MOST_SEASONS: Final = 500
MOST_ENTRIES: Final = MOST_ROWS - 1
#: Maximum number of entries that can be added at once, and the greatest amount of an entry.
MOST_ADDED: Final = 2000
MOST_AMOUNT: Final = 10**9


def find(access: Access, key: str) -> Season:
    """Return a season of a club. Raise Refused."""
    season = access.club.seasons.filter(key=key).first()
    if season is None:
        raise Refused("no-season", _("The club has no such season any more."), "season")
    return season


def current_season(access: Access, day: date) -> Season | None:
    """Return the season of a day, of several the one that began last, else the newest one."""
    seasons = access.club.seasons.order_by("-first", "-pk")
    return seasons.filter(first__lte=day, last__gte=day).first() or seasons.first()


def create(access: Access, fields: Mapping[str, Any]) -> Season:
    """Create a season, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    season = Season(club=access.club, **check_fields(fields))
    with change(access.club, access.viewer.user, "season", {"name": season.name}) as work:
        if access.club.seasons.count() >= MOST_SEASONS:
            text = _("A club has at most %(most)d seasons.")
            raise Refused("full", text % {"most": MOST_SEASONS})
        _check(season)
        return work.create(season)


def update(access: Access, season: Season, fields: Mapping[str, Any], was: str = "") -> None:
    """Change a season, by an officer. Raise Refused and `clubs.changes.ChangedMeanwhile`."""
    access.require(Role.OFFICER)
    checked = check_fields(fields)
    with change(access.club, access.viewer.user, "season-changed", {"name": season.name}) as work:
        for name, value in checked.items():
            setattr(season, name, value)
        _check(season)
        work.update(season, was=was, **checked)


def delete(access: Access, season: Season) -> None:
    """Delete a season with its entries, by an officer. Games stay in the club. Raise Refused."""
    access.require(Role.OFFICER)
    with change(access.club, access.viewer.user, "season-deleted", {"name": season.name}) as work:
        work.delete(*season.entries.all())
        work.delete(season)


def check_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked fields of a season. Raise Refused."""
    checked = dict(fields)
    if "name" in checked:
        checked["name"] = name = checked["name"].replace("\0", "").strip()
        if not 0 < len(name) <= NAME:
            text = _("The name needs 1 to %(most)d letters.")
            raise Refused("too-long", text % {"most": NAME}, "name")
    if "ruleset" in checked and checked["ruleset"] not in RULESETS:
        raise Refused("no-ruleset", _("Choose one of the rulesets."), "ruleset")
    if "points" in checked:
        checked["points"] = {str(seats): list(row) for seats, row in checked["points"].items()}
    return checked


def _check(season: Season) -> None:
    """Raise Refused for a season that cannot be, by its dates, name or scoring."""
    if season.first > season.last:
        text = _("The last day of a season is not before the first.")
        raise Refused("dates", text, "last")
    if season.club.seasons.filter(name=season.name).exclude(pk=season.pk).exists():
        text = _("The club has a season %(name)s already: choose another name.")
        raise Refused("name-taken", text % {"name": season.name}, "name")
    try:
        scoring_of(season)
    except ScoringError as error:
        text = _("This is not possible; expected: %(expected)s.")
        raise Refused("scoring", text % {"expected": error.expected}, error.field) from error


def scoring_of(season: Season) -> Scoring:
    """Return the scoring of a season. Raise ScoringError."""
    points = {int(seats): tuple(row) for seats, row in season.points.items()}
    fields: dict[str, Any] = {"ties": tuple(season.ties)} if season.ties else {}
    kind: Any = Measure(season.scoring).value
    return Scoring(kind, season.least, points or None, season.drop, **fields)


# Entries ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be added; see `clubs.models.Entry`."""

    kind: str
    name: str
    day: date
    amount: int
    games: int = 0
    reason: str = ""


def add_entries(access: Access, season: Season, entries: Iterable[NewEntry]) -> list[Entry]:
    """Add entries to a season, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    rows = [_row(season, entry) for entry in entries]
    if len(rows) > MOST_ADDED:
        text = _("At most %(most)d entries can be added at once.")
        raise Refused("full", text % {"most": MOST_ADDED})
    what = "totals" if len({row.kind for row in rows} - {Entry.Kind.TOTAL}) == 0 else "entry"
    values = {"season": season.name, "count": len(rows), "name": rows[0].name if rows else ""}
    with change(access.club, access.viewer.user, what, values) as work:
        if season.entries.count() + len(rows) > MOST_ENTRIES:
            text = _("A season has at most %(most)d entries.")
            raise Refused("full", text % {"most": MOST_ENTRIES})
        work.create_all(rows)
    return rows


def _row(season: Season, entry: NewEntry) -> Entry:
    if not season.first <= entry.day <= season.last:
        text = _("%(day)s is not in the season, which lasts from %(first)s to %(last)s.")
        values = {"day": entry.day, "first": season.first, "last": season.last}
        raise Refused("outside", text % values, "day")
    if abs(entry.amount) > MOST_AMOUNT or not 0 <= entry.games <= MOST_ADDED:
        raise Refused("amount", _("The number is too large."), "amount")
    if entry.kind == Entry.Kind.PENALTY and entry.amount > 0:
        raise Refused("amount", _("A penalty takes points: enter a negative number."), "amount")
    reason = entry.reason.replace("\0", "").strip()
    if entry.kind != Entry.Kind.TOTAL and not reason:
        raise Refused("reason", _("Say in a few words why."), "reason")
    return Entry(
        season=season,
        kind=Entry.Kind(entry.kind),
        name=check_name(entry.name),
        day=entry.day,
        amount=entry.amount,
        games=entry.games,
        reason=reason[:LINE],
    )


def delete_entry(access: Access, season: Season, key: str) -> None:
    """Delete an entry, by an officer. Raise Refused."""
    access.require(Role.OFFICER)
    entry = season.entries.filter(key=key).first()
    if entry is None:
        raise Refused("no-entry", _("The entry is gone already."))
    values = {"season": season.name, "name": entry.name}
    with change(access.club, access.viewer.user, "entry-deleted", values) as work:
        work.delete(entry)


# Reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """The games and entries of a season, by players: keys of members, or of the names of guests.

    ``guests`` are the players without a rank: all who are not members.
    """

    games: list[GameResult]
    entries: list[ScoredEntry]
    guests: frozenset[str]


def load(season: Season, level: int) -> Played:
    """Load the games of a season at a level (`clubs.games.level_of`), and its entries."""
    return load_games(season, games_in(season, level))


def games_in(season: Season, level: int) -> QuerySet[ClubGame]:
    """Return the games of a season at a level."""
    games = games_of(season.club, level)
    return games.filter(ruleset=season.ruleset, day__range=(season.first, season.last))


def load_games(season: Season, games: QuerySet[ClubGame]) -> Played:
    """Load the results of a season's ``games``, and its entries."""
    rows = MemberName.objects.order_by().filter(club=season.club_id)
    players, ranked = {}, set()
    for name, member, role in rows.values_list("key", "member__key", "member__role"):
        players[name] = member
        if role >= Role.MEMBER:
            ranked.add(member)
    results = load_results(games, players)
    entries = []
    for row in season.entries.all():
        key = player_key(row.name)
        kind: Any = row.kind
        entries.append(ScoredEntry(players.get(key, key), row.day, kind, row.amount, row.games))
    present = {seat.player for game in results for seat in game.seats}
    present.update(entry.player for entry in entries)
    return Played(results, entries, frozenset(present - ranked))
