"""Programs are told of uploads that are done: signed, again until it is taken, never inside."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from people import outgoing, tokens, webhooks
from people.models import Token, Webhook
from people.outgoing import NotAllowed, check, is_public, post
from records.models import Job
from records.work import sweeping
from tests.api.contract import problem
from tests.people.world import reauthenticate, sent, session, token, user
from tests.records import makers

pytestmark = pytest.mark.django_db
URL = "https://games.example/hook"


class Program:
    """A program on this machine that is told; it answers what it is set to."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[tuple[dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((dict(self.headers), body))
                self.send_response(outer.answers.pop(0) if outer.answers else 204)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/hook?a=b"


@pytest.fixture
def program(settings: Settings) -> Iterator[Program]:
    settings.PRIVATE_WEBHOOKS = True
    found = Program()
    yield found
    found.server.shutdown()
    found.server.server_close()


def told() -> None:
    """All that is to be told is, as often as it is tried."""
    sweeping.schedule()
    makers.work_all()


def test_an_upload_that_is_done(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    upload = sent(makers.text(1), makers.illegal(2), owner=owner)
    sent(makers.text(3), owner=user("other"))
    told()
    ((headers, body),) = program.got
    found = json.loads(body)
    assert found["event"] == headers["Hana-Event"] == "upload.done"
    assert found["upload"]["key"] == upload.key
    assert found["upload"]["games"]["verified"] == found["upload"]["games"]["illegal"] == 1
    moment, signed = (part.partition("=")[2] for part in headers["Hana-Signature"].split(","))
    wanted = hmac.new(hook.secret.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    assert signed == wanted.hexdigest()
    told()
    assert len(program.got) == 1
    hook.refresh_from_db()
    assert hook.outcome == "204"


def test_what_is_not_done_or_older_is_not_told(program: Program) -> None:
    owner = user("owner")
    sent(makers.text(1), owner=owner)
    webhooks.add(owner, program.url)
    told()
    assert program.got == []
    headers = token(owner, "upload")
    Client().post(reverse("api:uploads"), makers.text(2), "text/x-kafu", headers=headers)
    sweeping.schedule()
    assert not Job.objects.filter(kind=webhooks.KIND).exists()
    makers.work_all()
    told()
    assert len(program.got) == 1


def test_it_is_tried_again_until_it_is_taken(program: Program) -> None:
    owner = user("owner")
    webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    program.answers = [500, 302, 404]
    told()
    assert len(program.got) == 4
    assert Job.objects.get(kind=webhooks.KIND).state == Job.State.DONE


def test_it_ends_some_time(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TRIES", 3)
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    program.server.shutdown()
    program.server.server_close()
    sent(makers.text(1), owner=owner)
    told()
    job = Job.objects.get(kind=webhooks.KIND)
    assert (job.state, job.attempts) == (Job.State.DONE, 3)
    hook.refresh_from_db()
    assert "refused" in hook.outcome


def test_a_webhook_that_was_deleted(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    hook.delete()
    makers.work_all()
    assert program.got == []


@pytest.mark.parametrize(
    "url",
    [
        *("", "games.example/hook", "ftp://games.example/", "http://games.example/", "https://"),
        *("https://user:word@games.example/", "https://games.example:99999/", "https://[::1/"),
        *("https://games.example/a b", "https://games.example/\r\nX: y", "https://花札.example/"),
        *(f"https://{'a' * 64}.example/", "https://games..example/", "https://.example/"),
    ],
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(NotAllowed):
        check(url)
    owner = user("owner")
    answer = Client().post(
        reverse("api:webhooks"),
        {"url": url or " "},
        "application/json",
        headers=token(owner, "upload"),
    )
    problem(answer, "invalid-parameter", 400)
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        *((one, False) for one in ("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1")),
        *((one, False) for one in ("169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1")),
        *((one, False) for one in ("::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::")),
        *((one, False) for one in ("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::")),
        *((one, False) for one in ("::127.0.0.1", "::ffff:0:127.0.0.1", "2001:0:7f00:1::")),
        *((one, False) for one in ("fec0::1", "240.0.0.1", "255.255.255.255", "198.18.0.1")),
    ],
)
def test_only_the_public_internet(address: str, public: bool) -> None:
    assert is_public(address) == public


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"]])
def test_a_name_that_leads_inside(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    """No connection is made, and it is not tried again."""
    found = [(None, None, None, None, (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)
    monkeypatch.setattr(socket, "create_connection", None)
    with pytest.raises(NotAllowed, match="not a public one"):
        post(URL, b"", {})
    owner = user("owner")
    hook = webhooks.add(owner, URL)
    sent(makers.text(1), owner=owner)
    told()
    hook.refresh_from_db()
    assert hook.outcome == "the address is not a public one"
    assert Job.objects.get(kind=webhooks.KIND).attempts == 1


def test_the_connection_is_to_what_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that means another address at the second look leads nowhere else."""
    asked: list[Any] = []
    found = [(None, None, None, None, ("93.184.216.34", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: found)

    def connect(address: Any, timeout: float) -> Any:
        asked.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        post(URL, b"", {})
    assert asked == [("93.184.216.34", 443)]


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:7f00:1]"])
def test_other_ways_to_write_an_address(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """They are resolved as the system does, and what they mean is looked at."""
    monkeypatch.setattr(socket, "create_connection", None)
    with pytest.raises(NotAllowed, match="not a public one"):
        post(f"https://{host}/", b"", {})


@pytest.mark.parametrize("letters", [b"", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 4000])
def test_who_answers_slowly_holds_nobody(
    program: Program, monkeypatch: pytest.MonkeyPatch, letters: bytes
) -> None:
    """Who says nothing, and who says a letter at a time."""
    monkeypatch.setattr(outgoing, "DEADLINE", 0.3)
    over = Event()

    def trickle(server: socket.socket) -> None:
        connection, _address = server.accept()
        with connection, suppress(OSError):
            for letter in letters:
                if over.wait(0.02):
                    return
                connection.sendall(bytes([letter]))
            over.wait()

    with socket.create_server(("127.0.0.1", 0)) as slow:
        thread = Thread(target=trickle, args=[slow])
        thread.start()
        with pytest.raises((OSError, HTTPException)):  # also in the middle of the status line
            post(f"http://localhost:{slow.getsockname()[1]}/", b"x", {})
        assert not over.is_set() and thread.is_alive(), "it ended by itself"
        over.set()
        thread.join()


def test_by_the_api_and_the_page() -> None:
    owner, other = user("owner"), user("other")
    own = token(owner, "read", "upload")
    address = reverse("api:webhooks")
    said = {"url": URL}
    made = Client().post(address, said, "application/json", headers=own)
    assert made.status_code == 201
    assert len(made.json()["secret"]) == 64
    (listed,) = Client().get(address, headers=own).json()
    assert "secret" not in listed
    assert Client().get(address, headers=token(other, "read")).json() == []
    browser = session(owner)
    reauthenticate(browser)
    page = browser.get(f"{reverse('tokens')}?secrets").content.decode()
    assert URL in page and made.json()["secret"] in page
    assert made.json()["secret"] not in session(other).get(reverse("tokens")).content.decode()
    one = reverse("api:webhook", args=[listed["key"]])
    for headers in (token(other, "upload"), own):
        assert Client().delete(one, headers=headers).status_code == 204
        assert Webhook.objects.exists() == (headers != own)
    for _ in range(webhooks.MOST):
        browser.post(reverse("add_webhook"), said)
    assert Webhook.objects.count() == webhooks.MOST
    answer = Client().post(address, said, "application/json", headers=own)
    problem(answer, "too-many-webhooks", 409)
    more = browser.post(reverse("add_webhook"), said, follow=True).content.decode()
    assert "the most there can be" in more
    wrong = browser.post(reverse("add_webhook"), {"url": "http://x"}, follow=True)
    assert "This address cannot be used" in wrong.content.decode()
    key = Webhook.objects.first()
    assert key is not None
    delete = reverse("delete_webhook", args=[key.key])
    assert session(other).post(delete).status_code == 404
    assert browser.post(delete).status_code == 302
    assert Webhook.objects.count() == webhooks.MOST - 1


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_one_that_a_token_added_ends_with_it(program: Program, end: str) -> None:
    owner = user("owner")
    kept = webhooks.add(owner, program.url)
    mine, text = tokens.make(owner=owner, name="club", scopes=("read", "upload"))
    headers = {"Authorization": f"Bearer {text}"}
    address = reverse("api:webhooks")
    Client().post(address, {"url": program.url}, "application/json", headers=headers)
    listed = Client().get(address, headers=token(owner, "read")).json()
    assert [one["token"] for one in listed] == [mine.prefix, None]
    assert "<bdi>club</bdi>" in session(owner).get(reverse("tokens")).content.decode()
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    if end == "revoked":
        tokens.revoke(mine)
    else:
        Token.objects.filter(pk=mine.pk).update(expires=timezone.now())
    (left,) = Client().get(address, headers=token(owner, "read")).json()
    assert left["key"] == kept.key
    told()
    assert len(program.got) == 1, "a notice that was due is not sent any more"
    assert [one.pk for one in Webhook.objects.all()] == [kept.pk]


def test_uploads_of_long_ago_are_no_news(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    Webhook.objects.filter(pk=hook.pk).update(created=timezone.now() - timedelta(days=9))
    upload = sent(makers.text(1), owner=owner)
    type(upload).objects.update(created=timezone.now() - webhooks.NEWS - timedelta(hours=1))
    told()
    assert program.got == []
