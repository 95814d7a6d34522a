"""GET statistics and statistics/{figure}: formats, filters, faults."""

from __future__ import annotations

import csv
import io
import json
import re
from codecs import BOM_UTF8
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from lengths import part
from records.models import Player, Record
from records.statistics.definition import Figure
from records.statistics.registry import FIGURES
from tests.api.contract import Api, problem
from tests.records.makers import ingest
from tests.records.statistics.memory_facts import verify_cases

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def games_for_all(rows_for_all: None) -> None:
    for rules in ("koikoi", "hachihachi"):
        ingest("\n".join(game.text for game in verify_cases(rules, one_of=3)).encode())


@pytest.fixture
def games(games_for_all: None, db: None) -> None:
    """Store the koi-koi and hachihachi games that are counted."""


def required_query(id: str) -> dict[str, str]:
    """Return the parameters without which a figure is refused."""
    figure = FIGURES[id]
    return {} if figure.any_ruleset else {"ruleset": figure.rulesets[0]}


def test_every_figure_is_listed_in_both_languages(api: Api) -> None:
    listed = api.get("statistics").json()["statistics"]
    assert [figure["id"] for figure in listed] == list(FIGURES)
    for figure in listed:
        assert figure["title"] and figure["definition"] and figure["formula"]
        assert ("Glicko-2" in figure["basis"]) == (figure["id"] in ("ratings", "rating"))
        assert len(figure["definition"]) < 300
        assert figure["href"].endswith(f"/api/v1/statistics/{figure['id']}")
    japanese = api.get("statistics", {"lang": "ja"}).json()["statistics"]
    assert [figure["id"] for figure in japanese] == list(FIGURES)
    texts = [figure[name] for figure in japanese for name in ("title", "definition", "formula")]
    texts += [part["meaning"] for figure in japanese for part in figure["parameters"]]
    assert [text for text in texts if not re.search("[ぁ-んァ-ヶ一-龠]", text)] == []


def test_figure_is_computed_once_and_served_in_every_format(
    api: Api, games: None, computed: list[str]
) -> None:
    ids = part([*FIGURES], one_of=9)
    for id in ids:
        query = {**required_query(id), "lang": "ja"}
        response = get_twice(api, f"statistics/{id}", query, computed)
        # JSON has no NaN and no infinity.
        json.loads(response.content, parse_constant=lambda word: pytest.fail(word))
        body = response.json()
        assert (body["id"], body["total"]) == (id, len(body["rows"]))
        check_csv(get_twice(api, f"statistics/{id}.csv", query, computed), id, query, body)
    assert set(computed) == set(ids)


def get_twice(api: Api, path: str, query: dict[str, str], computed: list[str]) -> Any:
    """Query a figure, and check that the second response is the same and from the cache."""
    first = api.get(path, query)
    count = len(computed)
    second = api.get(path, query)
    assert len(computed) == count
    assert second.content == first.content
    for name in ("Content-Type", "Content-Disposition", "ETag", "Cache-Control", "Vary"):
        assert second.get(name) == first.get(name)
    return first


def check_csv(response: Any, id: str, query: dict[str, str], body: dict[str, Any]) -> None:
    """Check that CSV has the same rows, under the ids of the columns."""
    ids = [column["id"] for column in body["columns"]]
    assert all(sorted(row) == sorted(ids) for row in body["rows"])
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    name = "-".join((*([query["ruleset"]] if "ruleset" in query else []), id))
    assert response["Content-Disposition"] == f'attachment; filename="{name}.csv"'
    assert response.content.startswith(BOM_UTF8)
    head, *lines = csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline=""))
    assert head == ids
    assert len(lines) == len(body["rows"])
    assert response.content.count(b"\r\n") == len(lines) + 1


def test_unknown_format_is_refused(api: Api) -> None:
    for media in ("image/png", "application/vnd.vegalite.v6+json"):
        response = api.get("statistics/ends", {"ruleset": "koikoi"}, Accept=media)
        problem(response, "not-acceptable", 406)
    for form in ("xml", "vega-lite"):
        body = problem(api.get("statistics/ends", {"format": form}), "invalid-parameter", 400)
        assert "json, csv" in body["detail"]


