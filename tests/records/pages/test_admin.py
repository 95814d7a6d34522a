"""The admin in a browser: every list, and a page of each kind, without messages on the console."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.people.world import PASSWORD
from tests.records.pages.conftest import STAFF


@pytest.fixture(params=[1280, 390])
def context(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[BrowserContext]:
    """A browser of some width."""
    found = chromium.new_context(locale="en-US", viewport={"width": request.param, "height": 900})
    yield found
    found.close()


def log_in(page: Page, address: str) -> None:
    """Come to the admin by its own address."""
    page.goto(f"{address}/admin/")
    page.fill("[name=login]", STAFF)
    page.fill("[name=password]", PASSWORD)
    page.locator("form.fields button").click()
    page.wait_for_url(f"{address}/admin/")


def test_nothing_is_wrong_on_any_page(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"{page.url} {error}"))
    page.on(
        "console",
        lambda said: (
            faults.append(f"{page.url} {said.text}") if said.type in ("error", "warning") else None
        ),
    )
    log_in(page, site)
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
        page.wait_for_url("**/change/**")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, page.url
        seen += 1
        history = page.locator("a.historylink")
        if history.count():
            history.click()
            page.wait_for_url("**/history/")
    assert seen >= 4
    page.goto(f"{site}/admin/auth/user/")
    page.locator("#result_list tbody th a").first.click()
    page.wait_for_url("**/change/")
    page.goto(page.url.replace("change/", "password/"))
    page.locator("[name=password1]").wait_for()
    assert faults == []
