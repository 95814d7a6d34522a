"""Simultaneous requests, wrong clocks and parameters of any kind on PostgreSQL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import services
from tests.conftest import POSTGRES_TEMPLATE, Hana, bare_env, shared

#: Rates of the process, whose requests come from one sender.
RATES = "uploads=1000/60,login=100000/60,account=100000/60,verify=100000/60,read=100000/60"


@pytest.fixture(scope="session")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """Return the results of `postgres_checks`, which run once for all workers of pytest."""

    def run_checks(var: Path) -> None:
        (var / "static").symlink_to(request.getfixturevalue("compressed_files"))
        server: services.Postgres = request.getfixturevalue("postgres_server")
        database = server.create(POSTGRES_TEMPLATE)
        env = bare_env(
            HANA_ENV="development",
            HANA_VAR=str(var),
            DATABASE_URL=server.url(database),
            ALLOWED_HOSTS="testserver,localhost",
            HANA_RATES=RATES,
        )
        script = "from tests.security import postgres_checks\npostgres_checks.run()"
        Hana()("shell", "--command", script, env=env)

    var = shared(tmp_path_factory, "postgres-checks", run_checks)
    results: dict[str, Any] = json.loads((var / "results.json").read_text())
    return results


@pytest.mark.processes
def test_requests_at_the_same_moment_do_not_exceed_a_bound_together(
    results: dict[str, Any],
) -> None:
    assert results["bounds"] == {
        "uploads in parts": [5, 11],
        "whole uploads": [2, 6],
        "tokens": 2,
        "requests": 2,
        "collections": 2,
        "analyses of an address": 5,
        "analyses of an account": 5,
    }


@pytest.mark.processes
def test_workers_at_the_same_moment_take_different_jobs(results: dict[str, Any]) -> None:
    assert results["jobs"] == [True]


@pytest.mark.processes
@pytest.mark.parametrize(("name", "hours"), [("clock ahead", 2), ("clock behind", -2)])
def test_clock_off_by_two_hours_does_not_disturb_work(
    results: dict[str, Any], name: str, hours: int
) -> None:
    """Jobs do not stall; jobs, heartbeats and parts are not taken from other processes."""
    assert results[name] == {
        "drift": hours,
        "taken from another": False,
        "resolved": 0,
        "is leased": True,
        "is retried": True,
        "state": "done",
        "is heard": True,
        "hears": True,
        "heartbeats deleted": 0,
        "has partial upload": True,
    }


@pytest.mark.processes
def test_simultaneous_changes_of_a_club_lose_nothing(results: dict[str, Any]) -> None:
    """The second of two officers is told; a used-up invitation and a game's club are final."""
    assert results["clubs"] == {
        "merge": ["conflict", "done"],
        "undo": ["done", "not-undoable"],
        "join": ["done", *["no-invite"] * 7],
        "evening": ["conflict", "done"],
        "games": 1,
        "clubs": ["other"],
        "null": [302, 302],
    }


@pytest.mark.processes
def test_code_or_refresh_token_works_once_at_the_same_moment(results: dict[str, Any]) -> None:
    once = [200, *[400] * 7]
    assert results["applications"] == {"code": once, "refresh token": once, "terminal": once}


@pytest.mark.processes
def test_parameters_of_any_kind_do_not_fail_on_postgres(results: dict[str, Any]) -> None:
    """PostgreSQL refuses some values that SQLite accepts."""
    assert results["parameters"] == []
