"""Faults that a site can suffer.

Each fault is over when its method returns; `Site.tend` restarts killed processes.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random

import psycopg
import redis
from kombu import Connection

from tests.faults.games import file, games
from tests.faults.poison import SLOW, poisoned
from tests.faults.site import Site
from tests.hanaarchive.test_supervisor import descendants

#: Maximum bytes of a file on a "full" disk: RLIMIT_FSIZE, hence EFBIG in place of ENOSPC.
FULL_DISK_BYTES = 1000


def slowed(*names: str) -> bytes:
    """Return games that are slow to judge, so that workers can be hurt in the middle."""
    return file(*(poisoned(text, SLOW) for text in games(*names)))


def in_mid_work(site: Site) -> bool:
    """Return whether a chunk is stored, another one leased, and another one waits."""
    states = dict(
        site.ledger.ask("SELECT state, count(*) FROM records_job WHERE kind = 'chunk' GROUP BY 1")
    )
    return {"done", "leased", "waiting"} <= states.keys()


@contextmanager
def half_sent(site: Site, data: bytes, key: str) -> Iterator[None]:
    """Send half of the body of a request, which is never finished."""
    site.wait(lambda: site.get("/health/live")[0] == 200)  # The server may be restarting.
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as sender:
        headers = site.headers("games.kafu", key) | {
            "Host": "127.0.0.1",
            "Content-Length": str(len(data)),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        request = f"POST /api/v1/uploads HTTP/1.1\r\n{head}\r\n".encode()
        sender.sendall(request + data[: len(data) // 2])
        yield


@contextmanager
def disk_full(site: Site, role: str) -> Iterator[None]:
    """Let the processes of a role write no file of more than some bytes."""
    _limit(site, role, FULL_DISK_BYTES)
    try:
        yield
    finally:
        # Processes that were forked meanwhile have the limit too.
        _limit(site, role, resource.RLIM_INFINITY)


def _limit(site: Site, role: str, size: int) -> None:
    for pid in descendants(site.running[role].pid) | {site.running[role].pid}:
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def send_all_again(site: Site, times: int) -> None:
    """Send several messages for every job, done or not."""
    assert site.redis is not None
    with Connection(site.redis.url) as connection:
        queue = connection.SimpleQueue("work")
        for (pk,) in site.ledger.ask("SELECT id FROM records_job"):
            for number in range(times):
                name = f"{pk} {number}"
                headers = {"task": "records.jobs.wake", "id": name, "lang": "py"}
                queue.put([[], {}, {}], headers=headers, serializer="json")
        queue.close()


def kill_backend(site: Site) -> None:
    """Send SIGKILL to a process of PostgreSQL: the server ends all others, and recovers."""
    backends = site.ledger.ask(
        "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        " AND datname = current_database()"
    )
    for (pid,) in backends[:1]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Hurts:
    """A source of faults: `Hurts(site, Random(1)).do_any()` causes a random fault."""

    def __init__(self, site: Site, random: Random) -> None:
        self.site = site
        self.random = random
        assert site.redis is not None and site.postgres is not None
        self.redis = site.redis
        self.postgres = site.postgres
        self.all: dict[str, Callable[[], object]] = {
            "worker killed": lambda: site.kill(self._worker()),
            "both workers killed": self._kill_workers,
            "pool process of a worker killed": lambda: self._kill_below(self._worker()),
            "worker asleep": lambda: self._asleep(self._worker(), 8),
            "web killed": lambda: site.kill("web"),
            "sweep killed": lambda: site.kill("sweep"),
            "Redis restarted": self._restart_redis,
            "Redis flushed": self._flush,
            "Redis hangs": self._hang_redis,
            "PostgreSQL down": self._restart_postgres,
            "backend killed": lambda: kill_backend(site),
            "disk of web full": lambda: self._full("web"),
            "disk of a worker full": lambda: self._full(self._worker()),
            "messages again": lambda: send_all_again(site, 2),
        }

    def do_any(self) -> str:
        """Cause a random fault, and return its name."""
        name = self.random.choice(sorted(self.all))
        self.do(name)
        return name

    def do(self, name: str) -> None:
        """Cause the fault with this name."""
        try:
            self.all[name]()
        except (psycopg.Error, redis.RedisError, OSError):
            pass  # The target is still down from the fault before.

    def _worker(self) -> str:
        return self.random.choice([role for role in self.site.running if "worker" in role])

    def _kill_workers(self) -> None:
        for number in (1, 2):
            self.site.kill(f"worker {number}")

    def _kill_below(self, role: str) -> None:
        for pid in descendants(self.site.running[role].pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _asleep(self, role: str, most: float) -> None:
        self.site.signal(role, signal.SIGSTOP)
        time.sleep(self.random.uniform(0.1, most))
        self.site.signal(role, signal.SIGCONT)

    def _restart_redis(self) -> None:
        self.redis.kill()
        time.sleep(self.random.uniform(0, 3))
        self.redis.start()

    def _flush(self) -> None:
        with redis.Redis.from_url(self.redis.url) as client:
            client.flushall()

    def _hang_redis(self) -> None:
        self.redis.signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(0.1, 8))
        self.redis.signal(signal.SIGCONT)

    def _restart_postgres(self) -> None:
        self.postgres.stop_at_once()
        time.sleep(self.random.uniform(0, 2))
        self.postgres.start()

    def _full(self, role: str) -> None:
        with disk_full(self.site, role):
            time.sleep(self.random.uniform(0.1, 3))
