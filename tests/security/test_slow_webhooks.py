"""Receivers of webhooks that answer a byte a second hold neither workers nor other accounts."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Lock, Thread

import pytest

from people import webhooks
from people.delivery import sender
from people.models import Webhook
from records.models import Job
from records.work import tasks
from records.work.kinds import Lane
from tests.conftest import Environment, Hana
from tests.people.world import sent, user
from tests.records.makers import text
from tests.records.work.ledger import Ledger
from tests.services import wait_until

#: Ten webhooks of an account that are due for two uploads each.
SEED = """
from django.contrib.auth import get_user_model
from people import webhooks
from people.models import Webhook
from tests.people.world import sent
from tests.records.makers import text
owner = get_user_model().objects.create_user("owner")
for _ in range({hooks}):
    Webhook.objects.create(owner=owner, url="{url}", secret=webhooks.new_secret())
for seed in (1, 2):
    sent(text(seed), owner=owner)
webhooks.schedule()
"""
OTHER = """
from tests.records.makers import joined, text, upload
upload(joined(*map(text, range(3, 8))), sender="other")
"""


class Trickle:
    """A server that sends a byte a second; it counts its connections."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = Lock()
        self.over = Event()
        self.server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}/"
        Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Serve each connection in a thread of its own."""
        with suppress(OSError):
            while True:
                connection, _address = self.server.accept()
                Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        """Send until the other side has had enough."""
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        with connection, suppress(OSError):
            connection.recv(4096)
            connection.settimeout(1)
            for letter in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 9999:
                connection.sendall(bytes([letter]))
                with suppress(TimeoutError):
                    if not connection.recv(1) or self.over.is_set():
                        break
        with self.lock:
            self.now -= 1


@pytest.fixture
def trickle() -> Iterator[Trickle]:
    """One of these."""
    server = Trickle()
    yield server
    server.over.set()
    server.server.close()


def test_workers_do_no_delivery(db: None) -> None:
    owner = user("owner")
    url = "https://93.184.216.34/"
    Webhook.objects.create(owner=owner, url=url, secret=webhooks.new_secret())
    sent(text(1), owner=owner)
    webhooks.schedule()
    for lane in (Lane.WORKER, Lane.IDLE):
        while tasks.do_next(lane):
            pass
    assert Job.objects.get(kind=webhooks.KIND).attempts == 0
    assert sender.accounts() == [owner.pk]


def test_slow_receivers_delay_no_upload(
    hana: Hana, hana_env: Callable[..., Environment], trickle: Trickle
) -> None:
    env = hana_env(redis=True, HANA_WORKERS="1", HANA_PRIVATE_WEBHOOKS="1")
    hana("shell", "--command", SEED.format(hooks=10, url=trickle.url) + OTHER, env=env)
    hana.start("webhooks", env=env)
    wait_until(lambda: trickle.most, "a delivery is under way", seconds=60)
    hana.start("worker", env=env)
    ledger = Ledger(env)
    began = time.monotonic()
    ledger.wait(ledger.is_done)
    # A worker that did deliveries would take 200 s for those that are due.
    assert time.monotonic() - began < 60
    assert trickle.most == 1, "one delivery of an account at a time"
    kinds = ledger.ask("SELECT kind FROM records_heartbeat WHERE kind = 'webhooks'")
    assert kinds == [("webhooks",)]


def test_sweep_of_one_machine_delivers(
    hana: Hana, hana_env: Callable[..., Environment], trickle: Trickle
) -> None:
    env = hana_env(HANA_PRIVATE_WEBHOOKS="1")
    hana("shell", "--command", SEED.format(hooks=1, url=trickle.url), env=env)
    process = hana.start("sweep", "--webhooks", env=env)
    wait_until(lambda: trickle.most, "a delivery is under way", seconds=60)
    process.terminate()
    assert process.wait(25) == 0, "it ends with its deliveries"
