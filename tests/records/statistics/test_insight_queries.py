"""Random queries of insights compared with a second, naive computation, to the unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from tests.records.idle import do_idle_jobs
from tests.records.makers import ingest
from tests.records.statistics.naive import insights as naive
from tests.records.statistics.naive.games import legal
from tests.records.statistics.naive.losses import analysed

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GAMES: Final = 120 if LONG else 5
QUERIES: Final = 200 if LONG else 5
PEOPLE: Final = ("Aoi", "Botan", "Chidori", "Fuji", "Hagi", "Kiku", "Matsu", "Susuki")
EVENTS: Final = ("Spring Cup", "Spring Cup", "Autumn Cup", "")


def simulate_games() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield games of all rulesets and some houses, short if possible, with their verdicts."""
    for number in range(GAMES):
        chance = Random(f"insights {number}")
        rules = list(RULES)[number % len(RULES)]
        options = {"months": "6"} if "months" in RULESETS[rules].options else {}
        if rules == "koikoi" and chance.random() < 0.4:
            options = {"profile": "koikoi-ai", "months": "6"}
        seats = chance.choice(RULES[rules].seats)
        game = simulate(rules, seed=number, players=seats, options=options)
        game.players = tuple(chance.sample(PEOPLE, seats))
        if chance.random() < 0.9:
            day = date(2025, 1, 1) + timedelta(days=number * 600 // GAMES)
            game.tags["Date"] = f"{day.year}-??-??" if chance.random() < 0.1 else day.isoformat()
        if chance.random() < 0.7:
            game.tags["Time"] = f"{chance.randrange(24):02}:30"
        if event := chance.choice(EVENTS):
            game.tags["Event"] = event
        text = write(game)
        yield text, verify(read(text)).verdict.to_json()


def draw_query(chance: Random) -> dict[str, str]:
    """Return a random query."""
    rules = chance.choice(list(RULES))
    metric = chance.choice(naive.metrics(rules))
    dimensions = naive.possible(metric, rules)
    by = chance.sample(dimensions, chance.choice((0, 1, 2, 2, 2)))
    is_shared = metric in ("score", "win_rate", *naive.ZERO_SUM)
    is_of_tables = is_shared and set(by) <= set(naive.OF_TABLES)
    if is_of_tables and (rules != "koikoi" or metric in naive.ZERO_SUM):
        by = ["place"]  # Otherwise the rules alone decide the value, which is refused.
    query = {"ruleset": rules, "metric": metric, **dict(zip(("by", "by2"), by, strict=False))}
    if "option" in by:
        query["rule"] = chance.choice([id for id in RULESETS[rules].options if id != "profile"])
    if metric == "yaku_rate" and chance.random() < 0.5:
        query["yaku"] = chance.choice(RULESETS[rules].yaku)
    filters = {
        "profile": chance.choice(RULESETS[rules].profiles),
        "event": chance.choice(("SPRING", "autumn cup")),
        "player": PEOPLE[0],
        "seat": chance.choice(("1", "2")),
        "from": chance.choice(("2025", "2025-04", "2026-02")),
        "to": chance.choice(("2026", "2026-03", "2026-12")),
    }
    chosen = chance.sample(list(filters), chance.choice((0, 0, 1, 1, 2, 3)))
    query |= {name: filters[name] for name in chosen}
    if is_of_tables and query.get("profile") == "koikoi-ai":
        del query["profile"]
    if "profile" in query:  # which may not play the yaku
        query.pop("yaku", None)
    if "player" in query and chance.random() < 0.3:
        query["opponent"] = PEOPLE[1]
    return query


def fetch_rows(
    query: Mapping[str, str],
) -> tuple[dict[str, Any], dict[tuple[str, ...], dict[str, Any]]]:
    """Return the answer, and all its rows by their ids."""
    rows: dict[tuple[str, ...], dict[str, Any]] = {}
    size = {"page_size": "7"} if len(query) % 2 else {}
    address: str | None = "/api/v1/statistics/insights"
    body: dict[str, Any] = {}
    params: Mapping[str, str] = {**query, **size}
    while address:
        response = Client().get(address, params)
        assert response.status_code == 200, (query, response.content)
        body = response.json()
        for row in body["rows"]:
            rows[tuple(row[name] for name in ("by", "by2") if name in row)] = row
        address, params = body["next"], {}
    return body, rows


def check(query: Mapping[str, str], expected: tuple[int, dict[tuple[str, ...], Any]]) -> None:
    """Check that a response equals the naive computation, in every row and number."""
    n, of_rows = expected
    body, rows = fetch_rows(query)
    assert body["n"] == n, query
    if not n and "by" not in query:
        assert not rows, query
        return
    assert set(rows) == set(of_rows), query
    for key, row in of_rows.items():
        for name, value in row.items():
            is_equal = rows[key][name] == value or (
                isinstance(value, float)
                and isclose(rows[key][name], value, rel_tol=1e-9, abs_tol=1e-12)
            )
            assert is_equal, (query, key, name, rows[key][name], value)


def test_random_queries_equal_the_naive_computation() -> None:
    games = legal(simulate_games())
    ingest("\n".join(plain_game.text for plain_game in games).encode())
    chance = Random("analysed")
    for record in Record.objects.order_by("pk"):
        if chance.random() < 0.5:
            analysed(record, record.seats.count(), chance)
    do_idle_jobs("ratings", "facts")
    everything = naive.facts(games)
    ratings = naive.Ratings()
    expected = []
    queries = [draw_query(Random(f"question {number}")) for number in range(QUERIES)]
    both_spread = {"by": "yaku", "by2": "opponent"}
    queries += [{"ruleset": rules, "metric": "score", **both_spread} for rules in part([*RULES])]
    for rules in part([*RULES]):
        queries.append({"ruleset": rules, "metric": "luck", "by": "place"})
        queries.append({"ruleset": rules, "metric": "loss", "by": "direction", "by2": "kind"})
        queries.append({"ruleset": rules, "metric": "game_rate", "by": "standing", "by2": "month"})
        queries.append({"ruleset": rules, "metric": "yaku_turn", "by": "completed"})
        queries.append({"ruleset": rules, "metric": "win_with_yaku", "by": "turn"})
        for by, by2 in (("seat", "payer"), ("place", "payer_place"), ("player", "opponent")):
            queries.append({"ruleset": rules, "metric": "balance", "by": by, "by2": by2})
    for rules, rule in (("koikoi", "months"), ("ten-five-one", "months")):
        by_option = {"by": "option", "by2": "dealer", "rule": rule}
        queries.append({"ruleset": rules, "metric": "win_rate", **by_option})
    for query in queries:
        facts = naive.matching(everything, query)
        expected.append((query, naive.answer(facts, query, ratings)))
    for query, answer in expected:
        check(query, answer)
