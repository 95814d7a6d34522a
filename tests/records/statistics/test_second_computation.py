"""Every answer of the statistics compared with a second, naive computation, to the unit.

The games are those of ../shared/conformance with the expected verdicts, our own cases, and
simulated games, STATISTICS_GAMES of all rulesets together: 10, in `make test-statistics` 5,000.
`make test` asks a part of the questions, different ones of each figure, about hachi-hachi, which
has all figures. `make test-long` asks each about one ruleset, `make test-statistics` about all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from math import isclose
from random import Random
from typing import Any, Final

import pytest
from django.test import Client

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from lengths import LONG, part
from records.models import Record
from records.statistics.registry import FIGURES
from shared import CONTRADICTED
from tests import conformance
from tests.records.idle import do_idle_jobs
from tests.records.makers import ingest
from tests.records.statistics.naive import figures as naive
from tests.records.statistics.naive.games import PlainGame, legal
from tests.records.statistics.naive.losses import analysed, report_of
from tests.records.statistics.naive.selected import Selected

pytestmark = pytest.mark.long

MANY: Final = "STATISTICS_GAMES" in os.environ
GAMES: Final = int(os.environ.get("STATISTICS_GAMES", "20" if LONG else "10"))
CASES: Final = (conformance.OWN, conformance.SHARED)
PEOPLE: Final = ("Aoi", "Botan", "Chidori", "Fuji", "Hagi", "Kiku", "Matsu", "Susuki")
EVENTS: Final = ("Spring Cup", "Autumn Cup", "")
LAST: Final = 20
#: How far floating-point numbers may be apart; volatilities are found by iteration.
EXACT: Final = {"rel_tol": 1e-9, "abs_tol": 1e-12}
ITERATED: Final = {"rel_tol": 1e-5, "abs_tol": 1e-3}

#: Each new client would load the middleware.
CLIENT: Final = Client()

Games = Sequence[tuple[PlainGame, Sequence[int]]]


def load_cases(rules: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the texts of cases with the expected verdicts."""
    for root in CASES:
        paths = sorted((root / rules).glob("*.json"))
        for path in paths if MANY else part(paths, one_of=24):
            text = path.with_suffix(".kafu")
            if text.exists() and f"conformance/{rules}/{path.stem}" not in CONTRADICTED:
                yield text.read_text(encoding="utf-8"), json.loads(path.read_text(encoding="utf-8"))


