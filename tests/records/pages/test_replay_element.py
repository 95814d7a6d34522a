"""The element on foreign pages, next to another, without its data and without storage."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import ConsoleMessage, Page, Route, expect

from tests.records.pages.replay_page import (
    BLOCK_STORAGE,
    find_game,
    open_replay,
    wait_for_player,
)

ROOT = Path(__file__).resolve().parents[3]
MODULES = ROOT / "records" / "static" / "records" / "replay"

#: Sets `window.blank` if a card is inserted before the symbol that it shows: WebKit shows it blank.
WATCH_SYMBOLS = """
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
        const root = attach.call(this, options);
        new MutationObserver(() => {
            window.blank ||= [...root.querySelectorAll("use")]
                .some((use) => !root.querySelector(use.getAttribute("href")));
        }).observe(root, { childList: true, subtree: true });
        return root;
    };
"""


class Elsewhere(BaseHTTPRequestHandler):
    """Another site: it returns the HTML that a request has as its query."""

    def do_GET(self) -> None:
        """Return the page."""
        html = unquote(self.path.removeprefix("/?"))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Yield the address of a site of another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_two_elements_on_a_foreign_page_are_independent(
    page: Page, site: str, elsewhere: str
) -> None:
    """Each has cards, language and position, and takes keys only while it has the focus."""
    address, second_address = find_game(page, site), find_game(page, site, ruleset="hachihachi")
    script = f'<script type="module" src="{site}/static/records/replay/kafu-replay.js"></script>'
    tags = (
        f'<kafu-replay src="{address}" at="2.3"></kafu-replay>'
        f'<kafu-replay src="{second_address}"></kafu-replay>'
        f'<kafu-replay src="{site}/games/nothing/"></kafu-replay>'
    )
    html = f'<!doctype html><html lang="ja"><title>elsewhere</title><body>{script}{tags}'
    page.add_init_script(WATCH_SYMBOLS)
    page.goto(f"{elsewhere}?{quote(html)}")
    expect(page.locator(".replay.live")).to_have_count(2)
    replay = wait_for_player(page)
    first, second = page.locator("kafu-replay").first, page.locator("kafu-replay").nth(1)
    replay.check(2, 3)
    expect(first.locator("[data-replay]")).to_have_attribute("lang", "ja")
    assert page.evaluate("location.hash") == ""
    expect(first.locator(".sprite symbol#card-A")).to_have_count(1)
    uses = first.locator("[data-felt] use").evaluate_all(
        "(all) => all.map((use) => use.getAttribute('href'))"
    )
    assert uses and all(use.startswith(("#card-", "#mark-")) for use in uses)
    card = first.locator("[data-field] [data-card]").first
    assert card.evaluate("(card) => card.querySelector('use').getBBox().width") > 50
    assert page.evaluate("window.blank") is False
    failure = page.locator("kafu-replay").nth(2).locator("[data-failure]")
    expect(failure).to_contain_text("その対局はありません。")

    page.keyboard.press("ArrowRight")
    assert replay.position == "2.3", "a key of the page moves no element"
    first.locator("[data-felt]").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    replay.wait_for(2, 4)
    link = first.locator('[data-moves] [data-at="2.5"]')
    expect(link).to_have_attribute("href", f"{address}?at=2.5")
    second.locator("[data-felt]").focus()
    page.keyboard.press("ArrowRight")
    places = page.locator(".replay.live").evaluate_all(
        "(all) => all.map((root) => root.getRootNode().host.position)"
    )
    assert places == ["2.4", "1.1"]

    page.evaluate("document.addEventListener('kafu-step', ({ detail }) => (window.at = detail))")
    first.evaluate("(element) => element.setAttribute('at', '2.1')")
    replay.check(2, 1)
    assert page.evaluate("window.at") == "2.1"
    first.evaluate("(element, src) => element.setAttribute('src', src)", second_address)
    expect(first.locator("[data-seat]")).to_have_count(3)
    wait_for_player(page).check(2, 1)
    first.evaluate("(element) => document.body.prepend(element)")
    wait_for_player(page).check(2, 1)


def test_missing_moves_are_reported_below_the_table_and_requested_again(
    page: Page, site: str
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Hold the first request; further attempts fail, up to the button."""
        if held:
            route.abort()
        else:
            held.append(route)

    page.route("**/replay.json?*", hold)
    with page.expect_request("**/replay.json?*"):
        page.goto(f"{find_game(page, site)}?at=2.3")
    expect(page.locator("[data-field] [data-card]").first).to_be_visible()
    expect(page.locator('[data-go="next"]')).to_be_disabled()
    held[0].abort()
    failure = page.locator("[data-failure]")
    expect(failure).to_be_visible()
    expect(failure).to_contain_text("The moves could not be loaded.")
    expect(page.locator("[data-felt] [data-card]").first).to_be_visible()
    page.unroute("**/replay.json?*")
    page.get_by_role("button", name="Try again").click()
    wait_for_player(page).check(2, 3)
    expect(failure).to_be_hidden()


def test_page_without_storage_plays_and_requests_each_module_once(page: Page, site: str) -> None:
    page.add_init_script(BLOCK_STORAGE)
    requests: list[str] = []
    warnings: list[str] = []

    def note_warning(message: ConsoleMessage) -> None:
        if message.type == "warning":
            warnings.append(message.text)

    page.on("request", lambda request: requests.append(request.url.split("/")[-1]))
    page.on("console", note_warning)
    replay = open_replay(page, find_game(page, site))
    page.wait_for_load_state("networkidle")
    lazy = {"sound.js"}
    modules = sorted(
        {"retry.js", "storage.js", *(path.name for path in MODULES.glob("*.js"))} - lazy
    )
    assert sorted(name for name in requests if name in modules) == modules
    assert not lazy & set(requests)
    preloads = page.locator("link[rel=modulepreload]")
    assert preloads.count() == len(modules) - 1
    assert requests.count("replay.json?lang=en") == 1
    assert not warnings
    page.keyboard.press("+")
    expect(page.locator("[data-speed]")).to_have_text("2×")
    replay.check(1, 0)
    replay.open_setting("months")
    expect(page.locator("[data-forgotten]")).to_be_visible()
    page.keyboard.press("Escape")
    message = page.locator("[data-no-cookies]")
    expect(message).to_be_hidden()
    page.get_by_role("button", name="日本語").click()
    expect(message).to_be_visible()
