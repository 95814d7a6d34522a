"""Real servers for the tests, each on a free port in a directory that goes away."""

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any

import boto3
import psycopg
import pytest
import redis
from psycopg import sql

# Homebrew keeps PostgreSQL's programs off PATH, and so does Debian.
POSTGRES_DIRS = (
    "/usr/lib/postgresql/*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
# The shell first: without windows and tabs to keep, a page takes it a quarter of the CPU time.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)

#: Not the generator that tests seed: two workers would choose the same.
PORTS = SystemRandom()


def free_port() -> int:
    """A port that nobody listens on now, below those that outgoing connections are given."""
    while True:
        port = PORTS.randrange(10_000, 30_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


def missing(program: str) -> None:
    """Fail, never skip: a test that did not run proves nothing."""
    pytest.fail(f"{program} is missing: run scripts/test-services", pytrace=False)


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory under the system's own for such, which other users can reach."""
    path = Path(tempfile.mkdtemp(prefix="hana-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class RedisServer:
    """A Redis that keeps nothing on disk; it can be killed and started again on its port."""

    def __init__(self, program: str, directory: Path) -> None:
        """Nothing is started yet."""
        port = free_port()
        self.url = f"redis://127.0.0.1:{port}/0"
        self.command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        self.command += ["--appendonly", "no", "--dir", str(directory)]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        with redis.Redis.from_url(self.url) as client:
            wait_until(lambda: answers(client), "redis-server answers")

    def signal(self, number: int) -> None:
        """Send it a signal, such as SIGSTOP."""
        assert self.process is not None
        self.process.send_signal(number)

    def pid(self) -> int:
        """Its process."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """SIGKILL: all that it held is gone."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A running Redis."""
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
    """Whether this Redis is there."""
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


class BucketServer:
    """A server that speaks S3; it can be stopped and started again on its port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.numbers = count(1)

    def start(self) -> None:
        """Start it."""
        # Not at the top: every worker would import it, which takes half a second.
        from moto.server import ThreadedMotoServer

        self.server = ThreadedMotoServer("127.0.0.1", self.port, verbose=False)
        self.server.start()

    def stop(self) -> None:
        """Stop it; its objects stay."""
        self.server.stop()

    def client(self) -> Any:
        """Return a client of it."""
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
    """Run a server that speaks S3."""
    server = BucketServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


class Postgres:
    """A running PostgreSQL server that makes databases."""

    def __init__(self, port: int, directory: Path, control: Callable[..., None]) -> None:
        """`port`: where it listens on 127.0.0.1, user hana, no password. `control`: pg_ctl."""
        self.port = port
        self.directory = directory
        self.control = control
        self.numbers = count(1)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.control("-w", "start")

    def pid(self) -> int:
        """The process that started all others of it."""
        return int((self.directory / "data" / "postmaster.pid").read_text().split()[0])

    def stop_at_once(self) -> None:
        """As if the machine went down: every connection and transaction ends where it is."""
        self.control("-w", "-m", "immediate", "stop")

    def url(self, database: str) -> str:
        """The DATABASE_URL of a database of this server."""
        return f"postgres://hana@127.0.0.1:{self.port}/{database}"

    def stop(self) -> None:
        """Stop it as an administrator does: its data can be copied afterwards."""
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
    """Run a PostgreSQL, by default one that writes as little as it can.

    data: The data directory of a stopped server to start from, instead of an empty one.
    """
    found = [shutil.which("initdb"), *glob(POSTGRES_DIRS, "initdb")]
    initdb = next((path for path in found if path), None)
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
            # To a file: the server inherits the output, and a pipe would stay open with it.
            with (directory / "output").open("a+") as output:
                done = subprocess.run(
                    command,
                    cwd=directory,
                    stdout=output,
                    stderr=output,
                    user=user,
                    group=user,
                    extra_groups=[] if user else None,
                )
            assert done.returncode == 0, (directory / "output").read_text()

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
    """The programs of that name under the patterns, newest version first."""
    paths = [p for pattern in directories for p in Path("/").glob(f"{pattern[1:]}/{program}")]
    return [str(p) for p in sorted(paths, key=version_of, reverse=True)]


def version_of(path: Path) -> int:
    """The version in a path such as /usr/lib/postgresql/15/bin/initdb, 0 if it has none."""
    number = re.search(r"postgresql[@/]?(\d+)", str(path))
    return int(number[1]) if number else 0


def chromium_path() -> str:
    """The browser of this machine."""
    found = [shutil.which(name) for name in CHROMIUM_NAMES]
    found += [path for path in CHROMIUM_APPS if Path(path).exists()]
    path = next((path for path in found if path), "")
    if not path:
        missing("chromium")
    return path


def wait_until(condition: Callable[[], object], what: str, seconds: float = 30.0) -> None:
    """Ask until it is so. The time is a limit for what went wrong, not a measure."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:g} s: {what}")
        time.sleep(0.02)
