"""Figures of players' pages, and the best of all: form, percentiles, calendar, bests."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from kafu.odds.exact import NONE, house_hands
from kafu.rules.names import YAKU
from records.models import Record
from records.models.facts import Family, family_of
from tests.records.statistics.naive.estimates import Row, mean, rate
from tests.records.statistics.naive.games import PlainGame
from tests.records.statistics.naive.players import Course, is_rated, rated, sums_of
from tests.records.statistics.naive.selected import Selected, scores_of, won

#: Rows of each kind, for all players and for one.
ALL, ONE = 10, 3
#: Minimum number of games of a compared player; days of a calendar.
LEAST, DAYS = 10, 371


def _by_month(selected: Selected) -> dict[int, list[tuple[PlainGame, Sequence[int]]]]:
    games_by_month: dict[int, list[tuple[PlainGame, Sequence[int]]]] = defaultdict(list)
    for plain_game, seats in selected.games:
        if plain_game.month % 100 and plain_game.deals:
            games_by_month[plain_game.month].append((plain_game, seats))
    return games_by_month


def form(selected: Selected) -> list[Row]:
    """Return a player's deals by month."""
    rows = []
    for month, games in sorted(_by_month(selected).items()):
        of = Selected(selected.rules, games)
        first = 0
        for plain_game, seats in games:
            final = plain_game.final or []
            best = [seat for seat, sum_ in enumerate(final, start=1) if sum_ == max(final)]
            first += len(best) == 1 and best[0] in seats
        playing = of.playing
        rows.append(
            {
                "month": f"{month // 100}-{month % 100:02}",
                **{"games": len(games), "first": first, "n": len(playing), "won": won(playing)},
                **rate("rate", won(playing), len(playing)),
                **mean("score", scores_of(playing)),
            }
        )
    return rows


def calendar(selected: Selected) -> list[Row]:
    """Return the number of a player's games on each day of a year."""
    days = Counter(
        date.fromisoformat(plain_game.date)
        for plain_game, _ in selected.games
        if re.fullmatch(r"\d{4}-\d\d-\d\d", plain_game.date)
    )
    last = max(days, default=date.min)
    return [
        {"day": day.isoformat(), "weekday": day.isoweekday() % 7 + 1, "games": games}
        for day, games in days.items()
        if (last - day).days < DAYS
    ]


def _measures(games: Selected) -> dict[str, dict[str, float]]:
    """Return the measures of each player with enough finished games, one seat each."""
    places: dict[str, list[tuple[int, int, bool]]] = defaultdict(list)
    sat: Counter[str] = Counter()
    for plain_game, _ in games.games:
        for seat, name in enumerate(plain_game.game.players):
            sat[name] += 1
            if final := plain_game.final:
                place = 1 + sum(sum_ > final[seat] for sum_ in final)
                alone = place == 1 and final.count(final[seat]) == 1
                places[name].append((place, final[seat], alone))
    return {
        name: {
            "first": sum(alone for *_, alone in ended) / len(ended),
            "place": sum(place for place, *_ in ended) / len(ended),
            "final": sum(sum_ for _, sum_, _ in ended) / len(ended),
            "games": sat[name],
        }
        for name, ended in places.items()
        if len(ended) >= LEAST
    }


def strengths(selected: Selected) -> list[Row]:
    """Return the percentile of a player in each measure."""
    name = selected.parameters.get("player", "")
    assert selected.everybody is not None
    measures = _measures(selected.everybody)
    if not selected.games or name not in measures:
        return []
    rows = [
        _share(measure, value, [values[measure] for key, values in measures.items() if key != name])
        for measure, value in measures[name].items()
    ]
    courses = rated(selected.everybody)
    if courses.get(name):
        ratings = [
            _newest(course)
            for key, course in courses.items()
            if key != name and sum(games for _, games in course.values()) >= LEAST
        ]
        rows.append(_share("rating", _newest(courses[name]), ratings))
    return rows


def _newest(course: Course) -> float:
    return course[max(course)][0].rating


def _share(measure: str, value: float, values: Sequence[float]) -> Row:
    sign = -1 if measure == "place" else 1
    ahead = sum(
        (sign * value > sign * other_value) + (value == other_value) / 2 for other_value in values
    )
    share = ahead / len(values) if values else None
    return {"what": measure, "value": value, "n": len(values), "percentile": share}


# The best -----------------------------------------------------------------------------------------


