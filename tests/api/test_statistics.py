"""GET statistics and statistics/{figure}: forms, conditions, faults."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import pytest
import vl_convert
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from lengths import LONG
from records.models import Player
from records.serving import cache
from records.statistics.definition import Figure
from records.statistics.registry import FIGURES
from tests.api.contract import Api, problem
from tests.records.makers import ingest
from tests.records.statistics.asked import verified

pytestmark = pytest.mark.django_db

VEGA = "application/vnd.vegalite.v6+json"


@pytest.fixture(scope="module")
def games_for_all(rows_for_all: None) -> None:
    for rules in ("koikoi", "hachihachi"):
        ingest("\n".join(one.text for one in verified(rules)).encode())


@pytest.fixture
def games(games_for_all: None, db: None) -> None:
    """Some games of ours that count."""


def asked(id: str) -> dict[str, str]:
    """What a figure must be asked with."""
    figure = FIGURES[id]
    return {} if figure.any_ruleset else {"ruleset": figure.rulesets[0]}


def test_what_can_be_queried(api: Api) -> None:
    listed = api.get("statistics").json()["statistics"]
    assert [one["id"] for one in listed] == list(FIGURES)
    for one in listed:
        assert one["title"] and one["definition"] and one["formula"]
        assert ("Glicko-2" in one["basis"]) == (one["id"] in ("ratings", "rating"))
        assert len(one["definition"]) < 300
        assert api.get(one["href"], asked(one["id"])).status_code == 200
    japanese = api.get("statistics", {"lang": "ja"}).json()["statistics"]
    assert [one["id"] for one in japanese] == list(FIGURES)
    texts = [one[name] for one in japanese for name in ("title", "definition", "formula")]
    texts += [own["meaning"] for one in japanese for own in one["parameters"]]
    assert [text for text in texts if not re.search("[ぁ-んァ-ヶ一-龠]", text)] == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_figure_in_every_form(api: Api, games: None, lang: str) -> None:
    for id in FIGURES:
        query = {**asked(id), "lang": lang}
        body = api.get(f"statistics/{id}", query).json()
        assert (body["id"], body["total"]) == (id, len(body["rows"]))
        check_csv(api, id, query, body)
        check_chart(api, id, query, body)


def check_csv(api: Api, id: str, query: dict[str, str], body: dict[str, Any]) -> None:
    """The same rows, under the ids of the columns."""
    ids = [column["id"] for column in body["columns"]]
    assert all(sorted(row) == sorted(ids) for row in body["rows"])
    response = api.get(f"statistics/{id}", {**query, "format": "csv"})
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    name = "-".join((*([query["ruleset"]] if "ruleset" in query else []), id))
    assert response["Content-Disposition"] == f'attachment; filename="{name}.csv"'
    head, *lines = csv.reader(io.StringIO(response.content.decode(), newline=""))
    assert head == ids
    assert len(lines) == len(body["rows"])
    assert response.content.count(b"\r\n") == len(lines) + 1


def check_chart(api: Api, id: str, query: dict[str, str], body: dict[str, Any]) -> None:
    """A chart that can be drawn. In English tests/records/statistics/test_figures.py draws them."""
    response = api.get(f"statistics/{id}", {**query, "format": "vega-lite"})
    assert response["Content-Type"].startswith(VEGA)
    spec = response.json()
    assert spec["$schema"].endswith("v6.json") and spec["title"]["text"] == body["title"]
    if LONG or query["lang"] == "ja":
        assert "<svg" in vl_convert.vegalite_to_svg(spec, vl_version="6.4")


def test_the_form_by_accept(api: Api) -> None:
    for media in ("application/json", "text/csv", VEGA):
        response = api.get("statistics/ends", {"ruleset": "koikoi"}, Accept=media)
        assert response["Content-Type"].partition(";")[0] == media
    refused = api.get("statistics/ends", {"ruleset": "koikoi"}, Accept="image/png")
    problem(refused, "not-acceptable", 406)
    body = problem(api.get("statistics/ends", {"format": "xml"}), "invalid-parameter", 400)
    assert "json, csv, vega-lite" in body["detail"]


def test_what_is_counted(api: Api, games: None) -> None:
    body = api.get("statistics/ends", {"ruleset": "koikoi"}).json()
    good = [
        one.verdict
        for one in verified("koikoi")
        if one.verdict.status in ("verified", "consistent", "mismatch", "unfinished")
    ]
    assert body["games"] == sum(bool(one.deals) for one in good) > 0
    assert body["n"] == body["deals_played"] == sum(len(one.deals) for one in good)
    assert body["as_of"].endswith("Z")
    assert body["filters"] == {"ruleset": "koikoi"}
    ends = {row["end"]: row["count"] for row in body["rows"]}
    for end, count in ends.items():
        assert count == sum(deal.end == end for one in good for deal in one.deals)
    assert sum(ends.values()) == body["n"]


def test_an_empty_result_is_an_answer(api: Api, games: None) -> None:
    for id in FIGURES:
        if "from" not in FIGURES[id].filters:
            continue
        body = api.get(f"statistics/{id}", {**asked(id), "from": "1900", "to": "1901"}).json()
        assert (body["games"], body["n"], body["as_of"]) == (0, 0, None)
    api.get("statistics/ends", {"ruleset": "koikoi", "event": "none such"})


def test_no_sums_are_read_for_who_has_the_answer(api: Api, games: None) -> None:
    query = {"ruleset": "koikoi", "player": Player.objects.filter(games__gt=0)[0].name}
    tag = api.get("statistics/compare", query)["ETag"]
    for more in ({"If-None-Match": tag}, {}):
        with CaptureQueriesContext(connection) as asked:
            api.get("statistics/compare", query, **more)
        assert asked and not [one for one in asked if '"sums"' in one["sql"]]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The figures that were computed."""
    found: list[str] = []
    answer = Figure.answer

    def noted(self: Figure, *arguments: Any) -> Any:
        found.append(self.id)
        return answer(self, *arguments)

    monkeypatch.setattr(Figure, "answer", noted)
    return found


