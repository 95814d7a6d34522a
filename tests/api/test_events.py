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
from django.conf import LazySettings
from django.test import Client
from playwright.sync_api import Page

from api.views.bulk import events
from records.models import Upload, Visibility
from records.serving import streams
from records.store import visibility
from tests.api.contract import problem
from tests.conftest import Hana, bare_env
from tests.people.world import sent, token, user
from tests.records.makers import MALFORMED, joined, text, upload, work_all

KAFU = {"Content-Type": "text/x-kafu"}
#: A page's own script: what an `EventSource` says until the end.
WATCH = """
(address) => new Promise((end, fail) => {
  const seen = [];
  const events = new EventSource(address);
  events.addEventListener("progress", (event) => seen.push(JSON.parse(event.data).games.read));
  events.addEventListener("done", (event) => {
    events.close();
    end([seen, JSON.parse(event.data).report_url]);
  });
  events.onerror = () => events.readyState === EventSource.CLOSED && fail("refused");
})
"""


def parsed(body: bytes) -> list[tuple[str, Any]]:
    """Names and data of the events of a stream."""
    found = []
    for block in body.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[0] != ":")
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def address(of: Upload) -> str:
    """Of the events of an upload."""
    return f"/api/v1/uploads/{of.key}/events"


def watched(of: Upload, **headers: str) -> list[tuple[str, Any]]:
    """All events of one stream."""
    response: Any = Client().get(address(of), headers=headers)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response["Cache-Control"] in ("no-store", "private, no-store")
    return parsed(response.getvalue())


@pytest.mark.django_db
def test_an_upload_that_is_done() -> None:
    done = sent(text(1), MALFORMED)
    state, last = watched(done)
    told = Client().get(f"/api/v1/uploads/{done.key}").json()
    assert state == ("progress", told)
    assert (told["games"]["verified"], told["games"]["malformed"]) == (1, 1)
    assert last == ("done", {"report_url": told["report_url"]})


@pytest.mark.django_db
def test_what_changes_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one = upload(text(1).encode(), text(2).encode())
    steps: list[Callable[[], object]] = [lambda: None, lambda: None, work_all]

    def pause(seconds: float) -> bool:
        steps.pop(0)()
        return True

    monkeypatch.setattr(streams, "pause", pause)
    found = watched(one)
    assert [name for name, _data in found] == ["progress", "progress", "done"]
    assert [data["state"] for _name, data in found[:2]] == ["waiting", "done"]


@pytest.mark.django_db
def test_a_change_of_visibility_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = user("owner")
    one = sent(text(1), owner=owner)
    visibility.request_change(one, Visibility.UNLISTED)

    def pause(seconds: float) -> bool:
        work_all()
        return True

    monkeypatch.setattr(streams, "pause", pause)
    found = watched(one)
    assert [data["change"]["games"] for _name, data in found[:-1]] == [0, 1]


