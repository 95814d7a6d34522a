"""Fixtures: real servers, real processes of the archive, a real browser.

pytest-django's own database (mark `django_db`) is SQLite in memory. A test across processes or on
another database runs `manage.py` as a process, in an environment made by `hana_env`.
"""

import fcntl
import gc
import os
import shutil
import signal
import sqlite3
import subprocess
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
import redis
from django.conf import LazySettings
from django.conf import settings as django_settings
from django.core.cache import cache, caches
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

import hanaarchive.urls  # noqa: F401 - registers the models of the admin
from hanaarchive.environment import parse_bucket
from hanaarchive.server import listen
from lengths import EXAMPLES, LONG
from records.facts import parts
from records.jobs import children
from records.models import Record
from records.serving import limits
from tests import forking, services
from tests.people import world
from tests.records import makers
from tests.static_files import gather_once

gc.disable()  # until all tests are loaded: see `pytest_collection_finish`

ROOT = Path(__file__).resolve().parent.parent
Environment = dict[str, str]

# How fast the machine is must not decide a test.
settings.register_profile(
    "hana",
    deadline=None,
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("hana")
expect.set_options(timeout=30_000)


@pytest.fixture
def without_sheets() -> Iterator[None]:
    """Make `tests.records.makers.UNSUPPORTED` unsupported."""
    with makers.without_sheets():
        yield


@pytest.fixture
def aya(db: None) -> Any:
    """Return a user with an account."""
    return world.user("aya")


@pytest.fixture
def game(aya: Any) -> Record:
    """Return a public game of aya."""
    world.sent(makers.text(1), owner=aya)
    return Record.objects.get()


#: Fixtures with processes: the archive's, servers, or a browser with its server.
STARTED = {"hana", "hana_env", "new_var", "redis_server", "postgres_server", "bucket_server"}
DRAWN = {"chromium", "site"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that start processes, which `make test-fast` leaves out, and drop `long_only`.

    Two workers, which start with equal parts of all tests, begin with the tests of pages in a
    browser; the second one continues with the tests that start other processes. Idle workers take
    tests from the end of a part, and each would start a browser, an archive and servers of its own
    for a few of these tests. Tests that wait long for processes would also delay the end of a run.
    """
    if not LONG:
        dropped = [item for item in items if item.get_closest_marker("long_only")]
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if not item.get_closest_marker("long_only")]
    for item in items:
        if _fixtures_of(item) & (STARTED | DRAWN):
            item.add_marker("processes")
    drawn = [item for item in items if _fixtures_of(item) & DRAWN]
    started = [item for item in items if _fixtures_of(item) & STARTED and item not in drawn]
    others = [item for item in items if not _fixtures_of(item) & (STARTED | DRAWN)]
    of_writing = [item for item in drawn if "/writing/" in item.nodeid]
    of_pages = [item for item in drawn if "/writing/" not in item.nodeid]
    part = len(items) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    end = max(0, part - len(of_pages))
    items[:] = [*of_pages, *others[:end], *of_writing, *started, *others[end:]]


def _fixtures_of(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))


#: Number of files listed at the end of a long run, and the duration of a run with such a list.
DEAREST_FILES = 20
LONG_RUN_SECONDS = 60


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the seconds of the dearest test files, summed over all workers."""
    seconds: dict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.location[0]] += report.duration
    total = sum(seconds.values())
    if total < LONG_RUN_SECONDS:
        return
    terminalreporter.section(f"seconds by file, of {total:.0f} in all workers")
    dearest = sorted(seconds.items(), key=lambda item: item[1], reverse=True)
    for path, spent in dearest[:DEAREST_FILES]:
        terminalreporter.write_line(f"{spent:7.1f}  {path}")


def pytest_collection_finish() -> None:
    """Exclude loaded objects from garbage collection, and collect rarely, which saves a twelfth."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
    gc.enable()


#: The time of all counted requests: one second into a minute, an hour and a day.
SECOND = 1_799_971_201


@pytest.fixture(autouse=True)
def empty_caches(standing_clock: None) -> None:
    """Empty the caches and deactivate the language of earlier tests' requests.

    Unread downloads of earlier tests are released.
    """
    if limits.GATES["download"].count:
        gc.collect()
    translation.deactivate()
    cache.clear()
    caches["responses"].clear()


@pytest.fixture(scope="session")
def standing_clock() -> Iterator[None]:
    """Stop the clock of the rate limits, so that no window ends during a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "now", lambda: SECOND)
        yield


@pytest.fixture(scope="session", autouse=True)
def database_in_memory() -> Iterator[None]:
    """Let commands run jobs in this process: a child would not see the database in memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(children.Parent, "run", lambda parent: parent._body())
        yield


@pytest.fixture
def without_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store games without their facts, whose files take half of the time of a small upload."""
    monkeypatch.setattr(parts, "write_parts", lambda batches: [])


