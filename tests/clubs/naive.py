"""Standings by their definition: one figure of one player at a time, from all results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from itertools import groupby
from math import ceil, floor

from clubs.scoring import UNITS, Entry, GameResult, Scoring, SeatResult

Games = Sequence[GameResult]
Entries = Sequence[Entry]
Result = tuple[GameResult, SeatResult]


def round_away(number: Fraction) -> int:
    """Return the nearest integer; halves away from zero."""
    half = Fraction(1, 2)
    return floor(number + half) if number >= 0 else ceil(number - half)


def list_players(games: Games, entries: Entries) -> set[str]:
    """Return all players."""
    return {seat.player for game in games for seat in game.seats} | {e.player for e in entries}


def list_results(games: Games, player: str) -> list[Result]:
    """Return the seats of a player."""
    return [(game, seat) for game in games for seat in game.seats if seat.player == player]


def sum_entries(entries: Entries, player: str, *kinds: str) -> int:
    """Return the sum of a player's entries of some kinds."""
    return sum(entry.amount for entry in entries if entry.player == player and entry.kind in kinds)


def count_games(games: Games, entries: Entries, player: str) -> int:
    """Return the number of games with those of totals."""
    return len(list_results(games, player)) + sum(e.games for e in entries if e.player == player)


def find_win(result: Result) -> Fraction:
    """Return 1, 1/2 or 0 wins."""
    game, seat = result
    if seat.rank != 1:
        return Fraction(0)
    is_shared = any(other is not seat and other.rank == 1 for other in game.seats)
    return Fraction(1, 2) if is_shared else Fraction(1)


def find_points(result: Result, scoring: Scoring) -> Fraction:
    """Return the mean of the points of the places that the seat shares."""
    game, seat = result
    points = (scoring.points or {}).get(len(game.seats))
    if points is None:
        return Fraction(0)
    better = len([other for other in game.seats if other.rank < seat.rank])
    equal = len([other for other in game.seats if other.rank == seat.rank])
    return Fraction(sum(points[better : better + equal]), equal)


def find_value(result: Result, scoring: Scoring) -> Fraction:
    """Return the value of a seat in points."""
    if scoring.kind == "points":
        return find_points(result, scoring)
    return find_win(result) if scoring.kind == "wins" else Fraction(result[1].final)


def find_ratings(games: Games, before: date) -> dict[str, int]:
    """Return the ratings in hundredths before a day, from the ratings one evening earlier."""
    days = {game.day for game in games if game.day < before}
    if not days:
        return dict.fromkeys(list_players(games, ()), 150_000)
    ratings = find_ratings(games, max(days))
    played = [game for game in games if game.day == max(days)]
    return {player: ratings[player] + find_change(played, player, ratings) for player in ratings}


def find_change(games: Games, player: str, ratings: dict[str, int]) -> int:
    """Return the change of a rating by the games of an evening."""
    change = 0
    for game, seat in list_results(games, player):
        for other in game.seats:
            if other.player != player:
                expected = 1 / (1 + 10 ** ((ratings[other.player] - ratings[player]) / 40_000))
                result = (other.rank > seat.rank) + (other.rank == seat.rank) / 2
                change += round(3200 * (result - expected) / (len(game.seats) - 1))
    return change


def find_score(games: Games, entries: Entries, player: str, scoring: Scoring) -> int | None:
    """Return the score in units."""
    unit = UNITS[scoring.kind]
    extra = sum_entries(entries, player, "penalty", "correction")
    if scoring.kind == "rating":
        return find_ratings(games, date.max).get(player, 150_000) + unit * extra
    values = sorted(find_value(result, scoring) for result in list_results(games, player))
    for _ in range(scoring.drop):
        if len(values) > 1:
            values.pop(0)
    if scoring.kind == "mean":
        counted = [e for e in entries if e.player == player and e.kind == "total" and e.games]
        count = len(values) + sum(e.games for e in counted)
        total = sum(values) + sum(e.amount for e in counted)
        return None if count == 0 else round_away(unit * Fraction(total) / count) + unit * extra
    exact = unit * Fraction(sum(values) + sum_entries(entries, player, "total") + extra)
    assert exact.denominator == 1, "a unit divides every score"
    return int(exact)


def find_total(games: Games, entries: Entries, player: str, scoring: Scoring) -> int:
    """Return the sum of final scores."""
    total = sum(seat.final for _game, seat in list_results(games, player))
    is_final = scoring.kind not in ("points", "wins")
    return total + (sum_entries(entries, player, "total") if is_final else 0)


def find_key(games: Games, entries: Entries, player: str, scoring: Scoring) -> tuple[int, ...]:
    """Return score and ties of a player; the highest key is the first rank."""
    results = list_results(games, player)
    months = [seat.best_month for _game, seat in results if seat.best_month is not None]
    figures = {
        "games": count_games(games, entries, player),
        "wins": int(2 * sum(map(find_win, results))),
        "total": find_total(games, entries, player, scoring),
        "best_game": max((seat.final for _game, seat in results), default=-(10**9)),
        "best_month": max(months, default=-(10**9)),
        "months_won": sum(seat.won for _game, seat in results),
    }
    score = find_score(games, entries, player, scoring)
    return (score or 0, *(figures[tie] for tie in scoring.ties))


def find_ranks(games: Games, entries: Entries, scoring: Scoring) -> dict[str, int]:
    """Return the rank of each ranked player: 1 and the number of better players."""
    keys = {
        player: find_key(games, entries, player, scoring)
        for player in list_players(games, entries)
        if find_score(games, entries, player, scoring) is not None
        and count_games(games, entries, player) >= scoring.least
    }
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}


def find_evenings(games: Games, entries: Entries) -> set[date]:
    """Return the days with games or totals."""
    return {game.day for game in games} | {e.day for e in entries if e.kind == "total"}


def find_changes(games: Games, entries: Entries, scoring: Scoring) -> dict[str, int]:
    """Return the ranks that each player gained by the last evening."""
    last = max(find_evenings(games, entries), default=date.min)
    before = find_ranks(
        [game for game in games if game.day < last],
        [entry for entry in entries if entry.day < last],
        scoring,
    )
    now = find_ranks(games, entries, scoring)
    return {player: before[player] - now[player] for player in before.keys() & now.keys()}


def find_longest_run(games: Games, player: str) -> int:
    """Return the most seats in a row that won alone."""
    in_time = sorted(games, key=lambda game: game.day)
    wins = [find_win(result) == 1 for result in list_results(in_time, player)]
    return max((len(list(run)) for is_won, run in groupby(wins) if is_won), default=0)
