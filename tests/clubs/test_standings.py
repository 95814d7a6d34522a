"""Standings of random seasons, equal to their definitions, and examples by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from random import Random
from typing import Any, get_args

import pytest

from clubs.scoring import USUAL_POINTS, Entry, Scoring, ScoringError, ScoringKind, Tie
from clubs.standings import Standing, compute_months, compute_progress, compute_standings
from lengths import LONG
from tests.clubs import naive
from tests.clubs.seasons import BEGIN, draw_season, make_game, make_seat

SEASONS = 2000 if LONG else 60
KINDS: tuple[ScoringKind, ...] = ("sum", "mean", "points", "wins", "rating")


def rank_of(standings: list[Standing]) -> dict[str, int | None]:
    """Return the ranks of players, in order of the table."""
    return {standing.player: standing.rank for standing in standings}


def score_of(standings: list[Standing]) -> dict[str, int | None]:
    """Return the scores of players."""
    return {standing.player: standing.score for standing in standings}


def draw_scoring(random: Random, kind: ScoringKind) -> Scoring:
    """Return a scoring of a kind with random parameters."""
    points = {seats: tuple(random.randint(-40, 40) for _ in range(seats)) for seats in (2, 3, 4, 6)}
    ties: tuple[Tie, ...] = get_args(Tie)
    return Scoring(
        kind,
        least=random.choice((0, 0, 1, 3)),
        points=random.choice((points, USUAL_POINTS)),
        drop=random.choice((0, 0, 1, 2, 5)),
        ties=tuple(random.sample(ties, random.randint(0, 3))),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_standings_of_random_seasons_equal_their_definition(kind: ScoringKind) -> None:
    for seed in range(SEASONS):
        random = Random(f"{kind} {seed}")
        games, entries = draw_season(random)
        scoring = draw_scoring(random, kind)
        standings = compute_standings(games, entries, scoring)
        players = naive.list_players(games, entries)
        ranks = naive.find_ranks(games, entries, scoring)
        changes = naive.find_changes(games, entries, scoring)
        assert sorted(standing.player for standing in standings) == sorted(players)
        order = [standing.rank or 10**9 for standing in standings]
        assert order == sorted(order)
        for standing in standings:
            player = standing.player
            results = naive.list_results(games, player)
            finals = [seat.final for _game, seat in results]
            months = [seat.best_month for _game, seat in results if seat.best_month is not None]
            can_drop = kind != "rating"
            assert standing == Standing(
                player=player,
                rank=ranks.get(player),
                score=naive.find_score(games, entries, player, scoring),
                games=naive.count_games(games, entries, player),
                dropped=max(0, min(scoring.drop, len(results) - 1)) if can_drop else 0,
                evenings=len(
                    naive.find_evenings(
                        [game for game, _seat in results],
                        [entry for entry in entries if entry.player == player],
                    )
                ),
                wins=int(2 * sum(map(naive.find_win, results))),
                total=naive.find_total(games, entries, player, scoring),
                mean=naive.round_away(naive.Fraction(100 * sum(finals), len(finals)))
                if finals
                else None,
                best_game=max(finals, default=None),
                best_month=max(months, default=None),
                months_won=sum(seat.won for _game, seat in results),
                months=12 * len(results),
                change=changes.get(player),
                penalties=naive.sum_entries(entries, player, "penalty"),
                corrections=naive.sum_entries(entries, player, "correction"),
            ), (seed, games, entries, scoring)


@pytest.mark.parametrize("kind", KINDS)
def test_progress_equals_the_standings_after_each_day(kind: ScoringKind) -> None:
    for seed in range(SEASONS // 4):
        random = Random(f"progress {kind} {seed}")
        games, entries = draw_season(random)
        scoring = draw_scoring(random, kind)
        players = naive.list_players(games, entries)
        progress = compute_progress(games, entries, scoring, players)
        for player in players:
            days = {game.day for game, _seat in naive.list_results(games, player)}
            days |= {entry.day for entry in entries if entry.player == player}
            scores = [
                (
                    day,
                    naive.find_score(
                        [game for game in games if game.day <= day],
                        [entry for entry in entries if entry.day <= day],
                        player,
                        scoring,
                    ),
                )
                for day in sorted(days)
            ]
            expected = [point for point in scores if point[1] is not None]
            assert progress.get(player, []) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_months_equal_the_standings_of_their_games(kind: ScoringKind) -> None:
    for seed in range(SEASONS // 4):
        random = Random(f"months {kind} {seed}")
        games, entries = draw_season(random)
        scoring = draw_scoring(random, kind)
        monthly = replace(scoring, kind="sum" if kind == "rating" else kind, least=0, drop=0)
        players = naive.list_players(games, entries)
        months = compute_months(games, entries, scoring, players)
        days = {game.day for game in games} | {entry.day for entry in entries}
        assert list(months) == sorted({day.replace(day=1) for day in days})
        for month, standings in months.items():
            of_month = [game for game in games if game.day.replace(day=1) == month]
            entries_of_month = [entry for entry in entries if entry.day.replace(day=1) == month]
            expected = compute_standings(of_month, entries_of_month, monthly)
            assert standings == [standing._replace(change=None) for standing in expected]


def test_order_of_games_and_entries_does_not_matter() -> None:
    for seed in range(SEASONS // 4):
        random = Random(seed)
        games, entries = draw_season(random)
        scoring = draw_scoring(random, random.choice(KINDS))
        standings = compute_standings(games, entries, scoring)
        random.shuffle(games)
        random.shuffle(entries)
        assert compute_standings(games, entries, scoring) == standings


def test_equal_scores_share_a_rank_and_the_next_rank_is_left_out() -> None:
    games = [make_game(0, {"a": 5, "b": 5, "c": -10}), make_game(7, {"d": 3, "e": -3})]
    standings = compute_standings(games, [], Scoring(ties=()))
    assert rank_of(standings) == {"a": 1, "b": 1, "d": 3, "e": 4, "c": 5}


def test_ties_are_ordered_by_games_then_wins_then_best_game() -> None:
    games = [
        make_game(0, {"a": 4, "b": 0, "x": -4}),
        make_game(0, {"b": 2, "c": 1, "x": -3}),
        make_game(0, {"b": 2, "c": 3, "x": -5}),
        make_game(0, {"d": 4, "x": -4}),
    ]
    standings = compute_standings(games, [], Scoring())
    assert rank_of(standings) == {"b": 1, "c": 2, "a": 3, "d": 3, "x": 5}
    by_best = compute_standings(games, [], Scoring(ties=("best_game",)))
    assert rank_of(by_best) == {"a": 1, "d": 1, "c": 3, "b": 4, "x": 5}


def test_worst_games_are_dropped_but_one_game_always_counts() -> None:
    games = [
        make_game(0, {"a": -30, "b": 30}),
        make_game(7, {"a": 10, "c": -10}),
        make_game(14, {"a": -20, "b": 20}),
    ]
    standings = compute_standings(games, [], Scoring(drop=2))
    assert score_of(standings) == {"b": 30, "a": 10, "c": -10}
    assert [standing.total for standing in standings] == [50, -40, -10]
    assert [standing.dropped for standing in standings] == [1, 2, 0]


def test_equal_seats_share_the_points_of_their_places() -> None:
    points = {3: (30, 10, -40)}
    games = [make_game(0, {"a": 5, "b": 5, "c": -10}), make_game(0, {"a": 0, "b": 0, "c": 0})]
    standings = compute_standings(games, [], Scoring("points", points=points))
    assert score_of(standings) == {"a": 20 * 60, "b": 20 * 60, "c": -40 * 60}


def test_table_without_points_of_its_size_scores_nothing() -> None:
    standings = compute_standings(
        [make_game(0, {"a": 5, "b": -5})], [], Scoring("points", points={3: (30, 0, -30)})
    )
    assert score_of(standings) == {"a": 0, "b": 0}


def test_shared_first_place_is_half_a_win() -> None:
    games = [make_game(0, {"a": 5, "b": 5, "c": -10}), make_game(0, {"a": 1, "c": -1})]
    assert score_of(compute_standings(games, [], Scoring("wins"))) == {"a": 3, "b": 1, "c": 0}


def test_player_with_fewer_games_than_the_least_is_last_and_unranked() -> None:
    games = [
        make_game(0, {"a": 2, "b": -2}),
        make_game(7, {"a": 1, "b": -1}),
        make_game(14, {"c": 90, "b": -90}),
    ]
    standings = compute_standings(games, [], Scoring("mean", least=2))
    assert rank_of(standings) == {"a": 1, "b": 2, "c": None}
    assert score_of(standings) == {"a": 150, "b": -3100, "c": 9000}


def test_mean_takes_totals_of_a_known_number_of_games_only() -> None:
    day = BEGIN + timedelta(days=1)
    games = [make_game(0, {"a": 6, "b": -6})]
    entries = [Entry("a", day, "total", 3, games=2), Entry("b", day, "total", 500)]
    entries.append(Entry("c", day, "total", 7))
    standings = compute_standings(games, entries, Scoring("mean"))
    assert score_of(standings) == {"a": 300, "b": -600, "c": None}
    assert rank_of(standings) == {"a": 1, "b": 2, "c": None}
    assert [standing.total for standing in standings] == [9, 494, 7]


def test_penalty_changes_the_score_and_is_shown() -> None:
    games = [make_game(0, {"a": 3, "b": 0, "c": -3})]
    entries = [Entry("a", BEGIN, "penalty", -10), Entry("c", BEGIN, "correction", 1)]
    expected: dict[ScoringKind, dict[str, int]] = {
        "sum": {"b": 0, "c": -2, "a": -7},
        "points": {"b": 0, "a": 20 * 60, "c": -29 * 60},
        "wins": {"c": 2, "b": 0, "a": -18},
    }
    for kind, scores in expected.items():
        standings = compute_standings(games, entries, Scoring(kind))
        assert score_of(standings) == scores
        assert {s.player: (s.penalties, s.corrections) for s in standings} == {
            "a": (-10, 0),
            "b": (0, 0),
            "c": (0, 1),
        }


def test_change_is_the_number_of_ranks_gained_in_the_last_evening() -> None:
    games = [
        make_game(0, {"a": 10, "b": 0, "c": -10}),
        make_game(7, {"a": -30, "b": 0, "d": 30}),
    ]
    later = Entry("c", BEGIN + timedelta(days=9), "correction", 30)
    standings = compute_standings(games, [], Scoring())
    assert [(s.player, s.change) for s in standings] == [
        ("d", None),
        ("b", 0),
        ("c", 0),
        ("a", -3),
    ]
    corrected = compute_standings(games, [later], Scoring())
    assert {s.player: s.change for s in corrected} == {"d": None, "c": 1, "b": -1, "a": -3}


def test_ratings_of_a_game_change_by_equal_amounts() -> None:
    games = [make_game(0, {"a": 5, "b": -5}), make_game(7, {"a": 5, "b": -5})]
    once = score_of(compute_standings(games[:1], [], Scoring("rating")))
    assert once == {"a": 151_600, "b": 148_400}
    twice = score_of(compute_standings(games, [], Scoring("rating")))
    gained = (twice["a"] or 0) - 151_600
    assert 0 < gained < 1600
    assert twice["b"] == 148_400 - gained


def test_player_with_two_seats_has_two_results_and_no_rating_change() -> None:
    game = make_game(0, {"a": 5, "b": -5})._replace(
        seats=(make_seat("a", 5, 1), make_seat("a", -5, 2))
    )
    (standing,) = compute_standings([game], [], Scoring("rating"))
    assert (standing.games, standing.wins, standing.score) == (2, 2, 150_000)


def test_season_without_games_has_no_standings() -> None:
    assert compute_standings([], [], Scoring()) == []
    assert compute_progress([], [], Scoring(), set()) == {}
    assert compute_months([], [], Scoring(), set()) == {}


def test_month_is_ranked_alone() -> None:
    games = [make_game(0, {"a": 9, "b": -9}), make_game(40, {"a": -1, "b": 1})]
    months = compute_months(games, [], Scoring("mean", least=2), {"a", "b"})
    assert {month: rank_of(standings) for month, standings in months.items()} == {
        date(2026, 4, 1): {"a": 1, "b": 2},
        date(2026, 5, 1): {"b": 1, "a": 2},
    }


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "median"}, "kind"),
        ({"least": -1}, "least"),
        ({"drop": -1}, "drop"),
        ({"drop": 1000}, "drop"),
        ({"points": {3: (30, -30)}}, "points"),
        ({"points": {1: (30,)}}, "points"),
        ({"ties": ("games", "games")}, "ties"),
        ({"ties": ("height",)}, "ties"),
    ],
)
def test_impossible_scoring_is_refused_with_its_field(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(ScoringError) as caught:
        Scoring(**fields)
    assert caught.value.field == field
