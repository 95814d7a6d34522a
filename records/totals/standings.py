"""The standings: each player's counted games of a ruleset, the rows that lists of players read.

They are updated in the transactions that change games (`records.totals.changes`).
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from django.db.models import QuerySet

from kafu.rules.rulesets import RULESETS
from records.base.bulk import slices, update_rows
from records.facts.rows import COUNTED
from records.models import Listing, Player, Seat, Standing, Visibility
from records.totals.intervals import wilson

BATCH: Final = 500
#: Numbers of a row: seats of games, those that came to their end, of these first alone and first
#: with others, the final sums and their squares in the small unit, and the sum of all places.
NAMES: Final = ("games", "ended", "first", "shared_first", "final", "final_sq", "places")
#: The unit of `Standing.win`, as parts of 1.
WIN: Final = 10**9
#: The games that count.
COUNTED_GAMES: Final = Listing.objects.order_by().filter(
    visibility=Visibility.PUBLIC, status__in=COUNTED, deals__gt=0
)

#: A player's primary key, and a ruleset.
Key = tuple[int, str]
#: The numbers of `NAMES` by player and ruleset.
Numbers = dict[Key, list[int]]


def compute_numbers(games: QuerySet[Listing]) -> Numbers:
    """Return the numbers that these games add."""
    rulesets = dict(games.values_list("pk", "ruleset"))
    numbers: Numbers = {}
    for pks in slices(sorted(rulesets), BATCH):
        seats = Seat.objects.order_by().filter(record__in=pks)
        rows = list(seats.values_list("record", "player", "rank", "final"))
        firsts: defaultdict[int, int] = defaultdict(int)
        for game, _player, rank, _final in rows:
            firsts[game] += rank == 1
        for game, player, rank, final in rows:
            row = [1, 0, 0, 0, 0, 0, 0]
            if rank is not None and final is not None:
                total = final * RULESETS[rulesets[game]].final_unit
                alone, shared = rank == 1 == firsts[game], rank == 1 < firsts[game]
                row = [1, 1, int(alone), int(shared), total, total * total, rank]
            key = player, rulesets[game]
            numbers[key] = _add_up(numbers.get(key), row)
    return numbers


def add_numbers(numbers: Numbers, more: Mapping[Key, Sequence[int]], times: int = 1) -> None:
    """Add ``times`` times ``more`` to ``numbers``; -1 subtracts it."""
    for key, row in more.items():
        numbers[key] = _add_up(numbers.get(key), [times * number for number in row])


def win(sums: Sequence[int]) -> int:
    """Return `Standing.win` of these numbers."""
    row = dict(zip(NAMES, sums, strict=True))
    low = wilson(row["first"], row["ended"]).low
    return 0 if low is None else int(low * WIN)


def apply(changes: Numbers) -> None:
    """Add changes to the rows, which are inserted, then locked, in the order of their keys."""
    keys = sorted(key for key, numbers in changes.items() if any(numbers))
    for part in slices(keys, BATCH):
        _add({key: changes[key] for key in part})


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
            sums = _add_up(before, numbers)
            rows.append((sums[NAMES.index("games")], win(sums), json.dumps(sums), pk))
    update_rows(Standing, ("games", "win", "sums"), rows)


def _add_up(numbers: list[int] | None, more: list[int]) -> list[int]:
    return [a + b for a, b in zip(numbers, more, strict=True)] if numbers else more


def rebuild() -> None:
    """Compute all rows again, part of a transaction."""
    Standing.objects.all().delete()
    for pks in slices(sorted(COUNTED_GAMES.values_list("pk", flat=True)), BATCH):
        apply(compute_numbers(COUNTED_GAMES.filter(pk__in=pks)))


def differences() -> Iterator[str]:
    """Yield each row that differs from the player's games, as a text; some players at a time."""
    players = Player.objects.order_by("pk").values_list("pk", flat=True)
    for pks in slices(list(players), BATCH):
        seats = Seat.objects.order_by().filter(player__in=pks)
        games = COUNTED_GAMES.filter(pk__in=seats.values("record"))
        due = {key: row for key, row in compute_numbers(games).items() if key[0] in pks}
        for standing in Standing.objects.filter(player__in=pks):
            sums = due.pop((standing.player_id, standing.ruleset), [0] * len(NAMES))
            wanted = sums[NAMES.index("games")], win(sums), sums
            actual = standing.games, standing.win, standing.sums
            if actual != wanted:
                yield f"standing {standing}: {actual} should be {wanted}"
        for key, sums in sorted(due.items()):
            yield f"standing {key[0]} {key[1]}: it is missing, should be {sums}"
