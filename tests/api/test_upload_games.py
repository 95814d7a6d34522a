"""GET uploads/{key}/games."""

from __future__ import annotations

import json
import re

import pytest
from pytest_django.fixtures import DjangoAssertNumQueries

from records.models import Record, Upload
from tests.api.contract import Api, problem
from tests.records.makers import MALFORMED, illegal, ingest, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture(scope="module")
def mixed_for_all(rows_for_all: None) -> Upload:
    return ingest(joined(text(1), MALFORMED, illegal(2)), text(1).encode())


@pytest.fixture
def mixed(mixed_for_all: Upload, db: None) -> Upload:
    """Two files: a verified, a malformed and an illegal game; the verified one again."""
    return mixed_for_all


def test_every_game_of_an_upload_is_listed(api: Api, mixed: Upload) -> None:
    games = api.get(f"uploads/{mixed.key}/games").json()["results"]
    assert [(game["file"], game["file_name"], game["number"]) for game in games] == [
        (1, "1.kafu", 1),
        (1, "1.kafu", 2),
        (1, "1.kafu", 3),
        (2, "2.kafu", 1),
    ]
    assert [game["status"] for game in games] == ["verified", "malformed", "illegal", "verified"]
    assert [game["duplicate"] for game in games] == [False, False, False, True]
    record = Record.objects.get(status="verified")
    url = f"http://testserver/api/v1/records/{record.key}"
    assert [game["record"] for game in games[::3]] == [url, url]
    assert games[0]["error"] is None


def test_error_has_its_line_in_the_file(api: Api, mixed: Upload) -> None:
    game = api.get(f"uploads/{mixed.key}/games", {"status": "malformed"}).json()["results"][0]
    first = joined(text(1), MALFORMED).decode().split('[Rules "poker"]')[0].count("\n") + 1
    assert game["record"] is None
    assert game["error"]["line"] == first
    assert game["error"]["message"]


def test_messages_are_in_the_language_of_the_request(api: Api, mixed: Upload) -> None:
    path = f"uploads/{mixed.key}/games"
    errors = [
        api.get(path, {"errors": "true", **query}, **headers).json()["results"][0]["error"]
        for query, headers in (
            ({}, {}),
            ({"lang": "ja"}, {}),
            ({}, {"Accept-Language": "ja"}),
            ({"lang": "en"}, {"Accept-Language": "ja"}),
        )
    ]
    messages = [error["message"] for error in errors]
    assert messages[0] == messages[3] != messages[1] == messages[2]
    assert [bool(re.search("[ぁ-ん]", message)) for message in messages[:2]] == [False, True]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ({"errors": "true"}, [(1, 2), (1, 3)]),
        ({"errors": "false"}, [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ({"status": "illegal"}, [(1, 3)]),
        ({"status": "verified", "errors": "true"}, []),
    ],
)
def test_games_are_filtered(
    api: Api, mixed: Upload, query: dict[str, str], numbers: list[tuple[int, int]]
) -> None:
    games = api.get(f"uploads/{mixed.key}/games", query).json()["results"]
    assert [(game["file"], game["number"]) for game in games] == numbers


@pytest.mark.parametrize(("name", "value"), [("status", "good"), ("errors", "yes"), ("erors", "1")])
def test_invalid_filter_is_refused(api: Api, mixed: Upload, name: str, value: str) -> None:
    body = problem(api.get(f"uploads/{mixed.key}/games", {name: value}), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == [name]


def test_all_invalid_filters_are_named_with_their_values(api: Api, mixed: Upload) -> None:
    query = {"status": "good", "errors": "yes"}
    body = problem(api.get(f"uploads/{mixed.key}/games", query), "invalid-parameter", 400)
    assert [error["name"] for error in body["errors"]] == ["status", "errors"]
    assert "expected true, false" in body["detail"] and "malformed" in body["detail"]


def test_pages_go_through_files_and_games(api: Api, mixed: Upload) -> None:
    page = api.get(f"uploads/{mixed.key}/games", {"page_size": "1"}).json()
    assert page["previous"] is None
    forward = [page["results"]]
    while page["next"]:
        page = api.get(page["next"]).json()
        forward.append(page["results"])
    assert [(game["file"], game["number"]) for (game,) in forward] == [
        (1, 1),
        (1, 2),
        (1, 3),
        (2, 1),
    ]
    backward = [page["results"]]
    while page["previous"]:
        page = api.get(page["previous"]).json()
        backward.append(page["results"])
    assert backward == forward[::-1]


def test_query_count_does_not_depend_on_the_games(
    api: Api, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    received = ingest(joined(*(text(seed) for seed in (1, 2, 3, 4))), MALFORMED.encode())
    # The upload, pseudonyms, games, players; the groups of copies, and their games.
    with django_assert_max_num_queries(6):
        games = api.get(f"uploads/{received.key}/games").json()["results"]
    assert len(games) == 5


def test_games_of_an_unknown_upload_are_not_found(api: Api) -> None:
    problem(api.get("uploads/nothing/games"), "not-found", 404)


def test_copy_of_a_game_is_named(api: Api) -> None:
    first = ingest(text(1).encode())
    dated = text(1).replace("[Player1", '[Date "2026-02-03"]\n[Player1')
    upload = ingest(dated.encode())
    record = first.submissions.get().record
    assert record is not None
    games = api.get(f"uploads/{upload.key}/games").json()["results"]
    assert [api.get(game["same_deal"]).json()["key"] for game in games] == [record.key]
    report = api.client.get(f"/api/v1/uploads/{upload.key}/report").getvalue().decode()
    lines = [json.loads(line) for line in report.splitlines()]
    assert [line["same_deal"] for line in lines] == [game["same_deal"] for game in games]
