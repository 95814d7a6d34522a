"""Requests that wait for a change of an upload: in this process, and at a real server."""

from __future__ import annotations

import json
import select
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from api.views import upload_detail
from records.models import Upload, Visibility
from records.services import visibility
from records.serving import downloads
from records.serving.limits import Account
from tests.api.contract import problem
from tests.conftest import Hana, bare_env
from tests.people.world import sent, session, token, user
from tests.records.makers import MALFORMED, text, upload, work_all

pytestmark = pytest.mark.usefixtures("without_facts")

KAFU = {"Content-Type": "text/x-kafu"}


def address(upload: Upload, wait: str = "20") -> str:
    """Return the address of an upload with the parameter ``wait``."""
    return f"/api/v1/uploads/{upload.key}?wait={wait}"


def wait_for(upload: Upload, **headers: str) -> Any:
    """Return the JSON of a response that had a place to wait."""
    response = Client().get(address(upload), headers=headers)
    assert response.status_code == 200 and "Retry-After" not in response
    assert response["Cache-Control"] in ("no-store", "private, no-store")
    return response.json()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Return a list of actions, which replace the pauses of waiting requests."""
    actions: list[Callable[[], object]] = []

    def pause(seconds: float) -> bool:
        assert 0 < seconds <= upload_detail.LOOK_SECONDS
        actions.pop(0)()
        return True

    monkeypatch.setattr(downloads, "pause", pause)
    return actions


def do_nothing() -> None:
    """Change nothing during a pause."""


@pytest.fixture
def full_room() -> Iterator[None]:
    """Occupy all places of waiting requests."""
    with ExitStack() as stack:
        senders = map(str, count())
        while stack.enter_context(downloads.room(Account(next(senders)))):
            pass
        yield


@pytest.mark.django_db
def test_finished_upload_is_returned_immediately(pauses: list[Callable[[], object]]) -> None:
    finished = sent(text(1), MALFORMED)
    body = wait_for(finished)
    assert body == Client().get(f"/api/v1/uploads/{finished.key}").json()
    assert (body["games"]["verified"], body["games"]["malformed"]) == (1, 1)


@pytest.mark.django_db
def test_request_waits_for_the_next_change(pauses: list[Callable[[], object]]) -> None:
    received = upload(text(1).encode(), text(2).encode())
    pauses += [do_nothing, do_nothing, work_all, do_nothing]
    assert wait_for(received)["state"] == "done"
    assert pauses == [do_nothing]


@pytest.mark.long_only  # the test above waits for another change
@pytest.mark.django_db
def test_request_waits_for_a_change_of_visibility(pauses: list[Callable[[], object]]) -> None:
    received = sent(text(1), owner=user("owner"))
    visibility.request_change(received, Visibility.UNLISTED)
    pauses.append(work_all)
    assert wait_for(received)["change"]["games"] == 1


@pytest.mark.django_db
def test_unchanged_upload_is_returned_after_the_time(
    monkeypatch: pytest.MonkeyPatch, pauses: list[Callable[[], object]]
) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(upload_detail.time, "monotonic", lambda: float(next(clock)))
    pauses += [do_nothing] * 30
    assert wait_for(upload(text(1).encode()))["state"] == "waiting"
    assert len(pauses) == 11, "each look takes a second of the clock, each pause another"


@pytest.mark.django_db
@pytest.mark.usefixtures("full_room")
def test_request_without_room_is_answered_immediately(pauses: list[Callable[[], object]]) -> None:
    response = Client().get(address(upload(text(1).encode())))
    assert response.status_code == 200 and response["Retry-After"] == "3"
    assert response.json()["state"] == "waiting"


@pytest.mark.django_db
def test_place_is_free_after_the_response(pauses: list[Callable[[], object]]) -> None:
    for _ in range(3):
        received = upload(text(1).encode())
        pauses.append(work_all)
        assert wait_for(received)["state"] == "done"


def test_one_sender_gets_half_of_the_places() -> None:
    with ExitStack() as stack:
        rooms = [stack.enter_context(downloads.room(Account("busy"))) for _ in range(3)]
        assert rooms == [True, False, False]
        assert stack.enter_context(downloads.room(Account("other")))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "value",
    ["", "21", "-1", "1.5", "x", "２０", "%2B1", "1e1", "020", "9" * 5000, "%00", "5&wait=x"],
)
def test_invalid_wait_is_rejected(value: str) -> None:
    response = Client().get(address(upload(text(1).encode()), value))
    body = problem(response, "invalid-parameter", 400)
    assert body["errors"][0]["name"] == "wait" and "from 0 to 20" in body["detail"]


@pytest.mark.django_db
def test_change_of_an_upload_does_not_wait() -> None:
    response = Client().patch(
        address(sent(text(1))), {"visibility": "unlisted"}, "application/json"
    )
    problem(response, "invalid-parameter", 400)


@pytest.mark.django_db
def test_upload_that_becomes_hidden_is_not_found(pauses: list[Callable[[], object]]) -> None:
    received = upload(text(1).encode())
    pauses.append(lambda: Upload.objects.update(visibility=Visibility.PRIVATE))
    problem(Client().get(address(received)), "not-found", 404)


@pytest.mark.django_db
def test_hidden_upload_is_watched_with_token_or_secret_only() -> None:
    owner, secret = user("owner"), "w" * 30
    private = sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    problem(Client().get(address(private)), "not-found", 404)
    assert wait_for(private, **token(owner, "upload"))
    key = Client().post(
        "/api/v1/uploads", text(2), "text/x-kafu", headers={"Upload-Secret": secret}
    )
    anonymous = Upload.objects.get(key=key.json()["key"])
    work_all()
    Upload.objects.filter(pk=anonymous.pk).update(visibility=Visibility.WITHDRAWN)
    problem(Client().get(address(anonymous)), "not-found", 404)
    problem(Client().get(address(anonymous), headers={"Upload-Secret": "x" * 30}), "not-found", 404)
    assert wait_for(anonymous, **{"Upload-Secret": secret})


# Removed addresses ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "head", "post", "patch", "delete", "options"])
@pytest.mark.parametrize(
    ("path", "successor"),
    [
        ("uploads/AbC/events", "/api/v1/uploads/AbC?wait=20"),
        ("me/webhooks", "/api/v1/uploads/{key}?wait=20"),
        ("me/webhooks/AbC", "/api/v1/uploads/{key}?wait=20"),
    ],
)
def test_removed_address_is_gone_and_names_its_successor(
    db: None, method: str, path: str, successor: str
) -> None:
    client = Client(enforce_csrf_checks=True, headers={"Accept": "text/event-stream"})
    response = getattr(client, method)(f"/api/v1/{path}")
    assert response.status_code == 410
    if method != "head":
        body = problem(response, "gone", 410)
        assert body["successor"] == successor and successor in body["detail"]


@pytest.mark.parametrize("path", ["/me/webhooks/", "/me/webhooks/AbC/delete/"])
def test_removed_page_leads_to_the_account(db: None, path: str) -> None:
    browser = session(user("owner"))
    for response in (browser.get(path), browser.post(path)):
        assert (response.status_code, response["Location"]) == (302, reverse("account"))


# A real server ------------------------------------------------------------------------------------


@pytest.fixture
def archive(new_var: Callable[[], Path]) -> Iterator[tuple[Any, Any, int]]:
    """Start a web server without a worker; return environment, process and port."""
    runner = Hana()
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_CHUNK_GAMES="5")
    process, port = runner.web(env)
    yield env, process, port
    runner.end()


def send(port: int, body: bytes) -> str:
    """Upload a file; return the path of a request that waits for the upload."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/api/v1/uploads", body, KAFU)
    key = json.loads(connection.getresponse().read())["key"]
    return f"/api/v1/uploads/{key}?wait=20"