@pytest.mark.django_db
def test_comments_keep_it_open_and_it_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    one = upload(text(1).encode())
    clock = iter(range(0, 1000, 5))
    monkeypatch.setattr(events.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(streams, "pause", lambda seconds: True)
    response: Any = Client().get(address(one))
    body = response.getvalue()
    assert [name for name, _data in parsed(body)] == ["progress"]
    assert body.startswith(b"retry: 1000\n\n") and body.count(b"\n: ") == 3


@pytest.mark.django_db
def test_where_there_is_no_room_it_ends_at_once() -> None:
    one = upload(text(1).encode())
    with ExitStack() as stack:
        senders = map(str, count())
        while stack.enter_context(streams.room(next(senders))):
            pass
        response: Any = Client().get(address(one))
        body = response.getvalue()
    assert body.startswith(b"retry: 3000\n\n")
    assert [name for name, _data in parsed(body)] == ["progress"]
    with streams.room("again") as is_room:
        assert is_room


def test_streams_of_one_sender_leave_room_to_others(settings: LazySettings) -> None:
    settings.STREAMS = 4
    with ExitStack() as stack:
        found = [stack.enter_context(streams.room("busy")) for _ in range(5)]
        assert found == [True, True, False, False, False]
        assert stack.enter_context(streams.room("other"))


@pytest.mark.django_db
def test_who_has_the_last_event_is_not_to_come_again() -> None:
    done, open_ = sent(text(1)), upload(text(2).encode())
    assert Client().get(address(done), headers={"Last-Event-ID": "done"}).status_code == 204
    names = [name for name, _data in watched(done, **{"Last-Event-ID": "7"})]
    assert names == ["progress", "done"]
    with ExitStack() as stack:
        senders = map(str, count())
        while stack.enter_context(streams.room(next(senders))):
            pass
        assert watched(open_, **{"Last-Event-ID": "done"})


@pytest.mark.django_db
def test_it_ends_when_it_may_not_be_seen_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    one = upload(text(1).encode())

    def hide(seconds: float) -> bool:
        Upload.objects.update(visibility=Visibility.PRIVATE)
        return True

    monkeypatch.setattr(streams, "pause", hide)
    assert [name for name, _data in watched(one)] == ["progress"]


@pytest.mark.django_db
def test_who_may_watch() -> None:
    owner, words = user("owner"), "w" * 30
    private = sent(text(1), owner=owner, visibility=Visibility.PRIVATE)
    problem(Client().get(address(private)), "not-found", 404)
    assert watched(private, **token(owner, "upload"))
    key = Client().post("/api/v1/uploads", text(2), "text/x-kafu", headers={"Upload-Secret": words})
    own = Upload.objects.get(key=key.json()["key"])
    work_all()
    Upload.objects.filter(pk=own.pk).update(visibility=Visibility.WITHDRAWN)
    problem(Client().get(address(own)), "not-found", 404)
    problem(Client().get(address(own), headers={"Upload-Secret": "x" * 30}), "not-found", 404)
    assert watched(own, **{"Upload-Secret": words})


@pytest.mark.django_db
def test_head_and_other_forms_and_other_origins() -> None:
    one = upload(text(1).encode())
    assert Client().head(address(one)).status_code == 200
    problem(Client().get(address(one), headers={"Accept": "text/csv"}), status=406)
    headers = {"Origin": "https://games.example", "Last-Event-ID": "done"}
    response = Client().head(address(one), headers=headers)
    assert response["Access-Control-Allow-Origin"] == "*"


# A real server ------------------------------------------------------------------------------------


@pytest.fixture
def archive(new_var: Callable[[], Path]) -> Iterator[tuple[Hana, Any, Any, int]]:
    """A web server without a worker: its runner, environment, process and port."""
    runner = Hana()
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_CHUNK_GAMES="5")
    process, port = runner.web(env)
    yield runner, env, process, port
    runner.end()


def send(port: int, body: bytes) -> str:
    """Upload; the address of its events."""
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("POST", "/api/v1/uploads", body, KAFU)
    key = json.loads(line.getresponse().read())["key"]
    return f"/api/v1/uploads/{key}/events"


def opened(port: int, path: str) -> HTTPResponse:
    """A stream, of which nothing is read yet."""
    line = HTTPConnection("127.0.0.1", port, timeout=60)
    line.request("GET", path)
    return line.getresponse()


def test_a_browser_watches(page: Page, archive: tuple[Hana, Any, Any, int]) -> None:
    runner, env, _process, port = archive
    path = send(port, joined(*(text(seed) for seed in range(1, 21))))
    here = f"http://127.0.0.1:{port}"
    page.goto(f"{here}/kafu/")
    runner.start("worker", env=env)
    seen, report = page.evaluate(WATCH, here + path)
    assert seen == sorted(seen) and seen[-1] == 20
    assert report.endswith(f"{path.removesuffix('events')}report")


def test_many_slow_readers_keep_no_thread(archive: tuple[Hana, Any, Any, int]) -> None:
    """More than there are threads: all get an answer, pages too, and the server ends at once. One
    sender has half of the two streams.
    """
    _runner, _env, process, port = archive
    path = send(port, text(1).encode())
    readers = [opened(port, path) for _ in range(20)]
    assert all(one.status == 200 for one in readers)
    ended = sum(b"retry: 3000" in one.readline() for one in readers)
    assert ended == 19
    page = HTTPConnection("127.0.0.1", port, timeout=60)
    page.request("GET", "/api/v1/names")
    assert page.getresponse().status == 200
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert time.monotonic() - began < 7, "streams are not waited for until the end of the grace"
