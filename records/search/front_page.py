"""The contents of the first page: figures of the archive, and a game worth watching."""

from __future__ import annotations

from typing import Final

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet

from records.models import Deal, Listing, Player, Record, Status, Visibility, YakuMade
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
    public = Record.objects.filter(visibility=Visibility.PUBLIC).order_by("-id")
    verified = public.filter(status=Status.VERIFIED)
    best = _best(verified.filter(ruleset="koikoi")) or _best(verified)
    if best is None:
        return None
    found = public.filter(pk=best).prefetch_related("seats__player").first()
    return mask(found) if found is not None else None


def _best(games: QuerySet[Record]) -> int | None:
    """The primary key of the best of the newest of these games."""
    newest = list(games.values_list("pk", flat=True)[:CANDIDATES])
    made = (
        YakuMade.objects.order_by()
        .filter(deal__record__in=newest, void=False, seat__isnull=False)
        .exclude(kind=YakuMade.Kind.OTHER)
        .values_list("deal__record")
        .annotate(Count("label", distinct=True))
    )
    unwon = (
        Deal.objects.order_by()
        .filter(record__in=newest, winner=None)
        .values_list("record")
        .annotate(Count("pk"))
    )
    yaku, drawn = dict(made), dict(unwon)
    return max(newest, key=lambda pk: (yaku.get(pk, 0) - drawn.get(pk, 0), pk), default=None)
