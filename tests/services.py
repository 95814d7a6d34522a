"""Real servers for the tests, each on a free port in a temporary directory."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from random import SystemRandom
from threading import Thread
from typing import Any

import psycopg
import pytest
import redis
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
# Homebrew and Debian keep PostgreSQL's programs off PATH.
POSTGRES_DIRS = (
    "/usr/lib/postgresql/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
# The shell first: without windows and tabs, a page takes a quarter of the CPU time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

#: A name for this machine in browsers, untrusted unlike localhost.
FOREIGN_HOST = "club.example"

#: Unlike the generator that tests seed: two workers would choose the same ports.
PORTS = SystemRandom()


def free_port() -> int:
    """Return a port without a listener, below the ports of outgoing connections."""
    while True:
        port = PORTS.randrange(10_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def missing(program: str) -> None:
    """Fail instead of skipping: a test that did not run proves nothing."""
    pytest.fail(f"{program} is missing: run scripts/test-services", pytrace=False)


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a directory in the system's temporary directory, accessible to other users."""
    path = Path(tempfile.mkdtemp(prefix="hana-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class RedisServer:
    """A Redis without persistence that can be killed and restarted on its port."""

    def __init__(self, program: str, directory: Path) -> None:
        """Start nothing yet."""
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        self.command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        self.command += ["--appendonly", "no", "--dir", str(directory)]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start Redis, and wait until it responds."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            wait_until(lambda: answers(client), "redis-server answers")

    def signal(self, number: int) -> None:
        """Send the process a signal, such as SIGSTOP."""
        assert self.process is not None
        self.process.send_signal(number)

    def pid(self) -> int:
        """Return the process id."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """Send SIGKILL: all data is lost."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """Run Redis."""
    program = shutil.which("redis-server", path=f"{os.environ['PATH']}:/opt/homebrew/bin")
    if program is None:
        missing("redis-server")
        return
    with scratch() as directory:
        server = RedisServer(program, directory)
        server.start()
        try:
            yield server
        finally:
            server.kill()


def answers(client: redis.Redis) -> bool:
    """Return whether Redis responds."""
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


class BucketServer:
    """An S3 server that can be stopped and restarted on its port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.numbers = count(1)

    def start(self) -> None:
        """Start the server."""
        # Imported here, because importing takes each test worker half a second.
        from moto.server import ThreadedMotoServer

        self.server = ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self.server.start()

    def stop(self) -> None:
        """Stop the server; its objects stay."""
        self.server.stop()

    def client(self) -> Any:
        """Return a client of the server."""
        import boto3

        return boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
        )

    def create(self) -> str:
        """Create a bucket; return its HANA_STORAGE_URL."""
        name = f"hana{next(self.numbers)}"
        self.client().create_bucket(Bucket=name)
        return f"s3+http://key:secret@127.0.0.1:{self.port}/{name}/archive"


@contextmanager
def bucket_server() -> Iterator[BucketServer]:
    """Run an S3 server."""
    server = BucketServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Postgres:
    """A running PostgreSQL server that makes databases."""

    def __init__(self, port: int, directory: Path, control: Callable[..., None]) -> None:
        """Take the port on 127.0.0.1 (user hana, no password), and pg_ctl as `control`."""
        self.port = port
        self.directory = directory
        self.control = control
        self.numbers = count(1)

    def start(self) -> None:
        """Start the server, and wait until it responds."""
        self.control("-w", "start")

    def pid(self) -> int:
        """Return the id of the main process."""
        return int((self.directory / "data" / "postmaster.pid").read_text().split()[0])

    def stop_at_once(self) -> None:
        """Stop as in a crash: every connection and transaction ends immediately."""
        self.control("-w", "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        """Return the DATABASE_URL of a database of the server."""
        return f"postgres://hana@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        """Stop the server normally, so that its data can be copied."""
        self.control("-w", "-m", "fast", "stop")

    def create(self, template: str = "template1", name: str = "") -> str:
        """Create a database as a copy of one without connections; return its name."""
        name = name or f"hana{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    sql.Identifier(name), sql.Identifier(template)
                )
            )
        return name


@contextmanager
def postgres_server(settings: str = "-c fsync=off", data: Path | None = None) -> Iterator[Postgres]:
    """Run a PostgreSQL, by default with minimal writes.

    data: The data directory of a stopped server to start from, instead of an empty directory.
    """
    candidates = [shutil.which("initdb"), *glob(POSTGRES_DIRS, "initdb")]
    initdb = next((path for path in candidates if path), None)
    if initdb is None:
        missing("initdb of PostgreSQL")
        return
    port = free_port()
    with scratch() as directory:
        user = "postgres" if os.geteuid() == 0 else None  # PostgreSQL refuses root
        if user:
            shutil.chown(directory, user)

        options = f"-p {port} -h 127.0.0.1 -k {directory} {settings}"

        def run(program: str, *arguments: str) -> None:
            path = str(Path(initdb).with_name(program))
            command = [path, "-D", f"{directory}/data", *arguments]
            # To a file: the server inherits the output, and would keep a pipe open.
            with (directory / "output").open("a+") as output:
                result = subprocess.run(
                    command,
                    cwd=directory,
                    stdout=output,
                    stderr=output,
                    user=user,
                    group=user,
                    extra_groups=[] if user else None,
                )
            assert result.returncode == 0, (directory / "output").read_text()

        def control(*arguments: str) -> None:
            run("pg_ctl", "-l", f"{directory}/log", "-o", options, *arguments)

        if data is None:
            options_of_initdb = ("-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
            run("initdb", "-U", "hana", *options_of_initdb)
        else:
            copy = shutil.copytree(data, directory / "data")
            if user:
                for path in (copy, *copy.rglob("*")):
                    shutil.chown(path, user)
        server = Postgres(port, directory, control)
        server.start()
        try:
            yield server
        finally:
            if (directory / "data" / "postmaster.pid").exists():
                server.stop_at_once()


def glob(directories: tuple[str, ...], program: str) -> list[str]:
    """Return the programs of a name under the patterns, newest version first."""
    paths = [p for pattern in directories for p in Path("/").glob(f"{pattern[1:]}/{program}")]
    return [str(p) for p in sorted(paths, key=version_of, reverse=True)]


def version_of(path: Path) -> int:
    """Return the version in a path such as /usr/lib/postgresql/15/bin/initdb, 0 without one."""
    number = re.search(r"postgresql[@/]?(\d+)", str(path))
    return int(number[1]) if number else 0


def chromium_path() -> str:
    """Return the path of the local browser."""
    candidates = [shutil.which(name) for name in CHROMIUM_NAMES]
    candidates += [path for path in CHROMIUM_APPS if Path(path).exists()]
    path = next((path for path in candidates if path), "")
    if not path:
        missing("chromium")
    return path


class _Files(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Serve the files of a folder at an origin of its own; the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def wait_until(condition: Callable[[], object], description: str, seconds: float = 30.0) -> None:
    """Wait for a condition. The time is a limit for failures, not a measure."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:g} s: {description}")
        time.sleep(0.02)


class ClickHouseServer:
    """ClickHouse's engine behind HTTP (`tests.clickhouse`), over a bucket; it can be killed."""

    def __init__(self, bucket: str, log: Path) -> None:
        """Take the HANA_STORAGE_URL of the bucket and a file for the output; start nothing yet."""
        self.port = free_port()
        self.url = f"clickhouse+http://reader:se%2Fcret@127.0.0.1:{self.port}/"
        self.command = [sys.executable, "-m", "tests.clickhouse", str(self.port), bucket]
        self.log = log

    def start(self) -> None:
        """Start the server, and wait until it responds."""
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
            )
        wait_until(self._responds, "the ClickHouse of the tests responds", 60)

    def _responds(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """Send SIGKILL."""
        self.process.kill()
        self.process.wait()


@contextmanager
def clickhouse_server(bucket: str) -> Iterator[ClickHouseServer]:
    """Run ClickHouse's engine over a bucket."""
    with scratch() as directory:
        server = ClickHouseServer(bucket, directory / "output")
        server.start()
        try:
            yield server
        finally:
            server.kill()
