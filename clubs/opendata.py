"""Public clubs in open data, with their seasons as visitors see them.

Names that visitors do not see are null in the file, and an ellipsis within texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from clubs import access, standings
from clubs.access import Access
from clubs.models import Club, MemberName, Season
from clubs.seasons import games_in, load_games, scoring_of
from clubs.shapes import StandingJson
from clubs.showing import show_rows
from clubs.shown import show_players
from records.facts.tables import FactColumn
from records.models import Player, Record, Visibility
from records.opendata.additions import AddedFile
from records.privacy.access import Viewer
from records.privacy.redaction import HIDDEN, Redaction, archive_redaction
from records.shapes.shape import to_values

#: Fields of a season that are written as they are.
_FIELDS: Final = (
    *("key", "ruleset", "first", "last", "scoring", "least", "points", "drop", "ties", "titles"),
)


def write_clubs(games: QuerySet[Record]) -> Iterator[str]:
    """Yield the public clubs as JSON lines, in a piece for each club and season.

    Only ``games`` count, those of the dump.
    """
    for club in access.public_clubs().order_by("pk").iterator(100):
        redaction = _redaction_of(club)
        head = {
            "key": club.key,
            "name": redaction.redact(club.name),
            "description": redaction.redact(club.words),
            "founded": club.created.date(),
        }
        yield f'{_to_json(head)[:-1]},"seasons":['
        for number, season in enumerate(club.seasons.order_by("first", "pk")):
            yield "," * (number > 0) + _to_json(_describe_season(club, season, redaction, games))
        yield "]}\n"


def _to_json(values: dict[str, Any]) -> str:
    return json.dumps(to_values(values), ensure_ascii=False, separators=(",", ":"))


def _describe_season(
    club: Club, season: Season, redaction: Redaction, games: QuerySet[Record]
) -> dict[str, Any]:
    rows = games_in(season, Visibility.PUBLIC).filter(record__in=games.order_by())
    played = load_games(season, rows)
    table = standings.compute_standings(
        played.games, played.entries, scoring_of(season), played.guests
    )
    visitor = Access(club, Viewer(), None)
    shown = show_players(visitor, [row.player for row in table])
    shown_rows = zip(table, show_rows(season, table, shown), strict=True)
    return {
        **{name: getattr(season, name) for name in _FIELDS},
        "name": redaction.redact(season.name),
        "standings": [
            _describe_standing(row, shown[standing.player].is_named) for standing, row in shown_rows
        ],
        "games": list(rows.order_by("day", "record").values_list("record__key", flat=True)),
    }


def _describe_standing(row: StandingJson, is_named: bool) -> dict[str, Any]:
    values: dict[str, Any] = to_values(row)
    return values if is_named else values | {"name": None}


def _redaction_of(club: Club) -> Redaction:
    """Return the redaction of the texts of a club: it also hides players that are not named."""
    unnamed = Player.objects.filter(statistics=False)
    withheld = club.members.filter(names__key__in=unnamed.values("origin"))
    guests = unnamed.filter(seats__record__club_game__club=club)
    names = {
        *withheld.values_list("name", flat=True),
        *MemberName.objects.filter(member__in=withheld).values_list("name", flat=True),
        *(name for pair in guests.values_list("name", "real_name") for name in pair if name),
    }
    return Redaction({**archive_redaction().names, **dict.fromkeys(names, HIDDEN)})


def read_state() -> Any:
    """Return the texts of the public clubs, and which names are replaced or hidden."""
    return (
        list(access.public_clubs().values_list("pk", "name", "words")),
        set(Player.objects.filter(statistics=False).values_list("pk", flat=True)),
        dict(archive_redaction().names),
    )


CLUBS: Final = AddedFile(
    file="clubs.ndjson",
    row=_("a public club"),
    columns=(
        FactColumn("key", "VARCHAR", _("the last part of the address of the club's page")),
        FactColumn("name", "VARCHAR", _("the name")),
        FactColumn("description", "VARCHAR", _("the description")),
        FactColumn("founded", "DATE", _("the day of the foundation, in UTC")),
        FactColumn(
            "seasons",
            "STRUCT[]",
            _(
                "seasons as in the API, with the standings of public games (name is null for "
                "players who are not to be named) and the keys of these games"
            ),
        ),
    ),
    write=write_clubs,
    read_state=read_state,
)
