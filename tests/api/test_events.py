"""The progress of an upload as server-sent events: in this process, and from a real server."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from api.views import events
from records.models import Upload, Visibility
from records.services import visibility
from records.serving import downloads
from tests.api.contract import problem
from tests.conftest import Hana, bare_env
from tests.people.world import sent, token, user
from tests.records.makers import MALFORMED, joined, text, upload, work_all

KAFU = {"Content-Type": "text/x-kafu"}


def parse_events(body: bytes) -> list[tuple[str, Any]]:
    """Return names and data of the events of a stream."""
    events = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[0] != ":")
        if "event" in fields:
            events.append((fields["event"], json.loads(fields["data"])))
    return events


def address(upload: Upload) -> str:
    """Return the address of the events of an upload."""
    return f"/api/v1/uploads/{upload.key}/events"


def watch(upload: Upload, **headers: str) -> list[tuple[str, Any]]:
    """Return all events of a stream."""
    response: Any = Client().get(address(upload), headers=headers)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response["Cache-Control"] in ("no-store", "private, no-store")
    return parse_events(response.getvalue())


@pytest.mark.django_db
def test_finished_upload_sends_its_state_and_its_report() -> None:
    finished = sent(text(1), MALFORMED)
    state, last = watch(finished)
    body = Client().get(f"/api/v1/uploads/{finished.key}").json()
    assert state == ("progress", body)
    assert (body["games"]["verified"], body["games"]["malformed"]) == (1, 1)
    assert last == ("done", {"report_url": body["report_url"]})


@pytest.mark.django_db
def test_each_change_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    received = upload(text(1).encode(), text(2).encode())
    steps: list[Callable[[], object]] = [lambda: None, lambda: None, work_all]

    def pause(seconds: float) -> bool:
        steps.pop(0)()
        return True

    monkeypatch.setattr(downloads, "pause", pause)
    events = watch(received)
    assert [name for name, _data in events] == ["progress", "progress", "done"]
    assert [data["state"] for _name, data in events[:2]] == ["waiting", "done"]


@pytest.mark.django_db
def test_stream_goes_on_until_a_change_of_visibility_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner = user("owner")
    received = sent(text(1), owner=owner)
    visibility.request_change(received, Visibility.UNLISTED)

    def pause(seconds: float) -> bool:
        work_all()
        return True

    monkeypatch.setattr(downloads, "pause", pause)
    events = watch(received)
    assert [data["change"]["games"] for _name, data in events[:-1]] == [0, 1]


@pytest.mark.django_db
def test_idle_stream_sends_comments_and_ends_after_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received = upload(text(1).encode())
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr(events.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(downloads, "pause", lambda seconds: True)
    response: Any = Client().get(address(received))
    body = response.getvalue()
    assert [name for name, _data in parse_events(body)] == ["progress"]
    assert body.startswith(b"retry: 1000\n\n") and body.count(b"\n: ") == 3


@pytest.mark.django_db
def test_stream_without_room_ends_after_the_first_event() -> None:
    received = upload(text(1).encode())
    with ExitStack() as stack:
        senders = map(str, count())
        while stack.enter_context(downloads.room(next(senders))):
            pass
        response: Any = Client().get(address(received))
        body = response.getvalue()
    assert body.startswith(b"retry: 3000\n\n")
    assert [name for name, _data in parse_events(body)] == ["progress"]
    with downloads.room("again") as is_room:
        assert is_room


def test_one_sender_gets_half_of_the_streams() -> None:
    with ExitStack() as stack:
        rooms = [stack.enter_context(downloads.room("busy")) for _ in range(3)]
        assert rooms == [True, False, False]
        assert stack.enter_context(downloads.room("other"))


@pytest.mark.django_db
def test_reader_with_the_last_event_gets_no_content() -> None:
    finished, unfinished = sent(text(1)), upload(text(2).encode())
    assert Client().get(address(finished), headers={"Last-Event-ID": "done"}).status_code == 204
    names = [name for name, _data in watch(finished, **{"Last-Event-ID": "7"})]
    assert names == ["progress", "done"]
    with ExitStack() as stack:
        senders = map(str, count())
        while stack.enter_context(downloads.room(next(senders))):
            pass
        assert watch(unfinished, **{"Last-Event-ID": "done"})


@pytest.mark.django_db
def test_stream_ends_when_the_upload_becomes_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    received = upload(text(1).encode())

    def hide(seconds: float) -> bool:
        Upload.objects.update(visibility=Visibility.PRIVATE)
        return True

    monkeypatch.setattr(downloads, "pause", hide)
    assert [name for name, _data in watch(received)] == ["progress"]


@pytest.mark.django_db
def test_hidden_upload_is_watched_with_token_or_secret_only() -> None:
    owner, secret = user("owner"), "w" * 30
    private = sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    problem(Client().get(address(private)), "not-found", 404)
    assert watch(private, **token(owner, "upload"))
    key = Client().post(
        "/api/v1/uploads", text(2), "text/x-kafu", headers={"Upload-Secret": secret}
    )
    anonymous = Upload.objects.get(key=key.json()["key"])
    work_all()
    Upload.objects.filter(pk=anonymous.pk).update(visibility=Visibility.WITHDRAWN)
    problem(Client().get(address(anonymous)), "not-found", 404)
    problem(Client().get(address(anonymous), headers={"Upload-Secret": "x" * 30}), "not-found", 404)
    assert watch(anonymous, **{"Upload-Secret": secret})


@pytest.mark.django_db
def test_head_is_answered_and_other_media_types_are_refused() -> None:
    received = upload(text(1).encode())
    assert Client().head(address(received)).status_code == 200
    problem(Client().get(address(received), headers={"Accept": "text/csv"}), status=406)
    headers = {"Origin": "https://games.example", "Last-Event-ID": "done"}
    response = Client().head(address(received), headers=headers)
    assert response["Access-Control-Allow-Origin"] == "*"


# A real server ------------------------------------------------------------------------------------


@pytest.fixture
def archive(new_var: Callable[[], Path]) -> Iterator[tuple[Hana, Any, Any, int]]:
    """Start a web server without a worker; return runner, environment, process and port."""
    runner = Hana()
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_CHUNK_GAMES="5")
    process, port = runner.web(env)
    yield runner, env, process, port
    runner.end()


def send(port: int, body: bytes) -> str:
    """Upload a file; return the path of its events."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/api/v1/uploads", body, KAFU)
    key = json.loads(connection.getresponse().read())["key"]
    return f"/api/v1/uploads/{key}/events"


