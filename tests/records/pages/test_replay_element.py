"""The element where it stands: with others, on a foreign site, without script, without its data."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from tests.records.pages.replay_page import game, opened, player

ROOT = Path(__file__).resolve().parents[3]
MODULES = ROOT / "records" / "static" / "records" / "replay"


class Elsewhere(BaseHTTPRequestHandler):
    """Another site, whose one page is what was asked for."""

    def do_GET(self) -> None:
        """The page."""
        html = unquote(self.path.removeprefix("/?"))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The address of a site of another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def host(page: Page, elsewhere: str, body: str, lang: str = "en") -> None:
    """Goes to a page of another site with this body."""
    html = f'<!doctype html><html lang="{lang}"><title>elsewhere</title><body>{body}'
    page.goto(f"{elsewhere}?{quote(html)}")


def script(site: str) -> str:
    """The element's script as a foreign page has it."""
    return f'<script type="module" src="{site}/static/records/replay/kafu-replay.js"></script>'


def test_on_a_page_of_another_site(page: Page, site: str, elsewhere: str) -> None:
    address = game(page, site)
    tag = f'<kafu-replay src="{address}" at="2.3"></kafu-replay>'
    host(page, elsewhere, f"<p>Before</p>{script(site)}{tag}<p>After</p>")
    shown = player(page)
    shown.check(2, 3)
    assert page.evaluate("location.hash") == ""
    sprite = page.locator("kafu-replay .sprite symbol#card-A")
    expect(sprite).to_have_count(1)
    uses = page.locator("[data-felt] use").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href'))"
    )
    assert uses and all(use.startswith("#card-") or use.startswith("#mark-") for use in uses)
    drawn = page.locator("[data-field] [data-card]").first
    assert drawn.evaluate("(card) => card.querySelector('use').getBBox().width") > 50
    page.keyboard.press("ArrowRight")  # the page's key, not ours
    assert shown.at == "2.3"
    page.locator("[data-felt]").click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowRight")
    shown.check(2, 4)
    link = page.locator('[data-moves] [data-at="2.5"]')
    expect(link).to_have_attribute("href", f"{address}?at=2.5")


def test_its_language_is_that_of_the_foreign_page(page: Page, site: str, elsewhere: str) -> None:
    host(
        page,
        elsewhere,
        f'{script(site)}<kafu-replay src="{game(page, site)}"></kafu-replay>',
        lang="ja",
    )
    player(page).check(1, 0)
    expect(page.locator("[data-replay]")).to_have_attribute("lang", "ja")


def test_two_on_one_page_go_each_their_way(page: Page, site: str, elsewhere: str) -> None:
    first, second = game(page, site), game(page, site, ruleset="hachihachi")
    tags = "".join(f'<kafu-replay src="{one}"></kafu-replay>' for one in (first, second))
    host(page, elsewhere, script(site) + tags)
    players = page.locator("kafu-replay")
    expect(page.locator(".replay.live")).to_have_count(2)
    players.nth(1).locator("[data-felt]").focus()
    page.keyboard.press("ArrowRight")
    places = players.evaluate_all("(all) => all.map((one) => one.position)")
    assert places == ["1.0", "1.1"]


def test_attributes_property_and_event(page: Page, site: str, elsewhere: str) -> None:
    address = game(page, site)
    host(page, elsewhere, f'{script(site)}<kafu-replay src="{address}"></kafu-replay>')
    shown = player(page)
    page.evaluate("document.addEventListener('kafu-step', ({ detail }) => (window.at = detail))")
    page.evaluate("document.querySelector('kafu-replay').setAttribute('at', '2.1')")
    shown.check(2, 1)
    assert page.evaluate("window.at") == "2.1"
    other = game(page, site, ruleset="hachihachi")
    page.evaluate("(src) => document.querySelector('kafu-replay').setAttribute('src', src)", other)
    expect(page.locator("[data-seat]")).to_have_count(3)
    player(page).check(2, 1)
    page.evaluate("document.body.append(document.querySelector('kafu-replay'))")
    player(page).check(2, 1)


def test_on_the_first_page_it_takes_no_key_and_no_address(page: Page, site: str) -> None:
    shown = opened(page, site)
    page.keyboard.press("ArrowRight")
    assert shown.at == "1.0"
    page.locator('[data-go="next"]').click()
    shown.check(1, 1)
    assert page.evaluate("location.hash") == ""


def test_what_does_not_come_is_reported_and_requested_again(page: Page, site: str) -> None:
    address = game(page, site)
    page.route("**/replay.json?*", lambda route: route.abort())
    page.goto(address)
    failure = page.locator("[data-failure]")
    expect(failure).to_be_visible()
    expect(failure).to_contain_text("The moves could not be loaded.")
    expect(page.locator("[data-felt] [data-card]").first).to_be_visible()
    page.unroute("**/replay.json?*")
    page.get_by_role("button", name="Try again").click()
    player(page).check(1, 0)
    expect(failure).to_be_hidden()


def test_elsewhere_too_a_missing_game_is_reported(page: Page, site: str, elsewhere: str) -> None:
    host(page, elsewhere, f'{script(site)}<kafu-replay src="{site}/games/nothing/"></kafu-replay>')
    failure = page.locator("[data-failure]")
    expect(failure).to_contain_text("The game could not be loaded. (There is no such game.)")


def test_without_scripts_the_strip_leads_from_deal_to_deal(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="en-US")
    page = context.new_page()
    page.goto(game(page, site))
    expect(page.locator(".felt .card").first).to_be_visible()
    expect(page.locator(".controls")).to_be_hidden()
    page.locator('[data-pick="2"]').click()
    page.wait_for_url("**?at=2.0")
    expect(page.locator('[data-pick="2"]')).to_have_attribute("aria-current", "true")
    expect(page.locator(".when [data-when]")).to_have_text("Month 2")
    context.close()


def test_the_table_stands_before_the_moves_are_there(page: Page, site: str) -> None:
    address = game(page, site)
    held: list[Route] = []
    page.route("**/replay.json?*", lambda route: held.append(route))
    with page.expect_request("**/replay.json?*"):
        page.goto(f"{address}?at=2.3")
    expect(page.locator("[data-field] [data-card]").first).to_be_visible()
    expect(page.locator('[data-go="next"]')).to_be_disabled()
    held[0].continue_()
    player(page).check(2, 3)


def test_all_modules_are_requested_at_once_and_none_twice(page: Page, site: str) -> None:
    address = game(page, site)
    asked: list[str] = []
    warnings: list[str] = []

    def warned(message: ConsoleMessage) -> None:
        if message.type == "warning":
            warnings.append(message.text)

    page.on("request", lambda request: asked.append(request.url.split("/")[-1]))
    page.on("console", warned)
    opened(page, address)
    page.wait_for_load_state("networkidle")
    modules = sorted(["retry.js", *(path.name for path in MODULES.glob("*.js"))])
    assert sorted(name for name in asked if name in modules) == modules
    head = page.locator("link[rel=modulepreload]")
    assert head.count() == len(modules) - 1
    assert asked.count("replay.json?lang=en") == 1
    assert not warnings


def test_storage_that_is_refused_harms_nothing(page: Page, site: str) -> None:
    refuse = "() => { throw new DOMException('refused', 'SecurityError'); }"
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ get: {refuse} }});")
    shown = opened(page, game(page, site))
    page.keyboard.press("+")
    expect(page.locator("[data-speed]")).to_have_text("2×")
    shown.check(1, 0)
