"""A temporary archive as in production, with separate services."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import django
from django.core.management import call_command

from bench import ROOT
from tests import services


@dataclass(frozen=True)
class Site:
    """The address of the archive, and its processes by role."""

    port: int
    roots: dict[str, int]


@contextmanager
def archive(workers: int, processes: int = 1) -> Iterator[Site]:
    """Run PostgreSQL with its own settings, Redis, a web process, workers and the sweep.

    Each worker has ``processes``. PostgreSQL writes to disk. Django in this process has the same
    settings.
    """
    with ExitStack() as stack:
        var = stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-"))
        postgres = stack.enter_context(services.postgres_server(""))
        redis = stack.enter_context(services.redis_server())
        os.environ |= {
            "HANA_ENV": "development",
            "HANA_VAR": var,
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_WORKERS": str(processes),
            # All readers count as one sender here.
            "HANA_RATES": "read=1000000/60,uploads=1000000/60,work=100000000/60",
            "DATABASE_URL": postgres.url(postgres.create()),
            "REDIS_URL": redis.url,
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
        }
        django.setup()
        call_command("migrate", verbosity=0)
        port = services.free_port()
        roots = stack.enter_context(running(workers, port))
        heard(workers)
        yield Site(port, roots | {"postgres": postgres.pid(), "redis": redis.pid()})


def start(*arguments: str) -> subprocess.Popen[bytes]:
    """Start one of the archive's processes."""
    return subprocess.Popen([sys.executable, *arguments], cwd=ROOT)


@contextmanager
def running(workers: int, port: int) -> Iterator[dict[str, int]]:
    """Run web, workers and sweep; yield their process ids by role."""
    commands = {"web": ["manage.py", "web", f"--port={port}"], "sweep": ["manage.py", "sweep"]}
    for number in range(1, workers + 1):
        commands[f"worker {number}"] = ["manage.py", "worker"]
    processes = {role: start(*command) for role, command in commands.items()}
    try:
        yield {role: process.pid for role, process in processes.items()}
    finally:
        for process in processes.values():
            process.terminate()
        for process in processes.values():
            process.wait()


def heard(workers: int) -> None:
    """Wait until every worker is up."""
    from records.models import Heartbeat

    services.wait_until(
        lambda: Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).count() >= workers,
        "workers",
        120,
    )
