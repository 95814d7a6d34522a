"""Every answer of the statistics against a second, naive computation, to the unit.

The games are those of ../shared/conformance with the verdicts expected of them, our own cases, and
simulated ones, STATISTICS_GAMES of all rulesets together: 50, in `make test-statistics` 5,000. In
small every third question is asked.
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
from kafu.simulation.simulate import simulate
from lengths import part
from records.models import Record
from records.statistics.registry import FIGURES
from tests import conformance
from tests.records.makers import do_idle, ingest
from tests.records.statistics.naive import figures as naive
from tests.records.statistics.naive.asked import Asked
from tests.records.statistics.naive.games import Seen, legal
from tests.records.statistics.naive.losses import analysed, report_of

pytestmark = pytest.mark.long

MANY: Final = "STATISTICS_GAMES" in os.environ
GAMES: Final = int(os.environ.get("STATISTICS_GAMES", "25"))
CASES: Final = (conformance.OWN, conformance.SHARED)
PEOPLE: Final = ("Aoi", "Botan", "Chidori", "Fuji", "Hagi", "Kiku", "Matsu", "Susuki")
EVENTS: Final = ("Spring Cup", "Autumn Cup", "")
LAST: Final = 20
#: How far floating-point numbers may be apart; volatilities are found by iteration.
EXACT: Final = {"rel_tol": 1e-9, "abs_tol": 1e-12}
ITERATED: Final = {"rel_tol": 1e-5, "abs_tol": 1e-3}

Games = Sequence[tuple[Seen, Sequence[int]]]


def written(rules: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Texts with the verdicts expected of them."""
    for root in CASES:
        paths = sorted((root / rules).glob("*.json"))
        for path in paths if MANY else part(paths):
            text = path.with_suffix(".kafu")
            if text.exists():
                yield text.read_text(encoding="utf-8"), json.loads(path.read_text(encoding="utf-8"))


