"""The pages in a browser: without scripts, and files that are dropped or pasted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.records.pages.conftest import DRAWN
from tests.records.pages.replay_page import find_game, open_replay
from tests.records.pages.writing.actions import short_game

ROOT = Path(__file__).resolve().parents[3]
WAIT = 30_000


def test_upload_report_and_game_work_without_scripts(chromium: Browser, site: str) -> None:
    """The form posts, the report refreshes itself, the game shows a table and links to deals."""
    context = chromium.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto(f"{site}/upload/")
    page.locator("textarea").fill(short_game(103))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/**")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    page.get_by_role("link", name="Watch the game").click()
    expect(page.locator(".felt .card").first).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    page.locator('[data-pick="2"]').click()
    page.wait_for_url("**?at=2.0")
    expect(page.locator('[data-pick="2"]')).to_have_attribute("aria-current", "true")
    expect(page.locator(".when [data-when]")).to_have_text("Month 2")
    expect(page.locator("[data-moves] a")).to_have_attribute("href", re.compile("/moves/$"))
    context.close()


def test_form_takes_dropped_and_pasted_games_and_refuses_too_much(page: Page, site: str) -> None:
    """What exceeds the limit is refused before it is sent."""

    def lower_limit(route: Route) -> None:
        response = route.fetch()
        body = re.sub('data-limit="[0-9]+"', 'data-limit="20"', response.text())
        route.fulfill(response=response, body=body)

    page.route("**/upload/", lower_limit)
    page.goto(f"{site}/upload/")
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File(["one"], "dropped.kafu"));
            const options = { bubbles: true, cancelable: true };
            const drop = new DragEvent("drop", { dataTransfer: files, ...options });
            document.body.dispatchEvent(drop);
            const pasted = new DataTransfer();
            pasted.setData("text/plain", "[Kafu \\"1\\"]");
            const paste = new ClipboardEvent("paste", { clipboardData: pasted, ...options });
            document.body.dispatchEvent(paste);
        }"""
    )
    expect(page.locator("[data-files] li")).to_contain_text(["dropped.kafu (3 B)"])
    expect(page.locator("textarea")).to_have_value('[Kafu "1"]')
    page.locator("input[name=files]").set_input_files(
        {"name": "big.kafu", "mimeType": "text/plain", "buffer": b"x" * 21}
    )
    expect(page.locator("[data-message]")).to_contain_text("at most 2.0\u00a0GB")
    page.get_by_role("button", name="Upload").click()
    assert page.url == f"{site}/upload/"


@pytest.mark.long_only
def test_screenshots_of_the_documents_are_drawn(page: Page, site: str) -> None:
    """Draws the pictures into `var`, from which `make screenshot` takes them."""
    folder = ROOT / "var"
    folder.mkdir(exist_ok=True)
    page.set_extra_http_headers(DRAWN)
    page.set_viewport_size({"width": 1280, "height": 900})
    open_replay(page, f"{find_game(page, site)}#2.14")
    page.screenshot(path=folder / "screenshot.png")
    page.locator("[data-said] .review").wait_for()
    page.keyboard.press("c")
    page.screenshot(path=folder / "review.png")
    page.set_viewport_size({"width": 390, "height": 664})
    page.screenshot(path=folder / "review-phone.png")
    page.goto(f"{site}/problems/")
    page.locator(".option").first.click()
    page.locator("[data-answer]").wait_for()
    page.screenshot(path=folder / "problem.png", full_page=True)
    for name in ("screenshot", "review", "review-phone", "problem"):
        assert (folder / f"{name}.png").stat().st_size > 20_000
