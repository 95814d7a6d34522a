"""Computing on input of strangers, in processes of their own with limits of CPU, memory and time.

A web process forks a keeper before it starts threads, and the keeper forks the computing processes.
A thread connects to their common socket, sends a function with its arguments, and waits. The kernel
ends a process at its limit, even while C code holds the interpreter's lock; the keeper then forks
another. Thus no input can delay the threads that serve pages.

    thread of the web process ──(Unix socket)──> computing process ×`settings.WEB_COMPUTERS`
                                                    ↑ forks
                                                  keeper

Where nothing was started (commands, workers, tests), `compute` calls the function.
"""

from __future__ import annotations

import logging
import os
import pickle
import resource
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from django.utils import translation
from django.utils.translation import gettext as _

from records.serving.gates import WAIT_SECONDS, Busy
from records.serving.limits import settle

#: CPU seconds of a call, and of reading a workbook.
CPU_SECONDS: Final = 5.0
WORKBOOK_SECONDS: Final = 3.0
#: Maximum seconds of a call by the clock, reached only on an overloaded machine.
WALL_SECONDS: Final = 30.0
#: Bytes a computing process may allocate after its fork, and maximum bytes of a result. (macOS does
#: not limit memory.)
MEMORY_BYTES: Final = 200 << 20
RESULT_BYTES: Final = 32 << 20
#: Growth in memory after which a new process replaces a computing process.
GROWTH_BYTES: Final = 64 << 20
#: Connections that may wait for a process.
_BACKLOG: Final = 64
#: Seconds between an idle process's checks that its keeper lives.
_CHECK_SECONDS: Final = 5.0
#: Pause before the replacement of a killed process.
_PAUSE_SECONDS: Final = 0.02

logger: Final = logging.getLogger(__name__)
Result = TypeVar("Result")


class TooCostly(Exception):
    """A call that needs more CPU time, memory or room for its result than allowed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"needs more than {seconds:g} s of computing or too much memory")
        self.seconds = seconds

    def describe(self) -> str:
        """Return the limits as a sentence in the active language."""
        text = _(
            "This needs more than %(seconds)d seconds of computing or %(megabytes)d MB of memory; "
            "send less at once."
        )
        return text % {"seconds": self.seconds, "megabytes": MEMORY_BYTES >> 20}


class _Socket:
    """The path of the socket of this process's computing processes; "" before `start`."""

    path = ""


def compute(
    function: Callable[..., Result], *arguments: Any, seconds: float = CPU_SECONDS
) -> Result:
    """Return ``function(*arguments)``, computed in a computing process in the active language.

    The function is one of a module, without use of the database; arguments, result and errors are
    pickled. ``seconds`` limits the CPU time, which the sender of the request pays for. Raise
    :class:`TooCostly`, :class:`records.serving.gates.Busy`, and the errors of the function.
    """
    if not _Socket.path:
        return function(*arguments)
    call = pickle.dumps((seconds, translation.get_language(), function, arguments))
    with _connect() as connection:
        try:
            connection.send_bytes(call)
            if not connection.poll(WALL_SECONDS):
                raise Busy
            used, is_error, result = pickle.loads(connection.recv_bytes())
        except (EOFError, ConnectionError):  # the process was killed
            settle(seconds)
            raise TooCostly(seconds) from None
    settle(used)
    if is_error:
        raise result
    return result


def _connect() -> Connection[Any, Any]:
    """Return a connection to a process that is free. Raise Busy if none becomes free."""
    plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    plain.settimeout(WAIT_SECONDS)
    try:
        plain.connect(_Socket.path)
        plain.setblocking(True)
    except OSError:
        plain.close()
        raise Busy from None
    connection = Connection(plain.detach())
    try:
        if connection.poll(WAIT_SECONDS):
            connection.recv_bytes()
            return connection
    except (EOFError, ConnectionError):
        pass
    connection.close()
    raise Busy


# --- the keeper ---------------------------------------------------------------------------------


