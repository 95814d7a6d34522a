"""The admin in a browser: every list, and a page of each kind, without messages on the console."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page

from tests.people.world import PASSWORD
from tests.records.pages.conftest import STAFF


def log_in(page: Page, address: str) -> None:
    """Log in at the address of the admin."""
    page.goto(f"{address}/admin/")
    page.fill("[name=login]", STAFF)
    page.fill("[name=password]", PASSWORD)
    page.locator("form.fields button").click()
    page.wait_for_url(f"{address}/admin/")


def test_pages_of_the_admin_fit_and_write_nothing_to_the_console(
    chromium: Browser, site: str
) -> None:
    context = chromium.new_context(locale="en-US", viewport={"width": 1280, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"{page.url} {error}"))
    page.on(
        "console",
        lambda message: (
            faults.append(f"{page.url} {message.text}")
            if message.type in ("error", "warning")
            else None
        ),
    )
    log_in(page, site)
    links = page.locator("#content-main a").evaluate_all("(all) => all.map((link) => link.href)")
    lists = sorted({link for link in links if re.search(r"/admin/\w+/\w+/$", link)})
    assert len(lists) >= 7
    seen = 0
    for address in lists:
        response = page.goto(address)
        assert response is not None and response.status == 200, address
        row = page.locator("#result_list tbody th a").first
        if row.count() == 0:
            continue
        row.click()
        page.wait_for_url("**/change/**")
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
        seen += 1
        history = page.locator("a.historylink")
        if history.count() and seen == 1:
            history.click()
            page.wait_for_url("**/history/")
    assert seen >= 4
    page.goto(f"{site}/admin/auth/user/")
    page.locator("#result_list tbody th a").first.click()
    page.wait_for_url("**/change/")
    page.goto(page.url.replace("change/", "password/"))
    page.locator("[name=password1]").wait_for()
    context.close()
    assert faults == []
