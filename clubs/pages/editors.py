"""Addresses of the editors that know a club, and the drawn tables that lead to score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from clubs.access import Access
from clubs.models import Evening, Season
from clubs.shown import show_tables
from kafu.rules.rulesets import RULESETS
from records.privacy.redaction import archive_redaction


@dataclass(frozen=True, slots=True)
class TableView:
    """A drawn table: its number, names in the order of seats, and the address of a score sheet."""

    number: int
    names: list[str]
    sheet: str


def list_tables(
    club: Access, evening: Evening | None, season: Season | None
) -> Iterator[TableView]:
    """Yield the tables that are drawn for an evening."""
    tables = evening.tables if evening is not None else []
    for number, shown in enumerate(show_tables(club, tables), start=1):
        sheet = editor_address("new-sheet", club, season, *tables[number - 1])
        yield TableView(number, shown, sheet)


def editor_address(name: str, club: Access, season: Season | None, *players: str) -> str:
    """Return the address of an editor that knows club, ruleset and players.

    Names with a pseudonym are left empty, because the name in the game would be another one.
    """
    query = [("club", club.club.key)]
    if players:
        query.append(("ruleset", ruleset_for(club, season, len(players))))
    elif season is not None:
        query.append(("ruleset", season.ruleset))
    pseudonyms = archive_redaction()
    query += [("player", name if pseudonyms.redact(name) == name else "") for name in players]
    return f"{reverse(name)}?{urlencode(query)}"


def ruleset_for(club: Access, season: Season | None, count: int) -> str:
    """Return the ruleset of a season, else of the club's newest season for ``count`` players.

    Without such a season return the first ruleset for so many players.
    """
    if season is not None and count in RULESETS[season.ruleset].seats:
        return season.ruleset
    rulesets = [*club.club.seasons.values_list("ruleset", flat=True), *RULESETS]
    return next(id for id in rulesets if count in RULESETS[id].seats)
