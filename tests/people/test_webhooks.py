"""Webhooks: signed, retried, and never sent into private networks."""

from __future__ import annotations

import base64
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
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

from people import delivery, tokens, webhooks
from people.accounts import adapter, lifecycle
from people.delivery import NotAllowed, check_url, is_public, post
from people.models import Token, Webhook
from records.base import clock
from records.jobs import executor, ledger, sweeping
from records.models import Job
from records.serving.gates import Busy
from tests.api.contract import problem
from tests.people.world import confirmed, do_jobs, reauthenticate, sent, session, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
#: A literal address: no name server is asked.
URL = "https://93.184.216.34/hook"
PRIVATE_HOSTS = ("127.0.0.1", "10.0.0.1", "[::1]", "169.254.169.254", "localhost")


def test_time_from_which_a_webhook_notifies_is_the_databases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moment = datetime(2026, 10, 5, 12, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: moment)
    hook = webhooks.add(user("owner"), URL)
    created = hook.enabled
    hook.disabled = moment
    webhooks.enable(hook)
    assert (created, hook.enabled) == (moment, moment)


class Program:
    """A local receiver, which responds with predefined statuses."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.requests: list[tuple[dict[str, str], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.requests.append((dict(self.headers), body))
                self.send_response(outer.statuses.pop(0) if outer.statuses else 204)
                self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """Log nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/hook?a=b"


@pytest.fixture
def program(settings: Settings) -> Iterator[Program]:
    settings.PRIVATE_WEBHOOKS = True
    receiver = Program()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def schedule_and_deliver() -> None:
    """Schedule and make all deliveries, including retries."""
    sweeping.schedule()
    deliver_all()


def deliver_all() -> None:
    """Make all deliveries without waiting for pauses."""
    for _ in range(100):
        makers.hurry()
        claimed = list(filter(None, map(delivery.claim, delivery.list_due_accounts())))
        if not claimed:
            return
        for job in claimed:
            executor.run_job(job)
    raise AssertionError("deliveries without end")


def test_finished_upload_is_notified_once_and_signed(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    upload = sent(makers.text(1), makers.illegal(2), owner=owner)
    sent(makers.text(3), owner=user("other"))
    schedule_and_deliver()
    ((headers, body),) = program.requests
    notice = Receiver(hook.secret).verify(body, headers)
    assert set(notice) == {"type", "timestamp", "data"} and notice["type"] == "upload.done"
    assert notice["data"]["key"] == upload.key
    assert notice["data"]["games"]["verified"] == notice["data"]["games"]["illegal"] == 1
    schedule_and_deliver()
    assert len(program.requests) == 1
    hook.refresh_from_db()
    assert hook.outcome == "204"


def test_unfinished_or_older_upload_is_not_notified(program: Program) -> None:
    owner = user("owner")
    sent(makers.text(1), owner=owner)
    webhooks.add(owner, program.url)
    schedule_and_deliver()
    assert program.requests == []
    headers = token(owner, "upload")
    Client().post(reverse("api:uploads"), makers.text(2), "text/x-kafu", headers=headers)
    sweeping.schedule()
    assert not Job.objects.filter(kind=webhooks.KIND).exists()
    do_jobs()
    schedule_and_deliver()
    assert len(program.requests) == 1


def test_delivery_is_retried_until_it_is_accepted(program: Program) -> None:
    owner = user("owner")
    webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    program.statuses = [500, 302, 404]
    schedule_and_deliver()
    assert len(program.requests) == 4
    assert len({(headers["webhook-id"], body) for headers, body in program.requests}) == 1
    assert Job.objects.get(kind=webhooks.KIND).state == Job.State.DONE


def test_delivery_ends_after_its_last_try(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "MAX_ATTEMPTS", 3)
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    program.server.shutdown()
    program.server.server_close()
    sent(makers.text(1), owner=owner)
    schedule_and_deliver()
    job = Job.objects.get(kind=webhooks.KIND)
    assert (job.state, job.attempts) == (Job.State.DONE, 3)
    hook.refresh_from_db()
    assert "refused" in hook.outcome


def test_deleted_webhook_is_not_delivered(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    hook.delete()
    deliver_all()
    assert program.requests == []
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
def test_invalid_address_is_rejected(url: str) -> None:
    with pytest.raises(NotAllowed):
        check_url(url)


@pytest.mark.parametrize(
    ("url", "detail"),
    [
        (" ", ""),
        ("http://games.example/", ""),
        *((f"https://{host}/", "not a public one") for host in PRIVATE_HOSTS),
    ],
)
def test_invalid_or_private_address_is_refused_when_added(url: str, detail: str) -> None:
    response = Client().post(
        reverse("api:webhooks"),
        {"url": url},
        "application/json",
        headers=token(user("owner"), "upload"),
    )
    assert detail in problem(response, "invalid-parameter", 400)["detail"]
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        *((address, False) for address in ("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1")),
        *(
            (address, False)
            for address in ("169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1")
        ),
        *((address, False) for address in ("::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::")),
        *((address, False) for address in ("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::")),
        *((address, False) for address in ("::127.0.0.1", "::ffff:0:127.0.0.1", "2001:0:7f00:1::")),
        *(
            (address, False)
            for address in ("fec0::1", "240.0.0.1", "255.255.255.255", "198.18.0.1")
        ),
    ],
)
def test_only_addresses_of_the_public_internet_are_public(address: str, public: bool) -> None:
    assert is_public(address) == public


