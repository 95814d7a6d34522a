"""`manage.py serve`: from nothing to pages, and to nothing again."""

import re
import signal
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import Environment, Hana, bare_env
from tests.records.work.test_supervisor import alive, descendants
from tests.services import wait_until


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    """A machine where the archive has never run."""
    return bare_env(HANA_ENV="development", HANA_VAR=str(tmp_path / "var"))


def serve(hana: Hana, env: Environment) -> tuple[subprocess.Popen[str], str]:
    """Start it on a free port. Returns the process and the address that it prints."""
    process = hana.start("serve", "--port=0", env=env)
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    pytest.fail("serve ended before it printed its address")


def get(url: str) -> str:
    """The page there. The listening socket is open from the start, so nobody is turned away."""
    with urllib.request.urlopen(url, timeout=60) as response:
        text: str = response.read().decode()
        return text


def serves_and_ends(hana: Hana, env: Environment, number: signal.Signals) -> None:
    """Start it, look at a page, and end it: nothing of it is left."""
    process, url = serve(hana, env)
    assert "live" in get(f"{url}health/live")
    assert "<html" in get(url)
    below = descendants(process.pid)
    assert len(below) >= 5, "guardian, two web processes, worker, sweep"
    process.send_signal(number)
    process.wait(20)
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    wait_until(lambda: not alive(below), "no child is left")


def test_serves_and_ends_with_all_its_children(hana: Hana, env: Environment) -> None:
    """From nothing, and again, however it is ended; the samples are loaded once."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        serves_and_ends(hana, env, number)
    count = "from records.models import Upload; print(Upload.objects.count())"
    assert hana("shell", "--no-imports", "-c", count, env=env).stdout == "1\n"


def test_a_busy_port_is_written_in_one_line(hana: Hana, env: Environment) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = hana("serve", f"--port={port}", env=env, status=1)
    assert done.stderr.count("\n") == 1
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use" in done.stderr
    assert not Path(env["HANA_VAR"], "hana.sqlite3").exists(), "nothing is written before"


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_is_none(hana: Hana, env: Environment, port: str) -> None:
    done = hana("serve", f"--port={port}", env=env, status=1)
    assert "port must be 0-65535" in done.stderr
