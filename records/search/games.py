"""Games as a viewer may see them: single games, games of lists, and those of the first page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from django.core.cache import cache
from django.db.models import Max, Prefetch, QuerySet, prefetch_related_objects
from django.http import Http404

from records.facts.tables import ENGINE
from records.models import Analysis, Listing, Ownership, Player, Record, Seat, Status, Visibility
from records.privacy.access import ANONYMOUS, Viewer, may_see, shown_ownerships
from records.privacy.masking import mask, mask_line
from records.privacy.redaction import archive_redaction
from records.search.corrections import GoneGame, find_gone
from records.texts.choice import sent_by_others, text_of_owner
from records.texts.columns import fill

#: Number of newest verified games from which the shown games are chosen, and of the shown games.
CANDIDATES: Final = 60
SHOWN: Final = 3
#: Maximum age in seconds of cached figures while no new game arrives.
CACHE_SECONDS: Final = 60


def records() -> QuerySet[Record]:
    """Return all games regardless of the viewer, the newest first, with seats and players.

    Large columns are deferred, because lists do not show them.
    """
    seats = Prefetch("seats", Seat.objects.select_related("player"))
    games = Record.objects.defer("text", "verdict", "tags").prefetch_related(seats)
    return games.order_by("-id")


def records_of(listings: Sequence[Listing]) -> list[Record]:
    """Return the masked games of listings, in their order, with the columns of `records`."""
    games = records().in_bulk([listing.pk for listing in listings])
    redaction = archive_redaction()
    return [mask_line(games[listing.pk], redaction) for listing in listings if listing.pk in games]


def list_records(pks: Sequence[int], viewer: Viewer) -> list[Record]:
    """Return games that a viewer may see, masked, in the order of the primary keys.

    Private games have the text that the viewer uploaded, or that was shared with the viewer.
    """
    games = records().in_bulk(pks)
    show_own_texts(games.values(), viewer)
    redaction = archive_redaction()
    return [mask_line(games[pk], redaction) for pk in pks if pk in games]


def find_months(games: Iterable[int]) -> dict[int, list[int]]:
    """Return the months of the deals of games by primary key; `records` leaves out verdicts."""
    rows = Record.objects.order_by().filter(pk__in=games).values_list("pk", "verdict")
    return {pk: [deal["month"] for deal in verdict["deals"]] for pk, verdict in rows}


def load_results(games: Iterable[Record]) -> None:
    """Load the verdicts of games from `records`, and the sums of their analyses (`sums_of`)."""
    games_by_pk = {game.pk: game for game in games}
    rows = Record.objects.order_by().filter(pk__in=games_by_pk).values_list("pk", "verdict")
    for pk, verdict in rows:
        games_by_pk[pk].verdict = verdict
    load_sums(games_by_pk.values())


def load_sums(games: Iterable[Record]) -> None:
    """Load the analyses of games by this engine in one query, without their reports."""
    analyses = Analysis.objects.filter(engine=ENGINE, made__isnull=False).defer("found")
    prefetch_related_objects([*games], Prefetch("analysis", analyses))


def sums_of(record: Record) -> list[list[int]]:
    """Return the sums of each seat in the analysis of a game (`records.facts.analysed.SeatSums`).

    Return an empty list without an analysis. Call `load_sums` first.
    """
    analysis: Analysis | None = getattr(record, "analysis", None)
    return analysis.seats if analysis else []


def find(key: str, viewer: Viewer = ANONYMOUS) -> Record | None:
    """Return the game with a key as a viewer may see it, with its seats, or None.

    Do not save the result: it contains pseudonyms, and the owner of a private game gets the text
    that the owner uploaded.
    """
    record = Record.objects.prefetch_related("seats__player").filter(key=key).first()
    if record is None or not may_see(record, viewer):
        return None
    show_own_texts([record], viewer)
    return mask(record)


class GameGone(Http404):
    """The error for a game that is no longer visible, with the reason or the successor."""

    def __init__(self, gone: GoneGame) -> None:
        super().__init__("The game is gone.")
        self.gone = gone


def get(key: str, viewer: Viewer) -> Record:
    """Return the result of `find`. Raise :class:`GameGone` for a removed game, else Http404."""
    record = find(key, viewer)
    if record is not None:
        return record
    gone = find_gone(key, viewer)
    raise Http404 if gone is None else GameGone(gone)


def show_own_texts(games: Iterable[Record], viewer: Viewer) -> None:
    """Replace private games in memory by the texts that the viewer uploaded, or that were shared.

    The viewer must not learn of other owners. Do not save the games.
    """
    private = {record.pk: record for record in games if record.visibility < Visibility.UNLISTED}
    if not private:
        return
    by_owner: defaultdict[int | None, dict[int, Ownership]] = defaultdict(dict)
    for pk, ownership in shown_ownerships(private, viewer).items():
        by_owner[ownership.owner_id][pk] = ownership
    for owner, ownerships in by_owner.items():
        for pk in sent_by_others(ownerships, owner):
            record = private[pk]
            text = text_of_owner(record, ownerships[pk])
            if text is not None:
                fill(record, text)
                record.created = record.changed = ownerships[pk].created


def figures() -> dict[str, int]:
    """Return the numbers of listed games, verified games and players.

    The list of games leaves out illegal ones. Counting reads an index of the whole archive, so the
    result is cached until a new game arrives, or for `CACHE_SECONDS`.
    """
    public = Listing.objects.filter(visibility=Visibility.PUBLIC)
    newest = public.aggregate(newest=Max("pk"))["newest"] or 0
    key = f"front:{newest}"
    counts: dict[str, int] | None = cache.get(key)
    if not isinstance(counts, dict):
        counts = {
            "games": public.count() - public.filter(status=Status.ILLEGAL).count(),
            "verified": public.filter(status=Status.VERIFIED).count(),
            "players": Player.objects.filter(games__gt=0).count(),
        }
        cache.set(key, counts, CACHE_SECONDS)
    return counts


def choose_games() -> list[Record]:
    """Return up to three verified games worth watching, the best first, with their seats.

    Score sheets have no cards to watch.
    Among the newest games, those with the most different yaku minus deals without a winner are
    best; among equal games the newest. The best game of each ruleset comes before second ones.
    """
    public = Listing.objects.filter(
        visibility=Visibility.PUBLIC, status=Status.VERIFIED, sheet=False
    )
    newest = public.order_by("-record_id").values_list("ruleset", "yaku", "unwon", "pk")
    ranked = sorted(
        newest[:CANDIDATES],
        key=lambda row: (len(row[1].split()) - row[2], row[3]),
        reverse=True,
    )
    firsts = {row[0]: row for row in reversed(ranked)}.values()
    ordered = sorted(ranked, key=lambda row: row not in firsts)
    games = Record.objects.filter(visibility=Visibility.PUBLIC).prefetch_related("seats__player")
    chosen_records = games.in_bulk([row[3] for row in ordered[:SHOWN]])
    return [mask(chosen_records[row[3]]) for row in ordered[:SHOWN] if row[3] in chosen_records]
