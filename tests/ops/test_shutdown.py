"""Stopping workers: a chunk is finished, or released at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana
from tests.records.makers import text
from tests.records.work.ledger import Ledger, hand_in, sample

MakeEnv = Callable[..., Environment]


@pytest.mark.parametrize("redis", [False, True], ids=["embedded", "celery"])
def test_a_worker_finishes_its_chunk(hana: Hana, hana_env: MakeEnv, redis: bool) -> None:
    env = hana_env(postgres=redis, redis=redis, HANA_CHUNK_GAMES="15", HANA_WORKERS="1")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    worker = hana.start("worker", env=env)
    ledger.wait(lambda: ledger.in_work() > 0, tick=0.01)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
    assert ledger.in_work() == 0
    assert ledger.chunks_done() > 0
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") == 1
    assert ledger.number("SELECT count(*) FROM records_heartbeat") == 0, "who ends says so"


def test_a_worker_gives_back_what_it_cannot_finish(hana: Hana, hana_env: MakeEnv) -> None:
    """Long before its lease ends, and not counted as an attempt that failed."""
    env = hana_env(postgres=True, redis=True, HANA_WORKERS="1")
    ledger = Ledger(env)
    hand_in(hana, env, text(1).encode())
    [(name,)] = ledger.ask("SELECT stored FROM records_uploadfile")
    stored = Path(env["HANA_VAR"]) / "uploads" / name
    stored.unlink()
    os.mkfifo(stored)  # nobody writes: whoever opens it waits for ever
    worker = hana.start("worker", env=env)
    leased = "SELECT count(*) FROM records_job WHERE kind = 'file' AND state = 'leased'"
    ledger.wait(lambda: ledger.number(leased))
    worker.send_signal(signal.SIGTERM)
    worker.wait(20)
    assert ledger.ask("SELECT state, attempts, lease FROM records_job WHERE kind = 'file'") == [
        ("waiting", 0, "")
    ]
