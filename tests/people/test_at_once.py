"""Processes that change the same games, and processes that are killed, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.conftest import Environment, Hana


def code(script: str) -> list[str]:
    """Return arguments of Python that run a script with the archive set up."""
    return ["-c", f"import django; django.setup()\n{dedent(script)}"]


def run(hana: Hana, env: Environment, function: str) -> list[str]:
    """Run a function of `tests.people.processes`. Return the words that it wrote."""
    script = f"from tests.people import processes; processes.{function}()"
    process = hana.start_python(*code(script), env=env)
    assert process.wait(120) == 0
    assert process.stdout is not None
    return process.stdout.read().split()


@pytest.mark.long_only  # tests/security/test_postgres.py has simultaneous work in `make test`
def test_processes_that_change_the_same_games_leave_sound_rows(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    assert run(hana, env, "change_concurrently") == ["games", "6"]


def test_withdrawal_of_killed_processes_is_finished_once(
    hana: Hana, hana_env: Callable[..., Environment]
) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    run(hana, env, "kill_while_withdrawing")
