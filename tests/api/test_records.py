"""GET records, records/{key}, records/{key}.kafu."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from kafu.notation.reading.reader import read
from kafu.notation.writer import write
from records.models import Record
from tests.api.contract import Api, problem
from tests.records.makers import (
    UNSUPPORTED,
    illegal,
    ingest,
    joined,
    text,
    with_wrong_score,
    year,
)

pytestmark = pytest.mark.django_db


def named(seed: int, *players: str) -> str:
    """A year with these players."""
    game = year(seed)
    game.players = players
    return write(game)


@pytest.fixture
def several(without_sheets: None) -> Iterator[None]:
    """Four games: verified, mismatch, illegal, unsupported."""
    ingest(joined(named(1, "花子", "Ben"), with_wrong_score(2), illegal(3), UNSUPPORTED))
    yield


def statuses(api: Api, **query: str) -> list[str]:
    """Of the games found."""
    return [one["status"] for one in api.get("records", query).json()["results"]]


def test_games_newest_first(api: Api, several: None) -> None:
    found = api.get("records").json()
    assert (found["next"], found["previous"]) == (None, None)
    keys = list(Record.objects.order_by("-pk").values_list("key", flat=True))
    assert [one["key"] for one in found["results"]] == keys
    assert len(keys) == 4


@pytest.mark.parametrize(
    ("query", "expected"),
    [
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
    ],
)
def test_filters(api: Api, several: None, query: dict[str, str], expected: list[str]) -> None:
    found = statuses(api, **query)
    assert sorted(found) == sorted(expected)


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
def test_a_filter_that_cannot_be(api: Api, name: str, value: str) -> None:
    body = problem(api.get("records", {name: value}), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == [name]


def test_pages_stay_when_games_come_in(api: Api) -> None:
    ingest(joined(*(text(seed) for seed in (1, 2, 3))))
    first = api.get("records", {"page_size": "2"}).json()
    ingest(text(4).encode())
    second = api.get(first["next"]).json()
    found = [one["key"] for one in first["results"] + second["results"]]
    old = list(Record.objects.order_by("-pk").values_list("key", flat=True))[1:]
    assert found == old
    assert second["next"] is None
    again = api.get(second["previous"]).json()
    assert again["results"] == first["results"]
    newest = api.get(again["previous"]).json()
    assert [one["key"] for one in newest["results"]] == [Record.objects.latest("pk").key]


def test_a_filter_stays_from_page_to_page(api: Api, several: None) -> None:
    page = api.get("records", {"ruleset": "koikoi", "page_size": "1"}).json()
    seen = list(page["results"])
    while page["next"]:
        page = api.get(page["next"]).json()
        seen += page["results"]
    assert {one["ruleset"] for one in seen} == {"koikoi"}
    assert len(seen) == 3


def test_questions_to_the_database_do_not_grow(
    api: Api, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ingest(joined(*(text(seed) for seed in range(1, 8))))
    with django_assert_max_num_queries(6):
        assert len(api.get("records").json()["results"]) == 7
    with django_assert_max_num_queries(3):
        assert api.get("records", {"player": "nobody"}).json()["results"] == []


def test_one_game(
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


def test_a_game_in_the_list_is_the_same_without_its_moves(api: Api, record: Record) -> None:
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


def test_the_verdict_in_japanese(api: Api) -> None:
    ingest(illegal(1).encode())
    key = Record.objects.get().key
    english = api.get(f"records/{key}").json()["verdict"]["error"]
    japanese = api.get(f"records/{key}", {"lang": "ja"}).json()["verdict"]["error"]
    assert english["message"].isascii() and not japanese["message"].isascii()
    assert {**english, "message": ""} == {**japanese, "message": ""}


def test_the_text_by_its_address(api: Api, record: Record) -> None:
    response = api.get(f"records/{record.key}.kafu", Accept="text/html")
    assert response["Content-Type"] == "text/x-kafu; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{record.key}.kafu"'
    assert response.content.decode() == record.text


def test_the_text_by_what_is_accepted(api: Api, record: Record) -> None:
    response = api.get(f"records/{record.key}", Accept="text/x-kafu")
    assert response.content.decode() == record.text
    assert "Accept" in response["Vary"]
    for accept in ("*/*", "application/json", "text/html, */*"):
        response = api.get(f"records/{record.key}", Accept=accept)
        assert response["Content-Type"] == "application/json"
    problem(api.get(f"records/{record.key}", Accept="image/png"), "not-acceptable", 406)


@pytest.mark.parametrize("tail", ["", ".kafu", "/replay"])
def test_a_game_that_is_not_there(api: Api, tail: str) -> None:
    problem(api.get(f"records/nothing{tail}", Accept="text/x-kafu, application/json"), "not-found")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_games_can_only_be_read(record: Record, method: str) -> None:
    response: Any = getattr(Client(), method)(f"/api/v1/records/{record.key}")
    problem(response, "method-not-allowed", 405)
    assert response["Allow"] == "GET, HEAD"
