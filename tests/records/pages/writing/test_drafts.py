"""Drafts in the browser and in an account: no room, older versions, two tabs, two browsers.

How the fields of an older draft are read is tested in tests/javascript/drafts.test.mjs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from lengths import LONG
from tests.records.pages.accounts import log_in, sign_up
from tests.records.pages.kinds import wait_until_cached
from tests.records.pages.replay_page import BLOCK_STORAGE
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import (
    ON_DESK,
    begin_game,
    begin_sheet,
    expect_status,
    save_game,
    short_game,
    text_of,
    toggle_yaku,
    unfold,
    wait_until_kept,
)
from tests.services import wait_until

#: A browser whose storage is full from now on.
FULL: Final = """() => { IDBObjectStore.prototype.put =
    () => { throw new DOMException('', 'QuotaExceededError'); }; }"""
PUT: Final = """(draft) => new Promise((resolve, reject) => {
    const request = indexedDB.open("hana", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("drafts", { keyPath: "id" });
    request.onsuccess = () => {
        const work = request.result.transaction("drafts", "readwrite");
        work.objectStore("drafts").put(draft);
        work.oncomplete = resolve;
        work.onerror = reject;
    };
})"""
#: Count the messages of drafts between tabs in `window.messages`.
COUNT_MESSAGES: Final = """() => {
    window.messages = 0;
    window.counting = new BroadcastChannel("hana-drafts");
    window.counting.onmessage = () => (window.messages += 1);
}"""
#: Waits until a while has passed without a message from a second tab.
UNTIL_SILENT: Final = """() => new Promise((done) => {
    let before = -1;
    const look = () => {
        if (window.messages === before) return done();
        before = window.messages;
        setTimeout(look, 400);
    };
    look();
})"""
#: Returns the drafts in the database of the browser.
ROWS: Final = """() => new Promise((resolve) => {
    const request = indexedDB.open("hana", 1);
    request.onsuccess = () => {
        const rows = request.result.transaction("drafts").objectStore("drafts").getAll();
        rows.onsuccess = () => resolve(rows.result);
    };
})"""
#: Returns the number of the page's drafts, and whether it finds the draft with an id.
FOUND: Final = """async (id) => {
    const { Drafts } = await import("/static/records/drafts/drafts.js");
    const drafts = new Drafts(() => {});
    return [(await drafts.list()).length, Boolean(await drafts.load(id))];
}"""
DELETE: Final = """async (id) => {
    const { Drafts } = await import("/static/records/drafts/drafts.js");
    await new Drafts(() => {}).delete(id);
}"""
NARROW: Final[ViewportSize] = {"width": 390, "height": 844}


def notice(page: Page) -> Locator:
    """Return the notice about the draft itself."""
    return page.locator("[data-notice]")


def download(page: Page) -> str:
    """Return the file that the notice hands out."""
    with page.expect_download() as started:
        notice(page).locator("button").click()
    return Path(started.value.path()).read_text("utf-8")


# In one browser -------------------------------------------------------------------------------


@ON_DESK
def test_browser_that_forbids_drafts_is_noticed_before_anything_is_written(page: Page) -> None:
    page.add_init_script(BLOCK_STORAGE)
    for address in ("/records/new", "/sheets/new")[: 2 if LONG else 1]:
        page.goto(address)
        expect(notice(page)).to_have_text(re.compile("stores no drafts|保存されません"))
        expect(notice(page).locator("button")).to_be_hidden()
        page.locator("[data-setup] [type=submit]").click()
        expect(notice(page).locator("button")).to_be_visible()


@pytest.mark.long_only  # the last test reloads and changes owners
@ON_DESK
def test_draft_is_shared_between_tabs_survives_a_reload_and_is_a_file_without_room(
    page: Page,
) -> None:
    context = page.context
    begin_game(page, "koikoi")
    unfold(page)
    text = page.locator("[data-text]")
    text.fill(short_game(3))
    expect_status(page, "verified")
    wait_until_kept(page)
    second_tab = context.new_page()
    second_tab.goto(page.url)
    expect(second_tab.locator("[data-text]")).to_have_value(short_game(3))
    unfold(second_tab)

    # A change in one tab is copied to the other; undo there restores the earlier text.
    page.evaluate(COUNT_MESSAGES)
    second_tab.locator("[data-text]").fill(short_game(4))
    expect(text).to_have_value(short_game(4))
    expect(notice(page)).to_have_text(re.compile("another tab|別のタブ"))
    expect(notice(second_tab)).to_be_hidden()
    expect_status(second_tab, "verified")
    # Both tabs show the last stored text, so wait until the second tab has stored its title.
    expect(second_tab.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    wait_until_kept(second_tab)
    page.evaluate(UNTIL_SILENT)
    page.locator("[data-undo]").click()
    expect(text).to_have_value(short_game(3))
    expect(second_tab.locator("[data-text]")).to_have_value(short_game(3))
    for tab in (page, second_tab):
        expect(tab.locator("[data-work]")).to_have_attribute("aria-busy", "false")
    # Each of two changes is sent when made and again with its title, not endlessly back and forth.
    assert page.evaluate("window.messages") <= 4
    second_tab.close()

    text.fill("hello world")
    expect_status(page, "malformed")
    wait_until_kept(page)
    page.reload()
    expect(text).to_have_value("hello world")

    page.evaluate(FULL)
    text.fill(short_game(5))
    expect(notice(page)).to_have_text(re.compile("is full|空きがなく"))
    assert download(page) == short_game(5)
    expect(page.locator("[data-kept]")).to_be_empty()


# In an account --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def contexts(chromium: Browser, site: str) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Create an account in one browser, and log in to it in another that shares nothing."""
    first, second = (
        chromium.new_context(locale=locale, viewport=NARROW, base_url=site)
        for locale in ("en-US", "ja-JP")
    )
    name = f"writer-{token_hex(4)}"
    sign_up(first, site, name)
    log_in(second, site, name)
    yield first, second
    for context in (first, second):
        context.close()


@pytest.mark.long_only  # the last test opens such a draft, tests/api changes and deletes one
def test_sheet_of_an_account_is_changed_and_deleted_in_another_browser(
    contexts: tuple[BrowserContext, BrowserContext],
) -> None:
    first, second = (context.new_page() for context in contexts)
    begin_sheet(first, "koikoi", "Aya", "Ben")
    toggle_yaku(first, 1, "akatan")
    expect(first.locator("[data-kept]")).to_contain_text("account")
    before = first.locator("[data-save]").input_value()
    second.goto("/sheets/new")
    expect(second.locator("[data-drafts] small")).to_have_text("アカウント内")
    assert not violations(second)
    second.locator("[data-drafts] a").click()
    expect(second.locator("[data-save]")).to_have_value(before)
    toggle_yaku(second, 1, "aotan")
    expect(second.locator("[data-kept]")).to_contain_text("アカウント")
    after = second.locator("[data-save]").input_value()
    first.reload()
    expect(first.locator("[data-save]")).to_have_value(after)
    second.goto("/sheets/new")
    second.locator("[data-drafts] button").click()
    expect(second.locator("[data-drafts] li")).to_have_count(0)
    wait_until(lambda: first.request.get("/api/v1/me/drafts").json() == [], "the draft is deleted")


@pytest.mark.long_only  # the last test sends a late draft
def test_game_of_an_account_is_sent_when_there_is_a_network_and_deleted_when_it_is_saved(
    contexts: tuple[BrowserContext, BrowserContext],
) -> None:
    """A draft that the server refuses stays in the browser, and the reason is shown."""
    page = contexts[0].new_page()
    page.goto("/records/new?ruleset=koikoi")
    page.locator("[data-setup] [type=submit]").click()
    page.locator("[data-random]").click()
    saved_notice, text = page.locator("[data-kept]"), page.locator("[data-text]")
    expect(text).to_have_value(re.compile("month 1"))
    expect(saved_notice).to_contain_text("account")

    unfold(page)
    page.context.set_offline(True)
    text.fill(f"{text_of(page)}; first remark\n")
    expect(saved_notice).to_have_text("Draft kept in this browser.")
    with page.expect_response(lambda response: "/me/drafts/" in response.url) as sent:
        page.context.set_offline(False)
    assert sent.value.request.method == "PUT" and sent.value.ok
    assert "first remark" in (sent.value.request.post_data or "")

    refusal: dict[str, Any] = {"status": 409, "json": {"detail": "You have 100 drafts"}}
    page.route("**/me/drafts/*", lambda route: route.fulfill(**refusal))
    text.fill(f"{text_of(page)}; second remark\n")
    expect(saved_notice).to_contain_text("You have 100 drafts")
    page.reload()
    expect(text).to_have_value(re.compile("second remark"))
    page.unroute("**/me/drafts/*")

    with page.expect_response(
        lambda response: "/me/drafts/" in response.url and response.request.method == "DELETE"
    ) as deleted:
        save_game(page)
    assert deleted.value.status == 204
    page.goto("/records/new")
    expect(page.locator("[data-setup]")).to_be_visible()
    expect(page.locator("[data-drafts]")).to_be_hidden()


@pytest.mark.long_only  # the last test and the score keeper are offline
def test_lost_network_is_told_in_view_and_leaves_the_table(chromium: Browser, site: str) -> None:
    """A refusal is in view, a reload shows the table, and the home page leads to the drafts."""
    browser = chromium.new_context(locale="en-US", base_url=site, viewport=NARROW, has_touch=True)
    page = browser.new_page()
    begin_game(page, "koikoi")
    page.locator("[data-random]").click()
    table, message = page.locator("[data-table]"), page.locator(".said [role=status]")
    expect(table).to_be_visible()
    wait_until_cached(page, "/records/new")
    browser.set_offline(True)
    page.locator("[data-back]").click()
    expect(message).to_contain_text("does not respond")
    expect(message).to_be_in_viewport()
    wait_until_kept(page)
    page.reload()
    expect(table).to_be_visible()
    expect(message).to_contain_text("does not respond")
    page.goto("/")
    expect(page.locator("[data-drafts] li")).to_be_in_viewport()
    expect(page.locator("[data-notice]")).to_contain_text("does not respond")
    browser.set_offline(False)
    page.goto("/")
    expect(page.locator("main h1")).to_contain_text("Hanafuda")
    browser.close()


def test_sheet_in_a_new_tab_without_network_shows_its_months(chromium: Browser, site: str) -> None:
    browser = chromium.new_context(locale="en-US", base_url=site, viewport=NARROW)
    page = browser.new_page()
    begin_sheet(page, "koikoi", "Aya", "Ben")
    toggle_yaku(page, 1, "akatan")
    expect(page.locator("[data-paper] .remark")).to_be_visible()
    wait_until_cached(page, "/sheets/new")
    browser.set_offline(True)
    tab = browser.new_page()
    tab.goto("/sheets/new")
    tab.locator("[data-drafts] a").click()
    expect(tab.locator("[data-paper] .remark")).to_have_text(
        page.locator("[data-paper] .remark").inner_text()
    )
    expect(tab.locator("[data-paper] .notes .error")).to_contain_text("does not respond")
    expect(tab.locator("[data-said]")).to_contain_text("does not respond")
    browser.close()


def test_month_begun_without_network_keeps_its_fields_after_a_reload(
    chromium: Browser, site: str
) -> None:
    browser = chromium.new_context(locale="en-US", base_url=site, viewport=NARROW)
    page = browser.new_page()
    begin_sheet(page, "hachihachi", "Aya", "Ben", "Cho", by_yaku=False)
    page.locator("#sums-1-1").fill("5")
    page.locator("#sums-1-2").fill("-2")
    wait_until_kept(page)
    wait_until_cached(page, "/sheets/new")
    browser.set_offline(True)
    page.locator("#sums-2-1").fill("3")
    expect(page.locator("[data-said]")).to_contain_text("does not respond")
    wait_until_kept(page)
    page.reload()
    expect(page.locator("#sums-1-1")).to_have_value("5")
    expect(page.locator("#sums-2-1")).to_have_value("3")
    expect(page.locator("#sums-2-3")).to_be_visible()
    browser.close()


# On a shared browser ---------------------------------------------------------------------------


def log_out(page: Page) -> None:
    """Log out by the button of one's own pages."""
    page.goto("/me/")
    page.locator("form[action$='/logout/'] button").click()
    expect(page.locator("nav.account a[href*=login]")).to_be_visible()


def expect_no_drafts(page: Page, draft: str) -> None:
    """Check that a page has no drafts, and that it does not open the draft of its address."""
    page.goto(draft)
    expect(page.locator("[data-setup]")).to_be_visible()
    assert page.evaluate(FOUND, draft.rpartition("=")[2]) == [0, False]
    expect(page.locator("[data-drafts]")).to_be_hidden()
    expect(page.locator("[data-text]")).to_have_value("")


def begin_draft(page: Page) -> str:
    """Begin a game that the server stores as a draft; return the address of the draft."""
    begin_game(page, "koikoi")
    unfold(page)
    page.locator("[data-text]").fill(short_game(3))
    expect(page.locator("[data-kept]")).to_contain_text("account")
    return page.url


def test_draft_of_an_account_opens_without_network_and_is_hidden_from_log_out_to_log_in(
    chromium: Browser, site: str
) -> None:
    """The last change is made without the server, and is sent when its owner is back."""
    browser = chromium.new_context(locale="en-US", base_url=site)
    first_name, second_name = (f"writer-{token_hex(4)}" for _ in range(2))
    sign_up(browser, site, first_name)
    page = browser.new_page()
    draft, text = begin_draft(page), page.locator("[data-text]")
    wait_until_cached(page, "/records/new")
    page.route("**/me/drafts/*", lambda route: route.abort())
    browser.set_offline(True)
    page.reload()
    expect(text).to_have_value(short_game(3))
    unfold(page)
    text.fill(short_game(4))
    expect(page.locator("[data-kept]")).to_contain_text("browser")
    browser.set_offline(False)
    log_out(page)
    assert [row["owner"] for row in page.evaluate(ROWS)] != [], "the server lacks the last change"
    browser.set_offline(True)
    expect_no_drafts(page, draft)
    browser.set_offline(False)
    page.unroute("**/me/drafts/*")

    sign_up(browser, site, second_name)
    expect_no_drafts(page, draft)
    page.evaluate(DELETE, draft.rpartition("=")[2])  # simulates saving a game of this address
    log_out(page)

    log_in(browser, site, first_name)
    page.goto(draft)
    expect(text).to_have_value(short_game(4))
    wait_until(lambda: len(page.request.get("/api/v1/me/drafts").json()) == 1, "the draft is sent")
    browser.close()
