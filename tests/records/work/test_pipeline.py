"""Uploads processed by real processes that are killed, on SQLite and on PostgreSQL with Redis.

Chunks are small, so that there are many to be killed in; leases are short where only their end
releases a row.
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
from tests.records.intake.test_bad_input import GAMES, WHOLE_FILES
from tests.records.makers import joined, text
from tests.records.work.ledger import Ledger, hand_in, sample
from tests.services import free_port

KILLS = 4
MakeEnv = Callable[..., Environment]


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL to a process and to all that it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def has_begun(ledger: Ledger, before: int) -> bool:
    """Whether a worker has done a chunk more and is at the next."""
    return ledger.chunks_done() > before and ledger.in_work() > 0


def kill_in_mid_chunk(
    ledger: Ledger, start: Callable[[], subprocess.Popen[str]], *, kills: int
) -> Iterator[int]:
    """Start a worker and kill it while it has a chunk, again and again; yields the chunks done."""
    moments = Random(2026)
    for _ in range(kills):
        before = ledger.chunks_done()
        worker = start()
        ledger.wait(partial(has_begun, ledger, before), tick=0.01)
        time.sleep(moments.random() * 0.05)
        kill(worker)
        yield ledger.chunks_done()


def test_embedded_worker_killed_in_mid_chunk_on_sqlite(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(HANA_CHUNK_GAMES="8")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    done = list(kill_in_mid_chunk(ledger, lambda: hana.start("worker", env=env), kills=KILLS))
    assert done[-1] < ledger.number("SELECT count(*) FROM records_chunk"), "killed too late"
    hana.start("worker", env=env)
    ledger.wait(ledger.is_done)
    ledger.check()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") > 1


def test_celery_worker_killed_in_mid_chunk_on_postgresql(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, redis=True, HANA_CHUNK_GAMES="8", HANA_LEASE_SECONDS="3")
    ledger = Ledger(env)
    hand_in(hana, env, sample())
    done = list(kill_in_mid_chunk(ledger, lambda: hana.start("worker", env=env), kills=2))
    assert done[-1] < ledger.number("SELECT count(*) FROM records_chunk"), "killed too late"
    hana.start("worker", env=env)
    hana.start("sweep", "--every=0.5", "--max-wait=0.5", env=env)
    ledger.wait(ledger.is_done)
    ledger.check()
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") > 1


def test_redis_that_forgot_everything(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, redis=True, HANA_CHUNK_GAMES="40")
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


def test_a_broker_that_is_away_is_nobody_s_error(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(HANA_CHUNK_GAMES="40")
    away = env | {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    assert hand_in(hana, away, sample())
    assert "found: 0" in hana("sweep", "--once", "--max-wait=0", env=away).stdout
    hana.start("worker", env=env)
    ledger = Ledger(env)
    ledger.wait(ledger.is_done)
    ledger.check()


@pytest.mark.parametrize("postgres", [False, True], ids=["sqlite", "postgresql"])
def test_the_same_games_twice_at_the_same_moment(
    hana_env: MakeEnv, hana: Hana, postgres: bool
) -> None:
    env = hana_env(postgres=postgres, HANA_CHUNK_GAMES="30")
    hand_in(hana, env, sample(), sample())
    for _ in range(2):
        hana.start("worker", env=env)
    ledger = Ledger(env)
    ledger.wait(ledger.is_done)
    ledger.check(uploads=2)


def test_no_bad_input_stops_postgresql(hana_env: MakeEnv, hana: Hana) -> None:
    env = hana_env(postgres=True, HANA_CHUNK_GAMES="3")
    files = [*WHOLE_FILES.values(), *(joined(text(1), game, text(3)) for game in GAMES.values())]
    hand_in(hana, env, *files)
    hana.start("worker", env=env)
    ledger = Ledger(env)
    ledger.wait(ledger.is_done)
    assert ledger.number("SELECT max(attempts) FROM records_job WHERE kind = 'chunk'") == 1
    statuses = Counter(status for (status,) in ledger.ask("SELECT status FROM records_submission"))
    assert statuses == {"malformed": len(files), "verified": 2 * len(GAMES)}
