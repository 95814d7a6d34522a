"""Drafts of who is logged in: the newest in each browser, sent once there is a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.people.world import PASSWORD
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.test_sheet_form import begin, press, yaku

NARROW: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture
def name() -> str:
    return f"writer-{token_hex(4)}"


@pytest.fixture
def browsers(chromium: Browser, site: str) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Two browsers that know nothing of each other."""
    found = [
        chromium.new_context(locale=locale, viewport=NARROW, base_url=site)
        for locale in ("en-US", "ja-JP")
    ]
    yield found[0], found[1]
    for one in found:
        one.close()


def sign_up(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto("/account/signup/")
    for field, value in (("username", name), ("password1", PASSWORD), ("password2", PASSWORD)):
        page.locator(f"[name={field}]").fill(value)
    page.locator("form.fields button").first.click()
    page.wait_for_url("**/me/")
    return page


def log_in(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto("/account/login/")
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("form.fields button").first.click()
    page.wait_for_url("**/me/")
    return page


def test_a_draft_is_in_every_browser_of_an_account(
    browsers: tuple[BrowserContext, BrowserContext], name: str
) -> None:
    first, second = browsers
    one = sign_up(first, name)
    begin(one, "koikoi", "Aya", "Ben")
    yaku(one, 1, "akatan")
    expect(one.locator("[data-kept]")).to_contain_text("account")
    before = one.locator("[data-save]").input_value()
    other = log_in(second, name)
    other.goto("/sheets/new")
    expect(other.locator("[data-drafts] small")).to_have_text("アカウント内")
    assert not violations(other)
    other.locator("[data-drafts] a").click()
    expect(other.locator("[data-save]")).to_have_value(before)
    yaku(other, 1, "aotan")
    expect(other.locator("[data-kept]")).to_contain_text("アカウント")
    after = other.locator("[data-save]").input_value()
    one.reload()
    expect(one.locator("[data-save]")).to_have_value(after)
    other.goto("/sheets/new")
    other.locator("[data-drafts] button").click()
    expect(other.locator("[data-drafts] li")).to_have_count(0)
    one.goto("/sheets/new")
    expect(one.locator("[data-setup]")).to_be_visible()
    expect(one.locator("[data-drafts]")).to_be_hidden()


def test_what_is_written_without_a_network_is_sent_later(
    browsers: tuple[BrowserContext, BrowserContext], name: str
) -> None:
    page = sign_up(browsers[0], name)
    begin(page, "koikoi", "Aya", "Ben")
    expect(page.locator("[data-kept]")).to_contain_text("account")
    page.context.set_offline(True)
    page.evaluate("document.querySelector('[data-act=toggle][data-label=akatan]').click()")
    expect(page.locator("[data-kept]")).to_have_text("Kept in this browser.")
    with page.expect_response(lambda one: "/me/drafts/" in one.url) as sent:
        page.context.set_offline(False)
    assert sent.value.request.method == "PUT" and sent.value.ok
    assert "akatan" in (sent.value.request.post_data or "")


def test_a_draft_is_none_any_more_once_it_is_saved(
    browsers: tuple[BrowserContext, BrowserContext], name: str
) -> None:
    page = sign_up(browsers[0], name)
    begin(page, "koikoi", "Aya", "Ben")
    yaku(page, 1, "akatan")
    expect(page.locator("[data-save]")).to_have_value(re.compile("akatan"))
    expect(page.locator("[data-kept]")).to_contain_text("account")
    with page.expect_response(
        lambda one: "/me/drafts/" in one.url and one.request.method == "DELETE"
    ) as gone:
        press(page, "[data-send]")
    assert gone.value.status == 204
    assert page.url.rstrip("/").split("/")[-2] == "uploads"
    page.goto("/sheets/new")
    expect(page.locator("[data-setup]")).to_be_visible()
    expect(page.locator("[data-drafts]")).to_be_hidden()


def test_games_card_by_card_are_drafts_too(
    browsers: tuple[BrowserContext, BrowserContext], name: str
) -> None:
    """And what the server refuses is told, and stays in the browser."""
    page = sign_up(browsers[0], name)
    page.goto("/records/new?ruleset=koikoi")
    page.locator("[data-setup] [type=submit]").click()
    page.locator("[data-random]").click()
    expect(page.locator("[data-kept]")).to_contain_text("account")
    page.route(
        "**/me/drafts/*",
        lambda route: route.fulfill(status=409, json={"detail": "You have 100 drafts"}),
    )
    page.locator("[data-comment] input").fill("a remark")
    page.locator("[data-comment] button").click()
    expect(page.locator("[data-kept]")).to_contain_text("You have 100 drafts")
    page.reload()
    expect(page.locator("[data-text]")).to_have_value(re.compile("a remark"))
