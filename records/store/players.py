"""Rows of players: the names at the seats of games, and how many public games each is in.

In: games that are about to be written, or records that became public or ceased to be. Out: primary
keys of players, and their counts brought up to date.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.db.models import F

from kafu.notation.game import Game
from records.base.keys import player_key, player_name, searched
from records.models import Player, Seat

BATCH: Final = 500


def write_players(games: Iterable[Game]) -> dict[str, int]:
    """Make sure that every player has a row; returns their primary keys by
    `records.base.keys.player_key`.

    A new player has the spelling that comes first.
    """
    names: dict[str, str] = {}
    for game in games:
        for written in game.players:
            names.setdefault(player_key(written), player_name(written))
    missing = names.keys() - _by_key(names).keys()
    taken = _taken(missing)
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
    return _by_key(names)


def _by_key(keys: Collection[str]) -> dict[str, int]:
    wanted = list(keys)
    found: dict[str, int] = {}
    for start in range(0, len(wanted), BATCH):
        part = Player.objects.order_by().filter(origin__in=wanted[start : start + BATCH])
        found.update(part.values_list("origin", "pk"))
    return found


def _taken(keys: Collection[str]) -> set[str]:
    """Those of the keys of new players that somebody's pseudonym has."""
    wanted = list(keys)
    return {
        key
        for start in range(0, len(wanted), BATCH)
        for key in Player.objects.order_by()
        .filter(key__in=wanted[start : start + BATCH])
        .values_list("key", flat=True)
    }


def pseudonyms(players: Iterable[int]) -> dict[int, str]:
    """The pseudonyms of those of the players who have one, by primary key."""
    found: dict[int, str] = {}
    wanted = list(players)
    for start in range(0, len(wanted), BATCH):
        part = Player.objects.order_by().filter(pk__in=wanted[start : start + BATCH])
        found.update(part.exclude(real_name="").values_list("pk", "name"))
    return found


def count_games(
    games: Iterable[Game], players: Mapping[str, int], changes: Mapping[int, int]
) -> None:
    """Add games that have become public to the counts of their players; ``players`` as of
    :func:`write_players`. ``changes`` of other records are those of :func:`count_records`, as which
    it is to be called last in a transaction.
    """
    more = _of_records(changes)
    more.update(
        players[key] for game in games for key in {player_key(written) for written in game.players}
    )
    _add(more)


def count_records(changes: Mapping[int, int]) -> None:
    """Add records that became public (1) to the counts of their players, take away those that
    ceased to be (-1).

    To be called last in a transaction: whoever has these rows locked waits for no other.
    """
    _add(_of_records(changes))


def _of_records(changes: Mapping[int, int]) -> Counter[int]:
    """What is to be added to the counts of players."""
    changed = [pk for pk, by in changes.items() if by]
    more: Counter[int] = Counter()
    if changed:
        seats = Seat.objects.order_by().filter(record__in=changed)
        for record, player in seats.values_list("record", "player").distinct():
            more[player] += changes[record]
    return more


def _add(more: Mapping[int, int]) -> None:
    """Add to the counts of players, locked in one order so that no two workers lock each other
    out.
    """
    pks = sorted(pk for pk, by in more.items() if by)
    for start in range(0, len(pks), BATCH):
        part = pks[start : start + BATCH]
        rows = Player.objects.select_for_update(no_key=True).filter(pk__in=part).order_by("pk")
        alike = defaultdict(list)
        for pk in rows.values_list("pk", flat=True):
            alike[more[pk]].append(pk)
        for by, same in alike.items():
            Player.objects.filter(pk__in=same).update(games=F("games") + by)
