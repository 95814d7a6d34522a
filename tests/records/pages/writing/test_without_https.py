"""Pages on a site without HTTPS, such as a club's laptop in a Wi-Fi: no secure context."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import services
from tests.records.pages.replay_page import watch_page
from tests.records.pages.writing.actions import begin_game, begin_sheet


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield an empty page of the site under a name that is not local."""
    address = f"http://{services.FOREIGN_HOST}:{urlsplit(site).port}"
    with watch_page(chromium, base_url=address) as page:
        page.goto("/")
        assert page.evaluate("isSecureContext") is False
        yield page


@pytest.mark.long_only  # `sharing.test.mjs` has no clipboard
def test_game_and_score_sheet_are_begun_and_a_link_is_copied(page: Page) -> None:
    begin_game(page, "koikoi", "Aya", "Ben")
    begin_sheet(page, "hachihachi", "Aya", "Ben", "Chie")
    page.goto("/players/")
    page.locator("main tbody a").first.click()
    page.locator("[data-sharing] summary").click()
    page.locator("[data-sharing] [data-copy]").click()
    notice = page.locator("[data-sharing] [data-told]")
    expect(notice).to_have_text(str(notice.get_attribute("data-done")))
