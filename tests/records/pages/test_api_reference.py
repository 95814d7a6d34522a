"""The reference of the API in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from lengths import LONG

#: An operation of the document without its summary.
DRAWN = {"description": "One", "responses": {"200": {"description": "OK"}}}


def shorten(route: Route) -> None:
    """Serve a document of two paths, because the whole document takes seconds.

    tests/api/test_reference.py tests the language of the document that the server makes.
    """
    is_japanese = "language=ja" in route.request.all_headers().get("cookie", "")
    upload = "対局をアップロードする" if is_japanese else "Upload games"
    summaries = {"/api/v1/uploads": upload, "/api/v1/records/{key}/replay": "Replay"}
    paths = {path: {"get": DRAWN | {"summary": text}} for path, text in summaries.items()}
    info = {"title": "HanaArchive", "version": "1"}
    route.fulfill(json={"openapi": "3.1.0", "info": info, "paths": paths})


def test_reference_is_drawn_in_both_languages_without_foreign_requests(
    page: Page, site: str
) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    if not LONG:
        page.route("**/api/v1/schema*", shorten)
    page.goto(f"{site}/api/v1/docs")
    expect(page.get_by_role("main").get_by_text("Upload games", exact=True)).to_be_visible()
    expect(page.locator("[data-path='/api/v1/records/{key}/replay']")).to_be_visible()
    expect(page.get_by_role("link", name="HanaArchive")).to_have_attribute("href", "/")
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("API の説明")
    expect(page.get_by_text("対局をアップロードする", exact=True)).to_be_visible()
    expect(page.locator("html.dark-mode")).to_have_count(1)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
    assert [url for url in requests if not url.startswith((f"{site}/", "data:"))] == []
