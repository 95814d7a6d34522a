"""Senders who ignore refusals: their requests wait, others do not."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import pytest

from hanaarchive.floods import DELAY_SECONDS, MOST_REFUSALS
from records.serving import recent
from records.serving.recent import RecentCounts
from tests.conftest import Hana, bare_env


@pytest.fixture
def port(new_var: Callable[[], Path]) -> Iterator[int]:
    """Yield the port of a web server that refuses the second request to its API in a minute."""
    runner = Hana()
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()), HANA_RATES="read=1/60")
    _process, port = runner.web(env)
    yield port
    runner.end()


def request(port: int, sender: str) -> tuple[int, float]:
    """Return the status and the seconds of a request to the API from an address."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, 60, (sender, 0))
    connection.request("GET", "/api/v1/records")
    status = connection.getresponse().status
    connection.close()
    return status, time.monotonic() - began


def test_request_after_many_refusals_waits_and_one_of_another_sender_does_not(port: int) -> None:
    while request(port, "127.0.0.5")[0] == 200:
        pass
    refusals = [request(port, "127.0.0.5") for _ in range(MOST_REFUSALS - 1)]
    assert {status for status, _seconds in refusals} == {429}
    # A busy machine may delay single requests.
    assert median(seconds for _status, seconds in refusals) < DELAY_SECONDS
    assert request(port, "127.0.0.5")[1] >= DELAY_SECONDS
    assert min(request(port, "127.0.0.6")[1] for _ in range(3)) < DELAY_SECONDS


def test_counts_are_forgotten_after_two_periods(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(recent.time, "monotonic", lambda: now)
    counts = RecentCounts()
    counts.add("a")
    now += recent.PERIOD_SECONDS
    counts.add("a", 2)
    assert counts["a"] == 3
    assert counts["b"] == 0
    now += recent.PERIOD_SECONDS
    assert counts["a"] == 2
    now += 2 * recent.PERIOD_SECONDS
    assert counts["a"] == 0