def resolve_as(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let every host name resolve to these addresses."""
    results = [(None, None, None, None, (address, 443)) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: results)


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::1"]])
def test_name_of_a_private_address_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    resolve_as(monkeypatch, *addresses)
    monkeypatch.setattr(socket, "create_connection", None)
    with pytest.raises(NotAllowed, match="not a public one"):
        post(URL, b"", {})


def test_delivery_to_a_private_address_is_not_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_as(monkeypatch, "93.184.216.34", "10.0.0.1")
    monkeypatch.setattr(socket, "create_connection", None)
    owner = user("owner")
    with pytest.raises(NotAllowed, match="not a public one"):
        webhooks.add(owner, URL)
    hook = Webhook.objects.create(owner=owner, url=URL, secret=webhooks.new_secret())
    sent(makers.text(1), owner=owner)
    schedule_and_deliver()
    hook.refresh_from_db()
    assert hook.outcome == "the address is not a public one"
    assert Job.objects.get(kind=webhooks.KIND).attempts == 1


def test_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that resolves differently the second time cannot redirect the connection."""
    connected: list[Any] = []
    resolve_as(monkeypatch, "93.184.216.34")

    def connect(address: Any, timeout: float) -> Any:
        connected.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(ConnectionRefusedError):
        post(URL, b"", {})
    assert connected == [("93.184.216.34", 443)]


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:7f00:1]"])
def test_private_address_in_another_spelling_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Addresses are resolved as by the system before the check."""
    monkeypatch.setattr(socket, "create_connection", None)
    with pytest.raises(NotAllowed, match="not a public one"):
        post(f"https://{host}/", b"", {})


HEAD = b"HTTP/1.1 200 OK\r\n"
#: The beginning of a message of TLS of 16 KiB.
HELLO = b"\x16\x03\x03\x40\x00" + b"\x02" * 9999


@pytest.mark.parametrize(
    ("scheme", "letters"),
    [
        ("http", b""),
        ("http", HEAD + b"X: y\r\n" * 4000),
        ("http", HEAD + b"\r\n" + b"x" * 9999),
        ("https", b""),
        ("https", HELLO),
    ],
    ids=["nothing", "headers", "body", "nothing of TLS", "handshake"],
)
def test_slow_response_ends_at_the_deadline(program: Program, scheme: str, letters: bytes) -> None:
    """The response is silent, or sends a byte at a time; with TLS the handshake is slow."""
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
        assert time.monotonic() - began >= 0.3, "it ended by itself"
        over.set()
        thread.join()


def test_webhooks_are_added_listed_and_deleted_by_their_owner(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webhooks, "MAX_WEBHOOKS", 3)
    owner, other_user = user("owner"), user("other")
    headers = token(owner, "read", "upload")
    address = reverse("api:webhooks")
    fields = {"url": URL}
    created = Client().post(address, fields, "application/json", headers=headers)
    assert created.status_code == 201
    assert len(base64.b64decode(created.json()["secret"].removeprefix("whsec_"))) == 32
    (listed,) = Client().get(address, headers=headers).json()
    assert "secret" not in listed
    assert Client().get(address, headers=token(other_user, "read")).json() == []
    browser = session(owner)
    reauthenticate(browser)
    page = browser.get(f"{reverse('tokens')}?secrets").content.decode()
    assert URL in page and created.json()["secret"] in page
    assert (
        created.json()["secret"] not in session(other_user).get(reverse("tokens")).content.decode()
    )
    webhook = reverse("api:webhook", args=[listed["key"]])
    assert Client().delete(webhook, headers=token(other_user, "upload")).status_code == 204
    assert Webhook.objects.exists()
    assert Client().delete(webhook, headers=headers).status_code == 204
    assert not Webhook.objects.exists()
    for _ in range(webhooks.MAX_WEBHOOKS):
        browser.post(reverse("add_webhook"), fields)
    assert Webhook.objects.count() == webhooks.MAX_WEBHOOKS
    response = Client().post(address, fields, "application/json", headers=headers)
    problem(response, "too-many-webhooks", 409)
    refused = browser.post(reverse("add_webhook"), fields, follow=True).content.decode()
    assert "the most there can be" in refused
    invalid = browser.post(reverse("add_webhook"), {"url": "http://x"}, follow=True)
    assert "This address cannot be used" in invalid.content.decode()
    hook = Webhook.objects.first()
    assert hook is not None
    delete = reverse("delete_webhook", args=[hook.key])
    assert session(other_user).post(delete).status_code == 404
    assert browser.post(delete).status_code == 302
    assert Webhook.objects.count() == webhooks.MAX_WEBHOOKS - 1


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_webhook_added_with_a_token_ends_with_it(program: Program, end: str) -> None:
    owner = user("owner")
    lasting = webhooks.add(owner, program.url)
    granted, text = tokens.create_token(owner=owner, name="club", scopes=("read", "upload"))
    headers = {"Authorization": f"Bearer {text}"}
    address = reverse("api:webhooks")
    Client().post(address, {"url": program.url}, "application/json", headers=headers)
    listed = Client().get(address, headers=token(owner, "read")).json()
    assert [row["token"] for row in listed] == [granted.prefix, None]
    assert "<bdi>club</bdi>" in session(owner).get(reverse("tokens")).content.decode()
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    if end == "revoked":
        tokens.revoke(granted)
    else:
        Token.objects.filter(pk=granted.pk).update(expires=timezone.now())
    (remaining,) = Client().get(address, headers=token(owner, "read")).json()
    assert remaining["key"] == lasting.key
    schedule_and_deliver()
    assert len(program.requests) == 1, "a notice that was due is not sent any more"
    assert [hook.pk for hook in Webhook.objects.all()] == [lasting.pk]


def test_upload_of_long_ago_is_not_notified(program: Program) -> None:
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    Webhook.objects.filter(pk=hook.pk).update(created=timezone.now() - timedelta(days=9))
    upload = sent(makers.text(1), owner=owner)
    type(upload).objects.update(created=timezone.now() - webhooks.MAX_AGE - timedelta(hours=1))
    schedule_and_deliver()
    assert program.requests == []


def test_signature_equals_the_example_of_the_specification() -> None:
    """The example of Standard Webhooks."""
    signed = webhooks.compute_signature(
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
    monkeypatch.setattr(webhooks, "MAX_FAILURES", 5)
    mailed: list[Any] = []
    monkeypatch.setattr(adapter, "send", lambda *arguments: mailed.append(arguments))
    owner = confirmed("owner", "owner@games.example")
    hook = webhooks.add(owner, program.url)
    for seed in (1, 2):
        sent(makers.text(seed), owner=owner)
    program.statuses = [500] * 99
    with django_capture_on_commit_callbacks(execute=True):
        schedule_and_deliver()
    assert len(program.requests) == webhooks.MAX_FAILURES
    assert not Job.objects.filter(kind=webhooks.KIND, state__in=Job.OPEN).exists()
    ((address, template, context),) = mailed
    assert (address, template) == ("owner@games.example", "people/webhook_disabled")
    for part in ("subject", "message"):
        text = render_to_string(f"{template}_{part}.txt", context)
        assert part == "subject" or (program.url in text and "status 500" not in text)
    headers = token(owner, "read", "upload")
    (listed,) = Client().get(reverse("api:webhooks"), headers=headers).json()
    assert (listed["state"], listed["failures"]) == ("disabled", webhooks.MAX_FAILURES)
    assert listed["disabled"] is not None
    sent(makers.text(3), owner=owner)
    schedule_and_deliver()
    assert len(program.requests) == webhooks.MAX_FAILURES, "nothing is sent while it is disabled"
    program.statuses = []
    address_of_hook = reverse("api:webhook", args=[hook.key])
    refused = Client().patch(
        address_of_hook, {"state": "disabled"}, "application/json", headers=headers
    )
    problem(refused, "invalid-parameter", 400)
    response = Client().patch(
        address_of_hook, {"state": "active"}, "application/json", headers=headers
    )
    assert (response.status_code, response.json()["state"]) == (200, "active")
    sent(makers.text(4), owner=owner)
    schedule_and_deliver()
    assert len(program.requests) == webhooks.MAX_FAILURES + 1, "only what came after it was enabled"


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


def test_failure_postpones_all_deliveries_of_a_webhook(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A receiver that is down gets one attempt, not one for each upload."""
    pause = timedelta(hours=1)  # longer than any machine takes for this test
    monkeypatch.setattr(
        webhooks, "_pause_end", lambda failures: timezone.now() + pause if failures else None
    )
    owner = user("owner")
    hook = webhooks.add(owner, program.url)
    for seed in (1, 2, 3):
        sent(makers.text(seed), owner=owner)
    sweeping.schedule()
    program.statuses = [500]
    job = delivery.claim(owner.pk)
    assert job is not None
    executor.run_job(job)
    assert delivery.list_due_accounts() == []
    sent(makers.text(4), owner=owner)
    sweeping.schedule()
    assert delivery.list_due_accounts() == [], "nor a new one at once"
    hook.refresh_from_db()
    assert hook.paused_until is not None
    deliver_all()
    hook.refresh_from_db()
    assert Webhook.objects.get().paused_until is None
    assert (hook.failures, len(program.requests)) == (0, 5)


