"""Processes of Python forked from a process that has already loaded the libraries.

Loading them takes half of the CPU time of a start. As a script the module is the forking process;
`start` is for the tests. Systems other than Linux start Python anew, as the children of `manage.py
serve` do everywhere.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NoReturn

ROOT: Final = Path(__file__).resolve().parent.parent
#: Modules that processes of the archive load, if independent of settings and environment.
LIBRARIES: Final = (
    *("PIL.Image", "PIL.ImageDraw", "boto3", "celery.app.base", "celery.bin.worker"),
    *("celery.concurrency.prefork", "confusable_homoglyphs.confusables", "corsheaders.middleware"),
    *("cryptography.x509", "dj_database_url", "django.contrib.admin", "django.views.i18n"),
    *("django.contrib.postgres.fields", "django.contrib.sitemaps.views", "django.forms"),
    *("django.core.management", "django.db.backends.sqlite3.base", "django.middleware.csrf"),
    *("django.db.migrations.executor", "django.http", "django.template", "django.test.client"),
    *("django.views", "django.urls", "duckdb", "fido2.features", "fido2.server", "jinja2", "jwt"),
    *("kafu", "kafu.analysis.problems", "kafu.analysis.report", "kafu.cli.main"),
    *("kafu.comparing.situations", "kafu.editing.changes", "kafu.editing.sheet_forms"),
    *("kafu.editing.table_at", "kafu.judging.replay", "kafu.notation.json.schema"),
    *("kafu.score_sheet", "kombu.transport.redis", "markdown", "markdown_it", "msgspec"),
    *("multipart", "numpy", "psycopg", "pygments.formatters.html", "pygments.lexers"),
    *("qrcode.image.svg", "redis", "requests", "resvg_py", "rich", "storages", "structlog"),
    *("tarfile", "uritemplate", "waitress", "whitenoise.middleware", "yaml"),
)
MAX_MESSAGE_BYTES: Final = 200_000
MAX_FILES: Final = 16
#: An option of `prctl`: orphans below a process become its children.
PR_SET_CHILD_SUBREAPER: Final = 36


class Process(subprocess.Popen[str]):
    """A child of this process, made by the fork server."""

    def __init__(self, command: Sequence[str], pid: int, output: IO[str] | None) -> None:
        # The method of `Popen` would start a program.
        self.args, self.pid, self.returncode = command, pid, None
        self.stdin, self.stdout, self.stderr = None, output, None
        self._waitpid_lock = threading.Lock()
        self._child_created = True


def start(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    stdin: int | IO[Any] = subprocess.DEVNULL,
    stdout: int | IO[Any] = subprocess.PIPE,
    stderr: int | IO[Any] = 2,
    pass_fds: tuple[int, ...] = (),
) -> subprocess.Popen[str]:
    """Start Python with arguments (``manage.py web``, ``-c CODE``, ``-m MODULE``) in `ROOT`.

    ``stdout=PIPE`` is a pipe of text. The process leads a new session.
    """
    if sys.platform != "linux":
        return subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            start_new_session=True,
            pass_fds=pass_fds,
        )
    null = os.open(os.devnull, os.O_RDWR)
    opened = [null]
    output = None
    if stdout == subprocess.PIPE:
        reader, stdout = os.pipe()
        opened.append(stdout)
        output = os.fdopen(reader, encoding="utf-8")
    files = {0: stdin, 1: stdout, 2: stderr} | dict(zip(pass_fds, pass_fds, strict=True))
    numbers = {
        target: null
        if file == subprocess.DEVNULL
        else file
        if isinstance(file, int)
        else file.fileno()
        for target, file in files.items()
    }
    message = json.dumps([command, dict(env), list(numbers)]).encode()
    pid = _request(_connection(), message, list(numbers.values()))
    for number in opened:
        os.close(number)
    return Process(command, pid, output)


@cache
def _connection() -> socket.socket:
    """Start the fork server, which ends with this process. Return its socket."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # Without settings, a library with access to settings at import fails.
    env = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO_")}
    env["PYTHONPATH"] = f"{ROOT}/kafu/tests"
    with its:
        server = subprocess.Popen(
            [sys.executable, __file__, str(its.fileno())],
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            pass_fds=[its.fileno()],
        )

    def end() -> None:
        ours.close()
        server.wait()

    atexit.register(end)
    return ours


def _request(connection: socket.socket, message: bytes, files: list[int]) -> int:
    """Request a process. Return its number: an orphan, adopted by this process."""
    _adopt_orphans(True)
    try:
        socket.send_fds(connection, [message], files)
        return int(connection.recv(100))
    finally:
        _adopt_orphans(False)


def _adopt_orphans(is_on: bool) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(is_on), 0, 0, 0)


def _serve(connection: socket.socket) -> list[str]:
    """Fork for every message. Return the command in the forked process."""
    while True:
        message, files, _flags, _address = socket.recv_fds(connection, MAX_MESSAGE_BYTES, MAX_FILES)
        if not message:
            os._exit(0)  # The tests are over.
        command, env, targets = json.loads(message)
        reader, writer = os.pipe()
        parent = os.fork()
        if parent == 0:
            pid = os.fork()
            if pid == 0:
                os.setsid()
                for number in (reader, writer, connection.detach()):
                    os.close(number)
                _place(files, targets)
                os.environ.clear()
                os.environ.update(env)
                return list(command)
            os.write(writer, str(pid).encode())
            os._exit(0)
        os.waitpid(parent, 0)
        connection.send(os.read(reader, 100))
        for number in (*files, reader, writer):
            os.close(number)


def _place(files: Sequence[int], targets: Sequence[int]) -> None:
    """Give files the numbers that a command expects."""
    beyond = max(*targets, *files) + 1
    copies = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, beyond) for number in files]
    for number in files:
        os.close(number)
    for copy, target in zip(copies, targets, strict=True):
        os.dup2(copy, target)
        os.close(copy)


class _Replaced(BaseException):
    """The end of a program that calls `os.execv`, with the arguments of Python in its place."""

    def __init__(self, program: str, arguments: list[str]) -> None:
        assert program == sys.executable
        self.command = arguments[1:]


def _replace(program: str, arguments: list[str]) -> NoReturn:
    """Replace `os.execv`, because a new program would load all libraries again."""
    raise _Replaced(program, arguments)


def _run(command: list[str]) -> NoReturn:
    """Run Python with these arguments, and end without freeing every object."""
    os.execv = _replace  # type: ignore[assignment]
    status: Any = 0
    try:
        try:
            _load(command)
        except _Replaced as replaced:
            _load(replaced.command)
    except SystemExit as error:
        status = error.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _load(command: list[str]) -> None:
    program, *sys.argv = command
    if program == "-c":
        code, *arguments = sys.argv
        sys.argv = ["-c", *arguments]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    elif program == "-m":
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = command
        runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.freeze()
    command = _serve(socket.socket(fileno=int(sys.argv[1])))
    gc.enable()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _run(command)