def open_request(port: int, path: str) -> HTTPConnection:
    """Send a request without reading the response."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    return connection


def open_waiting_request(port: int, path: str) -> HTTPConnection:
    """Return a request that has the place of its sender, because another one was refused it."""
    requests = {request.sock: request for request in (open_request(port, path) for _ in range(2))}
    (refused,), _, _ = select.select(requests, [], [], 60)
    requests.pop(refused).close()
    (waiting,) = requests.values()
    return waiting


def test_many_waiting_requests_hold_one_thread_and_end_with_the_server(
    archive: tuple[Any, Any, int],
) -> None:
    """There are more requests than threads, and one sender has one of the two places."""
    env, process, port = archive
    path = send(port, text(1).encode())
    waiting = open_waiting_request(port, path)
    for connection in [open_request(port, path) for _ in range(20)]:
        response = connection.getresponse()
        assert (response.status, response.headers["Retry-After"]) == (200, "3")
        assert json.loads(response.read())["state"] == "waiting"
    with closing(sqlite3.connect(Path(env["HANA_VAR"]) / "hana.sqlite3")) as database, database:
        database.execute("UPDATE records_job SET state = 'dead-letter'")
    changed = waiting.getresponse()
    assert "Retry-After" not in changed.headers
    assert json.loads(changed.read())["state"] != "waiting"

    connection = open_waiting_request(port, send(port, text(11).encode()))
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert connection.getresponse().status == 200
    assert process.wait(30) == 0
    assert time.monotonic() - began < 7, "the server does not wait for the end of the grace"