def simulated(rules: str, count: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Games at all tables: by few people, on days of two years, or without a date."""
    for number in range(count):
        chance = Random(f"second {rules} {number}")
        seats = chance.choice(RULES[rules].seats)
        skill = chance.choice(("sensible", "sensible", "random"))
        game = simulate(rules, seed=number, players=seats, player=skill)
        game.players = tuple(chance.sample(PEOPLE, seats))
        if chance.random() < 0.9:
            day = date(2025, 1, 1) + timedelta(days=number * 700 // count)
            is_vague = chance.random() < 0.1
            game.tags["Date"] = f"{day.year}-??-??" if is_vague else day.isoformat()
        if event := chance.choice(EVENTS):
            game.tags["Event"] = event
        if chance.random() < 0.5:
            game.tags["Time"] = f"{chance.randrange(24):02}:{chance.randrange(60):02}"
        text = write(game)
        yield text, verify(read(text)).verdict.to_json()


def every_seat(games: Iterable[Seen]) -> Games:
    """The games with all their seats."""
    return [(seen, range(1, len(seen.game.players) + 1)) for seen in games]


def his(games: Games, player: str, seat: int = 0) -> Games:
    """The games that a player sat at, with his seats."""
    mine = ((seen, seen.seats(player)) for seen, _ in games)
    return [
        (seen, [one for one in seats if one == (seat or one)])
        for seen, seats in mine
        if (seat in seats if seat else seats)
    ]


def newest(games: Games) -> Games:
    """The last games, as many as make the day of the first of them whole."""
    dated = sorted((one for one in games if one[0].date), key=lambda one: one[0].day)
    count = LAST
    while count < len(dated) and dated[-count - 1][0].day == dated[-count][0].day:
        count += 1
    return dated[-count:]


@dataclass
class Query:
    """Filters, as the query and as what they mean: ``games`` with the seats asked about,
    ``everybody`` the games without a player's being asked about. ``own`` are values for figures of
    players.
    """

    filters: dict[str, str]
    games: Games
    everybody: Games
    own: dict[str, Any] = field(default_factory=dict)


def queries(rules: str, all_: Games) -> Iterator[Query]:
    """Every filter, and some together."""
    one, other = PEOPLE[0], PEOPLE[1]
    last = newest(all_)
    early = [pair for pair in all_ if 0 < pair[0].month <= 202606]
    mid = [pair for pair in all_ if 202503 <= pair[0].month <= 202512 or pair[0].month == 202500]
    some: dict[str, tuple[str, Games]] = {
        "profile": (rules, [pair for pair in all_ if pair[0].profile == rules]),
        "event": ("SPRING", [pair for pair in all_ if pair[0].event == EVENTS[0]]),
        "seat": ("2", [(seen, [2]) for seen, _ in all_]),
        "last": (str(len(last)), last),
        "games_min": ("14", all_),
    }
    yield Query({}, all_, all_)
    for name, (value, found) in some.items():
        if found:
            yield Query({name: value}, found, found, {name: value})
    yield Query({"from": "2025-03", "to": "2025"}, mid, mid, {"from": "2025-03"})
    yield Query({"player": one}, his(all_, one), all_, {"player": one})
    yield Query({"player": one, "seat": "1"}, his(all_, one, 1), all_)
    months = {"first": 202503, "last": 202512, "player": one}
    filters = {"player": one, "from": "2025-03", "to": "2025-12"}
    yield Query(filters, his(mid, one), mid, months)
    both = {"player": one, "opponent": other}
    met = [pair for pair in his(all_, one) if pair[0].seats(other)]
    yield Query(both, met, all_, both)
    filters = {**both, "to": "2026-06"}
    yield Query(filters, [pair for pair in met if pair in his(early, one)], early, both)


#: Parameters that a figure alone has, as the query and as values.
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


#: Figures that say nothing unless these are asked about; those that need ratings of all games.
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
@pytest.mark.parametrize("rules", list(RULES))
def test_every_answer(rules: str) -> None:
    games = legal([*written(rules), *simulated(rules, GAMES // len(RULES))])
    others = (one for one in RULES if one != rules)
    strangers = [text for other in others for text, _ in simulated(other, 1)]
    stored = ingest("\n".join([*(seen.text for seen in games), *strangers]).encode())
    assert stored.progress()["games"]["total"] == len(games) + len(strangers)
    do_idle()
    for number, record in enumerate(Record.objects.filter(ruleset=rules).order_by("pk")):
        if number % 3 and not record.sheet:
            analysed(record, len(record.players), Random(f"losses {rules} {number}"))
    all_ = every_seat(games)
    asking = list(queries(rules, all_))
    first = list(RULES).index(rules)
    for place, (id, figure) in enumerate(FIGURES.items()):
        for number, query in enumerate(asking if rules in figure.rulesets else ()):
            # In small, every third question of a figure, and of the next ruleset others.
            chosen = MANY or (first + place + number) % 3 == 0
            if id not in ELSEWHERE and chosen and set(query.filters) <= set(figure.filters):
                ask(id, rules, query, all_)


def ask(id: str, rules: str, query: Query, all_: Games) -> None:
    """A figure with these filters and each of its own parameters."""
    asked = Asked(rules, query.games, query.own, Asked(rules, query.everybody))
    if id in OF_PLAYERS and not set(OF_PLAYERS[id]) <= set(query.filters):
        asked.games = []  # nobody is asked about
    if id in RATED:
        asked.everybody = Asked(rules, all_)
    if id == "rating" and "player" in query.filters:
        asked.games = his(all_, query.filters["player"])
    if id == "losses":  # of games that are analysed
        asked.games = [one for one in asked.games if report_of(one[0])]
    for parameters, own in OWN.get(id, [({}, {})]):
        asked.own = {**query.own, **own, "whole": not {"player", "seat"} & set(query.filters)}
        check(id, {"ruleset": rules, **query.filters, **parameters}, asked)


def check(id: str, query: dict[str, str], asked: Asked) -> None:
    """The answer is that of the naive computation, in every row and number."""
    response = Client().get(f"/api/v1/statistics/{id}", query)
    assert response.status_code == 200, (query, response.content)
    body = response.json()
    assert body["total"] == len(body["rows"])
    deals = sum(len(seen.deals) for seen, _ in asked.games)
    assert (body["games"], body["deals_played"]) == (len(asked.games), deals), query
    compute, keys = naive.FIGURES[id]
    expected = {row_key(row, keys): row for row in compute(asked)}
    found = {row_key(row, keys): row for row in body["rows"]}
    for key, row in found.items():
        if key not in expected:  # a yaku that nobody made
            assert id == "yaku" and not (row["times"] or row["void"]), (query, row)
            continue
        for name, value in expected.pop(key).items():
            assert same(id, row[name], value), (query, name, row, value)
    assert not expected, query


def same(id: str, found: Any, value: Any) -> bool:
    """Whether they are equal; floating-point numbers as far as they can be."""
    if not isinstance(value, float) or found is None:
        return bool(found == value)
    return isclose(found, value, **(ITERATED if id in RATINGS else EXACT))


def row_key(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[Any, ...]:
    """What tells a row from others."""
    return tuple(row.get(name) for name in keys)
