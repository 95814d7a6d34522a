"""The reference of the API in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect


@pytest.mark.long_only  # test_reference.py has its texts
def test_reference_is_drawn_in_both_languages_without_foreign_requests(
    page: Page, site: str
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site}/api/v1/docs")
    expect(page.get_by_role("main").get_by_text("Upload games", exact=True)).to_be_visible()
    expect(page.locator("[data-path='/api/v1/records/{key}/replay']")).to_be_visible()
    expect(page.get_by_role("link", name="HanaArchive")).to_have_attribute("href", "/")
    expect(page.locator(".btn.authorize").first).to_have_css("color", "rgb(124, 199, 149)")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API の説明")
    expect(page.get_by_text("対局をアップロードする", exact=True)).to_be_visible()
    expect(page.locator("html.dark-mode")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert [url for url in requests if not url.startswith((f"{site}/", "data:"))] == []