@pytest.fixture(scope="session", autouse=True)
def static_files_gathered_once(compressed_files: Path) -> Iterator[None]:
    """Find the static files once per session, and compress them once for all workers."""
    (django_settings.VAR_DIR / "static").symlink_to(compressed_files)
    with pytest.MonkeyPatch.context() as patch:
        gather_once(patch)
        yield


def wait_for(address: str) -> None:
    """Wait until a web server with an open socket responds.

    Its processes load the archive, which takes long while a browser uses the cores.
    """
    with urllib.request.urlopen(f"{address}/health/live", timeout=120) as response:
        response.read()


class Hana:
    """A runner of `manage.py` processes that ends the processes left by a test."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self.started: list[subprocess.Popen[str]] = []

    def __call__(
        self, *arguments: str, env: Environment, stdin: str | None = None, status: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end and check its exit status. Output is text."""
        command = ["manage.py", *arguments]
        with (
            TemporaryFile("w+") as stdin_file,
            TemporaryFile("w+") as out,
            TemporaryFile("w+") as errors,
        ):
            stdin_file.write(stdin or "")
            stdin_file.seek(0)
            process = forking.start(command, env=env, stdin=stdin_file, stdout=out, stderr=errors)
            self.started.append(process)
            returncode = process.wait(300)
            out.seek(0)
            errors.seek(0)
            result = subprocess.CompletedProcess(command, returncode, out.read(), errors.read())
        assert result.returncode == status, (
            f"status {result.returncode}: {result.stdout}{result.stderr}"
        )
        return result

    def start(self, *command: str, env: Environment) -> subprocess.Popen[str]:
        """Start a long-running command: `start("serve", "--port=0", env=env)`.

        Standard output is a pipe of text. The process leads a new session.
        """
        return self.start_python("manage.py", *command, env=env)

    def web(self, env: Environment, port: int = 0) -> tuple[subprocess.Popen[str], int]:
        """Start a process of the web server and wait until it responds. Return its port too."""
        with listen("127.0.0.1", port) as listener:
            port = listener.getsockname()[1]
            process = self.start_python(
                *("manage.py", "web", f"--fd={listener.fileno()}"),
                env=env,
                pass_fds=(listener.fileno(),),
            )
        wait_for(f"http://127.0.0.1:{port}")
        return process, port

    def start_python(
        self, *command: str, env: Environment, pass_fds: tuple[int, ...] = ()
    ) -> subprocess.Popen[str]:
        """Start Python with other arguments, such as `-m celery ...`, in the same way."""
        process = forking.start(command, env=env, pass_fds=pass_fds)
        self.started.append(process)
        return process

    def end(self) -> None:
        """Kill the running processes, which saves half a second of CPU time."""
        for process in self.started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def hana() -> Iterator[Hana]:
    """Yield a runner of `manage.py`: `hana("ingest", "-", stdin=text, env=env).stdout`."""
    runner = Hana()
    yield runner
    runner.end()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """Yield the URL of a Redis for the session."""
    with services.redis_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[services.BucketServer]:
    """Yield an S3 server for the session."""
    with services.bucket_server() as server:
        yield server


@pytest.fixture
def in_bucket(
    bucket_server: services.BucketServer,
    settings: LazySettings,
) -> services.BucketServer:
    """Store the files of this process in an empty bucket."""
    options = parse_bucket(bucket_server.create())
    assert options is not None
    settings.BUCKET = options
    settings.STORAGES = django_settings.STORAGES | {
        alias: {
            "BACKEND": f"records.base.bucket.{'Packed' if packed else ''}Bucket",
            "OPTIONS": options | {"location": f"{options['location']}{alias}/"},
        }
        for alias, packed in (
            ("default", True),
            ("partial", True),
            ("facts", False),
            ("dumps", False),
        )
    }
    return bucket_server


#: The name of the PostgreSQL database with tables and without rows.
POSTGRES_TEMPLATE = "tables"


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[services.Postgres]:
    """Yield a PostgreSQL for the session, with a database `POSTGRES_TEMPLATE`."""

    def make(draft: Path) -> None:
        with services.postgres_server() as server:
            url = server.url(server.create(name=POSTGRES_TEMPLATE))
            migrate(bare_env(HANA_ENV="development", HANA_VAR=str(draft), DATABASE_URL=url))
            server.stop()
            shutil.copytree(server.directory / "data", draft / "data")

    data = shared(tmp_path_factory, "postgres", make) / "data"
    with services.postgres_server(data=data) as server:
        yield server


