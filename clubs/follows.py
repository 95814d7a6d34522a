"""Clubs that an account follows, and the newest games of them and of followed players.

The members of a club follow it anyway. A club that the account may not see any more is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs.access import Access, clubs_of, shown_to
from clubs.games import games_of, level_of
from clubs.models import Club, Follower
from clubs.refused import Refused
from clubs.shown import redact_club
from records.base.transient import lock_names
from records.models import Player, Record, Seat, Status, Visibility
from records.privacy.access import Viewer
from records.search.games import list_records

#: Maximum number of followed clubs of an account, and the number of newest games.
MOST: Final = 100
GAMES: Final = 10


@dataclass(slots=True)
class FollowedGame:
    """A game with the followed players in it, and the followed club with the day of its evening."""

    record: Record | None = None
    club: Club | None = None
    day: date | None = None
    players: list[Player] = field(default_factory=list)


def followed_by(viewer: Viewer) -> QuerySet[Club]:
    """Return the followed clubs that a viewer may see, the first followed first."""
    clubs = Club.objects.filter(shown_to(viewer), followers__account=viewer.user)
    return clubs.order_by("followers__pk")


def is_followed(access: Access) -> bool:
    """Return whether the viewer follows a club."""
    return Follower.objects.filter(club=access.club, account=access.viewer.user).exists()


def follow(access: Access) -> None:
    """Follow a club. Raise Refused if the viewer follows the maximum number of clubs."""
    user = access.viewer.user
    with transaction.atomic():
        lock_names(f"followed clubs of {user}")
        if not is_followed(access) and followed_by(access.viewer).count() >= MOST:
            text = _("You follow %(most)d clubs already: stop following one of them first.")
            raise Refused("full", text % {"most": MOST})
        Follower.objects.get_or_create(club=access.club, account_id=user)


def unfollow(access: Access) -> None:
    """Stop following a club."""
    Follower.objects.filter(club=access.club, account=access.viewer.user).delete()


def load_games(
    viewer: Viewer, clubs: Iterable[Club], players: Iterable[Player]
) -> list[FollowedGame]:
    """Return the newest games of own clubs, of ``clubs`` and of players, as the viewer sees them.

    Games of players are public ones, as on their pages. Each club and player is a query that reads
    an index from its end.
    """
    members = {member.club_id: member for member in clubs_of(viewer.user or 0)}
    followed = {member.club_id: member.club for member in members.values()}
    followed |= {club.pk: club for club in clubs}
    games: dict[int, FollowedGame] = {}
    for club in followed.values():
        level = level_of(Access(club, viewer, members.get(club.pk)))
        for row in games_of(club, level).order_by("-record_id")[:GAMES]:
            games[row.record_id] = FollowedGame(club=redact_club(club), day=row.day)
    for player in players:
        listed = Seat.objects.filter(player=player, record__listing__visibility=Visibility.PUBLIC)
        seats = listed.exclude(record__listing__status=Status.ILLEGAL).order_by("-record_id")
        for pk in seats.values_list("record_id", flat=True)[:GAMES]:
            games.setdefault(pk, FollowedGame()).players.append(player)
    for record in list_records(sorted(games, reverse=True)[:GAMES], viewer):
        games[record.pk].record = record
    return [games[pk] for pk in sorted(games, reverse=True) if games[pk].record is not None]
