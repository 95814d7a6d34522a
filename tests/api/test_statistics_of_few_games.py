"""GET statistics/{figure} over a test's own games: changes and players."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player, Visibility
from records.privacy import revisions
from tests.api.contract import Api, problem
from tests.people.world import sent, user
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


def test_response_is_cached_until_counts_change(api: Api) -> None:
    ingest(text(1).encode())
    query = {"ruleset": "koikoi"}
    first = api.get("statistics/ends", query)
    tag = first["ETag"]
    assert first["Cache-Control"] == "no-cache"
    same = api.get("statistics/ends", query, **{"If-None-Match": tag})
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", tag)
    other_queries: list[dict[str, Any]] = [
        {**query, "lang": "ja"},
        {**query, "format": "csv"},
        {**query, "last": "1"},
    ]
    for other_query in other_queries:
        assert api.get("statistics/ends", other_query, **{"If-None-Match": tag}).status_code == 200
    assert api.get("statistics/scores", query, **{"If-None-Match": tag}).status_code == 200
    ingest(text(2).encode())
    after = api.get("statistics/ends", query, **{"If-None-Match": tag})
    assert after.status_code == 200
    assert after.json()["n"] > first.json()["n"]


def test_private_game_is_not_counted(api: Api) -> None:
    ingest(text(1).encode())
    before = api.get("statistics/ends", {"ruleset": "koikoi"}).json()
    sent(text(2), owner=user("owner"), visibility=Visibility.PRIVATE)
    assert api.get("statistics/ends", {"ruleset": "koikoi"}).json() == before


def test_players_are_listed_with_their_games(api: Api) -> None:
    ingest(text(1).encode())
    player, opponent = Player.objects.filter(games__gt=0).order_by("pk")[:2]
    query = {"ruleset": "koikoi", "player": player.name}
    body = api.get("statistics/seats", query).json()
    whole = api.get("statistics/seats", {"ruleset": "koikoi"}).json()
    assert (body["games"], body["n"] * 2) == (1, whole["n"])
    against_opponent = api.get("statistics/seats", {**query, "opponent": opponent.name}).json()
    assert against_opponent["rows"] == body["rows"]
    nobody = api.get("statistics/seats", {"ruleset": "koikoi", "player": "Nobody"})
    assert "Nobody" in problem(nobody, "not-found", 404)["detail"]
    Player.objects.filter(pk=opponent.pk).update(statistics=False)
    revisions.advance()
    refused = api.get("statistics/seats", {**query, "opponent": opponent.name})
    problem(refused, "forbidden", 403)


def test_cell_that_begins_like_a_formula_is_quoted(api: Api) -> None:
    names = ('=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "＝1", "Aya, =1")
    for number, players in enumerate(zip(names[::2], names[1::2], strict=True)):
        game = simulate("koikoi", seed=number, options={"profile": "koikoi-ai"})
        game.players = players
        ingest(write(game).encode())
    query = {"ruleset": "koikoi", "games_min": "1", "format": "csv"}
    body = api.get("statistics/players", query).content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(body, newline="")))
    quoted = {f"'{name}" for name in names[:-1]}
    assert {line["player"] for line in lines} == {*quoted, "Aya, =1"}
    # A number is not quoted.
    body = api.get("statistics/scores", {"ruleset": "koikoi", "format": "csv"}).content.decode(
        "utf-8-sig"
    )
    assert min(int(line["low"]) for line in csv.DictReader(io.StringIO(body, newline=""))) < 0


def test_list_of_players_has_pages(api: Api) -> None:
    sent(*(text(seed) for seed in (1, 2)))
    query = {"ruleset": "koikoi", "games_min": "1", "page_size": "1"}
    first = api.get("statistics/players", query)
    (row,) = first.json()["rows"]
    assert first["Link"] == f'<{first.json()["next"]}>; rel="next"'
    second = api.get(first.json()["next"]).json()
    (last_row,) = second["rows"]
    assert (row["place"], last_row["place"], second["next"]) == (1, 2, None)
    assert row["player"] != last_row["player"]
    as_csv = api.get("statistics/players", {**query, "format": "csv"})
    assert "format=csv" in as_csv["Link"] and "cursor=" in as_csv["Link"]
    body = problem(api.get("statistics/players", {**query, "cursor": "x"}), status=400)
    assert body["errors"][0]["name"] == "cursor"
    body = problem(api.get("statistics/ratings", {**query, "page_size": "0"}), status=400)
    assert body["errors"][0]["name"] == "page_size"