@pytest.fixture(scope="module")
def rows_for_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Retain rows of a module's later fixtures until the end of the module.

    Rows of single tests are rolled back.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def bare_env(**variables: str) -> Environment:
    """Return the environment without variables of services, and with the given variables."""
    # pytest-django exports the settings of the tests; processes need the real settings.
    unwanted = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS")
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in unwanted and not name.startswith(("HANA_", "DJANGO_"))
    }
    # All requests of a test come from one sender.
    rates = {"HANA_RATES": f"work=1000000000/60,{variables.pop('HANA_RATES', '')}".rstrip(",")}
    # Processes may load modules of the tests, which use the library's test modules.
    paths = {"PYTHONPATH": str(ROOT / "kafu" / "tests")}
    # New games count in statistics as soon as they are stored, and are analysed only by request,
    # since an analysis takes seconds.
    defaults = {"HANA_FACTS_SECONDS": "0", "HANA_ANALYSES_DAILY": "0"}
    return env | rates | paths | defaults | variables


def migrate(env: Environment) -> None:
    """Make the tables."""
    runner = Hana()
    runner("migrate", "--verbosity=0", "--skip-checks", env=env)


def shared(
    tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]
) -> Path:
    """Return a directory shared by all workers of a run: the first worker makes it, others wait."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent  # the parent of the workers' directories
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / name).exists():
            draft = root / f"{name}.draft"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            make(draft)
            draft.rename(root / name)
    return root / name


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a SQLite file with tables and without rows."""

    def make(var: Path) -> None:
        migrate(bare_env(HANA_ENV="development", HANA_VAR=str(var)))

    return shared(tmp_path_factory, "sqlite", make) / "hana.sqlite3"


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: Any, sqlite_template: Path
) -> Iterator[None]:
    """Make a database in memory for the process, with the tables of `sqlite_template`.

    Django would make the tables by its models. The end of a transactional test copies them again:
    Django would empty each table and insert all permissions anew, which takes ten times as long.
    """
    connection.settings_dict["NAME"] = "file:tests?mode=memory&cache=shared"

    def fill(*_: TransactionTestCase) -> None:
        with closing(sqlite3.connect(sqlite_template)) as source:
            connection.ensure_connection()
            source.backup(connection.connection)

    with django_db_blocker.unblock():
        fill()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", fill)
        yield


@pytest.fixture(scope="session")
def compressed_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of compressed static files, made by the first web server of a run."""
    return shared(tmp_path_factory, "static", lambda _: None)


@pytest.fixture(scope="session")
def new_var(
    sqlite_template: Path, compressed_files: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], Path]:
    """Return a maker of var directories, each with a SQLite file with tables and without rows."""

    def make() -> Path:
        var = tmp_path_factory.mktemp("var")
        shutil.copy(sqlite_template, var)
        (var / "static").symlink_to(compressed_files)
        return var

    return make


@pytest.fixture
def hana_env(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    compressed_files: Path,
) -> Callable[..., Environment]:
    """Return a maker of environments for processes, each with a new var directory and database.

    `hana_env()` is SQLite without a broker; `hana_env(postgres=True, redis=True, HANA_UPLOAD_LIMIT=
    "1000")` starts the servers. The database has tables without rows.
    """

    def make(*, postgres: bool = False, redis: bool = False, **variables: str) -> Environment:
        var = tmp_path_factory.mktemp("var")
        (var / "static").symlink_to(compressed_files)
        env = bare_env(**{"HANA_ENV": "development", "HANA_VAR": str(var)} | variables)
        if postgres:
            server: services.Postgres = request.getfixturevalue("postgres_server")
            env["DATABASE_URL"] = server.url(server.create(POSTGRES_TEMPLATE))
        else:
            shutil.copy(request.getfixturevalue("sqlite_template"), var)
        if redis:
            env["REDIS_URL"] = request.getfixturevalue("redis_server")
            empty(env["REDIS_URL"])
        return env

    return make


def empty(url: str) -> None:
    """Empty a Redis after earlier tests."""
    with redis.Redis.from_url(url) as client:
        client.flushall()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Yield a headless browser."""
    # Playwright's loop remains the running loop of this thread, and Django would refuse its
    # database. The variable is safe: tests of the browser use a server process, so no call has
    # both.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    arguments = [f"--host-resolver-rules=MAP {services.FOREIGN_HOST} 127.0.0.1"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses root
    with sync_playwright() as playwright:
        path = services.chromium_path()
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Yield a page in a fresh profile. The test fails if a script of ours fails or is blocked."""
    faults: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            faults.append(message.text)

    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", on_console)
    yield page
    context.close()
    assert not faults
