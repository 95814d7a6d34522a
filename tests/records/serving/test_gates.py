"""The gate of a room: who computes, who waits, and who is refused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from lengths import part
from records.serving import gates
from records.serving.gates import Busy, Gate, RequestRefused


@pytest.fixture
def run() -> Iterator[Callable[..., Future[None]]]:
    """Run requests in threads: ``run(gate, sender)`` computes until ``run.finish()``."""
    over = threading.Event()
    with ThreadPoolExecutor(16) as pool:

        def compute(gate: Gate, sender: str, started: threading.Event, weight: int) -> None:
            with gate.enter(sender, in_flight=3, weight=weight):
                started.set()
                over.wait(30)

        def start(
            gate: Gate, sender: str, *, is_awaited: bool = True, weight: int = 1
        ) -> Future[None]:
            started = threading.Event()
            future = pool.submit(compute, gate, sender, started, weight)
            if is_awaited:
                assert started.wait(30)
            return future

        yield start
        over.set()


@contextmanager
def no_wait(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse requests without a turn immediately."""
    with monkeypatch.context() as patch:
        patch.setattr(gates, "WAIT_SECONDS", 0.01)
        yield


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


def test_full_room_gives_a_visitor_the_place_of_a_sender_with_several_requests(
    run: Callable[..., Future[None]],
) -> None:
    gate = Gate(computing=1, places=3)
    run(gate, "a")
    waiting = [run(gate, "a", is_awaited=False), run(gate, "b", is_awaited=False)]
    while gate.count < 3:
        time.sleep(0.001)
    visitor = run(gate, "visitor", is_awaited=False, weight=100)
    with pytest.raises(Busy):
        waiting[0].result(30)
    assert not visitor.done()
    assert not waiting[1].done()


def test_full_room_of_single_requests_gives_up_that_of_who_has_asked_for_most(
    run: Callable[..., Future[None]],
) -> None:
    gate = Gate(computing=1, places=3)
    run(gate, "a")
    waiting = [
        run(gate, "b", is_awaited=False, weight=200),
        run(gate, "c", is_awaited=False, weight=100),
    ]
    while gate.count < 3:
        time.sleep(0.001)
    with pytest.raises(Busy), gate.enter("d", 3, weight=300):
        pass
    run(gate, "visitor", is_awaited=False, weight=1)
    with pytest.raises(Busy):
        waiting[0].result(30)
    assert not waiting[1].done()


def test_visitor_computes_beside_senders_who_ask_for_much(
    run: Callable[..., Future[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(computing=2, places=6)
    run(gate, "a", weight=60)
    run(gate, "b", weight=60)
    with no_wait(monkeypatch):
        with pytest.raises(Busy), gate.enter("c", 3, weight=30):
            pass
        with (
            gate.enter("visitor", 3, weight=8),
            pytest.raises(Busy),
            gate.enter("another", 3, weight=8),
        ):
            pass


def test_accounts_have_places_that_anonymous_senders_cannot_take(
    run: Callable[..., Future[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(computing=1, places=1, reserved=1)
    run(gate, "a")
    with no_wait(monkeypatch):
        with pytest.raises(Busy), gate.enter("b", 3):
            pass
        with gate.enter("user:1", 3, weight=500, is_account=True):
            pass


@pytest.mark.parametrize("attackers", part([5, 2, 20]))
def test_visitor_with_one_request_in_flight_is_never_refused(attackers: int) -> None:
    gate = Gate(computing=2, places=6)
    over = threading.Event()

    def enter(sender: str) -> float:
        began = time.monotonic()
        with gate.enter(sender, in_flight=3):
            waited = time.monotonic() - began
            time.sleep(0.01)
        return waited

    def attack(sender: str) -> None:
        while not over.is_set():
            try:
                enter(sender)
            except RequestRefused:
                time.sleep(0.001)

    with ThreadPoolExecutor(6 * attackers) as pool:
        for number in range(6 * attackers):
            pool.submit(attack, f"attacker {number % attackers}")
        time.sleep(0.2)
        try:
            waits = sorted(enter("visitor") for _ in range(20))
        finally:
            over.set()
    assert waits[-2] < 1
