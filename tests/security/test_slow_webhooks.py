"""Slow receivers of webhooks (a byte a second) delay neither uploads nor other accounts."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection

from people import delivery, webhooks
from people.models import Webhook
from records.jobs import executor
from records.jobs.executor import Worker
from records.jobs.kinds import BACKGROUND, WORK
from records.models import Heartbeat, Job
from tests.conftest import Environment, Hana
from tests.people.world import sent, user
from tests.records.makers import joined, text, upload
from tests.services import wait_until


class Trickle:
    """A server that sends a byte a second, and counts its connections."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = Lock()
        self.over = Event()
        self.server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.server.getsockname()[1]}/"
        Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Serve each connection in a separate thread."""
        with suppress(OSError):
            while True:
                connection, _address = self.server.accept()
                Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection: socket.socket) -> None:
        """Send until the other side closes the connection."""
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


def deliver_and_read() -> None:
    """Sweep and deliver as `serve` does, and read an upload of another sender meanwhile.

    Runs in a separate process. Ten webhooks of an account are due for two uploads each.
    """
    trickle = Trickle()
    owner = get_user_model()._default_manager.create(username="owner")
    for _ in range(10):
        Webhook.objects.create(owner=owner, url=trickle.url, secret=webhooks.new_secret())
    for seed in (1, 2):
        sent(text(seed), owner=owner)
    webhooks.schedule()
    received = upload(joined(text(3), text(4)), sender="other")
    results: dict[str, object] = {}

    def read() -> None:
        try:
            wait_until(lambda: trickle.most, "a delivery is under way", seconds=60)
            began = time.monotonic()
            worker = Worker()
            while received.progress()["state"] != "done":
                worker.step()
            results["seconds"] = time.monotonic() - began
            results["connections"] = trickle.most
            kinds = Heartbeat.objects.values_list("kind", flat=True)
            results["heard"] = Heartbeat.Kind.WEBHOOKS in kinds
        finally:
            connection.close()
            os.kill(os.getpid(), signal.SIGTERM)

    reader = Thread(target=read)
    reader.start()
    call_command("sweep", webhooks=True)
    reader.join()
    wait_until(lambda: not trickle.now, "no delivery is under way")
    (settings.VAR_DIR / "results.json").write_text(json.dumps(results))


def test_deliveries_are_done_by_no_worker(db: None) -> None:
    owner = user("owner")
    url = "https://93.184.216.34/"
    Webhook.objects.create(owner=owner, url=url, secret=webhooks.new_secret())
    sent(text(1), owner=owner)
    webhooks.schedule()
    for queue in (WORK, BACKGROUND):
        while executor.run_next(queue):
            pass
    assert Job.objects.get(kind=webhooks.KIND).attempts == 0
    assert delivery.list_due_accounts() == [owner.pk]


@pytest.mark.django_db
def test_webhooks_command_sends_until_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    def run(_sender: delivery.Sender, should_end: Callable[[], bool]) -> None:
        ended.append(should_end())
        os.kill(os.getpid(), signal.SIGTERM)
        wait_until(should_end, "the command is told to end")
        ended.append(should_end())

    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setattr(delivery.Sender, "run", run)
    try:
        call_command("webhooks")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert ended == [False, True]


def test_slow_receivers_delay_no_upload_and_end_with_the_sweep(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(HANA_PRIVATE_WEBHOOKS="1")
    script = "from tests.security import test_slow_webhooks\ntest_slow_webhooks.deliver_and_read()"
    hana("shell", "--command", script, env=env)
    results = json.loads((Path(env["HANA_VAR"]) / "results.json").read_text())
    # A worker that made all due deliveries would take 200 s.
    assert results.pop("seconds") < 60
    # An account has one delivery at a time.
    assert results == {"connections": 1, "heard": True}
