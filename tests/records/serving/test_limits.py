"""Limits of senders: requests in a minute, work, and requests in flight."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from hanaarchive.environment import rates
from records.serving import limits
from records.serving.limits import GROUPS, Busy, Gate, TooMany, charge, expensive


@pytest.fixture
def run() -> Iterator[Callable[..., Future[None]]]:
    """Run requests in threads: ``run(gate, sender)`` computes until ``run.finish()``."""
    over = threading.Event()
    with ThreadPoolExecutor(16) as pool:

        def compute(gate: Gate, sender: str, started: threading.Event) -> None:
            with gate.enter(sender, in_flight=3):
                started.set()
                over.wait(30)

        def start(gate: Gate, sender: str, *, is_awaited: bool = True) -> Future[None]:
            started = threading.Event()
            future = pool.submit(compute, gate, sender, started)
            if is_awaited:
                assert started.wait(30)
            return future

        yield start
        over.set()


@contextmanager
def no_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse requests without a turn immediately."""
    with monkeypatch.context() as patch:
        patch.setattr(limits, "WAIT_SECONDS", 0.01)
        yield


def test_sender_with_three_in_flight_is_refused_and_others_are_not(
    run: Callable[..., Future[None]],
) -> None:
    gate = Gate(computing=8, places=8)
    for _ in range(3):
        run(gate, "a")
    with pytest.raises(TooMany) as error, gate.enter("a", 3):
        pass
    assert error.value.again > 0
    with gate.enter("b", 3):
        pass


def test_sender_leaves_a_computing_place_to_others(
    run: Callable[..., Future[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(computing=2, places=6)
    run(gate, "a")
    with no_wait(monkeypatch):
        with pytest.raises(Busy), gate.enter("a", 3):
            pass
        with gate.enter("b", 3):
            pass


def test_full_process_refuses_every_sender(run: Callable[..., Future[None]]) -> None:
    gate = Gate(computing=2, places=2)
    run(gate, "a")
    run(gate, "b")
    with pytest.raises(Busy) as error, gate.enter("c", 3):
        pass
    assert error.value.again > 0


def test_waiting_request_computes_after_another_has_finished() -> None:
    gate = Gate(computing=1, places=2)
    order: list[str] = []

    def compute() -> None:
        with gate.enter("b", 3):
            order.append("b")

    with ThreadPoolExecutor(1) as pool:
        with gate.enter("a", 3):
            waiting = pool.submit(compute)
            order.append("a")
        waiting.result(30)
    assert order == ["a", "b"]


def test_place_is_free_again_after_an_error() -> None:
    gate = Gate(computing=1, places=1)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), gate.enter("a", 1):
            raise ZeroDivisionError
    with gate.enter("b", 1):
        pass


def test_accounted_request_goes_on_inside_another_account() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.7")
    request.user = AnonymousUser()
    with expensive(request, "statistics"), expensive(request, "page"):
        pass


@pytest.mark.parametrize("size", [0, 10 * limits.BYTES_PER_UNIT])
def test_weight_and_body_are_charged_when_a_request_starts(size: int, settings: Any) -> None:
    weight = GROUPS["verify"].weight + size // limits.BYTES_PER_UNIT
    settings.RATES = {"work": (2 * weight, 60)}
    request = RequestFactory().post(
        "/", b"#" * size, content_type="text/plain", REMOTE_ADDR="192.0.2.7"
    )
    request.user = AnonymousUser()
    charge(request, "verify")
    charge(request, "verify")
    with pytest.raises(TooMany) as error:
        charge(request, "verify")
    assert 0 < error.value.again <= 60


def test_every_group_can_be_requested_often_within_the_budget() -> None:
    assert GROUPS["work"].seconds == 60
    assert all(group.weight * 10 <= GROUPS["work"].requests for group in GROUPS.values())


def test_group_in_flight_leaves_places_of_its_room_to_other_senders() -> None:
    for name, group in GROUPS.items():
        assert bool(group.room) == bool(group.per_sender), name
        if group.room:
            assert group.per_sender < limits.GATES[group.room].places, name
    assert sum(gate.places for gate in limits.GATES.values()) <= settings.WEB_THREADS * 3 / 4


def test_changed_rates_are_parsed_and_malformed_ones_are_refused() -> None:
    assert rates("uploads=5/30, read=1/60") == {"uploads": (5, 30), "read": (1, 60)}
    for value in ("uploads", "uploads=5", "uploads=5/0", "uploads=-1/60", "uploads=a/60"):
        with pytest.raises(ImproperlyConfigured, match="name=times/seconds"):
            rates(value)


def test_unknown_name_of_a_rate_is_refused(settings: Any) -> None:
    settings.RATES = {"uploads": (5, 30), "download": (5, 30)}
    with pytest.raises(ImproperlyConfigured, match="HANA_RATES: download: expected some of read"):
        limits.check_rates()
