"""Temporary archives: set up in this process, with web processes and workers of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.request import urlopen

import django
from django.core.management import call_command

from bench import ROOT
from tests import services

#: The readers of a bench count as one sender.
_RATES = ",".join(
    f"{name}=100000000/60" for name in ("read", "uploads", "positions", "verify", "work")
)


@contextmanager
def temporary_archive(*, on_postgres: bool, **variables: str) -> Iterator[dict[str, int]]:
    """Set up Django with an empty archive on SQLite, or on PostgreSQL and Redis.

    ``variables`` are added to the environment. Yields the process ids of the services by name.
    PostgreSQL writes to disk.
    """
    with ExitStack() as stack:
        pids = {}
        os.environ |= {
            "HANA_ENV": "development",
            "HANA_VAR": stack.enter_context(tempfile.TemporaryDirectory(prefix="hana-bench-")),
            "HANA_LOG_LEVEL": "WARNING",
            "HANA_RATES": _RATES,
            "DJANGO_SETTINGS_MODULE": "hanaarchive.settings",
            **variables,
        }
        if on_postgres:
            postgres = stack.enter_context(services.postgres_server(""))
            redis = stack.enter_context(services.redis_server())
            os.environ |= {
                "DATABASE_URL": postgres.url(postgres.create()),
                "REDIS_URL": redis.url,
            }
            pids = {"postgres": postgres.pid(), "redis": redis.pid()}
        django.setup()
        call_command("migrate", verbosity=0)
        yield pids


@contextmanager
def running(*commands: str) -> Iterator[tuple[int, list[int]]]:
    """Run a ready web process and other commands of `manage.py`; yield its port and all ids."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        port, fd = listener.getsockname()[1], listener.fileno()
        os.environ["HANA_URL"] = f"http://127.0.0.1:{port}"
        processes = [
            subprocess.Popen(
                [sys.executable, "manage.py", *command.split()], cwd=ROOT, pass_fds=(fd,)
            )
            for command in (f"web --fd={fd}", *commands)
        ]
        try:
            urlopen(f"{os.environ['HANA_URL']}/health/live", timeout=300).close()
            yield port, [process.pid for process in processes]
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()
