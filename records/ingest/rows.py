"""Rows of judged games: players with counts of public games, records, listings, features, seats."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import F

from kafu.judging.verify import Verification
from kafu.notation.game import Game
from kafu.rules.play.ledger import maker
from kafu.rules.rulesets import RULESETS
from kafu.rules.verdict import DealResult, Verdict
from records.base import clock
from records.base.bulk import insert_rows, slices
from records.base.clock import second_of_day
from records.base.keys import feature_key, player_key, player_name, searched
from records.models import NO_SCORE, ListedFeature, Listing, Player, Record, Seat, Visibility
from records.models.facts import Family, family_of
from records.privacy import change_log, revisions
from records.privacy.redaction import archive_redaction
from records.texts.columns import fill

BATCH: Final = 500
#: Columns of the rows of `Listing`, `ListedFeature` and `Seat`.
_LISTING: Final = (
    *("record_id", "visibility", "ruleset", "profile", "status", "sheet", "event"),
    *("day_from", "day_to", "time", "deals", "unwon", "turns", "best"),
    *("yaku", "grades"),
)
_FEATURE: Final = ("feature", "listing_id")
_SEAT: Final = (
    *("record_id", "number", "player_id", "name", "final", "rank", "yaku", "best", "won"),
)

#: Counts of yaku by seat. The key None has the joint yaku of several seats.
YakuCounts = Mapping[int | None, Counter[str]]


def write_players(games: Iterable[Game]) -> dict[str, int]:
    """Insert missing players. Return the primary keys by `records.base.keys.player_key`.

    A new player gets the first spelling of the name.
    """
    names: dict[str, str] = {}
    for game in games:
        for written in game.players:
            names.setdefault(player_key(written), player_name(written))
    missing = names.keys() - _pks_by_key(names).keys()
    taken_keys = _taken_by_pseudonyms(missing)
    Player.objects.bulk_create(
        [
            Player(
                key=player_key(f"{key} {names[key]}") if key in taken_keys else key,
                origin=key,
                name=names[key],
                folded=searched(names[key]),
            )
            for key in sorted(missing)
        ],
        ignore_conflicts=True,
        batch_size=BATCH,
    )
    return _pks_by_key(names)


def _pks_by_key(keys: Iterable[str]) -> dict[str, int]:
    pks: dict[str, int] = {}
    for batch in slices(list(keys), BATCH):
        rows = Player.objects.order_by().filter(origin__in=batch)
        pks.update(rows.values_list("origin", "pk"))
    return pks


def _taken_by_pseudonyms(keys: Iterable[str]) -> set[str]:
    """Return the keys already used by the pseudonym of another player."""
    taken_keys: set[str] = set()
    for batch in slices(list(keys), BATCH):
        rows = Player.objects.order_by().filter(key__in=batch)
        taken_keys.update(rows.values_list("key", flat=True))
    return taken_keys


def pseudonyms(players: Iterable[int]) -> dict[int, str]:
    """Return the pseudonyms of players by primary key, without players under a real name."""
    names: dict[int, str] = {}
    for batch in slices(list(players), BATCH):
        rows = Player.objects.order_by().filter(pk__in=batch)
        names.update(rows.exclude(real_name="").values_list("pk", "name"))
    return names


def count_games(
    games: Iterable[Game], players: Mapping[str, int], changes: Mapping[int, int]
) -> None:
    """Add new public games to the counts of the players.

    ``players`` is the result of :func:`write_players`. ``changes`` of other records are counted
    like in :func:`count_records`. Call last in a transaction.
    """
    increments = _increments(changes)
    increments.update(
        players[key] for game in games for key in {player_key(written) for written in game.players}
    )
    _add(increments)


def count_records(changes: Mapping[int, int]) -> None:
    """Update the counts of players for records made public (1) or no longer public (-1).

    Call last in a transaction, because a transaction with locked players must not wait for another.
    """
    _add(_increments(changes))


def _increments(changes: Mapping[int, int]) -> Counter[int]:
    """Return the increments of the players' counts by primary key."""
    changed = [pk for pk, change in changes.items() if change]
    increments: Counter[int] = Counter()
    if changed:
        seats = Seat.objects.order_by().filter(record__in=changed)
        for record, player in seats.values_list("record", "player").distinct():
            increments[player] += changes[record]
    return increments


def _add(increments: Mapping[int, int]) -> None:
    """Add to the counts of players, locking the rows in order to avoid deadlocks."""
    for batch in slices(sorted(pk for pk, count in increments.items() if count), BATCH):
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=batch).order_by("pk")
        pks_by_increment = defaultdict(list)
        for pk in rows.values_list("pk", flat=True):
            pks_by_increment[increments[pk]].append(pk)
        for increment, pks in pks_by_increment.items():
            Player.objects.filter(pk__in=pks).update(games=F("games") + increment)


def set_visibility(record: Record, level: int) -> None:
    """Set the visibility of a locked record, unsaved.

    A record not visible to other users before gets a new time of creation.
    """
    if record.visibility < Visibility.UNLISTED <= level:
        record.created = clock.now()
        record.gone, record.gone_why = None, ""
    record.visibility = level


