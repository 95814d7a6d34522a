"""Processes that make dumps: killed, out of disk space, and several in parallel."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from records.opendata.schedule import month_of
from tests.conftest import Environment, Hana
from tests.records.makers import joined, text
from tests.services import wait_until

GAMES = 3
MONTH = month_of(timezone.now())
#: Makes the dump of a month, after some statements of a test.
MAKER = """
import os, resource, sys, time
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hanaarchive.settings")
import django, manage
django.setup()
from records.opendata import notebook
write = notebook.write

def stand(until=""):
    deadline = time.monotonic() + 300
    while not os.path.exists(until) and time.monotonic() < deadline:
        time.sleep(0.02)

exec(sys.argv[1])
sys.argv = ["manage.py", "dump", "--month", sys.argv[2]]
manage.main()
"""


@pytest.fixture(params=[True, False], ids=["postgres", "sqlite"])
def env(request: pytest.FixtureRequest, hana: Hana, hana_env: Any, tmp_path: Path) -> Environment:
    """Return the environment of an archive with some games."""
    environment: Environment = hana_env(postgres=request.param)
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(*(text(seed) for seed in range(1, GAMES + 1))))
    hana("ingest", str(path), env=environment)
    return environment


def start_dump(hana: Hana, env: Environment, statements: str) -> subprocess.Popen[str]:
    """Begin to make this month's dump, after some statements."""
    return hana.start_python("-c", MAKER, statements, MONTH, env=env)


@pytest.mark.long_only  # `test_dump_job.py` has killed, late and parallel processes in one process
def test_dump_is_made_after_processes_that_failed_by_one_of_several(
    hana: Hana, env: Environment, tmp_path: Path
) -> None:
    """Fail and kill processes, then start two: one makes the dump, and the other is refused.

    A process out of disk space leaves nothing, and a killed process a temporary directory, which
    the next dump removes.
    """
    dumps = Path(env["HANA_VAR"]) / "dumps"
    # SQLite's files could not grow on a full disk.
    if "postgres" in env.get("DATABASE_URL", ""):
        full = start_dump(hana, env, "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))")
        assert full.wait(120) == 1
        assert not dumps.exists() or list(dumps.iterdir()) == []

    slow = start_dump(hana, env, "notebook.write = lambda directory: stand()")
    scratch = Path(env["HANA_VAR"]) / "tmp"
    drafts = "hana-dump-*/*/turns.parquet"
    wait_until(lambda: list(scratch.glob(drafts)), "a draft with tables", 120)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    assert list(scratch.glob(drafts)) and not dumps.exists()

    go = tmp_path / "go"
    statements = f"notebook.write = lambda directory: (stand({str(go)!r}), write(directory))"
    makers = [start_dump(hana, env, statements) for _ in range(2)]
    wait_until(lambda: sum(maker.poll() is not None for maker in makers) == 1, "one refused", 120)
    go.touch()
    assert sorted(maker.wait(120) for maker in makers) == [0, 1]
    (_dump,) = dumps.iterdir()
    assert not list(scratch.glob("hana-dump-*"))
