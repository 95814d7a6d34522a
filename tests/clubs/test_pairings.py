"""Tables drawn for evenings: complete, repeatable, and balanced over a season."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from clubs.pairings import MAX_PLAYERS, Drawn, PairingError, count_meetings, draw_tables
from lengths import LONG

SEASONS = 20 if LONG else 3


def names(count: int) -> list[str]:
    """Return names of players."""
    return [f"p{number}" for number in range(count)]


def draw(count: int, *sizes: int, seed: int = 1) -> Drawn:
    """Draw tables for the first evening of a season."""
    return draw_tables(names(count), sizes, {}, {}, seed)


def draw_evenings(
    count: int, sizes: tuple[int, ...], evenings: int, seed: int
) -> tuple[list[int], list[int]]:
    """Return the numbers of meetings of all pairs, and of byes of all players, after evenings."""
    meetings: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for evening in range(evenings):
        drawn = draw_tables(names(count), sizes, meetings, byes, 100 * seed + evening)
        meetings += count_meetings(drawn.tables)
        byes.update(drawn.byes)
    pairs = combinations(names(count), 2)
    return [meetings[frozenset(pair)] for pair in pairs], [byes[name] for name in names(count)]


def test_everybody_has_one_seat_or_a_bye() -> None:
    for count in range(3, 26):
        for sizes in ((2,), (3,), (3, 4, 5, 6)):
            drawn = draw(count, *sizes)
            everybody = [player for table in drawn.tables for player in table] + [*drawn.byes]
            assert sorted(everybody) == sorted(names(count))
            assert {len(table) for table in drawn.tables} <= {*sizes}
            assert len(drawn.byes) == (count % sizes[0] if len(sizes) == 1 else 0)


@pytest.mark.parametrize(
    ("count", "sizes"), [(3, [3]), (5, [5]), (6, [3, 3]), (7, [4, 3]), (11, [4, 4, 3])]
)
def test_tables_of_several_sizes_are_small_and_equal(count: int, sizes: list[int]) -> None:
    assert [len(table) for table in draw(count, 3, 4, 5, 6).tables] == sizes


def test_seed_repeats_the_tables() -> None:
    assert draw(12, 3, seed=5) == draw(12, 3, seed=5)
    assert len({draw(12, 3, seed=seed) for seed in range(5)}) == 5


def test_nine_players_meet_equally_often_over_twelve_evenings() -> None:
    for seed in range(SEASONS):
        meetings, byes = draw_evenings(9, (3,), 12, seed)
        assert set(meetings) == {3}
        assert set(byes) == {0}


@pytest.mark.parametrize(("count", "size", "spread"), [(10, 3, 2), (14, 2, 2), (20, 3, 2)])
def test_meetings_and_byes_of_a_season_are_balanced(count: int, size: int, spread: int) -> None:
    for seed in range(SEASONS):
        meetings, byes = draw_evenings(count, (size,), 12, seed)
        assert max(meetings) - min(meetings) <= spread
        assert max(byes) - min(byes) <= 1


def test_search_finds_the_best_tables_of_six_players() -> None:
    for seed in range(30):
        random = Random(seed)
        pairs = [frozenset(pair) for pair in combinations(names(6), 2)]
        meetings = {pair: random.randrange(4) for pair in pairs}

        def find_cost(tables: tuple[tuple[str, ...], ...], met: dict[frozenset[str], int]) -> int:
            pairs = count_meetings(tables)
            return sum((met[pair] + 1) ** 3 - met[pair] ** 3 for pair in pairs)

        costs = [
            find_cost((table, tuple({*names(6)} - {*table})), meetings)
            for table in combinations(names(6), 3)
        ]
        drawn = draw_tables(names(6), [3], meetings, {}, seed)
        assert find_cost(drawn.tables, meetings) == min(costs)


def test_late_comers_get_new_tables_beside_those_in_play() -> None:
    fixed = (("p0", "p1", "p2"), ("p3", "p4", "p5"))
    drawn = draw_tables(names(10), [3], {}, {"p6": 1}, 1, fixed)
    assert drawn.tables[:2] == fixed
    assert len(drawn.tables) == 3
    (bye,) = drawn.byes
    assert sorted([*drawn.tables[2], bye]) == ["p6", "p7", "p8", "p9"]
    assert bye != "p6"


def test_late_comers_too_few_for_a_table_have_byes() -> None:
    fixed = (("p0", "p1", "p2"),)
    drawn = draw_tables(names(5), [3], {}, {}, 1, fixed)
    assert drawn.tables == fixed
    assert sorted(drawn.byes) == ["p3", "p4"]


@pytest.mark.parametrize(
    ("players", "fixed", "reason", "found"),
    [
        (["a", "b"], (), "too-few", "2"),
        (["a", "b", "c", "a"], (), "twice", "a"),
        (["a", "b", "c"], (("x", "y", "z"), ("x", "v", "w")), "twice", "x"),
        (names(MAX_PLAYERS + 1), (), "too-many", str(MAX_PLAYERS + 1)),
    ],
)
def test_impossible_draw_is_refused_with_its_reason(
    players: list[str], fixed: tuple[tuple[str, ...], ...], reason: str, found: str
) -> None:
    with pytest.raises(PairingError) as caught:
        draw_tables(players, [3], {}, {}, 1, fixed)
    assert (caught.value.reason, caught.value.found) == (reason, found)