def start(folder: str, count: int, inherited: Sequence[socket.socket] = ()) -> None:
    """Fork the keeper of ``count`` computing processes, with their socket in ``folder``.

    Call it in a process without threads that has loaded the application. ``inherited`` are sockets
    that the keeper has to close. The keeper ends with this process, and this process gets SIGTERM
    if the keeper ends.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path = str(Path(folder) / "socket")
    listener.bind(path)
    listener.listen(_BACKLOG)
    read_end, write_end = os.pipe()  # Closes when this process ends.
    pid = os.fork()
    if pid == 0:
        for inherited_socket in inherited:
            inherited_socket.close()
        os.close(write_end)
        try:
            _Keeper(listener, count, read_end).run()
        finally:
            os._exit(0)
    listener.close()
    os.close(read_end)
    _Socket.path = path
    threading.Thread(target=_watch, args=(pid,), daemon=True).start()


def _watch(pid: int) -> None:
    """End this process when the keeper ends: the platform starts another."""
    os.waitpid(pid, 0)
    logger.error("the keeper of the computing processes has ended")
    os.kill(os.getpid(), signal.SIGTERM)


class _Keeper:
    """The parent of the computing processes, until the web process ends."""

    def __init__(self, listener: socket.socket, count: int, life: int) -> None:
        self.listener = listener
        self.count = count
        self.life = life
        self.pids: set[int] = set()

    def run(self) -> None:
        """Replace every process that ends."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # The web process finishes its requests first.
        news, bell = os.pipe()
        os.set_blocking(news, False)
        os.set_blocking(bell, False)
        signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # Only a handled signal rings the bell.
        while True:
            while len(self.pids) < self.count:
                self._fork()
            ready, *_rest = select.select([self.life, news], [], [])
            if self.life in ready:
                break
            with suppress(BlockingIOError):
                os.read(news, 1024)
            self._reap()
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)

    def _fork(self) -> None:
        keeper = os.getpid()
        pid = os.fork()
        if pid:
            self.pids.add(pid)
            return
        try:
            os.close(self.life)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _serve(self.listener, keeper)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)

    def _reap(self) -> None:
        while self.pids:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self.pids.discard(pid)
            if status:
                code = os.waitstatus_to_exitcode(status)
                end = signal.Signals(-code).name if code < 0 else f"status {code}"
                logger.warning("a computing process was ended (%s)", end)
                time.sleep(_PAUSE_SECONDS)


# --- a computing process ------------------------------------------------------------------------


def _serve(listener: socket.socket, keeper: int) -> NoReturn:
    """Serve one call after the other until the process has grown or the keeper has ended."""
    _limit_memory()
    peak = _peak_bytes()
    listener.settimeout(_CHECK_SECONDS)
    while os.getppid() == keeper and _peak_bytes() - peak < GROWTH_BYTES:
        try:
            plain = listener.accept()[0]
        except OSError:
            continue  # Nobody came, or the caller has hung up.
        plain.setblocking(True)
        with Connection(plain.detach()) as connection, suppress(EOFError, ConnectionError):
            _respond(connection)
        signal.setitimer(signal.ITIMER_REAL, 0)
    os._exit(0)


def _respond(connection: Connection[Any, Any]) -> None:
    """Compute the call of a connection, and send its result."""
    signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS)
    connection.send_bytes(b"")
    began = time.process_time()
    seconds, language, function, arguments = pickle.loads(connection.recv_bytes())
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with translation.override(language):
            result, is_error = function(*arguments), False
        reply = pickle.dumps((time.process_time() - began, is_error, result))
    except MemoryError:
        return  # The caller reads the end of the connection as too costly.
    except Exception as error:
        reply = pickle.dumps((time.process_time() - began, True, _portable(error)))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if len(reply) <= RESULT_BYTES:
        connection.send_bytes(reply)


def _portable(error: Exception) -> Exception:
    """Return an error that can be sent, with its traceback as a note."""
    written = "".join(traceback.format_exception(error))
    try:
        portable = pickle.loads(pickle.dumps(error))
    except Exception:
        portable = RuntimeError(f"{type(error).__name__}: {error}")
    portable.add_note(written)
    return portable


def _limit_memory() -> None:
    """Limit the private memory of this process to its size and `MEMORY_BYTES`."""
    status = Path("/proc/self/status")
    if not status.exists():
        return
    size = next(line for line in status.read_text().splitlines() if line.startswith("VmData:"))
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = (int(size.split()[1]) << 10) + MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10
