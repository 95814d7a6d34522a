"""A web server for all tests of the folder that need no settings of their own."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Hana, bare_env
from tests.hanaarchive.heads import GET, send

UPLOAD_LIMIT = 3_000_000


@pytest.fixture(scope="package")
def server(new_var: Callable[[], Path]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Yield a process of the web server and its port, and end it by two signals."""
    runner = Hana()
    env = bare_env(
        DJANGO_SETTINGS_MODULE="tests.hanaarchive.slow_settings",
        HANA_ENV="development",
        HANA_VAR=str(new_var()),
        HANA_RATES="uploads=10000/60",
        HANA_UPLOAD_LIMIT=str(UPLOAD_LIMIT),
        HANA_PART_LIMIT="1000",
    )
    process, number = runner.web(env)
    assert send(("127.0.0.1", number), GET + b"\r\n") == 200  # The first page loads modules.
    yield process, number
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGINT)
    status = process.wait(30)
    runner.end()
    assert status == 0
