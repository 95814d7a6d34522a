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
