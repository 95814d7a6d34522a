"""`manage.py serve`: from an empty directory to pages, and to a complete end."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from hanaarchive.management.commands import serve
from hanaarchive.supervisor import Supervisor
from tests.conftest import Environment, Hana, bare_env
from tests.hanaarchive.test_supervisor import alive, descendants
from tests.services import wait_until


def start_serve(hana: Hana, env: Environment) -> tuple[subprocess.Popen[str], str]:
    """Start it on a free port. Return the process and the printed address."""
    process = hana.start("serve", "--port=0", env=env)
    assert process.stdout is not None
    for line in process.stdout:
        if address := re.search(r"http://\S+", line):
            return process, address[0]
    pytest.fail("serve ended before it printed its address")


def get(url: str) -> str:
    """Return the page at an address. The socket listens from the start: none is refused."""
    with urllib.request.urlopen(url, timeout=300) as response:
        text: str = response.read().decode()
        return text


@pytest.mark.long_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_serve_responds_and_ends_with_all_its_children(
    hana: Hana, tmp_path: Path, number: signal.Signals
) -> None:
    """In `make test`, `test_supervisor.py` checks a supervisor with each signal."""
    var = tmp_path / "var"
    env = bare_env(HANA_ENV="development", HANA_VAR=str(var), HANA_WEB_PROCESSES="1")
    process, url = start_serve(hana, env)
    assert "live" in get(f"{url}health/live")
    assert "<html" in get(url)
    children = descendants(process.pid)
    assert len(children) >= 4, "guardian, web process, worker, sweep"
    process.send_signal(number)
    process.wait(60)
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    wait_until(lambda: not alive(children), "no child is left")


def test_serve_creates_tables_and_samples_before_it_starts_children(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tables and samples take seconds of CPU time; other tests run the commands."""
    steps: list[str] = []

    def note_children(supervisor: Supervisor, _message: str) -> None:
        for child in supervisor.children:
            program, script, name, *options = child.command
            assert (program, script) == (sys.executable, "manage.py")
            command = load_command_class(get_commands()[name], name)
            command.create_parser("manage.py", name).parse_args(options)
            steps.append(child.name)

    monkeypatch.setattr(serve, "call_command", lambda name, **_: steps.append(name))
    monkeypatch.setattr(serve.Supervisor, "run", note_children)
    # The command sets variables for its children.
    with patch.dict(os.environ):
        call_command("serve", port=0)
    assert steps[:2] == ["migrate", "samples"]
    assert {"web 1", "worker", "sweep"} <= set(steps[2:])


def test_busy_port_is_reported_in_one_line_before_anything_is_written() -> None:
    """The test allows no database: migrations would fail."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError) as refused:
            call_command("serve", port=port)
    message = str(refused.value)
    assert f"cannot listen on 127.0.0.1, port {port}: Address already in use" in message
    assert "\n" not in message


@pytest.mark.parametrize("port", [-1, 65536])
def test_invalid_port_is_refused(port: int) -> None:
    with pytest.raises(CommandError, match="port must be 0-65535"):
        call_command("serve", port=port)
