"""Figures of players: lists of players, two players compared, ratings by month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import exp, log, pi, sqrt

from tests.records.statistics.naive.estimates import Row, estimate, mean, rate
from tests.records.statistics.naive.games import PlainGame
from tests.records.statistics.naive.selected import Selected
from tests.records.statistics.rated import Rated, rated_month

#: Minimum number of games of a listed player, unless a filter of `NARROWED` is set.
LEAST = 10
NARROWED = {"profile", "event", "seat", "last", "from"}


def _finals(selected: Selected) -> dict[str, list[tuple[list[int], int]]]:
    """Return, by player, the final sums of each game with the player's own sum, per seat."""
    finals: dict[str, list[tuple[list[int], int]]] = defaultdict(list)
    for plain_game, seats in selected.games:
        if final := plain_game.final:
            for seat in seats:
                finals[plain_game.game.players[seat - 1]].append((final, final[seat - 1]))
    return finals


def players(selected: Selected) -> list[Row]:
    """Return the players with their numbers of games and their results."""
    sat = [
        plain_game.game.players[seat - 1] for plain_game, seats in selected.games for seat in seats
    ]
    finals = _finals(selected)
    least = 1 if NARROWED & {*selected.parameters} else LEAST
    rows = []
    for name in set(sat):
        if sat.count(name) < int(selected.parameters.get("games_min", least)):
            continue
        ended = finals[name]
        first = [final.count(sum_) for final, sum_ in ended if sum_ == max(final)]
        places = [1 + sum(other_sum > sum_ for other_sum in final) for final, sum_ in ended]
        rows.append(
            {
                **{"player": name, "games": sat.count(name), "n": len(ended)},
                **{"first": first.count(1), "shared": len(first) - first.count(1)},
                **rate("rate", first.count(1), len(ended)),
                "mean_place": sum(places) / len(places) if places else None,
                **mean("final", [sum_ for _, sum_ in ended]),
            }
        )
    return rows


def versus(selected: Selected) -> list[Row]:
    """Return the comparison of a player and an opponent, by ruleset."""
    player, opponent = (selected.parameters.get(name) for name in ("player", "opponent"))
    if not player or not opponent:
        return []
    more = []
    for plain_game, _ in selected.games:
        if final := plain_game.final:
            sum_of_player, sum_of_opponent = (
                final[plain_game.seats(name)[0] - 1] for name in (player, opponent)
            )
            more.append(sum_of_player - sum_of_opponent)
    if not more:
        return []
    assert selected.everybody is not None
    courses = rated(selected.everybody)
    newest = [
        courses[name][max(courses[name])][0] for name in (player, opponent) if courses.get(name)
    ]
    counts = {
        "ahead": sum(by > 0 for by in more),
        "level": more.count(0),
        "behind": sum(by < 0 for by in more),
    }
    row: Row = {"ruleset": selected.rules, "n": len(more), **counts, **mean("more", more)}
    for name, count in counts.items():
        row |= rate(f"{name}_rate", count, len(more))
    return [{**row, "expected": _expected(*newest) if len(newest) == 2 else None}]


def _expected(player: Rated, opponent: Rated) -> float:
    """Return the probability of winning, given the uncertainty of both ratings (Glickman)."""
    by = log(10) / 400  # his scale
    unsure = (player.deviation**2 + opponent.deviation**2) * by * by
    weight = 1 / sqrt(1 + 3 * unsure / pi**2)
    return 1 / (1 + exp(-weight * by * (player.rating - opponent.rating)))


# Ratings ------------------------------------------------------------------------------------------

#: By month: the rating after its last game, and the games of the month.
Course = dict[int, tuple[Rated, int]]


def rated(selected: Selected) -> Mapping[str, Course]:
    """Return the ratings of all players; the games of a month count together."""
    months: dict[int, list[PlainGame]] = defaultdict(list)
    for plain_game, _ in selected.games:
        if is_rated(plain_game):
            months[plain_game.month].append(plain_game)
    now: dict[str, Rated] = {}
    courses: dict[str, Course] = defaultdict(dict)
    for month, games in sorted(months.items()):
        after = rated_month(now, [(plain_game.day, sums_of(plain_game)) for plain_game in games])
        for name, state in after.items():
            courses[name][month] = state, sum(name in sums_of(plain_game) for plain_game in games)
        now |= after
    return courses


def is_rated(plain_game: PlainGame) -> bool:
    is_legal = plain_game.verdict["status"] in ("verified", "consistent", "mismatch")
    return (
        is_legal
        and bool(plain_game.month % 100 and plain_game.final)
        and len(sums_of(plain_game)) > 1
    )


def sums_of(plain_game: PlainGame) -> dict[str, int]:
    """Return the final sum of each player, by the player's first seat, in the order of seats."""
    sums: dict[str, int] = {}
    for name, sum_ in zip(plain_game.game.players, plain_game.final or (), strict=False):
        sums.setdefault(name, sum_)
    return sums


def _row(state: Rated) -> Row:
    half = 1.959964 * state.deviation
    sums = (state.rating, state.rating - half, state.rating + half, state.deviation)
    middle, low, high, deviation = map(round, sums)
    return {
        **estimate("rating", middle, low, high),
        **{"deviation": deviation, "provisional": state.deviation > 110},
    }


def ratings(selected: Selected) -> list[Row]:
    """Return the newest rating of each player."""
    rows = []
    for name, course in rated(selected).items():
        month = max(course)
        games = sum(games for _, games in course.values())
        if games >= int(selected.parameters.get("games_min", 1)):
            rows.append(
                {"player": name, "n": games, "month": _month(month), **_row(course[month][0])}
            )
    return rows


def rating(selected: Selected) -> list[Row]:
    """Return a player's ratings by month."""
    name = selected.parameters.get("player")
    if not name:
        return []
    assert selected.everybody is not None
    games, rows = 0, []
    for month, (state, played) in sorted(rated(selected.everybody).get(name, {}).items()):
        games += played
        if (
            selected.parameters.get("first", month)
            <= month
            <= selected.parameters.get("last", month)
        ):
            rows.append(
                {
                    **{"month": _month(month), "n": played, "rated": games, **_row(state)},
                    "volatility": state.volatility,
                }
            )
    return rows


def _month(month: int) -> str:
    return f"{month // 100}-{month % 100:02}"
