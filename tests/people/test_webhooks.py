"""Programs are told of uploads that are done: signed, again until it is taken, never inside."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from threading import BoundedSemaphore, Event, Semaphore, Thread
from typing import Any

import pytest
from django.apps import apps
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks.webhooks import Webhook as Receiver

from people import tokens, webhooks
from people.accounts import closing, mails
from people.delivery import outgoing, sender
from people.delivery.outgoing import NotAllowed, check, is_public, post
from people.models import Token, Webhook
from records.models import Job
from records.serving.in_flight import Busy
from records.work import ledger, sweeping, tasks
from tests.api.contract import problem
from tests.people.world import confirmed, reauthenticate, sent, session, token, user
from tests.records import makers

pytestmark = pytest.mark.django_db
#: A literal address: no name server is asked.
URL = "https://93.184.216.34/hook"


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
    deliver_all()


def deliver_all() -> None:
    """Do all deliveries, not waiting for pauses."""
    for _ in range(100):
        makers.hurry()
        claimed = list(filter(None, map(sender.claim, sender.accounts())))
        if not claimed:
            return
        for job in claimed:
            tasks.do(job)
    raise AssertionError("it never ends")


def test_an_upload_that_is_done(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    upload = sent(makers.text(1), makers.illegal(2), owner=owner)
    sent(makers.text(3), owner=user("other"))
    told()
    ((headers, body),) = program.got
    found = Receiver(hook.secret).verify(body, headers)
    assert set(found) == {"type", "timestamp", "data"} and found["type"] == "upload.done"
    assert found["data"]["key"] == upload.key
    assert found["data"]["games"]["verified"] == found["data"]["games"]["illegal"] == 1
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
    assert len({(headers["webhook-id"], body) for headers, body in program.got}) == 1
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
    deliver_all()
    assert program.got == []
    assert not Job.objects.filter(kind=webhooks.KIND, state__in=Job.OPEN).exists()


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
    with pytest.raises(NotAllowed, match="not a public one"):
        webhooks.add(owner, URL)
    hook = Webhook.objects.create(owner=owner, url=URL, secret=webhooks.new_secret())
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


HEAD = b"HTTP/1.1 200 OK\r\n"
#: The beginning of a message of TLS of 16 KiB.
HELLO = b"\x16\x03\x03\x40\x00" + b"\x02" * 9999


@pytest.mark.parametrize(
    "letters",
    [b"", HEAD + b"X: y\r\n" * 4000, HEAD + b"\r\n" + b"x" * 9999, HELLO],
    ids=["nothing", "headers", "body", "handshake"],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_slow_response_ends_at_the_deadline(program: Program, letters: bytes, scheme: str) -> None:
    """Nothing comes, or a letter at a time; with TLS the handshake is what takes long."""
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
        began = time.monotonic()
        with pytest.raises((OSError, HTTPException)):  # also in the middle of the status line
            post(f"{scheme}://localhost:{slow.getsockname()[1]}/", b"x", {}, 0.3)
        if scheme == "http" or letters in (b"", HELLO):
            assert time.monotonic() - began >= 0.3, "it ended by itself"
        over.set()
        thread.join()


def test_by_the_api_and_the_page() -> None:
    owner, other = user("owner"), user("other")
    own = token(owner, "read", "upload")
    address = reverse("api:webhooks")
    said = {"url": URL}
    made = Client().post(address, said, "application/json", headers=own)
    assert made.status_code == 201
    assert len(base64.b64decode(made.json()["secret"].removeprefix("whsec_"))) == 32
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


def test_deliveries_are_signed_as_the_specification_has_it() -> None:
    """Its example."""
    signed = webhooks.signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "1614265330",
        b'{"test": 2432232314}',
    )
    assert signed == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_failing_webhook_is_disabled_and_its_owner_notified(
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    mailed: list[Any] = []
    monkeypatch.setattr(mails, "send", lambda *arguments: mailed.append(arguments))
    owner = confirmed("owner", "owner@games.example")
    hook = webhooks.add(owner, program.url)
    for seed in (1, 2):
        sent(makers.text(seed), owner=owner)
    program.answers = [500] * 99
    with django_capture_on_commit_callbacks(execute=True):
        told()
    assert len(program.got) == webhooks.MAX_FAILURES
    assert not Job.objects.filter(kind=webhooks.KIND, state__in=Job.OPEN).exists()
    ((address, template, context),) = mailed
    assert (address, template) == ("owner@games.example", "people/webhook_disabled")
    for part in ("subject", "message"):
        text = render_to_string(f"{template}_{part}.txt", context)
        assert part == "subject" or (program.url in text and "status 500" not in text)
    own = token(owner, "read", "upload")
    (listed,) = Client().get(reverse("api:webhooks"), headers=own).json()
    assert (listed["state"], listed["failures"]) == ("disabled", webhooks.MAX_FAILURES)
    assert listed["disabled"] is not None
    sent(makers.text(3), owner=owner)
    told()
    assert len(program.got) == webhooks.MAX_FAILURES, "nothing is sent while it is disabled"
    program.answers = []
    one = reverse("api:webhook", args=[hook.key])
    wrong = Client().patch(one, {"state": "disabled"}, "application/json", headers=own)
    problem(wrong, "invalid-parameter", 400)
    answer = Client().patch(one, {"state": "active"}, "application/json", headers=own)
    assert (answer.status_code, answer.json()["state"]) == (200, "active")
    sent(makers.text(4), owner=owner)
    told()
    assert len(program.got) == webhooks.MAX_FAILURES + 1, "only what came after it was enabled"


def test_owner_enables_a_webhook_on_the_page() -> None:
    owner = user("owner")
    hook = webhooks.add(owner, URL)
    browser = session(owner)
    assert "disabled on" not in browser.get(reverse("tokens")).content.decode()
    Webhook.objects.update(disabled=timezone.now(), failures=20)
    assert "after 20 failures in a row" in browser.get(reverse("tokens")).content.decode()
    enable = reverse("enable_webhook", args=[hook.key])
    assert session(user("other")).post(enable).status_code == 404
    assert browser.post(enable).status_code == 302
    hook.refresh_from_db()
    assert (hook.state, hook.failures) == ("active", 0)


def test_failure_postpones_all_deliveries_of_a_webhook(program: Program) -> None:
    """A receiver that is down is asked again once, not once for each upload."""
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    for seed in (1, 2, 3):
        sent(makers.text(seed), owner=owner)
    sweeping.schedule()
    program.answers = [500]
    job = sender.claim(owner.pk)
    assert job is not None
    tasks.do(job)
    assert sender.accounts() == []
    sent(makers.text(4), owner=owner)
    sweeping.schedule()
    assert sender.accounts() == [], "nor a new one at once"
    hook.refresh_from_db()
    assert hook.paused_until is not None
    deliver_all()
    hook.refresh_from_db()
    assert Webhook.objects.get().paused_until is None
    assert (hook.failures, len(program.got)) == (0, 5)


def test_each_account_has_one_delivery_at_a_time(program: Program) -> None:
    busy, other = user("busy"), user("other")
    for _ in range(3):
        webhooks.add(busy, program.url)
    webhooks.add(other, program.url)
    for owner in (busy, other):
        sent(makers.text(1), owner=owner)
    sweeping.schedule()
    assert sender.accounts() == [busy.pk, other.pk]
    first = sender.claim(busy.pk)
    assert first is not None
    assert sender.accounts() == [other.pk] and sender.claim(busy.pk) is None
    tasks.do(first)
    assert sender.accounts() == [other.pk, busy.pk], "who was served last is last"


def test_uploads_without_their_owner_are_not_delivered(program: Program) -> None:
    owner = user("owner")
    webhooks.add(owner, program.url)
    upload = sent(makers.text(1), owner=owner)
    sweeping.schedule()
    type(upload).objects.update(owner=None)
    Webhook.objects.all().delete()
    deliver_all()
    assert not Job.objects.filter(kind=webhooks.KIND, state__in=Job.OPEN).exists()


def test_delivery_of_a_killed_sender_is_made_again(program: Program) -> None:
    owner = user("owner")
    webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    job = sender.claim(owner.pk)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    ledger.end_leases(timezone.now())
    deliver_all()
    assert len(program.got) == 1


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A name server that never answers."""
    over = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: over.wait() and [])
    yield
    over.set()


