"""The totals of each player's counted games of a ruleset: the rows that lists of players read.

They are updated by `records.totals.sums_of_games` with the sums that they are made of, and are as
exact.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from records.base.bulk import update_rows
from records.base.sums import Sums, Tally, merge_seats
from records.models import Player, Rollup, Standing
from records.models.statistics import UNKNOWN
from records.totals.intervals import wilson
from records.totals.layout import LAYOUT
from records.totals.scopes import Scope

BATCH: Final = 500
#: Numbers of a row: those of the figure ``seat``, and the sum of all places.
NAMES: Final = (*LAYOUT["seat"].names, "places")
#: The unit of `Standing.win`, as parts of 1.
WIN: Final = 10**9

#: A player's primary key, and a ruleset.
Key = tuple[int, str]


def totals(sums: Sums) -> list[int]:
    """The numbers of `NAMES` of a player's seats."""
    seat = sums.get("seat", {}).get("all") or [0] * len(LAYOUT["seat"].names)
    places = sum(int(place) * games for place, (games,) in sums.get("place", {}).items())
    return [*seat, places]


def win(sums: Sequence[int]) -> int:
    """`Standing.win` of these numbers."""
    row = dict(zip(NAMES, sums, strict=True))
    low = wilson(row["first"], row["ended"]).low
    return 0 if low is None else int(low * WIN)


def apply(changes: Mapping[Scope, Tally]) -> None:
    """Add the changes of the players' months to their rows.

    Rows are inserted, then locked, both in the order of players and rulesets, before any sums are.
    """
    more: dict[Key, list[int]] = {}
    for scope, change in changes.items():
        if scope.player:
            key = scope.player, scope.ruleset
            more[key] = _plus(more.get(key), totals(merge_seats(change)))
    keys = sorted(key for key, numbers in more.items() if any(numbers))
    for start in range(0, len(keys), BATCH):
        _add({key: more[key] for key in keys[start : start + BATCH]})


def _add(more: Mapping[Key, list[int]]) -> None:
    wanted = Standing.objects.filter(player__in={player for player, _ruleset in more})
    there = set(wanted.values_list("player", "ruleset"))
    Standing.objects.bulk_create(
        (Standing(player_id=key[0], ruleset=key[1]) for key in more if key not in there),
        ignore_conflicts=True,
    )
    wanted = wanted.filter(ruleset__in={ruleset for _player, ruleset in more})
    locked = wanted.select_for_update(no_key=True).order_by("player", "ruleset")
    rows = []
    for pk, player, ruleset, before in locked.values_list("pk", "player", "ruleset", "sums"):
        if numbers := more.get((player, ruleset)):
            sums = _plus(before, numbers)
            rows.append((sums[NAMES.index("games")], win(sums), json.dumps(sums), pk))
    update_rows(Standing, ("games", "win", "sums"), rows)


def _plus(numbers: list[int] | None, more: list[int]) -> list[int]:
    return [a + b for a, b in zip(numbers, more, strict=True)] if numbers else more


def differences() -> Iterator[str]:
    """Each row that differs from the player's sums, as a text; some players at a time."""
    last = 0
    players = Player.objects.order_by("pk").values_list("pk", flat=True)
    while part := list(players.filter(pk__gt=last)[:BATCH]):
        last = part[-1]
        due: defaultdict[Key, list[int]] = defaultdict(lambda: [0] * len(NAMES))
        months = Rollup.objects.filter(player__in=part, month__gte=UNKNOWN)
        for row in months.iterator(chunk_size=BATCH):
            key = row.player_id or 0, row.ruleset
            due[key] = _plus(due[key], totals(merge_seats(row.sums)))
        for one in Standing.objects.filter(player__in=part):
            sums = due.pop((one.player_id, one.ruleset), [0] * len(NAMES))
            wanted = sums[NAMES.index("games")], win(sums), sums
            if (one.games, one.win, one.sums) != wanted:
                yield f"standing {one}: {(one.games, one.win, one.sums)} should be {wanted}"
        for key, sums in sorted(due.items()):
            if any(sums):
                yield f"standing {key[0]} {key[1]}: it is missing, should be {sums}"
