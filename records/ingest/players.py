"""Rows of players, and their numbers of public games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from django.db.models import F

from kafu.notation.game import Game
from records.base.bulk import slices
from records.base.keys import player_key, player_name, searched
from records.models import Player, Seat

BATCH: Final = 500


def write_players(games: Iterable[Game]) -> dict[str, int]:
    """Insert missing players. Return the primary keys by `records.base.keys.player_key`.

    A new player gets the first spelling of the name.
    """
    names: dict[str, str] = {}
    for game in games:
        for written in game.players:
            names.setdefault(player_key(written), player_name(written))
    missing = names.keys() - _pks_by_key(names).keys()
    taken = _taken_by_pseudonyms(missing)
    Player.objects.bulk_create(
        [
            Player(
                key=player_key(f"{key} {names[key]}") if key in taken else key,
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
    """Return the keys that the pseudonym of another player has."""
    taken: set[str] = set()
    for batch in slices(list(keys), BATCH):
        rows = Player.objects.order_by().filter(key__in=batch)
        taken.update(rows.values_list("key", flat=True))
    return taken


def pseudonyms(players: Iterable[int]) -> dict[int, str]:
    """Return the pseudonyms of players by primary key, without players who have none."""
    names: dict[int, str] = {}
    for batch in slices(list(players), BATCH):
        rows = Player.objects.order_by().filter(pk__in=batch)
        names.update(rows.exclude(real_name="").values_list("pk", "name"))
    return names


def count_games(
    games: Iterable[Game], players: Mapping[str, int], changes: Mapping[int, int]
) -> None:
    """Add games that became public to the counts of their players.

    ``players`` is the result of :func:`write_players`. ``changes`` of other records are counted
    like in :func:`count_records`. Call it last in a transaction.
    """
    increments = _increments(changes)
    increments.update(
        players[key] for game in games for key in {player_key(written) for written in game.players}
    )
    _add(increments)


def count_records(changes: Mapping[int, int]) -> None:
    """Update the counts of players for records that became public (1) or ceased to be public (-1).

    Call it last in a transaction, so that no transaction with locked players waits for another.
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
    """Add to the counts of players, locking them in order to avoid deadlocks."""
    for batch in slices(sorted(pk for pk, count in increments.items() if count), BATCH):
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=batch).order_by("pk")
        pks_by_increment = defaultdict(list)
        for pk in rows.values_list("pk", flat=True):
            pks_by_increment[increments[pk]].append(pk)
        for increment, pks in pks_by_increment.items():
            Player.objects.filter(pk__in=pks).update(games=F("games") + increment)
