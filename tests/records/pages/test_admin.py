"""The admin in a browser: lists, and a page of each kind, without messages on the console."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from lengths import LONG
from tests.records.pages.accounts import log_in
from tests.records.pages.conftest import STAFF


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
    log_in(context, site, STAFF)
    page.goto(f"{site}/admin/")
    links = page.locator("#content-main a").evaluate_all("(all) => all.map((link) => link.href)")
    lists = sorted({link for link in links if re.search(r"/admin/\w+/\w+/$", link)})
    assert len(lists) >= 7

    def check_width() -> None:
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url

    page_count = 0
    for address in lists if LONG else [f"{site}/admin/records/record/"]:
        response = page.goto(address)
        assert response is not None and response.status == 200, address
        row = page.locator("#result_list tbody th a").first
        if row.count() == 0:
            continue
        row.click()
        page.wait_for_url("**/change/**")
        check_width()
        page_count += 1
        history = page.locator("a.historylink")
        if LONG and history.count() and page_count == 1:
            history.click()
            page.wait_for_url("**/history/")
    assert page_count >= (4 if LONG else 1)
    page.goto(f"{site}/admin/auth/user/")
    page.locator("#result_list tbody th a").first.click()
    page.wait_for_url("**/change/")
    check_width()
    if LONG:
        page.goto(page.url.replace("change/", "password/"))
        page.locator("[name=password1]").wait_for()
    context.close()
    assert faults == []
