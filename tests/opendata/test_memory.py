"""Exports take constant memory, however many games there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from django.utils import timezone

from records.opendata.months import month_of
from records.search.export_forms import FORMS
from tests.conftest import ROOT, Environment

#: Runs a command in this process and says its peak, in MB.
PEAK = """
import resource, sys
from django.core.management import execute_from_command_line
import django
django.setup()
execute_from_command_line(["manage.py", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
#: MB that the peak may grow: less than the texts of the games that are more.
ROOM = 15
ROOM_OF_A_DUMP = 30


def run(*arguments: str, env: Environment) -> list[str]:
    """Lines that a Python process writes."""
    known = env | {"DJANGO_SETTINGS_MODULE": "hanaarchive.settings"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=known,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def peak(*command: str, env: Environment) -> int:
    """The most memory that a command of ours takes."""
    return int(run("-c", PEAK, *command, env=env)[-1])


def test_files_of_games(hana_env: Any, tmp_path: Path) -> None:
    env = hana_env()
    target = tmp_path / "games"
    before: dict[str, tuple[int, int]] = {}
    for games in (1_000, 5_000):
        run("-m", "tests.opendata.many", str(games), env=env)
        for form in FORMS:
            most = peak("export", "--format", form, "-o", str(target), env=env)
            size = target.stat().st_size
            memory, few = before.setdefault(form, (most, size // 6))
            assert most < memory + ROOM
            assert size > 5 * few


def test_a_dump(hana_env: Any) -> None:
    env = hana_env()
    command = ("dump", "--month", month_of(timezone.now()))
    run("-m", "tests.opendata.many", "600", env=env)
    before = peak(*command, env=env)
    run("-m", "tests.opendata.many", "3000", env=env)
    assert peak(*command, env=env) < before + ROOM_OF_A_DUMP
