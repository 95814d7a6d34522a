"""Child processes of workers, in which jobs run, so that no input can hold a worker.

A worker is a :class:`Parent`, without connections and threads, and its child, which claims and runs
jobs. Each unit of work on a sender's input (a game, a file) has a limit of CPU time
(:func:`cpu_limit`). The kernel enforces the limit by the signal SIGPROF, which ends the child even
while C code holds the interpreter's lock. The parent then forks the next child, which first records
that the unit was too costly (`records.jobs.kinds.JobKind.refuse`).

A long job lets others run (:func:`run_stand_in`): the parent forks a stand-in, a child that runs
the jobs with earlier turns, while the child with the long job waits.

If the parent dies, its children end: a waiting child immediately, a working child before the next
job. The ledger detects jobs of dead processes.
"""

from __future__ import annotations

import faulthandler
import gc
import logging
import mmap
import os
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, NoReturn

from django.db import connections
from django.utils.module_loading import import_string

from records.base.transient import write_with_retry
from records.jobs import kinds
from records.models import Job

#: Seconds of CPU time for a game, and for a step of a file (`records.jobs.shares`). The largest
#: games, 1 MiB of names of cards with comments, take 0.9 s.
CPU_SECONDS: Final = 2
#: Seconds between two checks of a parent whether it has to end.
TICK_SECONDS: Final = 1.0
#: Maximum number of waiting children. A further long job continues without a stand-in.
MAX_WAITING: Final = 8
#: Seconds until the replacement of a child that was killed.
REPLACE_SECONDS: Final = 1.0
#: Seconds from SIGTERM to SIGKILL, for a child to release its job.
GRACE_SECONDS: Final = 2.0
#: The exit status of a child after an exception; `time_limit` exits with status 1.
FAILED: Final = 70
#: The messages of a child: `_RESTING`, or the turn of a job that waits for a stand-in. The parent
#: sends `_GO`.
_MESSAGE: Final = struct.Struct("q")
_RESTING: Final = -1
_GO: Final = 0
_UNIT: Final = struct.Struct("qq")

logger = logging.getLogger(__name__)


class LimitedUnit(NamedTuple):
    """A part of a job with a limit of CPU time: a game, by its number in the file, or a file."""

    job: int
    number: int


class ChildFailed(Exception):
    """A child ended by an exception, which it has logged."""


