"""A whole archive as processes, for the tests in a browser."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser

from records.opendata.months import month_of
from tests.conftest import ROOT, Environment, Hana, bare_env, shared, wait_for
from tests.people.world import PASSWORD
from tests.records.pages.kinds import pages

#: The name of somebody of the staff on each site.
STAFF = "staff"


#: The headers of a browser that gets the cards as they are: see `plain_cards`.
DRAWN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="session")
def plain_cards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compressed static files in which all cards are blank ones: drawing the pack costs a browser
    most of its time, and few tests look at it. Who asks for no compression gets the real one.
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
        # It is taken for the copy of a source of the same time.
        os.utime(copy, ns=(source.stat().st_mtime_ns,) * 2)

    return shared(tmp_path_factory, "plain", make)


@pytest.fixture(scope="session")
def samples(
    sqlite_template: Path, plain_cards: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A var directory with the samples and their dump, so that a server has nothing left to do, and
    with somebody of the staff.
    """

    def make(var: Path) -> None:
        shutil.copy(sqlite_template, var)
        (var / "static").symlink_to(plain_cards)
        env = site_env(var)
        hana = Hana()
        hana("samples", env=env)
        # What is made when nobody waits: indexes, ratings, facts.
        for _ in range(2):
            hana("sweep", "--once", env=env)
        hana("dump", "--month", month_of(timezone.now()), env=env)
        named = ("--noinput", f"--username={STAFF}", "--email=staff@example.org")
        hana("createsuperuser", *named, env=env | {"DJANGO_SUPERUSER_PASSWORD": PASSWORD})

    return shared(tmp_path_factory, "samples", make)


@pytest.fixture(scope="session")
def site(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve` with its samples: its address, without a slash at the end.

    All tests of the browser share it. What they hand in bears no event; those that look for a game
    take one of the samples' event.
    """
    with copied(samples, tmp_path_factory) as address:
        yield address


@pytest.fixture(scope="session")
def own_site(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same for tests whose games those of ``site`` should not meet; they share this one."""
    with copied(samples, tmp_path_factory) as address:
        yield address


def site_env(var: Path) -> Environment:
    """The environment of a site's processes in a directory of its own: one of the web server."""
    return bare_env(
        HANA_ENV="development",
        HANA_VAR=str(var),
        HANA_WEB_PROCESSES="1",
        DJANGO_SETTINGS_MODULE="tests.records.pages.site_settings",
    )


@contextmanager
def copied(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a copy of the samples."""
    var = tmp_path_factory.mktemp("site")
    shutil.copytree(samples, var, symlinks=True, dirs_exist_ok=True)
    with serving(var) as address:
        yield address


@contextmanager
def serving(var: Path) -> Iterator[str]:
    """`manage.py serve` in a directory of its own, with one web process: its address."""
    runner = Hana()
    env = site_env(var)
    process = runner.start("serve", "--port=0", env=env)
    assert process.stdout is not None
    found = (re.search(r"http://[^/\s]+", line) for line in process.stdout)
    address = next((one[0] for one in found if one), "")
    assert address, "serve ended before it printed its address"
    try:
        wait_for(address)
        yield address
    finally:
        runner.end()


@pytest.fixture(scope="session")
def kinds(chromium: Browser, site: str) -> dict[str, str]:
    """The address of a page of every kind on ``site``."""
    page = chromium.new_page()
    found = pages(page, site)
    page.close()
    return found
