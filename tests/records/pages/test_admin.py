"""The admin in a browser: every list, and a page of each kind, without messages on the console."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.conftest import Hana, bare_env
from tests.records.pages.conftest import serving

NAME, PASSWORD = "staff", "a hand of seven slips"


@pytest.fixture(scope="module")
def archive(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`manage.py serve` with its samples and somebody of the staff: its address."""
    var = tmp_path_factory.mktemp("admin")
    shutil.copytree(samples, var, symlinks=True, dirs_exist_ok=True)
    Hana()(
        *("createsuperuser", "--noinput", f"--username={NAME}", "--email=staff@example.org"),
        env=bare_env(HANA_ENV="development", HANA_VAR=str(var), DJANGO_SUPERUSER_PASSWORD=PASSWORD),
    )
    with serving(var) as address:
        yield address


@pytest.fixture(params=[1280, 390])
def context(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[BrowserContext]:
    """A browser of some width."""
    found = chromium.new_context(locale="en-US", viewport={"width": request.param, "height": 900})
    yield found
    found.close()


def log_in(page: Page, address: str) -> None:
    """Come to the admin by its own address."""
    page.goto(f"{address}/admin/")
    page.fill("[name=login]", NAME)
    page.fill("[name=password]", PASSWORD)
    page.locator("form.fields button").click()
    page.wait_for_url("**/admin/")


def test_nothing_is_wrong_on_any_page(context: BrowserContext, archive: str) -> None:
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"{page.url} {error}"))
    page.on(
        "console",
        lambda said: (
            faults.append(f"{page.url} {said.text}") if said.type in ("error", "warning") else None
        ),
    )
    log_in(page, archive)
    links = page.locator("#content-main a").evaluate_all("all => all.map((one) => one.href)")
    lists = sorted({link for link in links if re.search(r"/admin/\w+/\w+/$", link)})
    assert len(lists) >= 7
    seen = 0
    for address in lists:
        answer = page.goto(address)
        assert answer is not None and answer.status == 200, address
        row = page.locator("#result_list tbody th a").first
        if row.count() == 0:
            continue
        row.click()
        page.locator("#content-main").wait_for()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, page.url
        seen += 1
        history = page.locator("a.historylink")
        if history.count():
            history.click()
            page.locator("#content").wait_for()
    assert seen >= 4
    page.goto(f"{archive}/admin/auth/user/")
    page.locator("#result_list tbody th a").first.click()
    page.goto(page.url.replace("change/", "password/"))
    page.locator("[name=password1]").wait_for()
    assert faults == []