def test_hanging_name_server_ends_at_the_deadline(hanging: None) -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="not resolved in time"):
        post("https://games.example/", b"", {}, 0.2)
    assert time.monotonic() - began < 5


def test_hanging_lookups_are_no_failure_of_others(
    hanging: None, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "_lookups", BoundedSemaphore(1))
    owner = user("owner")
    Webhook.objects.create(owner=owner, url=program.url, secret=webhooks.new_secret())
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    with pytest.raises(TimeoutError):
        post("https://games.example/", b"", {}, 0.1)
    job = sender.claim(owner.pk)
    assert job is not None
    tasks.do(job)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("waiting", 0)
    assert Webhook.objects.get().failures == 0


@pytest.mark.parametrize("error", [socket.gaierror(-2, "unknown"), None], ids=["unknown", "hangs"])
def test_host_that_cannot_be_found_is_refused_when_added(
    monkeypatch: pytest.MonkeyPatch, hanging: None, error: OSError | None
) -> None:
    def fail(*_arguments: Any, **_more: Any) -> Any:
        assert error is not None
        raise error

    if error is not None:
        monkeypatch.setattr(socket, "getaddrinfo", fail)
    monkeypatch.setattr(outgoing, "LOOKUP_SECONDS", 0.2)
    owner = user("owner")
    said = {"url": "https://games.example/"}
    headers = token(owner, "upload")
    answer = Client().post(reverse("api:webhooks"), said, "application/json", headers=headers)
    assert "the host cannot be found" in problem(answer, "invalid-parameter", 400)["detail"]
    browser = session(owner)
    reauthenticate(browser)
    page = browser.post(reverse("add_webhook"), said, follow=True).content.decode()
    assert "the host cannot be found" in page
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254", "localhost"])
def test_private_address_is_refused_when_added(host: str) -> None:
    owner = user("owner")
    answer = Client().post(
        reverse("api:webhooks"),
        {"url": f"https://{host}/"},
        "application/json",
        headers=token(owner, "upload"),
    )
    assert "not a public one" in problem(answer, "invalid-parameter", 400)["detail"]
    assert not Webhook.objects.exists()