def test_counts_equal_those_of_the_judged_games(api: Api, games: None) -> None:
    body = api.get("statistics/ends", {"ruleset": "koikoi"}).json()
    copies = set(Record.objects.exclude(copy_of=None).values_list("identity", flat=True))
    verdicts = [
        game.verdict
        for game in verify_cases("koikoi", one_of=3)
        if game.verdict.status in ("verified", "consistent", "mismatch", "unfinished")
        and game.verdict.identity not in copies
    ]
    assert body["games"] == sum(bool(verdict.deals) for verdict in verdicts) > 0
    assert body["n"] == body["deals_played"] == sum(len(verdict.deals) for verdict in verdicts)
    assert body["as_of"].endswith("Z")
    assert body["filters"] == {"ruleset": "koikoi"}
    ends = {row["end"]: row["count"] for row in body["rows"]}
    for end, count in ends.items():
        assert count == sum(deal.end == end for verdict in verdicts for deal in verdict.deals)
    assert sum(ends.values()) == body["n"]


def test_figures_without_games_are_empty(api: Api, games: None) -> None:
    for id in part([*FIGURES]):
        if "from" not in FIGURES[id].filters:
            continue
        body = api.get(
            f"statistics/{id}", {**required_query(id), "from": "1900", "to": "1901"}
        ).json()
        assert (body["games"], body["n"], body["as_of"]) == (0, 0, None)
    api.get("statistics/ends", {"ruleset": "koikoi", "event": "none such"})


def test_cached_response_is_served_without_reading_sums(api: Api, games: None) -> None:
    query = {"ruleset": "koikoi", "player": Player.objects.filter(games__gt=0)[0].name}
    tag = api.get("statistics/compare", query)["ETag"]
    for headers in ({"If-None-Match": tag}, {}):
        with CaptureQueriesContext(connection) as queries:
            api.get("statistics/compare", query, **headers)
        assert queries and not [query for query in queries if '"sums"' in query["sql"]]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the computed figures."""
    ids: list[str] = []
    answer = Figure.answer

    def note(self: Figure, *arguments: Any) -> Any:
        ids.append(self.id)
        return answer(self, *arguments)

    monkeypatch.setattr(Figure, "answer", note)
    return ids


def test_host_of_a_request_is_not_in_the_cached_response(
    api: Api, games: None, computed: list[str]
) -> None:
    """The response does not have it either, because a request may name any port."""
    path = "/api/v1/statistics/players?ruleset=koikoi&games_min=1&page_size=1"
    for port in (80, 8000, 8001):
        response = Client().get(path, headers={"host": f"testserver:{port}"})
        assert response.json()["next"].startswith("http://testserver/")
        assert response["Link"].startswith("<http://testserver/")
    assert computed == ["players"]


@pytest.mark.parametrize(
    ("path", "query", "detail"),
    [
        ("ends", {}, "ruleset: expected one of hachihachi, koikoi"),
        ("ends", {"ruleset": "koikoi", "dealer": "1"}, "unknown parameter; expected lang"),
        ("ends", {"ruleset": "koikoi", "from": "2026-01-31"}, "games are counted by month"),
        ("ends", {"ruleset": "koikoi", "from": "2026", "to": "2025"}, "2026 is after 2025"),
        ("grades", {"ruleset": "koikoi"}, "expected hachihachi, hachihachi-bga"),
        ("decisions", {"ruleset": "koikoi", "by": "x", "left": "9"}, "by: unknown value “x”"),
    ],
)
def test_invalid_query_is_refused(api: Api, path: str, query: dict[str, str], detail: str) -> None:
    body = problem(api.get(f"statistics/{path}", query), "invalid-parameter", 400)
    assert detail in body["detail"]
    assert body["errors"]


def test_all_faults_of_a_query_are_reported(api: Api) -> None:
    query = {"ruleset": "koikoi", "by": "x", "left": "9", "seat": "0"}
    body = problem(api.get("statistics/decisions", query), "invalid-parameter", 400)
    assert {error["name"] for error in body["errors"]} == {"by", "left", "seat"}


def test_unknown_figure_is_not_found() -> None:
    problem(Client().get("/api/v1/statistics/nothing"), "not-found", 404)
