"""An idle embedded worker uses hardly any time, and starts new jobs immediately."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from records.jobs import executor, wakeups
from records.jobs.executor import LOOK_SECONDS, Worker
from records.jobs.wakeups import CHECK_SECONDS
from tests.conftest import Environment, Hana
from tests.records.makers import text, upload


class Clock:
    """A clock whose time passes only in sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.wakes = 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds >= CHECK_SECONDS
        self.now += seconds
        self.wakes += 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock of the worker."""
    clock = Clock()
    for module in (executor, wakeups):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.mark.django_db
def test_minute_without_work_makes_few_queries(clock: Clock) -> None:
    with CaptureQueriesContext(connection) as queries:
        Worker().run(lambda: clock.now >= 1060)
    questions = [query["sql"] for query in queries if "data_version" not in query["sql"]]
    assert clock.wakes == 60 / CHECK_SECONDS
    assert len(queries) - len(questions) <= 1.1 * clock.wakes
    # An earlier version made 30 a second.
    assert len(questions) < 60 * 5


@pytest.mark.django_db
def test_new_work_is_begun_at_the_next_wake(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins at the first wake after the write."""
    versions = iter([1] * 30 + [2] * 1000)
    monkeypatch.setattr(wakeups, "_data_version", lambda: next(versions))
    begun: list[float] = []
    step = Worker.step

    def stepped(self: Worker) -> bool:
        begun.append(clock.now)
        return step(self)

    monkeypatch.setattr(Worker, "step", stepped)
    Worker().run(lambda: clock.now >= 1009)
    written = 1000 + 28 * CHECK_SECONDS
    assert min(abs(when - written) for when in begun) <= CHECK_SECONDS


@pytest.mark.django_db
def test_row_that_is_due_later_is_looked_for_then(clock: Clock) -> None:
    """The job becomes due after a pause without a notification."""
    sent = upload(text(1).encode())
    idle = Worker()
    idle.has_news = False
    assert idle.compute_pause() == CHECK_SECONDS
    sent.jobs.update(state="done")
    assert idle.compute_pause() == LOOK_SECONDS


ASK = """
import threading, time
from django.db import connection
from records.jobs.wakeups import Listener
from tests.records.makers import text, upload

listener = Listener()

def heard():
    return listener.wait(0.25, lambda: False)

listener.listen()
print("quiet", heard(), heard())

def send():
    upload(text(1).encode())
    connection.close()

sender = threading.Thread(target=send)
sender.start()
sender.join()
print("heard", any(heard() for _ in range(3)))
listener.listen()
print("quiet again", heard())
connection.close()
heard()
listener.listen()
print("still quiet", heard())
"""


@pytest.mark.parametrize("postgres", [False, True], ids=["sqlite", "postgresql"])
def test_listener_hears_new_work_once_and_none_after_a_lost_connection(
    hana: Hana, hana_env: Callable[..., Environment], postgres: bool
) -> None:
    output = hana("shell", "--command", ASK, env=hana_env(postgres=postgres)).stdout
    assert "quiet False False" in output
    assert "heard True" in output
    assert "quiet again False" in output
    assert "still quiet False" in output, "though its connection was lost"
