"""A running archive, and a new state directory for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana, bare_env


@pytest.fixture(scope="package")
def archive_env(new_var: Callable[[], Path]) -> Environment:
    """Return the environment of an archive for all tests of the client."""
    return bare_env(HANA_ENV="development", HANA_VAR=str(new_var()))


@pytest.fixture(scope="package")
def address(archive_env: Environment) -> Iterator[str]:
    """Start a web server and a worker; the server's address."""
    runner = Hana()
    _process, port = runner.web(archive_env)
    runner.start("worker", env=archive_env)
    yield f"http://127.0.0.1:{port}"
    runner.end()


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hide variables of the user, keep state in the test's folder, and shorten pauses."""
    for name in ("HANA_SERVER", "HANA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("hana.server.FIRST_PAUSE", 0.01)
