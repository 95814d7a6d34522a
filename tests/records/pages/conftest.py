"""One archive as processes, with the sample games, for all browser tests of a worker."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from hanaarchive.server import listen, url_of
from tests import forking, services
from tests.conftest import ROOT, Environment, Hana, bare_env, shared, wait_for
from tests.records.pages.kinds import list_pages
from tests.records.pages.replay_page import Player, find_game, open_replay, watch_page
from tests.records.pages.sample_archive import STAFF as STAFF

#: Headers of a browser that gets the real drawings of the cards: see `plain_cards`.
DRAWN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="session")
def plain_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compressed static files in which every card is a blank one.

    Drawing the pack costs a browser most of its time, and few tests look at it. A browser that
    requests no compression (`DRAWN`) gets the real cards.
    """

    def make(static: Path) -> None:
        source = ROOT / "records/static/records/cards.svg"
        face = r'(<symbol id="card-."[^>]*>).*?(?=</symbol>)'
        blank, count = re.subn(
            face, r'\1<use href="#k-face"/>', source.read_text(), flags=re.DOTALL
        )
        assert count == 48
        copy = static / "static/records/cards.svg.gz"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(gzip.compress(blank.encode()))
        # The server takes it for the compressed form of a source of the same time.
        os.utime(copy, ns=(source.stat().st_mtime_ns,) * 2)

    return shared(tmp_path_factory, "plain", make)


@pytest.fixture(scope="session")
def samples(
    sqlite_template: Path, plain_cards: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a var directory with the samples, their dump and a staff member, all jobs done."""

    def make(var: Path) -> None:
        shutil.copy(sqlite_template, var)
        (var / "static").symlink_to(plain_cards)
        module = "tests.records.pages.sample_archive"
        process = forking.start(["-m", module], env=site_env(var), stdout=subprocess.DEVNULL)
        assert process.wait(300) == 0

    return shared(tmp_path_factory, "samples", make)


@pytest.fixture(scope="session")
def site(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a web process over a copy of the samples, without a final slash.

    A worker process does the queued work. All browser tests of a test process share both. A test
    that looks for a game takes one of the samples' event; games uploaded by tests have other
    events.
    """
    var = tmp_path_factory.mktemp("site")
    shutil.copytree(samples, var, symlinks=True, dirs_exist_ok=True)
    runner = Hana()
    try:
        with listen("127.0.0.1", 0) as listener:
            address = url_of("127.0.0.1", listener)
            env = {**site_env(var), "HANA_URL": address}
            fd = listener.fileno()
            runner.start_python("manage.py", "web", f"--fd={fd}", env=env, pass_fds=(fd,))
        runner.start("worker", env=env)
        wait_for(address)
        yield address
    finally:
        runner.end()


def site_env(var: Path) -> Environment:
    """Return the environment of a site's processes: short analyses."""
    return bare_env(
        HANA_ENV="development",
        HANA_VAR=str(var),
        HANA_ANALYSIS_DEALS="20",
        ALLOWED_HOSTS=f"localhost,127.0.0.1,{services.FOREIGN_HOST}",
        DJANGO_SETTINGS_MODULE="tests.records.pages.site_settings",
    )


@pytest.fixture(scope="session")
def kinds(chromium: Browser, site: str) -> dict[str, str]:
    """Return the path of a page of every kind on `site`."""
    page = chromium.new_page()
    paths = list_pages(page, site)
    page.close()
    return paths


@pytest.fixture(scope="session")
def koikoi_page(chromium: Browser, site: str) -> Iterator[Player]:
    """Yield a koi-koi game of the samples, loaded once for all tests that do not change it."""
    with watch_page(chromium) as page:
        yield open_replay(page, find_game(page, site))


@pytest.fixture(scope="session")
def hachihachi_page(chromium: Browser, site: str) -> Iterator[Player]:
    """Yield a hachi-hachi game of the samples, loaded once for all tests that do not change it."""
    with watch_page(chromium) as page:
        yield open_replay(page, find_game(page, site, ruleset="hachihachi"))


@pytest.fixture
def koikoi(koikoi_page: Player) -> Player:
    """Return a koi-koi game of the samples at its start."""
    koikoi_page.reset()
    return koikoi_page


@pytest.fixture
def hachihachi(hachihachi_page: Player) -> Player:
    """Return a hachi-hachi game of the samples at its start."""
    hachihachi_page.reset()
    return hachihachi_page
