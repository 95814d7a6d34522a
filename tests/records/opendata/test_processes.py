"""Processes that make dumps: killed, out of disk space, and several at once."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from records.opendata.months import month_of
from tests.conftest import Environment, Hana
from tests.records.makers import joined, text
from tests.services import wait_until

GAMES = 8
MONTH = month_of(timezone.now())
#: Makes the dump of a month, after some words of a test.
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


@pytest.fixture(params=[False, True], ids=["sqlite", "postgres"])
def env(request: pytest.FixtureRequest, hana: Hana, hana_env: Any, tmp_path: Path) -> Environment:
    """An archive with some games."""
    made: Environment = hana_env(postgres=request.param)
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(*(text(seed) for seed in range(1, GAMES + 1))))
    hana("ingest", str(path), env=made)
    return made


@pytest.fixture
def dumps(env: Environment) -> Path:
    """Where its dumps go."""
    return Path(env["HANA_VAR"]) / "dumps"


def start(hana: Hana, env: Environment, first: str) -> subprocess.Popen[str]:
    """Begin to make this month's dump; ``first`` is run before."""
    return hana.start_python("-c", MAKER, first, MONTH, env=env)


def make(hana: Hana, env: Environment, dumps: Path) -> None:
    """Make it without hindrance; nothing is left of what was before."""
    assert hana("dump", "--month", MONTH, env=env).stdout.endswith(f": {GAMES} games\n")
    assert len(list(dumps.iterdir())) == 1


def test_killed_half_way_it_is_started_again(hana: Hana, env: Environment, dumps: Path) -> None:
    slow = start(hana, env, "notebook.write = lambda directory: stand()")
    wait_until(lambda: list(dumps.glob(".draft-*/turns.parquet")), "a draft with tables", 120)
    slow.send_signal(signal.SIGKILL)
    slow.wait()
    assert list(dumps.glob(".draft-*"))
    make(hana, env, dumps)
    lines = hana("export", "--format", "ndjson", "--sort", "longest", env=env).stdout.splitlines()
    seeds = range(1, GAMES + 1)
    assert sorted(json.loads(line)["text"] for line in lines) == sorted(map(text, seeds))


@pytest.mark.parametrize("env", [True], ids=["postgres"], indirect=True)  # files of SQLite grow too
def test_without_room(hana: Hana, env: Environment, dumps: Path) -> None:
    full = start(hana, env, "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))")
    assert full.wait(120) == 1
    assert list(dumps.iterdir()) == []
    make(hana, env, dumps)


def test_of_several_at_once_one_makes_it(
    hana: Hana, env: Environment, dumps: Path, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    code = f"notebook.write = lambda directory: (stand({str(go)!r}), write(directory))"
    makers = [start(hana, env, code) for _ in range(3)]
    wait_until(lambda: sum(one.poll() is not None for one in makers) == 2, "two refused", 120)
    go.touch()
    assert sorted(one.wait(120) for one in makers) == [0, 1, 1]
    assert len(list(dumps.iterdir())) == 1
