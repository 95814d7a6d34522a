"""Tables of an evening, drawn so that players meet equally often over a season."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from random import Random
from typing import Final, NamedTuple

#: The maximum number of players of a draw.
MAX_PLAYERS: Final = 300
#: The maximum number of random starts of the search, and of compared swaps.
_STARTS: Final = 50
_SWAPS: Final = 200_000


class Drawn(NamedTuple):
    """Tables, the fixed ones first, and the players without a seat."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


class PairingError(ValueError):
    """An impossible draw.

    ``reason`` is ``too-few`` or ``too-many`` with the number of players as ``found``, or ``twice``
    with a name.
    """

    def __init__(self, reason: str, found: str, expected: str) -> None:
        super().__init__(f"{found}: expected {expected}")
        self.reason = reason
        self.found = found
        self.expected = expected


def count_meetings(tables: Iterable[Iterable[str]]) -> Counter[frozenset[str]]:
    """Return how often players met at tables, or in games, of these players."""
    return Counter(
        frozenset(pair) for table in tables for pair in combinations(sorted({*table}), 2)
    )


def draw_tables(
    players: Sequence[str],
    sizes: Sequence[int],
    meetings: Mapping[frozenset[str], int],
    byes: Mapping[str, int],
    seed: int,
    fixed: Sequence[tuple[str, ...]] = (),
) -> Drawn:
    """Draw tables for the players of an evening; the same arguments give the same tables.

    ``sizes`` are the possible numbers of seats, without gaps. As many tables as possible are as
    small and as equal as possible. Players who do not fit have a bye: those with the fewest
    ``byes`` so far. The tables avoid pairs with many ``meetings`` so far, and have a random order
    of seats. ``fixed`` tables are in play: they stay, and their players are not drawn.

    Raises PairingError.
    """
    random = Random(seed)
    seated = [player for table in fixed for player in table]
    free = [player for player in players if player not in {*seated}]
    _check([*seated, *free], sizes)
    random.shuffle(free)
    free.sort(key=lambda player: -byes.get(player, 0))
    count = len(free) // min(sizes)
    seats = min(len(free), count * max(sizes))
    drawn, waiting = free[:seats], free[seats:]
    search = _Search(drawn, meetings, _divide(seats, count))
    tables = search.run(random)
    return Drawn((*fixed, *tables), tuple(waiting))


def _check(players: Sequence[str], sizes: Sequence[int]) -> None:
    for player, count in Counter(players).items():
        if count > 1:
            raise PairingError("twice", player, "each player once")
    if not min(sizes) <= len(players) <= MAX_PLAYERS:
        reason = "too-few" if len(players) < min(sizes) else "too-many"
        raise PairingError(reason, str(len(players)), f"{min(sizes)} to {MAX_PLAYERS} players")


def _divide(seats: int, count: int) -> list[int]:
    """Return the sizes of a number of tables, as equal as possible."""
    return [seats // count + (number < seats % count) for number in range(count)]


class _Search:
    """A search for tables with the lowest cost, which swaps players between two tables.

    The cost of a table is the sum of the cubes of (meetings + 1) less the cubes of meetings, over
    its pairs: pairs with the most meetings weigh most.
    """

    def __init__(
        self, players: Sequence[str], meetings: Mapping[frozenset[str], int], sizes: Sequence[int]
    ) -> None:
        self._players = players
        self._weights = [
            [
                0 if first == second else _weigh(meetings.get(frozenset((first, second)), 0))
                for second in players
            ]
            for first in players
        ]
        #: The table of each place, and the first place of each table with the end of the last.
        self._tables = [table for table, size in enumerate(sizes) for _ in range(size)]
        self._starts = [0, *accumulate(sizes)]
        self._swaps_left = _SWAPS

    def run(self, random: Random) -> list[tuple[str, ...]]:
        """Return the best tables of a number of starts, in a random order of seats."""
        numbers = list(range(len(self._players)))
        best, best_cost = numbers, -1
        for _ in range(_STARTS):
            random.shuffle(numbers)
            cost = self._improve(numbers)
            if best_cost < 0 or cost < best_cost:
                best, best_cost = numbers.copy(), cost
            if self._swaps_left <= 0:
                break
        tables = [best[start:end] for start, end in pairwise(self._starts)]
        for table in tables:
            random.shuffle(table)
        return [tuple(self._players[number] for number in table) for table in tables]

    def _improve(self, numbers: list[int]) -> int:
        """Swap players while a swap lowers the cost; return the cost."""
        weights, tables = self._weights, self._tables
        places = range(len(numbers))
        #: The cost of each player at each table.
        costs = [
            [
                sum(row[other] for other in numbers[start:end])
                for start, end in pairwise(self._starts)
            ]
            for row in weights
        ]
        has_improved = True
        while has_improved and self._swaps_left > 0:
            has_improved = False
            for place in places:
                table = tables[place]
                for other_place in range(self._starts[table + 1], len(numbers)):
                    first, second = numbers[place], numbers[other_place]
                    other = tables[other_place]
                    gain = (
                        costs[first][table]
                        + costs[second][other]
                        - costs[first][other]
                        - costs[second][table]
                        + 2 * weights[first][second]
                    )
                    if gain > 0:
                        numbers[place], numbers[other_place] = second, first
                        has_improved = True
                        for row, player_costs in zip(weights, costs, strict=True):
                            change = row[second] - row[first]
                            player_costs[table] += change
                            player_costs[other] -= change
                self._swaps_left -= len(numbers) - self._starts[table + 1]
        return sum(costs[number][table] for number, table in zip(numbers, tables, strict=True))


def _weigh(meetings: int) -> int:
    """Return the cost of another meeting of two players."""
    return 3 * meetings * (meetings + 1) + 1