def test_each_account_has_one_delivery_at_a_time(program: Program) -> None:
    busy, idle = user("busy"), user("other")
    for _ in range(3):
        webhooks.add(busy, program.url)
    webhooks.add(idle, program.url)
    for owner in (busy, idle):
        sent(makers.text(1), owner=owner)
    sweeping.schedule()
    assert delivery.list_due_accounts() == [busy.pk, idle.pk]
    first = delivery.claim(busy.pk)
    assert first is not None
    assert delivery.list_due_accounts() == [idle.pk] and delivery.claim(busy.pk) is None
    executor.run_job(first)
    assert delivery.list_due_accounts() == [idle.pk, busy.pk], "who was served last is last"


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
    job = delivery.claim(owner.pk)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    ledger.end_leases(timezone.now())
    deliver_all()
    assert len(program.requests) == 1


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the name server by one that never responds."""
    over = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: over.wait() and [])
    yield
    over.set()


def test_hanging_name_server_ends_at_the_deadline(hanging: None) -> None:
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="not resolved in time"):
        post("https://games.example/", b"", {}, 0.2)
    assert time.monotonic() - began < 5


def test_hanging_lookups_are_not_counted_as_failures_of_others(
    hanging: None, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "_lookups", BoundedSemaphore(1))
    owner = user("owner")
    Webhook.objects.create(owner=owner, url=program.url, secret=webhooks.new_secret())
    sent(makers.text(1), owner=owner)
    sweeping.schedule()
    with pytest.raises(TimeoutError):
        post("https://games.example/", b"", {}, 0.1)
    job = delivery.claim(owner.pk)
    assert job is not None
    executor.run_job(job)
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
    monkeypatch.setattr(delivery, "LOOKUP_SECONDS", 0.2)
    owner = user("owner")
    fields = {"url": "https://games.example/"}
    headers = token(owner, "upload")
    response = Client().post(reverse("api:webhooks"), fields, "application/json", headers=headers)
    assert "the host cannot be found" in problem(response, "invalid-parameter", 400)["detail"]
    browser = session(owner)
    reauthenticate(browser)
    page = browser.post(reverse("add_webhook"), fields, follow=True).content.decode()
    assert "the host cannot be found" in page
    assert not Webhook.objects.exists()


def test_many_lookups_at_once_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "_adding", Semaphore(0))
    owner = user("owner")
    with pytest.raises(Busy):
        webhooks.add(owner, URL)
    headers = token(owner, "upload")
    response = Client().post(
        reverse("api:webhooks"), {"url": URL}, "application/json", headers=headers
    )
    problem(response, "busy", 503)
    assert response["Retry-After"]
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
    lifecycle.close(owner, withdraw=False)
    deliver_all()
    assert program.requests == []
