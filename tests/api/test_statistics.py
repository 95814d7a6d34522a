"""GET statistics and statistics/{figure}: forms, conditions, faults."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import vl_convert
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player, Visibility
from records.serving import cache
from records.statistics.figure import Figure
from records.statistics.registry import FIGURES
from tests.api.contract import Api, problem
from tests.people.world import sent, user
from tests.records.makers import ingest, text
from tests.statistics.asked import verified

pytestmark = pytest.mark.django_db

VEGA = "application/vnd.vegalite.v6+json"


@pytest.fixture
def games(db: None) -> None:
    """Some games of ours that count."""
    for rules in ("koikoi", "hachihachi"):
        for one in verified(rules):
            ingest(one.text.encode())


def asked(id: str) -> dict[str, str]:
    """What a figure must be asked with."""
    figure = FIGURES[id]
    return {} if figure.any_ruleset else {"ruleset": figure.rulesets[0]}


def test_what_can_be_asked(api: Api) -> None:
    listed = api.get("statistics").json()["statistics"]
    assert [one["id"] for one in listed] == list(FIGURES)
    for one in listed:
        assert one["title"] and one["definition"] and one["formula"]
        assert ("Glicko-2" in one["basis"]) == (one["id"] in ("ratings", "rating"))
        assert len(one["definition"]) < 300
        assert api.get(one["href"], asked(one["id"])).status_code == 200
    japanese = api.get("statistics", {"lang": "ja"}).json()["statistics"]
    assert [one["id"] for one in japanese] == list(FIGURES)


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
    """A chart that can be drawn."""
    response = api.get(f"statistics/{id}", {**query, "format": "vega-lite"})
    assert response["Content-Type"].startswith(VEGA)
    spec = response.json()
    assert spec["$schema"].endswith("v6.json") and spec["title"]["text"] == body["title"]
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
    assert body["n"] == body["deals"] == sum(len(one.deals) for one in good)
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


def test_answers_are_kept_until_what_is_counted_changes(api: Api) -> None:
    ingest(text(1).encode())
    query = {"ruleset": "koikoi"}
    first = api.get("statistics/ends", query)
    tag = first["ETag"]
    assert first["Cache-Control"] == "no-cache"
    same = api.get("statistics/ends", query, **{"If-None-Match": tag})
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", tag)
    others: list[dict[str, Any]] = [
        {**query, "lang": "ja"},
        {**query, "format": "csv"},
        {**query, "last": "1"},
    ]
    for other in others:
        assert api.get("statistics/ends", other, **{"If-None-Match": tag}).status_code == 200
    assert api.get("statistics/scores", query, **{"If-None-Match": tag}).status_code == 200
    ingest(text(2).encode())
    after = api.get("statistics/ends", query, **{"If-None-Match": tag})
    assert after.status_code == 200
    assert after.json()["n"] > first.json()["n"]


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


def test_what_is_private_is_not_counted(api: Api) -> None:
    ingest(text(1).encode())
    before = api.get("statistics/ends", {"ruleset": "koikoi"}).json()
    sent(text(2), owner=user("owner"), visibility=Visibility.PRIVATE)
    assert api.get("statistics/ends", {"ruleset": "koikoi"}).json() == before


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
def test_what_cannot_be_asked(api: Api, path: str, query: dict[str, str], said: str) -> None:
    body = problem(api.get(f"statistics/{path}", query), "invalid-parameter", 400)
    assert said in body["detail"]
    assert body["errors"]


def test_every_fault_is_told(api: Api) -> None:
    query = {"ruleset": "koikoi", "by": "x", "left": "9", "seat": "0"}
    body = problem(api.get("statistics/decisions", query), "invalid-parameter", 400)
    assert {one["name"] for one in body["errors"]} == {"by", "left", "seat"}


def test_players(api: Api) -> None:
    ingest(text(1).encode())
    player, opponent = Player.objects.filter(games__gt=0).order_by("pk")[:2]
    query = {"ruleset": "koikoi", "player": player.name}
    body = api.get("statistics/seats", query).json()
    whole = api.get("statistics/seats", {"ruleset": "koikoi"}).json()
    assert (body["games"], body["n"] * 2) == (1, whole["n"])
    both = api.get("statistics/seats", {**query, "opponent": opponent.name}).json()
    assert both["rows"] == body["rows"]
    nobody = api.get("statistics/seats", {"ruleset": "koikoi", "player": "Nobody"})
    assert "Nobody" in problem(nobody, "not-found", 404)["detail"]
    Player.objects.filter(pk=opponent.pk).update(statistics=False)
    refused = api.get("statistics/seats", {**query, "opponent": opponent.name})
    problem(refused, "forbidden", 403)


def test_no_cell_of_csv_is_a_formula(api: Api) -> None:
    names = ('=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "＝1", "Aya, =1")
    for number, players in enumerate(zip(names[::2], names[1::2], strict=True)):
        game = simulate("koikoi", seed=number, options={"profile": "koikoi-ai"})
        game.players = players
        ingest(write(game).encode())
    query = {"ruleset": "koikoi", "games_min": "1", "format": "csv"}
    body = api.get("statistics/players", query).content.decode()
    lines = list(csv.DictReader(io.StringIO(body, newline="")))
    made = {f"'{name}" for name in names[:-1]}
    assert {line["player"] for line in lines} == {*made, "Aya, =1"}
    # A number stays one.
    body = api.get("statistics/scores", {"ruleset": "koikoi", "format": "csv"}).content.decode()
    assert min(int(line["low"]) for line in csv.DictReader(io.StringIO(body, newline=""))) < 0


def test_an_address_that_is_no_figure() -> None:
    problem(Client().get("/api/v1/statistics/nothing"), "not-found", 404)


def test_the_answer_is_json_without_nan(api: Api, games: None) -> None:
    for id in FIGURES:
        body = api.get(f"statistics/{id}", asked(id)).content.decode()
        json.loads(body, parse_constant=lambda word: pytest.fail(word))


def test_lists_of_players_read_on(api: Api) -> None:
    sent(*(text(seed) for seed in (1, 2)))
    query = {"ruleset": "koikoi", "games_min": "1", "page_size": "1"}
    first = api.get("statistics/players", query)
    (one,) = first.json()["rows"]
    assert first["Link"] == f'<{first.json()["next"]}>; rel="next"'
    second = api.get(first.json()["next"]).json()
    (other,) = second["rows"]
    assert (one["place"], other["place"], second["next"]) == (1, 2, None)
    assert one["player"] != other["player"]
    as_csv = api.get("statistics/players", {**query, "format": "csv"})
    assert "format=csv" in as_csv["Link"] and "cursor=" in as_csv["Link"]
    told = problem(api.get("statistics/players", {**query, "cursor": "x"}), status=400)
    assert told["errors"][0]["name"] == "cursor"
    told = problem(api.get("statistics/ratings", {**query, "page_size": "0"}), status=400)
    assert told["errors"][0]["name"] == "page_size"
