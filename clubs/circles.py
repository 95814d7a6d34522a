"""What the forms of games know of a club: house rules, visibility, and names of members."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.urls import reverse

from clubs.access import Access, clubs_of, current_members
from clubs.access import find as find_club
from clubs.access import of as access_of
from clubs.games import games_of, level_of
from clubs.models import Club, ClubGame, Member
from clubs.names import names_of_keys
from records.models import Seat, Visibility
from records.privacy.access import Viewer
from records.privacy.circles import Circle, CircleLink
from records.privacy.redaction import archive_redaction

#: Number of names to choose from, and of newest games whose players come first.
NAMES: Final = 60
GAMES: Final = 40


def find(key: str, user: int) -> Circle | None:
    """Return a club of an account (`records.privacy.circles.Circles`)."""
    access = find_club(key, Viewer(user))
    if access is None or not access.is_member:
        return None
    club = access.club
    houses = {
        ruleset: dict(word.split("=", 1) for word in written.split())
        for ruleset, written in club.houses.items()
    }
    names = partial(_list_names, access)
    name = archive_redaction().redact(club.name)
    return Circle(club.key, club.circle, name, club.visibility, houses, names)


def list_addresses(user: int) -> list[tuple[str, str]]:
    """Return the addresses and names of the clubs of an account."""
    redact = archive_redaction().redact
    rows = clubs_of(user).values_list("club__key", "club__name")
    return [(key, redact(name)) for key, name in rows]


def link_of_game(key: str, user: int | None) -> CircleLink | None:
    """Return the link to the club whose list shows a game to an account or a visitor.

    Only members get the address of a club that is not public.
    """
    row = ClubGame.objects.select_related("club").filter(record__key=key).first()
    if row is None:
        return None
    club, access = row.club, access_of(row.club, Viewer(user))
    is_linked = access.is_member or club.visibility == Visibility.PUBLIC
    if not is_linked or not games_of(club, level_of(access)).filter(pk=row.pk).exists():
        return None
    return CircleLink(reverse("club", args=[club.key]), archive_redaction().redact(club.name))


def _list_names(access: Access) -> list[str]:
    """Return names of members and guests: the viewer, the players of the newest games, others.

    Members with a pseudonym are left out, because the name in a game would be another one.
    """
    club = access.club
    members = [access.member, *_list_players(club)]
    members += list(current_members().filter(club=club).order_by("-role", "pk")[:NAMES])
    pseudonyms = archive_redaction()
    names = (member.name for member in members if member is not None and member.left is None)
    shown = [name for name in dict.fromkeys(names) if pseudonyms.redact(name) == name]
    return shown[:NAMES]


def _list_players(club: Club) -> list[Member]:
    """Return the members who played in the newest games."""
    games = ClubGame.objects.filter(club=club, out=None).order_by("-record_id")[:GAMES]
    pks = [game.record_id for game in games]
    seats = Seat.objects.filter(record__in=pks).order_by("-record_id", "number")
    keys = list(dict.fromkeys(seats.values_list("player__origin", flat=True)))
    members = names_of_keys(club.pk, keys)
    return [members[key] for key in keys if key in members]
