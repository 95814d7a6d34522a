"""The contents of the first page: numbers of games and players, and an interesting game."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache
from django.db.models import Max, QuerySet

from records.models import Listing, Player, Record, Status, Visibility
from records.privacy.masking import mask

#: Number of newest verified games from which the shown game is chosen.
CANDIDATES: Final = 60
#: Maximum age in seconds of cached figures while no new game arrives.
CACHE_SECONDS: Final = 60


def figures() -> dict[str, int]:
    """Return the numbers of games, verified games and players.

    Counting reads an index of the whole archive, so the result is cached until a new game arrives,
    or for `CACHE_SECONDS`.
    """
    public = Listing.objects.filter(visibility=Visibility.PUBLIC)
    newest = public.aggregate(newest=Max("pk"))["newest"] or 0
    key = f"front:{newest}"
    counts: dict[str, int] | None = cache.get(key)
    if not isinstance(counts, dict):
        counts = {
            "games": public.count(),
            "verified": public.filter(status=Status.VERIFIED).count(),
            "players": Player.objects.filter(games__gt=0).count(),
        }
        cache.set(key, counts, CACHE_SECONDS)
    return counts


def choose_game() -> Record | None:
    """Return a verified game worth watching, preferably of koi-koi, or None.

    Among the newest games, choose the one with the most different yaku minus deals without a
    winner; among equal games the newest.
    """
    public = Listing.objects.filter(visibility=Visibility.PUBLIC).order_by("-record_id")
    verified = public.filter(status=Status.VERIFIED)
    best = _find_best(verified.filter(ruleset="koikoi")) or _find_best(verified)
    if best is None:
        return None
    games = Record.objects.filter(visibility=Visibility.PUBLIC, pk=best)
    record = games.prefetch_related("seats__player").first()
    return mask(record) if record is not None else None


def _find_best(games: QuerySet[Listing]) -> int | None:
    """Return the primary key of the best of the newest games, or None."""
    newest = games.values_list("pk", "yaku", "unwon")[:CANDIDATES]
    ranks = {pk: (len(yaku.split()) - unwon, pk) for pk, yaku, unwon in newest}
    return max(ranks, key=ranks.__getitem__, default=None)
