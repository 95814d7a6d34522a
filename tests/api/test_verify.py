"""POST verify."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from kafu.notation.json.form import to_json
from kafu.notation.vocabulary import MAX_GAME_BYTES
from records.models import Record, Upload
from tests.api.contract import Api, problem
from tests.records.makers import (
    MALFORMED,
    UNSUPPORTED,
    illegal,
    joined,
    text,
    with_wrong_score,
    year,
)

pytestmark = pytest.mark.django_db
KAFU = "text/x-kafu"


@pytest.mark.parametrize(
    ("game", "status"),
    [
        (text(1), "verified"),
        (with_wrong_score(1), "mismatch"),
        (illegal(1), "illegal"),
        (MALFORMED, "malformed"),
        (UNSUPPORTED, "unsupported"),
        ("anything", "malformed"),
        ("\x00\x01", "malformed"),
    ],
)
def test_the_verdict_whatever_it_is(api: Api, game: str, status: str) -> None:
    response = api.post("verify", game.encode(), KAFU)
    assert response.status_code == 200
    body = response.json()
    assert (body["status"], body["game"], body["source"]) == (status, 1, "")
    assert (body["error"] is None) == (status in ("verified", "mismatch"))
    assert not Record.objects.exists() and not Upload.objects.exists()


@pytest.mark.parametrize("media", ["application/json", "application/vnd.kafu+json"])
def test_json(api: Api, media: str) -> None:
    game = json.dumps(to_json(year(1))).encode()
    body = api.post("verify", game, media).json()
    assert body == {**api.post("verify", text(1).encode(), KAFU).json(), "line": body["line"]}


def test_in_japanese(api: Api) -> None:
    message = api.post("verify?lang=ja", MALFORMED.encode(), KAFU).json()["error"]["message"]
    assert not message.isascii()


def test_two_games(api: Api) -> None:
    problem(api.post("verify", joined(text(1), text(2)), KAFU), "one-game-only", 400)


@pytest.mark.parametrize("data", [b"", b" \r\n\n"])
def test_no_game(api: Api, data: bytes) -> None:
    problem(api.post("verify", data, KAFU), "nothing-sent", 400)


def test_a_game_that_is_too_large(api: Api) -> None:
    comment = b"{" + b"x" * MAX_GAME_BYTES + b"}"
    body = problem(api.post("verify", text(1).encode() + comment, KAFU), "too-large", 413)
    assert body["limit"] == MAX_GAME_BYTES


@pytest.mark.parametrize("media", ["multipart/form-data; boundary=X", "application/x-ndjson"])
def test_a_media_type_that_is_not_taken(api: Api, media: str) -> None:
    problem(api.post("verify", b"x", media), "unsupported-media-type", 415)


def test_no_token_is_requested() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/api/v1/verify", text(1), content_type=KAFU)
    assert response.json()["status"] == "verified"
