"""Children are kept alive, and none outlives the supervisor."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Hana, bare_env
from tests.services import wait_until

# A child that starts a process, as Gunicorn does, and writes down both. Both ignore the signals of
# a terminal.
CHILD = """
import os, pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open(sys.argv[1], "a") as file:
    print(os.getpid(), other.pid, file=file)
time.sleep(600)
"""

SUPERVISE = """
import sys
from hanaarchive.supervisor import Child, Supervisor
command = [sys.executable, "-c", sys.argv[1], sys.argv[2]]
supervisor = Supervisor(
    [Child("child", command)],
    report=lambda line: print(line, flush=True),
    with_parent=sys.argv[3:] == ["with-parent"],
)
supervisor.run("ready")
"""

# A caller like make: a process that starts the supervisor and waits.
CALLER = """
import subprocess, sys
subprocess.run([sys.executable, *sys.argv[1:]])
"""


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    """Return the file into which children write their processes, a line per start."""
    path = tmp_path / "pids"
    path.touch()
    return path


def supervise(hana: Hana, pids: Path) -> subprocess.Popen[str]:
    """Start a supervisor of one child, and wait until the child has started."""
    process = hana.start_python("-c", SUPERVISE, CHILD, str(pids), env=bare_env())
    wait_until(lambda: starts(pids), "the child has started")
    return process


def starts(pids: Path) -> list[list[int]]:
    """Return the recorded processes by start."""
    return [[int(pid) for pid in line.split()] for line in pids.read_text().splitlines()]


def descendants(pid: int) -> set[int]:
    """Return the descendants of a process."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    family = {pid}
    while more := {child for child, parent in pairs if parent in family} - family:
        family |= more
    return family - {pid}


def alive(pids: set[int]) -> set[int]:
    """Return the running processes among ``pids``, without zombies."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True)
    states = dict(line.split(maxsplit=1) for line in listed.stdout.splitlines())
    return {pid for pid in pids if not states.get(str(pid), "Z").startswith("Z")}


@pytest.mark.parametrize(
    "number",
    [pytest.param(signal.SIGINT, marks=pytest.mark.long_only), signal.SIGTERM, signal.SIGKILL],
)
def test_children_end_with_the_supervisor(hana: Hana, pids: Path, number: int) -> None:
    process = supervise(hana, pids)
    below = descendants(process.pid)
    assert below > set(starts(pids)[0])
    os.kill(process.pid, number)
    process.wait(60)
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    wait_until(lambda: not alive(below), "no child is left")


def test_dead_child_is_started_again(hana: Hana, pids: Path) -> None:
    process = supervise(hana, pids)
    first = starts(pids)[0]
    os.kill(first[0], signal.SIGKILL)
    wait_until(lambda: len(starts(pids)) == 2, "the child has started again")
    assert not alive(set(first)), "what the dead child had started is gone"
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert process.stdout.readline() == "child ended (SIGKILL); starting it again in 1 s\n"


def test_dead_guardian_is_replaced(hana: Hana, pids: Path) -> None:
    process = supervise(hana, pids)
    guardian = descendants(process.pid) - set(starts(pids)[0])
    assert len(guardian) == 1
    os.kill(guardian.pop(), signal.SIGKILL)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    assert process.stdout.readline().startswith("guardian ended (SIGKILL)")
    wait_until(lambda: len(descendants(process.pid)) == 3, "another guardian is there")
    below = descendants(process.pid)
    time.sleep(0.5)  # the supervisor sends the groups right after the guardian's start
    process.kill()
    wait_until(lambda: not alive(below), "no child is left")


def test_supervisor_with_parent_ends_with_its_caller(hana: Hana, pids: Path) -> None:
    arguments = ("-c", CALLER, "-c", SUPERVISE, CHILD, str(pids), "with-parent")
    caller = hana.start_python(*arguments, env=bare_env())
    wait_until(lambda: starts(pids), "the child has started")
    below = descendants(caller.pid)
    caller.kill()
    wait_until(lambda: not alive(below), "no child is left")
