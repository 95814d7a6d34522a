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

#: Runs commands in this process, one a line, and says its peak, in MB.
PEAK = """
import resource, shlex, sys
from django.core.management import execute_from_command_line
import django
django.setup()
for line in sys.argv[1:]:
    execute_from_command_line(["manage.py", *shlex.split(line)])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
#: MB that the peak may grow: less than the rows of the games that are more.
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


def peak(*commands: str, env: Environment) -> int:
    """The most memory that any of some commands of ours takes."""
    return int(run("-c", PEAK, *commands, env=env)[-1])


def test_files_of_games(hana_env: Any, tmp_path: Path) -> None:
    """In every form; whichever takes most must not take more."""
    env = hana_env()
    files = {form: tmp_path / form for form in FORMS}
    commands = [f"export --format {form} -o {path}" for form, path in files.items()]
    found = []
    for games in (300, 1_800):
        run("-m", "tests.records.opendata.many", str(games), "8", env=env)
        most = peak(*commands, env=env)
        found.append((most, [path.stat().st_size for path in files.values()]))
    (before, few), (after, many) = found
    assert after < before + ROOM
    # There were 300 games, and then 2,100, each of most of a year.
    assert all(size > 5 * small for size, small in zip(many, few, strict=True))


def test_a_dump(hana_env: Any) -> None:
    env = hana_env()
    command = f"dump --month {month_of(timezone.now())}"
    run("-m", "tests.records.opendata.many", "400", env=env)
    before = peak(command, env=env)
    run("-m", "tests.records.opendata.many", "2000", env=env)
    assert peak(command, env=env) < before + ROOM_OF_A_DUMP
