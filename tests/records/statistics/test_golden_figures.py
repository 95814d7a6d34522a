"""Responses of figures over a seeded archive, compared with stored responses.

After an intended change write the responses again into `var`, and copy the file here:

    LONG=1 .venv/bin/pytest tests/records/statistics/test_golden_figures.py -k written
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from kafu.notation.vocabulary import RULES
from kafu.rules.rulesets import RULESETS
from records.models import Player, Record, Visibility
from records.statistics.registry import FIGURES
from tests.people.world import sent
from tests.records.idle import do_idle_jobs
from tests.records.statistics.naive.losses import analysed
from tests.records.statistics.test_second_computation import PEOPLE, simulate_texts

pytestmark = [pytest.mark.django_db, pytest.mark.long_only]

STORED: Final = Path(__file__).with_name("golden_figures.json")
COMPARED: Final = ("versus", "compare", "seats", "form", "calendar")
#: Number of games of each ruleset, and of hidden games among them.
GAMES: Final = 7
HIDDEN: Final = 1
#: The ruleset of queries with filters, and a house of koi-koi.
RULESET, HOUSE = "hachihachi-bga", "koikoi-ai"
PLAYER, OPPONENT, OPTED_OUT = PEOPLE[0], PEOPLE[1], PEOPLE[7]
BOTH: Final = {"player": PLAYER, "opponent": OPPONENT}
#: Queries of insights about luck, standings, turns of yaku, payers and house options.
INSIGHTS: Final = (
    "metric=luck&by=place",
    "metric=loss&by=direction",
    "metric=game_rate&by=standing",
    "metric=yaku_turn&by=completed",
    "metric=win_with_yaku&by=turn",
    "metric=balance&by=place&by2=payer_place",
    "metric=win_rate&by=option&by2=place&rule=months",
)
#: Members of a response that are compared; texts of columns are in the OpenAPI document.
MEMBERS: Final = ("filters", "games", "deals_played", "n", "total", "rows", "notes", "next")


def queries() -> Iterator[str]:
    """Yield the addresses of figures below the statistics."""
    spans = ({"from": "2025-03", "to": "2025"}, {"from": "1900", "to": "1901"})
    filters: tuple[dict[str, str], ...] = (
        *({}, {"player": "Nobody"}, {"player": OPTED_OUT}, {"player": OPPONENT}),
        *({"seat": "2"}, {"event": "spring"}, {"last": "5"}, {"profile": HOUSE}, *spans),
        *({"player": PLAYER, "seat": "1"}, {"player": PLAYER, "event": "nowhere"}),
        *({"player": PLAYER, **span} for span in spans),
        *(BOTH, {**BOTH, "event": "SPRING"}, {**BOTH, "last": "2"}, {**BOTH, "by": "month"}),
        *({**BOTH, "from": "2025-03"}, {"player": PLAYER, "option": "months=12"}),
    )
    for id, figure in ((id, FIGURES[id]) for id in COMPARED):
        of_rulesets = [(ruleset, {"player": PLAYER}) for ruleset in RULES]
        both = [("", query) for query in (BOTH, {**BOTH, "by": "month"}) if figure.any_ruleset]
        for ruleset, query in (*of_rulesets, *both, *((RULESET, query) for query in filters)):
            if {*query} <= {*figure.filters, *(parameter.name for parameter in figure.own)}:
                ruleset = "koikoi" if HOUSE in query.values() else ruleset
                yield f"{id}?{urlencode({'ruleset': ruleset, **query} if ruleset else query)}"
    for ruleset in RULES:
        for parameters in INSIGHTS:
            if "rule=" not in parameters or "months" in RULESETS[ruleset].options:
                yield f"insights?ruleset={ruleset}&{parameters}"


@pytest.fixture(scope="module")
def archive_for_all(rows_for_all: None) -> None:
    owner = get_user_model().objects.create_user("owner")
    for rules in RULES:
        texts = [*simulate_texts(rules, GAMES)]
        sent("\n".join(texts[HIDDEN:]))
        sent("\n".join(texts[:HIDDEN]), owner=owner, visibility=Visibility.PRIVATE)
    for record in Record.objects.order_by("pk"):
        analysed(record, len(record.players), Random(record.identity))
    Player.objects.filter(name=OPTED_OUT).update(statistics=False)
    do_idle_jobs("ratings")
    do_idle_jobs("facts")


@pytest.fixture
def archive(archive_for_all: None, db: None) -> None:
    """Store games of every ruleset, some of them hidden, and a player who opted out."""


def respond(query: str) -> dict[str, Any]:
    """Return the status of a response and its compared members."""
    response = Client().get(f"/api/v1/statistics/{query}")
    body = response.json()
    if response.status_code != 200:
        return {"status": response.status_code, "detail": body["detail"]}
    return {name: body[name] for name in MEMBERS}


def test_responses_equal_the_stored_ones(archive: None) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    responses = {query: respond(query) for query in queries()}
    assert responses.keys() == stored.keys()
    for query, response in responses.items():
        assert round_numbers(response) == round_numbers(stored[query]), query


def round_numbers(value: Any) -> Any:
    """Return a value with its floating-point numbers rounded to ten digits."""
    if isinstance(value, dict):
        return {name: round_numbers(part) for name, part in value.items()}
    if isinstance(value, list):
        return [round_numbers(part) for part in value]
    return float(f"{value:.10g}") if isinstance(value, float) else value


@pytest.mark.long_only
def test_responses_are_written(archive: None) -> None:
    lines = (
        f"{json.dumps(query)}: {json.dumps(round_numbers(respond(query)), ensure_ascii=False)}"
        for query in queries()
    )
    directory = settings.BASE_DIR / "var"
    directory.mkdir(exist_ok=True)
    (directory / STORED.name).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
