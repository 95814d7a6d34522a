"""The names of players as a viewer of a club sees them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import dataclass

from django.utils.translation import gettext as _

from clubs.access import Access
from clubs.models import Club, Member, Role
from clubs.names import players_of
from records.models import Player
from records.privacy.redaction import archive_redaction


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """A player of figures. ``page`` is the key of the player's page in the archive, or "".

    ``member`` is the key of the member, or "" for a guest without a row. ``is_named`` is False if
    the name is withheld.
    """

    name: str
    page: str = ""
    member: str = ""
    is_guest: bool = True
    is_named: bool = True


def redact_club(club: Club) -> Club:
    """Return a copy of a club whose texts have pseudonyms in place of names. Do not save it."""
    redact = archive_redaction().redact
    shown = copy(club)
    shown.name, shown.words = redact(club.name), redact(club.words)
    return shown


def show_players(access: Access, players: Collection[str]) -> dict[str, ShownPlayer]:
    """Return the names of players: keys of members of the club, or of names of guests.

    Pseudonyms replace names, as everywhere in the archive. Who asked to be left out of figures by
    name is shown by name to members only.
    """
    redaction = archive_redaction()
    rows = Member.objects.filter(club=access.club, key__in=players).order_by("names__pk")
    members: dict[str, tuple[str, int]] = {}
    keys_of: defaultdict[str, list[str]] = defaultdict(list)
    for member, name, role, key in rows.values_list("key", "name", "role", "names__key"):
        members[member] = name, role
        keys_of[member].append(key)
    wanted = set(players).difference(members).union(*keys_of.values())
    archived: dict[str, tuple[str, str, bool]] = {
        origin: (key, name, statistics)
        for origin, key, name, statistics in Player.objects.filter(origin__in=wanted).values_list(
            "origin", "key", "name", "statistics"
        )
    }
    shown: dict[str, ShownPlayer] = {}
    for member, (name, role) in members.items():
        rated = [archived[key] for key in keys_of[member] if key in archived]
        name, page = str(redaction.redact(name)), rated[0][0] if rated else ""
        named = access.sees_names or all(statistics for _key, _name, statistics in rated)
        if not named:
            name, page = _("(name withheld)"), ""
        shown[member] = ShownPlayer(name, page, member, role < Role.MEMBER, named)
    for key in set(players) - shown.keys():
        page, name, statistics = archived.get(key, ("", "", False))
        if page and (access.sees_names or statistics):
            shown[key] = ShownPlayer(name, page)
        else:
            shown[key] = ShownPlayer(_("(name withheld)"), is_named=False)
    return shown


def show_names(access: Access, names: Collection[str]) -> dict[str, str]:
    """Return names that officers typed, in entries and tables, as the viewer may see them.

    A name without a game in the archive is shown to those who see the names of all players.
    """
    players = players_of(access.club.pk, names)
    shown = show_players(access, set(players.values()))
    redact = archive_redaction().redact
    return {
        name: str(redact(name))
        if access.sees_names and not (shown[player].member or shown[player].page)
        else shown[player].name
        for name, player in players.items()
    }


def show_tables(access: Access, tables: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the names at drawn tables as the viewer may see them."""
    shown = show_names(access, {name for names in tables for name in names})
    return [[shown[name] for name in names] for names in tables]


def redact(text: str) -> str:
    """Return a text of an officer with pseudonyms in place of names."""
    return str(archive_redaction().redact(text))
