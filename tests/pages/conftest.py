"""A whole archive as processes, for the tests in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser

from tests.conftest import Hana, bare_env
from tests.pages.kinds import pages


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    """Figures and suggestions that an earlier test's archive left."""
    cache.clear()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve` with its samples: its address, without a slash at the end."""
    runner = Hana()
    var = tmp_path_factory.mktemp("site")
    process = runner.start(
        "serve", "--port=0", env=bare_env(HANA_ENV="development", HANA_VAR=str(var))
    )
    assert process.stdout is not None
    address = next(
        (found[0] for line in process.stdout if (found := re.search(r"http://\S+", line))), ""
    )
    assert address, "serve ended before it printed its address"
    yield address.rstrip("/")
    runner.end()


@pytest.fixture(scope="module")
def kinds(chromium: Browser, site: str) -> dict[str, str]:
    """The address of a page of every kind on ``site``."""
    page = chromium.new_page()
    found = pages(page, site)
    page.close()
    return found
