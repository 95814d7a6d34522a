"""Correcting what this browser sent without an account: on `/check/` and in the editor."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import LONG
from tests.records import makers
from tests.records.pages.test_axe import violations

BOX = "fieldset[data-sent]"


@pytest.mark.parametrize(
    ("width", "seed", "by_editor"),
    [(390, 901, False), (1280, 902, True), (390, 903, True)][: None if LONG else 2],
)
def test_who_keeps_the_secret_replaces_the_game(
    page: Page, chromium: Browser, own_site: str, width: int, seed: int, by_editor: bool
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{own_site}/upload/")
    page.locator("[name=text]").fill(makers.illegal(seed))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/mine/**")
    link = page.get_by_role("link", name="Correct it here")
    expect(link).to_be_visible(timeout=30_000)
    game = page.get_by_role("link", name="See the game").first.get_attribute("href")
    words = page.url.rstrip("/").rsplit("/", 1)[1]
    link.click()
    expect(page.locator(BOX)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []

    stranger = chromium.new_page(locale="ja-JP")
    stranger.goto(page.url)
    expect(stranger.locator("textarea")).to_be_visible()
    expect(stranger.locator(BOX)).to_be_hidden()
    stranger.close()

    page.locator("textarea").fill(makers.text(seed))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#verdict.good")).to_be_visible()
    if by_editor:
        page.get_by_role("button", name="Open in the editor").click()
        expect(page.locator("[data-replaces]")).to_be_visible()
        page.get_by_role("button", name="Save in the archive").click()
    else:
        expect(page.locator("[name=replaces]")).to_be_checked()
        page.get_by_role("button", name="Upload this").click()
    page.wait_for_url(f"**/mine/{words}/")
    expect(page.get_by_role("link", name="Watch the game")).to_be_visible(timeout=30_000)
    page.goto(f"{own_site}{game}")
    assert game is not None and not page.url.endswith(game)
