"""The contents of the first page: figures of the archive, and a game worth watching."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache
from django.db.models import Max, QuerySet

from records.models import Listing, Player, Record, Status, Visibility
from records.store.pseudonyms import mask

#: The game to show is chosen among so many of the newest verified games.
CANDIDATES: Final = 60
#: Seconds for which figures are cached while no new game arrives.
CACHE_SECONDS: Final = 60


def figures() -> dict[str, int]:
    """How many games, verified games and players there are.

    Counting walks an index of the whole archive, so it is done once for the newest game; verdicts
    that change afterwards show within `CACHE_SECONDS` seconds.
    """
    public = Listing.objects.filter(visibility=Visibility.PUBLIC)
    newest = public.aggregate(newest=Max("pk"))["newest"] or 0
    key = f"front:{newest}"
    found: dict[str, int] | None = cache.get(key)
    if found is None:
        found = {
            "games": public.count(),
            "verified": public.filter(status=Status.VERIFIED).count(),
            "players": Player.objects.filter(games__gt=0).count(),
        }
        cache.set(key, found, CACHE_SECONDS)
    return found


def good_game() -> Record | None:
    """A verified game worth watching, koi-koi if there is one; None if nothing is verified.

    Of the newest games it is the one with the most different yaku, where each deal that nobody won
    counts against it; among equals the newest.
    """
    public = Listing.objects.filter(visibility=Visibility.PUBLIC).order_by("-record_id")
    verified = public.filter(status=Status.VERIFIED)
    best = _best(verified.filter(ruleset="koikoi")) or _best(verified)
    if best is None:
        return None
    shown = Record.objects.filter(visibility=Visibility.PUBLIC, pk=best)
    found = shown.prefetch_related("seats__player").first()
    return mask(found) if found is not None else None


def _best(games: QuerySet[Listing]) -> int | None:
    """The primary key of the best of the newest of these games."""
    newest = games.values_list("pk", "yaku", "unwon")[:CANDIDATES]
    worth = {pk: (len(yaku.split()) - unwon, pk) for pk, yaku, unwon in newest}
    return max(worth, key=worth.__getitem__, default=None)
