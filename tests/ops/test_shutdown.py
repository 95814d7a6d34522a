"""Stopping workers: a chunk is finished, or released immediately."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Environment, Hana
from tests.records.jobs.ledger import Ledger, hand_in, sample
from tests.records.makers import text

MakeEnv = Callable[..., Environment]

ATTEMPTS = "SELECT max(attempts) FROM records_job WHERE kind = 'chunk'"
HEARTBEATS = "SELECT count(*) FROM records_heartbeat"


def test_embedded_worker_that_is_told_to_end_finishes_its_chunk(
    hana: Hana, hana_env: MakeEnv
) -> None:
    env = hana_env(HANA_CHUNK_GAMES="15")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    worker = hana.start("worker", env=env)
    ledger.wait(lambda: ledger.in_work() > 0, tick=0.01)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(120) == 0
    assert ledger.in_work() == 0
    assert ledger.chunks_done() > 0
    assert ledger.number(ATTEMPTS) == 1
    assert ledger.number(HEARTBEATS) == 0, "it is removed at the end"


def test_celery_worker_that_is_told_to_end_finishes_or_releases_its_jobs(
    hana: Hana, hana_env: MakeEnv
) -> None:
    """One process of the pool has a file that it cannot finish, the other a chunk.

    The file is released long before its lease ends, and its attempt does not count.
    """
    env = hana_env(postgres=True, redis=True, HANA_CHUNK_GAMES="15", HANA_WORKERS="2")
    ledger = Ledger(env)
    hand_in(hana, env, text(1).encode(), sample())
    [(job, name)] = ledger.ask(
        "SELECT job_id, stored FROM records_uploadfile ORDER BY job_id LIMIT 1"
    )
    stored = Path(env["HANA_VAR"]) / "uploads" / name
    stored.unlink()
    os.mkfifo(stored)  # Nobody writes: opening it never returns.
    worker = hana.start("worker", env=env)
    leased = f"SELECT count(*) FROM records_job WHERE id = {job} AND state = 'leased'"
    ledger.wait(lambda: ledger.number(leased), tick=0.1)
    ledger.wait(lambda: ledger.in_work() > 0, tick=0.02)
    worker.send_signal(signal.SIGTERM)
    worker.wait(120)
    assert ledger.ask(f"SELECT state, attempts, lease FROM records_job WHERE id = {job}") == [
        ("waiting", 0, "")
    ]
    assert ledger.in_work() == 0
    assert ledger.chunks_done() > 0
    assert ledger.number(ATTEMPTS) == 1
    assert ledger.number(HEARTBEATS) == 0, "it is removed at the end"
