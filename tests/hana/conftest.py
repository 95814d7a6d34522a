"""A running archive, and a state directory of the client's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana, bare_env


@pytest.fixture(scope="module")
def archive_env(new_var: Callable[[], Path]) -> Environment:
    """An archive of its own."""
    return bare_env(HANA_ENV="development", HANA_VAR=str(new_var()))


@pytest.fixture(scope="module")
def address(archive_env: Environment) -> Iterator[str]:
    """Where a web server and a worker of it are."""
    runner = Hana()
    _process, port = runner.web(archive_env)
    runner.start("worker", env=archive_env)
    yield f"http://127.0.0.1:{port}"
    runner.end()


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No address from outside, a memory of its own, and no long pauses."""
    for name in ("HANA_SERVER", "HANA_TOKEN", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HANA_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("HANA_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr("hana.server.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("hana.upload.POLL_SECONDS", 0.1)
