"""Addresses of the editors that know a club, and the drawn tables that lead to score sheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from clubs.access import Access
from clubs.models import Evening, Season
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
    """Yield the tables that are drawn for an evening, with pseudonyms in place of names."""
    tables: list[list[str]] = archive_redaction().redact(evening.tables) if evening else []
    for number, names in enumerate(tables, start=1):
        yield TableView(number, names, editor_address("new-sheet", club, season, *names))


def editor_address(name: str, club: Access, season: Season | None, *players: str) -> str:
    """Return the address of an editor with the club, the season's ruleset and names of players."""
    query = [("club", club.club.key), *((("ruleset", season.ruleset),) if season else ())]
    return f"{reverse(name)}?{urlencode([*query, *(('player', player) for player in players)])}"