def open_stream(port: int, path: str) -> HTTPResponse:
    """Open a stream without reading."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    return connection.getresponse()


def test_server_streams_progress_and_slow_readers_hold_no_thread(
    archive: tuple[Hana, Any, Any, int],
) -> None:
    """There are more readers than threads, and one sender has half of the two streams."""
    runner, env, process, port = archive
    path = send(port, joined(*(text(seed) for seed in range(1, 11))))
    readers = [open_stream(port, path) for _ in range(20)]
    assert all(reader.status == 200 for reader in readers)
    refused = [reader for reader in readers if b"retry: 3000" in reader.readline()]
    assert len(refused) == 19
    (watching,) = (reader for reader in readers if reader not in refused)
    page = HTTPConnection("127.0.0.1", port, timeout=60)
    page.request("GET", "/api/v1/names")
    assert page.getresponse().status == 200
    worker = runner.start("worker", env=env)
    events = parse_events(watching.read().lstrip())
    counts = [data["games"]["read"] for name, data in events if name == "progress"]
    assert counts == sorted(counts) and counts[-1] == 10
    assert events[-1][0] == "done"
    assert events[-1][1]["report_url"].endswith(f"{path.removesuffix('events')}report")

    worker.terminate()
    worker.wait(60)
    waiting_stream = open_stream(port, send(port, text(11).encode()))
    assert waiting_stream.status == 200
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert time.monotonic() - began < 7, "streams are not waited for until the end of the grace"
