"""Supervision of child processes, which are restarted, and always end with the parent.

The supervisor starts each child in a process group, so that a child ends together with its
descendants. A guardian process reads the groups from a pipe. The pipe closes when the supervisor
ends, even by kill -9, and then the guardian ends the groups. This is portable and needs no support
by the children.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

BASE_DIR = Path(__file__).resolve().parents[1]
TICK_SECONDS = 0.2
# From SIGTERM to SIGKILL: time for requests and for the current chunk. Interrupted work is done
# again at the next start.
GRACE_SECONDS = 10.0
FIRST_DELAY_SECONDS = 1.0
LAST_DELAY_SECONDS = 30.0
STEADY_SECONDS = 60.0  # minimum run of a child before its restart delay is reset
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Child:
    """A command to keep running.

    `pass_fds` are inherited open descriptors, such as a listening socket.
    """

    name: str
    command: Sequence[str]
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_at: float = 0.0
    delay: float = FIRST_DELAY_SECONDS


class Supervisor:
    """A supervisor that runs children until a signal.

    Use it as `Supervisor(children, report=print).run("ready")`.
    """

    def __init__(
        self,
        children: Sequence[Child],
        *,
        report: Callable[[str], object],
        with_parent: bool = False,
    ) -> None:
        """Take the children; `report` prints lines, `with_parent`: end with the parent process."""
        self.guardian = Child("guardian", [sys.executable, "-P", __file__])
        self.children = list(children)
        self.report = report
        self.parent = os.getppid() if with_parent else None
        self.ending = False
        self.pipe: int | None = None

    def run(self, greeting: str) -> None:
        """Start the children and restart them after their end; return when all have been ended.

        The greeting is reported as soon as a signal would end all children cleanly.
        """
        for number in ENDING_SIGNALS:
            signal.signal(number, self._on_signal)
        self.report(greeting)
        try:
            while not self._should_end():
                for child in (self.guardian, *self.children):
                    self._tend(child)
                time.sleep(TICK_SECONDS)
        finally:
            self._end()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.ending = True

    def _should_end(self) -> bool:
        return self.ending or (self.parent is not None and os.getppid() != self.parent)

    def _tend(self, child: Child) -> None:
        """Start a due child; after the end of a child, report and schedule the restart."""
        now = time.monotonic()
        if child.process is None:
            if now >= child.start_at:
                self._start(child)
                child.started_at = now
            return
        code = child.process.poll()
        if code is None:
            return
        if now - child.started_at >= STEADY_SECONDS:
            child.delay = FIRST_DELAY_SECONDS
        # Kill leftover processes of the child: a new server must not share a socket with them.
        _signal(os.killpg, child.process.pid, signal.SIGKILL)
        self._write_guardian(f"-{child.process.pid}")
        child.process = None
        child.start_at = now + child.delay
        self.report(
            f"{child.name} ended ({_describe_exit(code)}); starting it again in {child.delay:g} s"
        )
        child.delay = min(child.delay * 2, LAST_DELAY_SECONDS)

    def _start(self, child: Child) -> None:
        is_guardian = child is self.guardian
        child.process = subprocess.Popen(
            child.command,
            cwd=BASE_DIR,
            stdin=subprocess.PIPE if is_guardian else subprocess.DEVNULL,
            pass_fds=child.pass_fds,
            process_group=0,
        )
        if not is_guardian:
            self._write_guardian(f"+{child.process.pid}")
            return
        assert child.process.stdin is not None
        self.pipe = child.process.stdin.fileno()
        for sibling in self.children:
            if sibling.process is not None:
                self._write_guardian(f"+{sibling.process.pid}")

    def _write_guardian(self, line: str) -> None:
        """Write one line to the guardian. A new guardian gets all lines again."""
        if self.pipe is None:
            return
        try:
            os.write(self.pipe, f"{line}\n".encode())
        except BrokenPipeError:
            self.pipe = None

    def _end(self) -> None:
        """Send SIGTERM to every child, which ends its own children, then SIGKILL to its group."""
        for number in ENDING_SIGNALS:  # A second Ctrl-C must not interrupt the shutdown.
            signal.signal(number, signal.SIG_IGN)
        running = [child.process for child in self.children if child.process is not None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                pass  # SIGKILL follows.
            _signal(os.killpg, process.pid, signal.SIGKILL)
            process.wait()
            self._write_guardian(f"-{process.pid}")
        if self.guardian.process is not None:
            self.guardian.process.communicate()  # Closes the pipe; no group is left to end.


def guard() -> None:
    """Run the guardian: read groups from standard input, and end them all when it closes."""
    groups: set[int] = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    # The leader of a group gets the time to end its children, as in Supervisor._end.
    leaders = {group for group in groups if _signal(os.kill, group, signal.SIGTERM)}
    deadline = time.monotonic() + GRACE_SECONDS
    while leaders and time.monotonic() < deadline:
        time.sleep(TICK_SECONDS)
        leaders = {leader for leader in leaders if _signal(os.kill, leader, 0)}
    for group in groups:
        _signal(os.killpg, group, signal.SIGKILL)


def _signal(send: Callable[[int, int], None], number: int, signal_number: int) -> bool:
    """Send a signal to a process (`os.kill`) or a group (`os.killpg`). Return whether it exists."""
    try:
        send(number, signal_number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return False  # macOS raises it for a group of ended processes only
    return True


def _describe_exit(code: int) -> str:
    return f"status {code}" if code >= 0 else signal.Signals(-code).name


if __name__ == "__main__":
    guard()
