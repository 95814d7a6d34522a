"""Figures of players: lists of them, two against each other, ratings month by month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import exp, log, pi, sqrt

from tests.records.statistics.naive.asked import Asked
from tests.records.statistics.naive.estimates import Row, estimate, mean, rate
from tests.records.statistics.naive.games import Seen
from tests.records.statistics.rated import Rated, rated_month

#: Games that a player of the list has at least, unless it is narrowed by one of these.
LEAST = 10
NARROWED = {"profile", "event", "seat", "last", "from"}


def _finals(asked: Asked) -> dict[str, list[tuple[list[int], int]]]:
    """By player the finals of his games with his own sum, a seat each."""
    found: dict[str, list[tuple[list[int], int]]] = defaultdict(list)
    for seen, seats in asked.games:
        if final := seen.final:
            for seat in seats:
                found[seen.game.players[seat - 1]].append((final, final[seat - 1]))
    return found


def players(asked: Asked) -> list[Row]:
    """Who played how many games, and how they ended."""
    sat = [seen.game.players[seat - 1] for seen, seats in asked.games for seat in seats]
    finals = _finals(asked)
    least = 1 if NARROWED & {*asked.own} else LEAST
    rows = []
    for name in set(sat):
        if sat.count(name) < int(asked.own.get("games_min", least)):
            continue
        ended = finals[name]
        first = [final.count(sum_) for final, sum_ in ended if sum_ == max(final)]
        places = [1 + sum(other > sum_ for other in final) for final, sum_ in ended]
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


def versus(asked: Asked) -> list[Row]:
    """A player and an opponent, by ruleset."""
    one, other = (asked.own.get(name) for name in ("player", "opponent"))
    if not one or not other:
        return []
    more = []
    for seen, _ in asked.games:
        if final := seen.final:
            mine, his = (final[seen.seats(name)[0] - 1] for name in (one, other))
            more.append(mine - his)
    if not more:
        return []
    assert asked.everybody is not None
    courses = rated(asked.everybody)
    newest = [courses[name][max(courses[name])][0] for name in (one, other) if courses.get(name)]
    counts = {
        "ahead": sum(by > 0 for by in more),
        "level": more.count(0),
        "behind": sum(by < 0 for by in more),
    }
    row: Row = {"ruleset": asked.rules, "n": len(more), **counts, **mean("more", more)}
    for name, count in counts.items():
        row |= rate(f"{name}_rate", count, len(more))
    return [{**row, "expected": _expected(*newest) if len(newest) == 2 else None}]


def _expected(one: Rated, other: Rated) -> float:
    """Glickman: the chance of winning, unsure as both ratings are."""
    by = log(10) / 400  # his scale
    unsure = (one.deviation**2 + other.deviation**2) * by * by
    weight = 1 / sqrt(1 + 3 * unsure / pi**2)
    return 1 / (1 + exp(-weight * by * (one.rating - other.rating)))


# Ratings ------------------------------------------------------------------------------------------

#: By month: the rating after its last game, and the games of the month.
Course = dict[int, tuple[Rated, int]]


def rated(asked: Asked) -> Mapping[str, Course]:
    """Everybody's ratings: the games of a month together."""
    months: dict[int, list[Seen]] = defaultdict(list)
    for seen, _ in asked.games:
        if is_rated(seen):
            months[seen.month].append(seen)
    now: dict[str, Rated] = {}
    courses: dict[str, Course] = defaultdict(dict)
    for month, games in sorted(months.items()):
        after = rated_month(now, [(seen.day, sums_of(seen)) for seen in games])
        for name, one in after.items():
            courses[name][month] = one, sum(name in sums_of(seen) for seen in games)
        now |= after
    return courses


def is_rated(seen: Seen) -> bool:
    is_legal = seen.verdict["status"] in ("verified", "consistent", "mismatch")
    return is_legal and bool(seen.month % 100 and seen.final) and len(sums_of(seen)) > 1


def sums_of(seen: Seen) -> dict[str, int]:
    """The final sum of each player, by his first seat, in the order of seats."""
    sums: dict[str, int] = {}
    for name, sum_ in zip(seen.game.players, seen.final or (), strict=False):
        sums.setdefault(name, sum_)
    return sums


def _row(one: Rated) -> Row:
    half = 1.959964 * one.deviation
    sums = (one.rating, one.rating - half, one.rating + half, one.deviation)
    middle, low, high, deviation = map(round, sums)
    return {
        **estimate("rating", middle, low, high),
        **{"deviation": deviation, "provisional": one.deviation > 110},
    }


def ratings(asked: Asked) -> list[Row]:
    """The newest rating of each player."""
    rows = []
    for name, course in rated(asked).items():
        month = max(course)
        games = sum(games for _, games in course.values())
        if games >= int(asked.own.get("games_min", 1)):
            rows.append(
                {"player": name, "n": games, "month": _month(month), **_row(course[month][0])}
            )
    return rows


def rating(asked: Asked) -> list[Row]:
    """A player's rating, month by month."""
    name = asked.own.get("player")
    if not name:
        return []
    assert asked.everybody is not None
    games, rows = 0, []
    for month, (one, played) in sorted(rated(asked.everybody).get(name, {}).items()):
        games += played
        if asked.own.get("first", month) <= month <= asked.own.get("last", month):
            rows.append(
                {
                    **{"month": _month(month), "n": played, "rated": games, **_row(one)},
                    "volatility": one.volatility,
                }
            )
    return rows


def _month(month: int) -> str:
    return f"{month // 100}-{month % 100:02}"