@dataclass(frozen=True, slots=True)
class _Link:
    """A link from parent to child: messages, and shared memory with the child's `LimitedUnit`."""

    #: The process number of the peer.
    pid: int
    socket: socket.socket
    unit: mmap.mmap

    def send(self, message: int) -> None:
        """Send a message. The next :meth:`receive` detects a dead receiver."""
        try:
            self.socket.sendall(_MESSAGE.pack(message))
        except ConnectionError:
            pass

    def receive(self, seconds: float | None = None) -> int | None:
        """Return the next message, or None if none arrives in time. Raise EOFError at the end."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        try:
            data = self.socket.recv(_MESSAGE.size)
        except ConnectionError:
            data = b""
        if not data:
            raise EOFError
        return int(_MESSAGE.unpack(data)[0])


# --- in the parent


class Parent:
    """A process that forks a child to run ``body()``, and replaces a killed child.

    ``stand_in(turn)`` runs the jobs before a turn. ``must_end()`` is called every second; children
    see the result by :func:`should_end`.
    """

    def __init__(
        self,
        body: Callable[[], object],
        stand_in: Callable[[int], object],
        must_end: Callable[[], bool] = lambda: False,
    ) -> None:
        self._body, self._stand_in, self._must_end = body, stand_in, must_end
        self._ending = mmap.mmap(-1, 1)
        #: The children, each waiting for the next. The only child may be resting.
        self._links: list[_Link] = []
        for kind in kinds.kinds(kinds.WORK):
            import_string(kind.run)  # now, and not again in each child

    def end(self) -> None:
        """Let the children end after their current jobs."""
        self._ending[0] = 1

    def run(self) -> None:
        """Return when the child ends or rests. Raise :class:`ChildFailed` after an exception."""
        try:
            if self._links:
                self._links[0].send(_GO)
            self._supervise(self._body, self._links[0] if self._links else self._fork(self._body))
        except ChildFailed:
            raise
        except BaseException:
            self._terminate()
            raise

    def _supervise(self, body: Callable[[], object], link: _Link) -> None:
        """Wait for a child and its replacements, and fork stand-ins on request."""
        is_stand_in = len(self._links) > 1
        while True:
            status = self._wait(link)
            if not status or self._ending[0]:
                return
            unit = None
            if status == -signal.SIGPROF:
                unit = LimitedUnit(*_UNIT.unpack(link.unit))
                logger.error("job %d: part %d takes over %d s of CPU time", *unit, CPU_SECONDS)
            elif is_stand_in:
                return
            elif status == FAILED:
                raise ChildFailed
            else:
                logger.error("the child of a worker ended with status %d", status)
                time.sleep(REPLACE_SECONDS)
            link = self._fork(body, unit)

    def _wait(self, link: _Link) -> int:
        """Return the exit status of the last child, or 0 when it rests."""
        while True:
            try:
                message = link.receive(TICK_SECONDS)
            except EOFError:
                self._links.remove(link)
                link.socket.close()
                return os.waitstatus_to_exitcode(os.waitpid(link.pid, 0)[1])
            if self._must_end():
                self.end()
            if message == _RESTING:
                return 0
            if message is not None:
                if len(self._links) <= MAX_WAITING and not self._ending[0]:
                    stand_in = partial(self._stand_in, message)
                    self._supervise(stand_in, self._fork(stand_in))
                link.send(_GO)

    def _fork(self, body: Callable[[], object], unit: LimitedUnit | None = None) -> _Link:
        """Fork a child, which first records that ``unit`` was too costly."""
        connections.close_all()
        ours, theirs = socket.socketpair()
        memory = mmap.mmap(-1, _UNIT.size)
        parent = os.getpid()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        gc.freeze()  # Collections of the child need not copy the parent's objects.
        pid = os.fork()
        if not pid:
            for link in self._links:
                link.socket.close()
            ours.close()
            _become_child(_Link(parent, theirs, memory), self._ending, body, unit)
        theirs.close()
        self._links.append(_Link(pid, ours, memory))
        return self._links[-1]

    def _terminate(self) -> None:
        """End the children: SIGTERM, at which they release their jobs, then SIGKILL."""
        self.end()
        for link in self._links:
            os.kill(link.pid, signal.SIGTERM)
        until = time.monotonic() + GRACE_SECONDS
        for link in self._links:
            while not os.waitpid(link.pid, os.WNOHANG)[0]:
                if time.monotonic() > until:
                    os.kill(link.pid, signal.SIGKILL)
                time.sleep(0.01)
            link.socket.close()
        self._links.clear()


# --- in the child


class _Self:
    """The link of this process to its parent, if it is a child, and the current limits."""

    link: _Link | None = None
    ending: mmap.mmap | None = None
    has_cpu_limit = False
    time: float | None = None


def _become_child(
    link: _Link, ending: mmap.mmap, body: Callable[[], object], unit: LimitedUnit | None
) -> NoReturn:
    """Run the body, and end the process."""
    status = FAILED
    try:
        _Self.link, _Self.ending = link, ending
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        # Write a traceback before the signal ends the process.
        faulthandler.register(signal.SIGPROF, file=sys.__stderr__ or 2, chain=True)
        if unit is not None:
            write_with_retry(partial(_refuse, unit))
        body()
        status = 0
    except (SystemExit, KeyboardInterrupt):
        pass  # The parent has to end, too.
    except BaseException:
        logger.exception("the child of a worker failed")
    finally:
        connections.close_all()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def _refuse(unit: LimitedUnit) -> None:
    """Record that a unit was too costly."""
    name = Job.objects.filter(pk=unit.job).values_list("kind", flat=True).first()
    if name is not None:
        kind = kinds.kind_of(name)
        kind.call(kind.refuse, *unit)


def should_end() -> bool:
    """Return whether this child has to end: on request, or since its parent has ended."""
    link, ending = _Self.link, _Self.ending
    return link is not None and (bool(ending and ending[0]) or os.getppid() != link.pid)


def rest() -> bool:
    """Let :meth:`Parent.run` return, and wait until it is called again. Return False at the end."""
    assert _Self.link is not None
    _Self.link.send(_RESTING)
    try:
        _Self.link.receive()
    except EOFError:
        return False
    return not should_end()


def run_stand_in(turn: int, seconds: float, tick: Callable[[], object]) -> None:
    """Wait while another process runs the jobs before a turn. Call it outside of transactions.

    ``tick()`` is called every ``seconds``. End the process if the parent has ended. Only children
    have stand-ins.
    """
    if _Self.link is None:
        return
    _Self.link.send(turn)
    try:
        while _Self.link.receive(seconds) is None:
            tick()
    except EOFError:
        sys.exit()


@contextmanager
def cpu_limit(job: int, number: int) -> Iterator[None]:
    """End this child if the code inside, the work on a `LimitedUnit`, takes `CPU_SECONDS`.

    :func:`extend_cpu` begins the time again. Other processes are not limited.
    """
    if _Self.link is None:
        yield
        return
    _UNIT.pack_into(_Self.link.unit, 0, job, number)
    _Self.has_cpu_limit = True
    extend_cpu()
    try:
        yield
    finally:
        _Self.has_cpu_limit = False
        signal.setitimer(signal.ITIMER_PROF, 0)


def extend_cpu() -> None:
    """Begin the time of the current :func:`cpu_limit` again, if there is one."""
    if _Self.has_cpu_limit:
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the process if the code inside, a job, takes longer: it may wait for something forever.

    A thread that needs no Python writes the traceback to standard error and exits. An exception
    could leave a module half imported. Only the main thread is limited. :func:`extend_time` begins
    the time again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Self.time = seconds
    extend_time()
    try:
        yield
    finally:
        _Self.time = None
        faulthandler.cancel_dump_traceback_later()


def extend_time() -> None:
    """Begin the time of the current :func:`time_limit` again, if there is one."""
    if _Self.time is not None:
        faulthandler.dump_traceback_later(_Self.time, exit=True, file=sys.__stderr__ or 2)
