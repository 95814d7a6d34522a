"""The pages in a browser, from upload to replay, and without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.records import makers
from tests.records.pages.conftest import DRAWN
from tests.records.pages.replay_page import game, opened, player

ROOT = Path(__file__).resolve().parents[3]
WAIT = 30_000


def test_from_upload_to_replay_by_keyboard(page: Page, own_site: str, tmp_path: Path) -> None:
    """A file goes in; its counts grow without a reload; the game is opened and stepped through."""
    path = tmp_path / "games.kafu"
    path.write_bytes(makers.joined(makers.text(101), makers.illegal(102), makers.MALFORMED))
    page.goto(f"{own_site}/upload/")
    page.locator("input[name=files]").set_input_files(path)
    expect(page.locator("[data-files] li")).to_have_text(re.compile("games.kafu"))
    page.get_by_role("button", name="Upload").click()

    page.wait_for_url("**/uploads/**")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    expect(page.locator('[data-count="games.read"]')).to_have_text("3")
    for status in ("verified", "illegal", "malformed"):
        expect(page.locator(f'[data-count="games.{status}"]')).to_have_text("1")
    expect(page.locator("article.faulty")).to_have_count(2)
    expect(page.locator("#games ~ .scroll tbody tr")).to_have_count(3)

    page.locator("#games ~ .scroll a").first.click()
    page.wait_for_url("**/games/*/#1.0")
    shown = player(page)
    shown.check(1, 0)
    page.keyboard.press("ArrowRight")
    shown.check(1, 1)
    page.keyboard.press("End")
    shown.check(*shown.last)


def test_without_scripts(chromium: Browser, own_site: str) -> None:
    """The form posts, the report refreshes itself, the game shows its first table and its moves."""
    context = chromium.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto(f"{own_site}/upload/")
    page.locator("textarea").fill(makers.text(103))
    page.get_by_role("button", name="Upload").click()
    page.wait_for_url("**/uploads/**")
    expect(page.locator('[data-state="done"]')).to_be_visible(timeout=WAIT)
    page.locator("#games ~ .scroll a").first.click()
    expect(page.locator(".felt .card").first).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    page.locator("[data-moves] a").click()
    page.wait_for_url("**/moves/")
    expect(page.locator("main li").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_long_name_makes_no_page_wide(page: Page, own_site: str, width: int) -> None:
    text = makers.text(77).replace('[Player1 "', '[Player1 "' + "W" * 900)
    kafu = {"Content-Type": "text/x-kafu"}
    upload = page.request.post(f"{own_site}/api/v1/uploads", data=text, headers=kafu).json()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(upload["page"])
    page.get_by_role("link", name="See the game").click(timeout=WAIT)
    page.wait_for_url("**/games/**")
    for one in (page.url, f"{own_site}/games/", own_site):
        page.goto(one)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, one


def test_sending_too_much_is_reported_before_it_is_sent(page: Page, own_site: str) -> None:
    def lower_limit(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, body=re.sub('data-limit="[0-9]+"', 'data-limit="10"', answer.text())
        )

    page.route("**/upload/", lower_limit)
    page.goto(f"{own_site}/upload/")
    page.locator("input[name=files]").set_input_files(
        {"name": "big.kafu", "mimeType": "text/plain", "buffer": b"x" * 11}
    )
    expect(page.locator("[data-message]")).to_contain_text("at most 2.0\u00a0GB")
    page.get_by_role("button", name="Upload").click()
    assert page.url == f"{own_site}/upload/"


def test_files_are_dropped_and_pasted(page: Page, own_site: str) -> None:
    page.goto(f"{own_site}/upload/")
    page.evaluate(
        """() => {
            const files = new DataTransfer();
            files.items.add(new File(["one"], "dropped.kafu"));
            const rise = { bubbles: true, cancelable: true };
            const drop = new DragEvent("drop", { dataTransfer: files, ...rise });
            document.body.dispatchEvent(drop);
            const pasted = new DataTransfer();
            pasted.setData("text/plain", "[Kafu \\"1\\"]");
            const paste = new ClipboardEvent("paste", { clipboardData: pasted, ...rise });
            document.body.dispatchEvent(paste);
        }"""
    )
    expect(page.locator("[data-files] li")).to_contain_text(["dropped.kafu (3 B)"])
    expect(page.locator("textarea")).to_have_value('[Kafu "1"]')


def test_screenshot(page: Page, own_site: str) -> None:
    """Draws the picture of the README into the var directory; `make screenshot` takes it over."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.set_extra_http_headers(DRAWN)
    opened(page, f"{game(page, own_site)}#2.14")
    folder = ROOT / "var"
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / "screenshot.png")
    assert (folder / "screenshot.png").stat().st_size > 20_000
