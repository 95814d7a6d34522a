"""GET records, records/{key}, records/{key}.kafu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from lengths import part
from records.models import Record
from tests.api.contract import Api, problem
from tests.records.makers import (
    UNSUPPORTED,
    illegal,
    ingest,
    joined,
    simulate_months,
    text,
    with_wrong_score,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def make_year(seed: int, *players: str) -> str:
    """Return a game of the players as text."""
    game = simulate_months(seed)
    game.players = players
    return write(game)


@pytest.fixture
def several(without_sheets: None) -> Iterator[None]:
    """Store four games: verified, mismatch, illegal, unsupported."""
    ingest(joined(make_year(1, "花子", "Ben"), with_wrong_score(2), illegal(3), UNSUPPORTED))
    yield


def list_statuses(api: Api, **query: str) -> list[str]:
    """Return the statuses of the games that a query finds."""
    return [game["status"] for game in api.get("records", query).json()["results"]]


def test_games_are_listed_newest_first(api: Api, several: None) -> None:
    page = api.get("records").json()
    assert (page["next"], page["previous"]) == (None, None)
    keys = list(Record.objects.order_by("-pk").values_list("key", flat=True))
    assert [game["key"] for game in page["results"]] == keys
    assert len(keys) == 4


def test_games_are_filtered(api: Api, several: None) -> None:
    cases: list[tuple[dict[str, str], list[str]]] = [
        ({"ruleset": "koikoi"}, ["illegal", "mismatch", "verified"]),
        ({"ruleset": "hanaawase"}, ["unsupported"]),
        ({"ruleset": "ten-five-one"}, []),
        ({"status": "mismatch"}, ["mismatch"]),
        ({"profile": "koikoi"}, ["illegal", "mismatch", "verified"]),
        ({"profile": "koikoi-ai"}, []),
        ({"player": "花子"}, ["verified"]),
        ({"player": " 花子 "}, ["verified"]),
        ({"player": "花"}, []),
        ({"player": "花子", "status": "mismatch"}, []),
        ({"ruleset": "", "status": ""}, ["unsupported", "illegal", "mismatch", "verified"]),
    ]
    for query, expected in cases:
        assert sorted(list_statuses(api, **query)) == sorted(expected), query


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ruleset", "poker"),
        ("status", "malformed"),
        ("status", "x" * 1000),
        ("profile", "no-such-house"),
        ("score_min", "many"),
        ("from", "spring"),
        ("sort", "-created"),
        ("player", "\x00"),
        ("playr", "Aya"),
        ("format", "yaml"),
        ("lang", "fr"),
    ],
)
def test_invalid_filter_is_refused(api: Api, name: str, value: str) -> None:
    body = problem(api.get("records", {name: value}), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == [name]


def test_pages_stay_the_same_when_games_arrive(api: Api) -> None:
    ingest(joined(*(text(seed) for seed in (1, 2, 3))))
    first = api.get("records", {"page_size": "2"}).json()
    ingest(text(4).encode())
    second = api.get(first["next"]).json()
    keys = [game["key"] for game in first["results"] + second["results"]]
    older = list(Record.objects.order_by("-pk").values_list("key", flat=True))[1:]
    assert keys == older
    assert second["next"] is None
    previous = api.get(second["previous"]).json()
    assert previous["results"] == first["results"]
    newest = api.get(previous["previous"]).json()
    assert [game["key"] for game in newest["results"]] == [Record.objects.latest("pk").key]


def test_next_page_keeps_the_filter(api: Api, several: None) -> None:
    page = api.get("records", {"ruleset": "koikoi", "page_size": "1"}).json()
    games = list(page["results"])
    while page["next"]:
        page = api.get(page["next"]).json()
        games += page["results"]
    assert {game["ruleset"] for game in games} == {"koikoi"}
    assert len(games) == 3


def test_query_count_is_bounded(
    api: Api, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ingest(joined(*(text(seed) for seed in range(1, 8))))
    with django_assert_max_num_queries(6):
        assert len(api.get("records").json()["results"]) == 7
    with django_assert_max_num_queries(3):
        assert api.get("records", {"player": "nobody"}).json()["results"] == []


def test_game_has_its_verdict_moves_and_addresses(
    api: Api, record: Record, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(9):
        body = api.get(f"records/{record.key}").json()
    game = read(record.text).game
    assert game is not None
    assert (body["key"], body["identity"]) == (record.key, record.identity)
    assert (body["ruleset"], body["profile"], body["status"]) == ("koikoi", "koikoi", "verified")
    assert [seat["name"] for seat in body["players"]] == list(game.players)
    assert [seat["final"] for seat in body["players"]] == body["verdict"]["final"]
    assert body["verdict"]["status"] == "verified"
    assert body["verdict"]["identity"] == record.identity
    assert len(body["verdict"]["deals"]) == body["deals_played"] == len(game.months)
    assert body["kafu"]["rules"] == "koikoi"
    assert body["created"].endswith("Z")
    base = f"http://testserver/api/v1/records/{record.key}"
    assert (body["url"], body["kafu_url"]) == (base, f"{base}.kafu")
    assert (body["replay_url"], body["page"]) == (
        f"{base}/replay",
        f"http://testserver/games/{record.key}/",
    )


def test_listed_game_has_no_moves_and_no_verdict(api: Api, record: Record) -> None:
    listed = api.get("records").json()["results"][0]
    whole = api.get(f"records/{record.key}").json()
    assert listed == {name: whole[name] for name in listed}
    assert set(whole) - set(listed) == {
        "engine_version",
        "tags",
        "verdict",
        "position",
        "kafu",
    }


def test_verdict_is_translated(api: Api) -> None:
    ingest(illegal(1).encode())
    key = Record.objects.get().key
    english = api.get(f"records/{key}").json()["verdict"]["error"]
    japanese = api.get(f"records/{key}", {"lang": "ja"}).json()["verdict"]["error"]
    assert english["message"].isascii() and not japanese["message"].isascii()
    assert {**english, "message": ""} == {**japanese, "message": ""}


def test_address_ending_in_kafu_gives_the_text(api: Api, record: Record) -> None:
    response = api.get(f"records/{record.key}.kafu", Accept="text/html")
    assert response["Content-Type"] == "text/x-kafu; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{record.key}.kafu"'
    assert response.content.decode() == record.text


def test_game_is_json_unless_only_other_types_are_accepted(api: Api, record: Record) -> None:
    assert "Accept" in api.get(f"records/{record.key}")["Vary"]
    for accept in ("*/*", "application/json", "text/html, */*"):
        response = api.get(f"records/{record.key}", Accept=accept)
        assert response["Content-Type"] == "application/json"
    problem(api.get(f"records/{record.key}", Accept="image/png"), "not-acceptable", 406)


@pytest.mark.parametrize("tail", ["", ".kafu", "/replay"])
def test_unknown_game_is_not_found(api: Api, tail: str) -> None:
    problem(api.get(f"records/nothing{tail}", Accept="text/x-kafu, application/json"), "not-found")


@pytest.mark.parametrize("method", part(["post", "put", "patch", "delete", "options"]))
def test_other_methods_are_refused(record: Record, method: str) -> None:
    response: Any = getattr(Client(), method)(f"/api/v1/records/{record.key}")
    problem(response, "method-not-allowed", 405)
    assert response["Allow"] == "GET, HEAD"
