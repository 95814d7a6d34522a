"""POST verify."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from api.views import verify as verifying
from kafu.notation.json.form import to_json
from kafu.notation.vocabulary import MAX_GAME_BYTES
from records.models import Record, Upload
from records.serving.limits import BYTES_PER_UNIT, GROUPS
from tests.api.contract import Api, check, operation, problem
from tests.records.makers import (
    MALFORMED,
    UNSUPPORTED,
    illegal,
    joined,
    simulate_months,
    text,
    with_wrong_score,
)

pytestmark = pytest.mark.django_db
KAFU = "text/x-kafu"


@pytest.mark.usefixtures("without_sheets")
@pytest.mark.parametrize(
    ("game", "status"),
    [
        (text(1), "verified"),
        (with_wrong_score(1), "mismatch"),
        (illegal(1), "illegal"),
        (MALFORMED, "malformed"),
        (UNSUPPORTED, "unsupported"),
        ("anything", "malformed"),
        (f"```kafu\n{text(1)}```\nGood game!\n", "verified"),
        ("".join(f"> {row}\n" for row in text(1).splitlines()) + "-- \nBen\n", "verified"),
        ("\x00\x01", "malformed"),
    ],
)
def test_every_verdict_is_a_success(api: Api, game: str, status: str) -> None:
    response = api.post("verify", game.encode(), KAFU)
    assert response.status_code == 200
    body = response.json()
    assert (body["status"], body["game"], body["source"]) == (status, 1, "")
    assert (body["error"] is None) == (status in ("verified", "mismatch"))
    assert not Record.objects.exists() and not Upload.objects.exists()


@pytest.mark.parametrize("media", ["application/json", "application/vnd.kafu+json"])
def test_game_as_json_is_verified(api: Api, media: str) -> None:
    game = json.dumps(to_json(simulate_months(1))).encode()
    body = api.post("verify", game, media).json()
    assert body == {**api.post("verify", text(1).encode(), KAFU).json(), "line": body["line"]}


def test_messages_are_translated(api: Api) -> None:
    message = api.post("verify?lang=ja", MALFORMED.encode(), KAFU).json()["error"]["message"]
    assert not message.isascii()


def test_two_games_are_refused(api: Api) -> None:
    problem(api.post("verify", joined(text(1), text(2)), KAFU), "one-game-only", 400)


@pytest.mark.parametrize("data", [b"", b" \r\n\n"])
def test_body_without_a_game_is_refused(api: Api, data: bytes) -> None:
    problem(api.post("verify", data, KAFU), "nothing-sent", 400)


def test_too_large_game_is_refused(api: Api) -> None:
    comment = b"{" + b"x" * MAX_GAME_BYTES + b"}"
    body = problem(api.post("verify", text(1).encode() + comment, KAFU), "too-large", 413)
    assert body["limit"] == MAX_GAME_BYTES


@pytest.mark.parametrize("media", ["multipart/form-data; boundary=X", "application/zip"])
def test_unsupported_media_type_is_refused(api: Api, media: str) -> None:
    problem(api.post("verify", b"x", media), "unsupported-media-type", 415)


def test_verification_needs_no_csrf_token() -> None:
    client = Client(enforce_csrf_checks=True)
    response = client.post("/api/v1/verify", text(1), content_type=KAFU)
    assert response.json()["status"] == "verified"


@pytest.mark.parametrize("media", ["text/plain", "application/octet-stream"])
def test_format_is_recognised_by_the_content(api: Api, media: str) -> None:
    for body in (text(1).encode(), json.dumps(to_json(simulate_months(1))).encode()):
        assert api.post("verify", body, media).json()["status"] == "verified"


# Many games ---------------------------------------------------------------------------------------


def verify_many(data: bytes, media: str = KAFU, query: str = "") -> list[dict[str, Any]]:
    """Verify several games, and return the lines after checking them against the document."""
    response: Any = Client().post(f"/api/v1/verify.ndjson{query}", data, media)
    assert response.status_code == 200, response.content
    assert response["Content-Type"].startswith("application/x-ndjson")
    content = operation("post", "/api/v1/verify.ndjson")["responses"]["200"]["content"]
    lines = [json.loads(line) for line in response.getvalue().splitlines()]
    for line in lines:
        check(content["application/x-ndjson"]["schema"], line)
    return lines


def test_many_games_have_a_line_each(api: Api) -> None:
    games = [text(1), illegal(2), MALFORMED, with_wrong_score(3)]
    verdicts = verify_many(joined(*games))
    assert [verdict["game"] for verdict in verdicts] == [1, 2, 3, 4]
    lines = "\n".join(games).split("\n")
    assert all(lines[verdict["line"] - 1].startswith("[Kafu") for verdict in verdicts)
    for game, verdict in zip(games, verdicts, strict=True):
        alone = api.post("verify", game.encode(), KAFU).json()
        assert (alone["status"], alone["position"]) == (verdict["status"], verdict["position"])
        assert alone["mismatches"] == verdict["mismatches"]
    (verdict,) = verify_many(text(1).encode())
    assert verdict["status"] == "verified"


@pytest.mark.parametrize("form", ["array", "lines"])
def test_many_games_as_json_are_verified(form: str) -> None:
    games = [to_json(simulate_months(seed)) for seed in (1, 2, 3)]
    if form == "array":
        verdicts = verify_many(json.dumps(games).encode(), "application/json")
    else:
        body = "\n".join(json.dumps(game) for game in games).encode()
        verdicts = verify_many(body, "application/x-ndjson")
    assert [verdict["status"] for verdict in verdicts] == ["verified"] * 3


def test_lines_are_in_the_language_of_the_request() -> None:
    messages = [
        verdict["error"]["message"]
        for verdict in verify_many(MALFORMED.encode() * 2, query="?lang=ja")
    ]
    assert len(messages) == 2 and not any(message.isascii() for message in messages)


def test_too_many_verifications_at_once_are_refused(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "MAX_GAMES", 2)
    assert len(verify_many(joined(text(1), text(2)))) == 2
    three = api.post("verify.ndjson", joined(text(1), text(2), text(3)), KAFU)
    assert problem(three, "too-large", 413)["limit"] == 2
    monkeypatch.setattr(verifying, "MAX_BYTES", 500)
    problem(api.post("verify.ndjson", text(1).encode(), KAFU), "too-large", 413)
    problem(api.post("verify.ndjson", b" ", KAFU), "nothing-sent", 400)


def test_verification_of_many_games_is_charged_by_its_size(api: Api, settings: Any) -> None:
    body = joined(*(text(seed) for seed in range(1, 8)))
    weight = GROUPS["verify"].weight + len(body) // BYTES_PER_UNIT
    settings.RATES = settings.RATES | {"work": (weight, 60)}
    assert len(verify_many(body)) == 7
    problem(api.post("verify.ndjson", body, KAFU), "too-many-requests", 429)
