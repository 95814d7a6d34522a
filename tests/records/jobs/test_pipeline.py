"""Uploads processed by real processes, on SQLite and on PostgreSQL with Redis.

Chunks are small, so that a worker can be killed in many; leases are short if only their end
releases a row. `tests/faults/test_short.py` kills workers of both forms in every run.
"""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest
import redis

from tests.conftest import Environment, Hana, empty
from tests.records.ingest.test_bad_input import GAMES, WHOLE_FILES
from tests.records.jobs.ledger import WORK_OFF, Ledger, hand_in, sample
from tests.records.makers import joined, text
from tests.services import free_port

MakeEnv = Callable[..., Environment]

#: The broker is away: the sweep sends no message and raises no error.
SWEEP = """
from records.jobs.sweeping import sweep
assert sweep(max_wait=0) == 0
"""


def kill(process: subprocess.Popen[str]) -> None:
    """Send SIGKILL to a process and its descendants."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def has_begun(ledger: Ledger, before: int) -> bool:
    """Return whether a worker has done a chunk more than ``before`` and is at the next."""
    return ledger.chunks_done() > before and ledger.in_work() > 0


def kill_in_mid_chunk(
    ledger: Ledger, start: Callable[[], subprocess.Popen[str]], *, kills: int
) -> Iterator[int]:
    """Start a worker and kill it while it has a chunk, repeatedly; yield the finished chunks."""
    moments = Random(2026)
    for _ in range(kills):
        before = ledger.chunks_done()
        worker = start()
        ledger.wait(partial(has_begun, ledger, before), tick=0.01)
        time.sleep(moments.random() * 0.05)
        kill(worker)
        yield ledger.chunks_done()


@pytest.mark.faults
def test_embedded_worker_killed_in_mid_chunk_loses_no_game(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(HANA_CHUNK_GAMES="4")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    counts = list(kill_in_mid_chunk(ledger, lambda: hana.start("worker", env=env), kills=4))
    assert counts[-1] < ledger.number("SELECT count(*) FROM records_chunk"), "killed too late"
    hana.start("worker", env=env)
    ledger.wait(ledger.is_done)
    ledger.check()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") > 1


@pytest.mark.faults
def test_celery_worker_killed_in_mid_chunk_loses_no_game(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, redis=True, HANA_CHUNK_GAMES="4")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    counts = list(kill_in_mid_chunk(ledger, lambda: hana.start("worker", env=env), kills=2))
    assert counts[-1] < ledger.number("SELECT count(*) FROM records_chunk"), "killed too late"
    hana.start("worker", env=env)
    hana.start("sweep", "--every=0.5", "--max-wait=0.5", env=env)
    ledger.wait(ledger.is_done)
    ledger.check()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") > 1


@pytest.mark.faults
def test_redis_that_lost_every_message_delays_uploads_only(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, redis=True, HANA_CHUNK_GAMES="20")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    with redis.Redis.from_url(env["REDIS_URL"]) as client:
        assert client.llen("work") == 1
    empty(env["REDIS_URL"])
    hana.start("worker", env=env)
    hana.start("sweep", "--every=0.5", "--max-wait=0.5", env=env)
    ledger.wait(lambda: ledger.number("SELECT count(*) FROM records_chunk"))
    empty(env["REDIS_URL"])
    ledger.wait(ledger.is_done)
    ledger.check()


@pytest.mark.faults
@pytest.mark.parametrize("postgres", [False, True], ids=["sqlite", "postgresql"])
def test_two_workers_store_games_that_are_sent_twice_once(
    hana_env: MakeEnv, hana: Hana, postgres: bool
) -> None:
    """The broker is away during the uploads, which is an error of neither sender nor sweep."""
    env = hana_env(postgres=postgres, HANA_CHUNK_GAMES="15")
    away = env | {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    assert len(hand_in(hana, away, sample(), sample(), then=SWEEP)) == 2
    for _ in range(2):
        hana.start("worker", env=env)
    ledger = Ledger(env)
    ledger.wait(ledger.is_done)
    ledger.check(uploads=2)


def test_bad_input_stops_no_worker_on_postgresql(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, HANA_CHUNK_GAMES="3")
    texts = [piece for game in GAMES.values() for piece in (text(1), game)]
    hand_in(hana, env, *WHOLE_FILES.values(), joined(*texts), then=WORK_OFF)
    ledger = Ledger(env)
    assert ledger.is_done()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") == 1
    statuses = Counter(status for (status,) in ledger.ask("SELECT status FROM records_submission"))
    malformed = len(WHOLE_FILES) + len(GAMES)
    assert statuses == {"malformed": malformed, "verified": len(GAMES)}