def rewrite(
    games: Sequence[tuple[Record, Verification]],
    players: Mapping[str, int],
    *,
    same_texts: bool = False,
) -> None:
    """Rewrite locked records with new verifications of the same games.

    ``same_texts`` states that the texts do not change. Then the facts of the records count until
    new facts are written.
    """
    pks = [record.pk for record, _ in games]
    changed = change_log.of(record for record, _ in games)
    now = clock.now()
    for record, verification in games:
        fill(record, verification)
        record.revision += 1
        if not same_texts:
            record.valid_from = record.revision
        record.changed = now
        record.change = changed.get(record.pk)
        record.save()
    for model in (Listing, Seat):
        model._default_manager.filter(record__in=pks).delete()
    write_parts(games, players)
    if games:
        revisions.advance(*(record.ruleset for record, _ in games))


def write_parts(games: Sequence[tuple[Record, Verification]], players: Mapping[str, int]) -> None:
    """Insert the listings, features and seats of new records."""
    redaction = archive_redaction()
    shown_names = pseudonyms(set(players.values()))
    listings: list[tuple[Any, ...]] = []
    features: list[tuple[str, int]] = []
    seats: list[tuple[Any, ...]] = []
    for record, verification in games:
        yaku_counts = yaku_by_seat(verification.verdict.deals)
        event = redaction.event_key(record.event)
        yaku = {label for labels in yaku_counts.values() for label in labels}
        grades = {deal.grade for deal in verification.verdict.deals if deal.grade}
        listings.append(_listing(record, verification.verdict, event, yaku, grades))
        features += [(feature_key(word, record.ruleset), record.pk) for word in yaku | grades]
        seats += _seats(record, verification, players, shown_names, yaku_counts)
    insert_rows(Listing, _LISTING, listings)
    insert_rows(ListedFeature, _FEATURE, features)
    insert_rows(Seat, _SEAT, seats)


def _listing(
    record: Record, verdict: Verdict, event: str, yaku: Iterable[str], grades: Iterable[str]
) -> tuple[Any, ...]:
    """Return the values of `_LISTING` for a record with a verdict.

    ``event`` is the result of `records.privacy.redaction.Redaction.event_key`.
    """
    return (
        *(record.pk, record.visibility, record.ruleset, record.profile, record.status),
        *(record.sheet, event),
        record.date_from.toordinal() if record.date_from else 0,
        record.date_to.toordinal() if record.date_to else 0,
        second_of_day(record.tags),
        record.deals_played,
        sum(deal.winner is None for deal in verdict.deals),
        record.turns_played,
        best_final(record.ruleset, verdict.final or ()),
        spaced(yaku),
        spaced(grades),
    )


def best_final(ruleset: str, final: Iterable[int]) -> int:
    """Return the highest of final sums in points, or `NO_SCORE` without sums.

    Final sums may have another unit, such as whole kan in hachihachi (H20).
    """
    unit = RULESETS[ruleset].final_unit
    return max((sum_ * unit for sum_ in final), default=NO_SCORE)


def spaced(words: Iterable[str]) -> str:
    """Return sorted words, each between spaces, to let a search match whole words.

    >>> spaced({"tane", "goko"})
    ' goko tane '
    """
    joined = " ".join(sorted(words))
    return f" {joined} " if joined else ""


def counted(labels: Mapping[str, int]) -> str:
    """Return labels with counts, for example ``kasu tane*2``."""
    return " ".join(
        label if count == 1 else f"{label}*{count}" for label, count in sorted(labels.items())
    )


def yaku_by_seat(deals: Iterable[DealResult]) -> YakuCounts:
    """Count the yaku of each seat in deals, except in void lines."""
    yaku_counts: dict[int | None, Counter[str]] = defaultdict(Counter)
    for line in (line for deal in deals for line in deal.ledger if not line.void):
        labels = line.label.split("+")
        if family_of(labels[0]) is not Family.OTHER:
            counts = yaku_counts[maker(line)[0]]
            for label in labels:
                counts[label[:64]] += 1
    return yaku_counts


def _seats(
    record: Record,
    verification: Verification,
    players: Mapping[str, int],
    pseudonyms: Mapping[int, str],
    yaku_counts: YakuCounts,
) -> Iterator[tuple[Any, ...]]:
    """Yield the values of `_SEAT` for each seat."""
    assert verification.game is not None
    final, places = verification.verdict.final, verification.verdict.places
    deals = verification.verdict.deals
    for number, name in enumerate(verification.game.players, start=1):
        total = final[number - 1] if final is not None else None
        player = players[player_key(name)]
        rank = places[number - 1] if places is not None else None
        yaku = counted(yaku_counts.get(number, {}))
        best = max((deal.score[number - 1] for deal in deals), default=None)
        won = sum(deal.winner == number for deal in deals)
        shown = pseudonyms.get(player, name)
        yield record.pk, number, player, shown, total, rank, yaku, best, won
