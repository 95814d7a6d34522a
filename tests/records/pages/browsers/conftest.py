"""One archive that can be cut off, and browsers other than Chromium."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hana
from tests.records.pages.browsers.engines import (
    ENGINES,
    PREFERENCES,
    Engine,
    resize,
    start_display,
    start_firefox,
    start_webkit,
)
from tests.records.pages.browsers.visitor import Visitor
from tests.records.pages.conftest import site_env
from tests.records.pages.kinds import Window
from tests.services import free_port

PHONE: Window = (390, 664)
DESK: Window = (1280, 720)
Start = Callable[..., Visitor]


class Archive:
    """An archive with the sample games and the real drawings of the cards."""

    def __init__(self, var: Path) -> None:
        """Start a web process and a worker."""
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.env = {**site_env(var), "HANA_URL": self.address}
        self.runner = Hana()
        self.runner.start("worker", env=self.env)
        self.port = port
        self.start()

    def start(self) -> None:
        """Start the web process, and wait until it responds."""
        self.web, _port = self.runner.web(self.env, self.port)

    def cut_off(self) -> None:
        """Kill the web process: browsers reach nobody."""
        os.killpg(self.web.pid, signal.SIGKILL)
        self.web.wait()


@pytest.fixture(scope="session")
def shared_archive(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Yield an archive for all tests of these browsers."""
    var = tmp_path_factory.mktemp("archive")
    shutil.copytree(samples, var, symlinks=True, dirs_exist_ok=True)
    (var / "static").unlink()  # the blank cards
    archive = Archive(var)
    yield archive
    archive.runner.end()


@pytest.fixture
def archive(shared_archive: Archive) -> Iterator[Archive]:
    """Yield the archive, and start it again if the test ends while it is cut off."""
    yield shared_archive
    if shared_archive.web.poll() is not None:
        shared_archive.start()


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """Yield the display of WebKit."""
    with start_display() as name:
        yield name


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Return the name of a browser."""
    name: Engine = request.param
    return name


@pytest.fixture
def start(
    engine: Engine, archive: Archive, request: pytest.FixtureRequest, tmp_path_factory: Any
) -> Iterator[Start]:
    """Yield a function that starts a browser with nothing stored, in a window and a language."""
    with ExitStack() as stack:

        def start(window: Window = DESK, language: str = "en", **preferences: Any) -> Visitor:
            folder = tmp_path_factory.mktemp(engine)
            if engine == "firefox":
                driver = stack.enter_context(start_firefox(folder, **PREFERENCES | preferences))
            else:
                display = request.getfixturevalue("display")
                driver = stack.enter_context(start_webkit(folder, display))
            resize(driver, *window)
            visitor = Visitor(driver, archive.address)
            if language != "en":
                visitor.open("/health/live")
                visitor.driver.add_cookie({"name": "django_language", "value": language})
            return visitor

        yield start