@pytest.mark.parametrize("form", ["json", "csv", "vega-lite"])
def test_an_answer_is_computed_once(api: Api, games: None, form: str, computed: list[str]) -> None:
    for id in FIGURES:
        query = {**asked(id), "format": form}
        first, second = (api.get(f"statistics/{id}", query) for _ in range(2))
        assert second.content == first.content
        for name in ("Content-Type", "Content-Disposition", "ETag", "Cache-Control", "Vary"):
            assert second.get(name) == first.get(name)
    assert computed == list(FIGURES)


def test_the_host_of_a_request_is_no_part_of_what_is_kept(
    api: Api, games: None, computed: list[str]
) -> None:
    """Nor of what is answered: its port can be written by anybody."""
    path = "/api/v1/statistics/players?ruleset=koikoi&games_min=1&page_size=1"
    for port in (80, 8000, 8001):
        found = Client().get(path, headers={"host": f"testserver:{port}"})
        assert found.json()["next"].startswith("http://testserver/")
        assert found["Link"].startswith("<http://testserver/")
    assert computed == ["players"]


def test_a_long_answer_is_not_kept(
    api: Api, games: None, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_BYTES", 10)
    first, second = (api.get("statistics/ends", {"ruleset": "koikoi"}) for _ in range(2))
    assert first.content == second.content
    assert computed == ["ends", "ends"]


@pytest.mark.parametrize(
    ("path", "query", "said"),
    [
        ("ends", {}, "ruleset: expected one of hachihachi, koikoi"),
        ("ends", {"ruleset": "koikoi", "dealer": "1"}, "unknown parameter; expected lang"),
        ("ends", {"ruleset": "koikoi", "from": "2026-01-31"}, "games are counted by month"),
        ("ends", {"ruleset": "koikoi", "from": "2026", "to": "2025"}, "2026 is after 2025"),
        ("grades", {"ruleset": "koikoi"}, "expected hachihachi, hachihachi-bga"),
        ("decisions", {"ruleset": "koikoi", "by": "x", "left": "9"}, "by: unknown value “x”"),
    ],
)
def test_what_cannot_be_queried(api: Api, path: str, query: dict[str, str], said: str) -> None:
    body = problem(api.get(f"statistics/{path}", query), "invalid-parameter", 400)
    assert said in body["detail"]
    assert body["errors"]


def test_every_fault_is_reported(api: Api) -> None:
    query = {"ruleset": "koikoi", "by": "x", "left": "9", "seat": "0"}
    body = problem(api.get("statistics/decisions", query), "invalid-parameter", 400)
    assert {one["name"] for one in body["errors"]} == {"by", "left", "seat"}


def test_an_address_that_is_no_figure() -> None:
    problem(Client().get("/api/v1/statistics/nothing"), "not-found", 404)


def test_the_answer_is_json_without_nan(api: Api, games: None) -> None:
    for id in FIGURES:
        body = api.get(f"statistics/{id}", asked(id)).content.decode()
        json.loads(body, parse_constant=lambda word: pytest.fail(word))
