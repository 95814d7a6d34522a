"""Cross tables, records and titles of a season."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from clubs.honours import (
    MAX_HOLDERS,
    Award,
    Holder,
    Meeting,
    SeasonRecord,
    award_titles,
    build_cross_table,
    find_records,
)
from clubs.scoring import GameResult, Scoring
from clubs.standings import compute_standings
from lengths import LONG
from tests.clubs import naive
from tests.clubs.seasons import BEGIN, draw_season, make_game, make_seat

SEASONS = 2000 if LONG else 60


def test_cross_table_of_random_seasons_equals_its_definition() -> None:
    for seed in range(SEASONS):
        games, _entries = draw_season(Random(seed))
        players = naive.list_players(games, ())
        table = build_cross_table(games, players)
        for player in players:
            for opponent in players - {player}:
                pairs = [
                    (seat, other)
                    for game in games
                    for seat in game.seats
                    for other in game.seats
                    if (seat.player, other.player) == (player, opponent)
                ]
                meeting = Meeting(
                    games=len(pairs),
                    balance=sum(seat.final - other.final for seat, other in pairs),
                    ahead=len([1 for seat, other in pairs if seat.rank < other.rank]),
                    behind=len([1 for seat, other in pairs if seat.rank > other.rank]),
                )
                found = table.get(player, {}).get(opponent, Meeting(0, 0, 0, 0))
                assert found == meeting, (seed, player, opponent)
        assert all(player not in opponents for player, opponents in table.items())


def test_cross_table_of_chosen_players_leaves_out_other_players() -> None:
    games = [make_game(0, {"a": 5, "b": 0, "c": -5}), make_game(7, {"a": 2, "b": 2})]
    assert build_cross_table(games, {"a", "b"}) == {
        "a": {"b": Meeting(2, 5, ahead=1, behind=0)},
        "b": {"a": Meeting(2, -5, ahead=0, behind=1)},
    }


def test_records_of_random_seasons_equal_their_definition() -> None:
    for seed in range(SEASONS):
        games, _entries = draw_season(Random(seed))
        players = naive.list_players(games, ())
        evenings: dict[tuple[object, str], list[int]] = {}
        for game in games:
            for seat in game.seats:
                evenings.setdefault((game.day, seat.player), []).append(seat.final)
        winners = [
            (seat.final, sorted(other.final for other in game.seats)[-2])
            for game in games
            for seat in game.seats
            if naive.find_win((game, seat)) == 1
        ]
        seats = [seat for game in games for seat in game.seats]
        values = {
            "best_game": max((seat.final for seat in seats), default=0),
            "best_month": max((seat.best_month or 0 for seat in seats), default=0),
            "winning_run": max(
                (naive.find_longest_run(games, player) for player in players), default=0
            ),
            "widest_win": max((final - second for final, second in winners), default=0),
            "best_evening": max(map(sum, evenings.values()), default=0),
            "longest_evening": max(map(len, evenings.values()), default=0),
        }
        found = {record.id: record.value for record in find_records(games)}
        assert found == {id_: value for id_, value in values.items() if value > 0}, seed


def test_records_name_their_holders_by_time() -> None:
    games = [
        make_game(7, {"a": 4, "b": -4}, key="later"),
        make_game(0, {"b": 4, "a": -4}, key="first"),
        make_game(7, {"a": 1, "c": -1}, key="last"),
    ]
    day = BEGIN + timedelta(days=7)
    records = {record.id: record for record in find_records(games)}
    assert records["best_game"] == SeasonRecord(
        "best_game", 4, (Holder("b", BEGIN, "first"), Holder("a", day, "later")), times=2
    )
    assert records["winning_run"].holders == (Holder("a", day, "last"),)
    assert records["winning_run"].value == 2
    assert records["widest_win"].value == 8
    assert records["best_evening"] == SeasonRecord(
        "best_evening", 5, (Holder("a", day, None),), times=1
    )
    assert records["longest_evening"].holders == (Holder("a", day, None),)
    assert "best_month" not in records


def test_shared_win_ends_a_run() -> None:
    games = [
        make_game(0, {"a": 4, "b": -4}),
        make_game(1, {"a": 0, "b": 0}),
        make_game(2, {"a": 4, "b": -4}),
    ]
    (run,) = [record for record in find_records(games) if record.id == "winning_run"]
    assert (run.value, run.times) == (1, 2)


def test_record_with_many_holders_lists_the_first_and_counts_all() -> None:
    games = [make_game(day, {"a": 4, "b": -4}) for day in range(MAX_HOLDERS + 5)]
    record = find_records(games)[0]
    assert len(record.holders) == MAX_HOLDERS
    assert record.times == MAX_HOLDERS + 5


def test_titles_go_to_all_players_with_the_highest_value() -> None:
    def game(day: int, finals: tuple[int, int], months: tuple[int, int]) -> GameResult:
        first, second = finals
        return make_game(day, {})._replace(
            seats=(
                make_seat("a", first, 1 + (first < second), months[0], won=months[0]),
                make_seat("b", second, 1 + (first > second), months[1], won=months[1]),
            )
        )

    games = [game(0, (6, -6), (2, 8)), game(7, (-1, 1), (3, 0)), make_game(7, {"c": 50, "d": -50})]
    standings = compute_standings(games, [], Scoring(least=2))
    assert award_titles(standings) == (
        Award("months_won", 8, ("b",)),
        Award("wins", 2, ("a", "b", "c")),
        Award("games", 2, ("a", "b")),
        Award("best_month", 8, ("b",)),
        Award("best_game", 50, ("c",)),
        Award("mean", 250, ("a",)),
        Award("evenings", 2, ("a", "b")),
    )
    assert award_titles(standings, ["games"]) == (Award("games", 2, ("a", "b")),)


def test_season_without_games_has_neither_records_nor_titles() -> None:
    assert find_records([]) == ()
    assert award_titles([]) == ()
    assert build_cross_table([], {"a"}) == {}