def simulate_texts(rules: str, count: int) -> Iterator[str]:
    """Yield games at all tables: by few people, on days of two years, or without a date."""
    for number in range(count):
        chance = Random(f"second {rules} {number}")
        seats = chance.choice(RULES[rules].seats)
        skill = chance.choice(("sensible", "sensible", "random"))
        house = {"profile": "koikoi-ai"} if rules == "koikoi" and number % 3 == 1 else {}
        if not LONG and "months" in RULESETS[rules].options:
            house["months"] = "6"
        game = simulate(rules, seed=number, players=seats, player=skill, options=house)
        game.players = tuple(chance.sample(PEOPLE, seats))
        if chance.random() < 0.9:
            day = date(2025, 1, 1) + timedelta(days=number * 700 // count)
            is_vague = chance.random() < 0.1
            game.tags["Date"] = f"{day.year}-??-??" if is_vague else day.isoformat()
        if event := chance.choice(EVENTS):
            game.tags["Event"] = event
        if chance.random() < 0.5:
            game.tags["Time"] = f"{chance.randrange(24):02}:{chance.randrange(60):02}"
        yield write(game)


def simulate_games(rules: str, count: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield simulated games with their verdicts."""
    for text in simulate_texts(rules, count):
        yield text, verify(read(text)).verdict.to_json()


def drop_copies(games: Iterable[PlainGame]) -> list[PlainGame]:
    """Return games that differ in the first field: of copies of a game one counts (decision 29)."""
    games_by_field: dict[object, PlainGame] = {}
    for plain_game in games:
        month = plain_game.game.months[0]
        is_dealt = month.field and not plain_game.game.is_sheet
        field = (month.month, *sorted(month.field or "")) if is_dealt else plain_game.text
        games_by_field.setdefault(field, plain_game)
    return list(games_by_field.values())


def with_all_seats(games: Iterable[PlainGame]) -> Games:
    """Return the games with all their seats."""
    return [(plain_game, range(1, len(plain_game.game.players) + 1)) for plain_game in games]


def games_of_player(games: Games, player: str, seat: int = 0) -> Games:
    """Return the games of a player with the player's seats."""
    seats_by_game = ((plain_game, plain_game.seats(player)) for plain_game, _ in games)
    return [
        (plain_game, [number for number in seats if number == (seat or number)])
        for plain_game, seats in seats_by_game
        if (seat in seats if seat else seats)
    ]


def newest_games(games: Games) -> Games:
    """Return the last games, including all games of the first day."""
    dated = sorted((pair for pair in games if pair[0].date), key=lambda pair: pair[0].day)
    count = LAST
    while count < len(dated) and dated[-count - 1][0].day == dated[-count][0].day:
        count += 1
    return dated[-count:]


@dataclass
class Query:
    """Filters as a query, and the games that match.

    ``games`` has the selected seats of each game, ``everybody`` the games without filters by
    player. ``parameters`` are values for figures of players.
    """

    filters: dict[str, str]
    games: Games
    everybody: Games
    parameters: dict[str, Any] = field(default_factory=dict)


def queries(rules: str, all_games: Games) -> Iterator[Query]:
    """Yield each filter, and some together."""
    player, opponent = PEOPLE[0], PEOPLE[1]
    last = newest_games(all_games)
    early = [pair for pair in all_games if 0 < pair[0].month <= 202606]
    mid = [
        pair for pair in all_games if 202503 <= pair[0].month <= 202512 or pair[0].month == 202500
    ]
    filtered: dict[str, tuple[str, Games]] = {
        "profile": (rules, [pair for pair in all_games if pair[0].profile == rules]),
        "event": ("SPRING", [pair for pair in all_games if pair[0].event == EVENTS[0]]),
        "seat": ("2", [(plain_game, [2]) for plain_game, _ in all_games]),
        "last": (str(len(last)), last),
        "games_min": ("14", all_games),
    }
    yield Query({}, all_games, all_games)
    for name, (value, games) in filtered.items():
        if games:
            yield Query({name: value}, games, games, {name: value})
    yield Query({"from": "2025-03", "to": "2025"}, mid, mid, {"from": "2025-03"})
    yield Query(
        {"player": player}, games_of_player(all_games, player), all_games, {"player": player}
    )
    yield Query({"player": player, "seat": "1"}, games_of_player(all_games, player, 1), all_games)
    months = {"first": 202503, "last": 202512, "player": player}
    filters = {"player": player, "from": "2025-03", "to": "2025-12"}
    yield Query(filters, games_of_player(mid, player), mid, months)
    both = {"player": player, "opponent": opponent}
    met = [pair for pair in games_of_player(all_games, player) if pair[0].seats(opponent)]
    yield Query(both, met, all_games, both)
    filters = {**both, "to": "2026-06"}
    yield Query(
        filters, [pair for pair in met if pair in games_of_player(early, player)], early, both
    )


#: Parameters of single figures, as the query and as values.
OWN: Final[Mapping[str, Sequence[tuple[dict[str, str], dict[str, Any]]]]] = {
    "scores": [({}, {}), ({"of": "game"}, {"of": "game"})],
    "decisions": [
        ({}, {}),
        ({"by": "none"}, {"by": "none"}),
        ({"by": "left,opp", "n_min": "2"}, {"by": "left,opp", "n_min": 2}),
        ({"by": "opp", "yaku": "akatan", "left": "4"}, {"by": "opp", "yaku": "akatan", "left": 4}),
        ({"by": "yaku,left", "opp": "9"}, {"by": "yaku,left", "opp": 9}),
    ],
    "openings": [
        ({}, {}),
        ({"of": "card"}, {"of": "card"}),
        (
            {"of": "card", "field": "AEIM", "n_min": "3"},
            {"of": "card", "field": "AEIM", "n_min": 3},
        ),
        ({"field": "ABEIJKQr"}, {"field": "ABEIJKQr"}),
    ],
}


#: Figures with required filters, empty otherwise; figures that need ratings of all games.
OF_PLAYERS: Final = {
    "compare": ("player",),
    "versus": ("player", "opponent"),
    "rating": ("player",),
    "form": ("player",),
    "calendar": ("player",),
    "strengths": ("player",),
}
#: Computed again in tests/records/insights.
ELSEWHERE: Final = {"insights"}
RATED: Final = ("versus", "rating")
RATINGS: Final = (*RATED, "ratings", "strengths")


def test_each_figure_has_a_second_computation() -> None:
    assert set(naive.FIGURES) | ELSEWHERE == set(FIGURES)


@pytest.mark.django_db
@pytest.mark.parametrize("rules", list(RULES) if LONG else ["hachihachi"])
def test_every_response_equals_the_second_computation(rules: str) -> None:
    games = drop_copies(legal([*load_cases(rules), *simulate_games(rules, GAMES // len(RULES))]))
    names = list(RULES)
    strangers = list(simulate_texts(names[names.index(rules) - 1], 1))
    stored = ingest("\n".join([*(plain_game.text for plain_game in games), *strangers]).encode())
    assert stored.progress()["games"]["total"] == len(games) + len(strangers)
    do_idle_jobs("ratings")
    for number, record in enumerate(Record.objects.filter(ruleset=rules).order_by("pk")):
        if number % 3 and not record.sheet:
            analysed(record, len(record.players), Random(f"losses {rules} {number}"))
    do_idle_jobs("facts")
    all_games = with_all_seats(games)
    queries_ = list(queries(rules, all_games))
    for place, (id, figure) in enumerate(FIGURES.items()):
        if id in ELSEWHERE or rules not in figure.rulesets:
            continue
        first, count = list(figure.rulesets).index(rules), len(figure.rulesets)
        for number, query in enumerate(queries_):
            step = count if LONG else 2 * count
            is_chosen = MANY or (first + place + number) % step == 0
            if is_chosen and set(query.filters) <= set(figure.filters):
                ask(id, rules, query, all_games)


def ask(id: str, rules: str, query: Query, all_games: Games) -> None:
    """Check a figure with these filters and each of its parameters."""
    selected = Selected(rules, query.games, query.parameters, Selected(rules, query.everybody))
    if id in OF_PLAYERS and not set(OF_PLAYERS[id]) <= set(query.filters):
        selected.games = []  # No player is selected.
    if id in RATED:
        selected.everybody = Selected(rules, all_games)
    if id == "rating" and "player" in query.filters:
        selected.games = games_of_player(all_games, query.filters["player"])
    if id == "losses":  # only analysed games
        selected.games = [pair for pair in selected.games if report_of(pair[0])]
    for parameters, values in OWN.get(id, [({}, {})]):
        selected.parameters = {
            **query.parameters,
            **values,
            "whole": not {"player", "seat"} & set(query.filters),
        }
        check(id, {"ruleset": rules, **query.filters, **parameters}, selected)


def check(id: str, query: dict[str, str], selected: Selected) -> None:
    """Check that a response equals the naive computation, in every row and number."""
    response = CLIENT.get(f"/api/v1/statistics/{id}", query)
    assert response.status_code == 200, (query, response.content)
    body = response.json()
    assert body["total"] == len(body["rows"])
    deals = sum(len(plain_game.deals) for plain_game, _ in selected.games)
    assert (body["games"], body["deals_played"]) == (len(selected.games), deals), query
    compute, keys = naive.FIGURES[id]
    expected = {key_of_row(row, keys): row for row in compute(selected)}
    actual = {key_of_row(row, keys): row for row in body["rows"]}
    for key, row in actual.items():
        if key not in expected:  # a yaku without a completion
            assert id == "yaku" and not (row["times"] or row["void"]), (query, row)
            continue
        for name, value in expected.pop(key).items():
            assert are_equal(id, row[name], value), (query, name, row, value)
    assert not expected, query


def are_equal(id: str, actual: Any, value: Any) -> bool:
    """Return whether two values are equal, floating-point numbers within their precision."""
    if not isinstance(value, float) or actual is None:
        return bool(actual == value)
    return isclose(actual, value, **(ITERATED if id in RATINGS else EXACT))


def key_of_row(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[Any, ...]:
    """Return the values that distinguish a row."""
    return tuple(row.get(name) for name in keys)
