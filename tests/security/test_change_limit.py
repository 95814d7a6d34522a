"""A limit on changes of what is public, since each ends cached pages of all visitors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Record, Upload, Visibility
from records.privacy.access import hash_secret, new_secret
from records.serving.limits import GROUPS
from tests.people.world import sent, session, token, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

JSON = "application/json"


@pytest.fixture(scope="module")
def owner(rows_for_all: None) -> Any:
    """Return the owner of a public game."""
    owner = user("owner")
    sent(text(1), owner=owner)
    return owner


def post(name: str, *args: str, **fields: str) -> Callable[[Any], Any]:
    """Return a function that sends a form of the owner."""
    return lambda owner: session(owner).post(reverse(name, args=args), fields)


def call(
    method: str, name: str, *args: str, body: str = "{}", media_type: str = JSON, query: str = ""
) -> Callable[[Any], Any]:
    """Return a function that sends a request of the owner to the API."""
    path = reverse(f"api:{name}", args=args) + query
    return lambda owner: Client().generic(
        method, path, body, content_type=media_type, headers=token(owner, "read", "upload")
    )


def ways() -> dict[str, Callable[[Any], Any]]:
    """Return every way to change what is public."""
    key, upload = Record.objects.get().key, Upload.objects.get().key
    hidden = '{"visibility": "private"}'
    return {
        "games of a list": post("change_games", game=key, visibility=str(Visibility.PRIVATE)),
        "restored games": post("withdrawn_games", game=key),
        "a game": post("my_game", key, visibility=str(Visibility.PRIVATE)),
        "a withdrawn game": post("my_game", key, withdraw="1", confirmed="1"),
        "an upload": post("change_upload", upload, visibility="private"),
        "a claim": post("claim_upload", upload, secret="x"),
        "a correction": post("upload", text=text(2), replaces=key, visibility="public"),
        "a game by API": call("PATCH", "ownership", key, body=hidden),
        "a withdrawn game by API": call("DELETE", "ownership", key),
        "an upload by API": call("PATCH", "upload", upload, body=hidden),
        "a claim by API": call("POST", "upload-claim", upload),
        "a correction by API": call(
            "POST", "uploads", body=text(2), media_type="text/x-kafu", query=f"?replaces={key}"
        ),
    }


def test_change_more_than_the_limit_is_429_and_changes_nothing(owner: Any, settings: Any) -> None:
    settings.RATES = settings.RATES | {"changes": (0, 60)}
    for name, change in ways().items():
        response = change(owner)
        assert response.status_code == 429, name
        assert 0 < int(response["Retry-After"]) <= 60, name
        if name.endswith("by API"):
            assert response.json()["code"] == "too-many-requests", name
    assert Record.objects.get().visibility == Visibility.PUBLIC


def test_changes_up_to_the_limit_and_notes_are_allowed(owner: Any, settings: Any) -> None:
    assert GROUPS["changes"].requests == 30
    settings.RATES = settings.RATES | {"changes": (2, 60)}
    key = Record.objects.get().key
    body = ('{"visibility": "private"}', '{"visibility": "public"}')
    responses = [call("PATCH", "ownership", key, body=body[i % 2])(owner) for i in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]
    assert call("PATCH", "ownership", key, body='{"note": "x"}')(owner).status_code == 200


def test_sender_without_account_is_limited_too(owner: Any, settings: Any) -> None:
    settings.RATES = settings.RATES | {"changes": (1, 60)}
    sent(text(5))
    upload = Upload.objects.latest("pk")
    secret = new_secret()
    Upload.objects.filter(pk=upload.pk).update(secret=hash_secret(secret))
    path = reverse("change_upload", args=[upload.key])
    statuses = [
        Client().post(path, {"secret": secret, "visibility": level}).status_code
        for level in ("unlisted", "public")
    ]
    assert statuses == [302, 429]
