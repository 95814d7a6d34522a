"""Players whom a user follows. The user's own page shows their newest public games."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from people.models import FollowedPlayer
from records.base.transient import lock_names
from records.models import Player

#: Maximum number of followed players of a user.
MOST: Final = 100


def players_of(user: int) -> list[Player]:
    """Return the followed players who have public games, the first followed first."""
    keys = list(FollowedPlayer.objects.filter(owner=user).values_list("key", flat=True))
    players = Player.objects.filter(key__in=keys, games__gt=0)
    return sorted(players, key=lambda player: keys.index(player.key))


def is_followed(user: int, player: Player) -> bool:
    """Return whether a user follows a player."""
    return FollowedPlayer.objects.filter(owner=user, key=player.key).exists()


def follow(user: int, player: Player) -> bool:
    """Follow a player. Return False if the user follows the maximum number of players."""
    with transaction.atomic():
        lock_names(f"followed players of {user}")
        if not is_followed(user, player) and len(players_of(user)) >= MOST:
            return False
        FollowedPlayer.objects.get_or_create(owner_id=user, key=player.key)
    return True


def unfollow(user: int, player: Player) -> None:
    """Stop following a player."""
    FollowedPlayer.objects.filter(owner=user, key=player.key).delete()