def bests(selected: Selected) -> list[Row]:
    """Return the largest deals, the rarest hands, and the longest streaks."""
    player = selected.parameters.get("player")
    stored = {
        plain_game.text: row
        for plain_game, _ in selected.games
        if (row := Record.objects.filter(identity=plain_game.verdict["identity"]).first())
    }
    kinds: dict[str, list[tuple[int, int, int, Any]]] = defaultdict(list)
    for plain_game, seats in selected.games:
        if plain_game.game.is_sheet:
            continue
        pk = stored[plain_game.text].pk
        for seat in seats:
            for kind, value, deal in (*_top(plain_game, seat), *_rare(plain_game, seat)):
                place = (
                    stored[plain_game.text].key,
                    plain_game.game.players[seat - 1],
                    deal,
                    _played(plain_game),
                )
                kinds[kind].append((-value, -pk, seat, place))
    rows = []
    for kind, candidates in kinds.items():
        for value, _pk, _seat, (key, name, deal, day) in sorted(candidates)[
            : ONE if player else ALL
        ]:
            of_game: Row = {"kind": kind, "game": key, "player": name, "day": day, "sheet": False}
            end: Row = {"at": f"{deal}.99999", "score": -value}
            rows.append(of_game | (end if kind == "top" else {"at": f"{deal}.0", "one_in": -value}))
    return [*rows, *_streaks(selected, stored)]


def _played(plain_game: PlainGame) -> str | None:
    return plain_game.date.removesuffix("-??").removesuffix("-??") or None


def _top(plain_game: PlainGame, seat: int) -> Iterator[tuple[str, int, int]]:
    """Yield the seat's largest score, and the first deal with it."""
    scores = [deal["score"][seat - 1] for deal in plain_game.verdict["deals"]]
    if scores and max(scores) > 0:
        yield "top", max(scores), 1 + scores.index(max(scores))


def _rare(plain_game: PlainGame, seat: int) -> Iterator[tuple[str, int, int]]:
    """Yield the seat's rarest declared hand, and the first deal with it."""
    best = (0, 0)
    for number, deal in enumerate(plain_game.verdict["deals"], start=1):
        yaku: list[str] = []
        for line in deal["ledger"]:
            labels, amounts = line["label"].split("+"), line["amounts"]
            is_dealt = labels[0] in YAKU and family_of(labels[0]) is Family.DEALT
            alone = amounts[seat - 1] == max(amounts) and amounts.count(max(amounts)) == 1
            if is_dealt and alone and not line["void"]:
                yaku += labels
        house = {"profile": plain_game.profile, **plain_game.game.options}
        hands = house_hands(plain_game.rules, house)[0].hands
        cells = [
            count
            for row, columns in hands.matrix.items()
            for column, count in columns.items()
            if {row, column} - {NONE} == {*yaku} and count and yaku
        ]
        if cells and round(hands.total / cells[0]) > best[0]:
            best = round(hands.total / cells[0]), number
    if best[0]:
        yield "rare", *best


def _when(plain_game: PlainGame, pk: int) -> tuple[Any, ...]:
    """Return the sort key of games: by day, games without a time first, then by arrival."""
    return plain_game.day, plain_game.game.tags.get("Time", ""), pk


def _streaks(selected: Selected, stored: dict[str, Record]) -> list[Row]:
    """Return each player's longest streak, the longest first."""
    longest: dict[str, tuple[int, int, str, str | None]] = {}
    now: Counter[str] = Counter()
    games = [
        plain_game
        for plain_game, _ in selected.games
        if is_rated(plain_game) and not plain_game.game.is_sheet
    ]
    for plain_game in sorted(games, key=lambda item: _when(item, stored[item.text].pk)):
        sums = sums_of(plain_game)
        for name, sum_ in sums.items():
            alone = sum_ == max(sums.values()) and [*sums.values()].count(sum_) == 1
            places = [
                1 + sum(o > s for o in plain_game.final or ()) for s in plain_game.final or ()
            ]
            first = places[plain_game.seats(name)[0] - 1] == 1
            now[name] = now[name] + 1 if alone and first else 0
            if now[name] > longest.get(name, (0, 0, "", None))[0]:
                row = stored[plain_game.text]
                longest[name] = now[name], row.pk, row.key, _played(plain_game)
    player = selected.parameters.get("player")
    best = sorted(longest.items(), key=lambda item: -item[1][0])
    if player:
        best = [item for item in best if item[0] == player]
    return [
        {
            **{"kind": "streak", "player": name, "game": key},
            **{"streak": streak, "day": day, "sheet": False},
        }
        for name, (streak, _pk, key, day) in best[:ALL]
    ]