def test_many_lookups_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "_adding", Semaphore(0))
    owner = user("owner")
    with pytest.raises(Busy):
        webhooks.add(owner, URL)
    headers = token(owner, "upload")
    answer = Client().post(
        reverse("api:webhooks"), {"url": URL}, "application/json", headers=headers
    )
    problem(answer, "busy", 503)
    assert answer["Retry-After"]
    browser = session(owner)
    reauthenticate(browser)
    page = browser.post(reverse("add_webhook"), {"url": URL}, follow=True)
    assert "The server is busy" in page.content.decode()


def test_migration_keeps_the_bytes_of_secrets() -> None:
    migration = import_module("people.migrations.0002_standard_webhooks")
    hook = Webhook.objects.create(owner=user("owner"), url=URL, secret="0f" * 32)
    Webhook.objects.update(created=timezone.now() - timedelta(days=1))
    migration.write_base64(apps, None)
    hook.refresh_from_db()
    assert base64.b64decode(hook.secret.removeprefix("whsec_")) == bytes.fromhex("0f" * 32)
    assert hook.enabled == hook.created
    assert Receiver(hook.secret)
    migration.write_hex(apps, None)
    hook.refresh_from_db()
    assert hook.secret == "0f" * 32


def test_closed_account_is_not_notified(program: Program) -> None:
    owner = user("owner")
    webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    closing.close(owner, withdraw=False)
    deliver_all()
    assert program.got == []
