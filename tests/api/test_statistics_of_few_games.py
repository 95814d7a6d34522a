"""GET statistics/{figure} over a test's own games: changes and players."""

from __future__ import annotations

import csv
import io

import pytest

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Player
from records.privacy import revisions
from tests.api.contract import Api, problem
from tests.records.makers import ingest, text

pytestmark = pytest.mark.django_db


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
    query = {"ruleset": "koikoi", "games_min": "1"}
    body = api.get("statistics/players.csv", query).content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(body, newline="")))
    quoted = {f"'{name}" for name in names[:-1]}
    assert {line["player"] for line in lines} == {*quoted, "Aya, =1"}
    # A number is not quoted.
    body = api.get("statistics/scores.csv", {"ruleset": "koikoi"}).content.decode("utf-8-sig")
    assert min(int(line["low"]) for line in csv.DictReader(io.StringIO(body, newline=""))) < 0
