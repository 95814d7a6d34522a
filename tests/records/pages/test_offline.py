"""A phone that was made ready, without a network: checking, writing down, other moves, lessons."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import Browser, Page, expect

import kafu
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.services.analyses import Stage
from tests.conftest import ROOT
from tests.records.pages.kinds import fits, wait_until_cached
from tests.records.pages.replay_page import find_game, watch_page
from tests.records.pages.writing.actions import (
    expect_fault,
    expect_status,
    save_game,
    store,
    text_of,
)
from tests.records.pages.writing.tapping import Tapper, written_by_taps

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 664},
    "has_touch": True,
    "locale": "ja-JP",
}
GAME: Final = kafu.write(kafu.simulate("hachihachi", seed=1))
#: Loading Python takes seconds on a busy machine.
PATIENCE: Final = 120_000
PLAYERS: Final = ("Aya", "Ben")
#: Whether the page loaded a file of the engine, or the module that loads it.
LOADED: Final = """performance.getEntriesByType("resource").some(
    ({ name }) => name.includes("/static/kafu/") || name.endsWith("/device.js"))"""
ENGINE: Final = ROOT / "kafu/javascript/engine"


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    """Build the engine, unless `make` did."""
    if not (ENGINE / "site.zip").exists():
        subprocess.run([ROOT / "scripts/node-modules"], check=True)
        subprocess.run([sys.executable, ROOT / "scripts/engine", "--site", ENGINE], check=True)


@pytest.fixture(scope="module")
def ready(chromium: Browser, site: str) -> Iterator[Page]:
    """Yield a page of a phone that was made ready on the page for checking."""
    with watch_page(chromium, base_url=site, **PHONE) as page:
        page.goto("/check/")
        page.locator("[data-device] summary").tap()
        page.get_by_role("button", name="この端末を準備する").tap()
        expect(page.locator("[data-ready]")).to_be_visible(timeout=PATIENCE)
        page.set_default_timeout(PATIENCE)
        yield page


@pytest.fixture(autouse=True)
def online(ready: Page) -> Iterator[None]:
    """Give the phone its network back after each test."""
    yield
    ready.context.set_offline(False)


def open_without_network(page: Page, path: str, screen: str = "") -> None:
    """Open a page with a network, and again without one."""
    page.goto(f"{path}{screen}")
    wait_until_cached(page, path)
    page.context.set_offline(True)
    page.reload()


def check(page: Page, text: str) -> None:
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="調べる", exact=True).tap()


def test_ready_phone_checks_games_without_a_network(ready: Page) -> None:
    page = ready
    page.goto("/check/")
    page.context.set_offline(True)
    page.reload()
    check(page, GAME)
    verdict = page.locator("#verdict")
    expect(verdict.locator(".status:visible")).to_have_text("検証済み", timeout=PATIENCE)
    check(page, GAME.replace("\nfinal 1 ", "\nfinal 1 9"))
    expect(verdict.locator(".status:visible")).not_to_have_text("検証済み", timeout=PATIENCE)
    check(page, "[Kafu]")
    expect(verdict.locator("[data-fault]")).to_contain_text("1:", timeout=PATIENCE)
    assert fits(page)
    page.context.set_offline(False)
    check(page, GAME)
    expect(page.locator("#verdict [data-fault]")).to_have_count(0)  # the archive's verdict
    expect(page.locator("#verdict p")).to_have_text("問題はありません。")


def test_table_without_a_network_is_told_to_need_the_archive(ready: Page) -> None:
    page = ready
    page.goto("/check/")
    page.context.set_offline(True)
    table = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"Month,Aya,Ben\n1,5,-5\n"}
    page.locator("[type=file]").set_input_files([table])
    page.get_by_role("button", name="調べる", exact=True).tap()
    expect(page.locator("[data-no-tables]")).to_be_visible()
    expect(page.locator("#verdict")).to_have_count(0)


def test_month_written_without_a_network_is_verified_and_saved_later(ready: Page) -> None:
    page = ready
    open_without_network(page, "/records/new")
    page.locator("[name=ruleset]").select_option("koikoi")
    page.locator("[data-all-rules] summary").tap()
    page.locator("[name='option.months']").fill("1")
    for number, name in enumerate(PLAYERS):
        page.locator("[name=player]").nth(number).fill(name)
    page.locator("[data-setup] [type=submit]").tap()
    page.locator("[data-dealing]").wait_for()
    game = simulate("koikoi", seed=8, options={"months": "1"})
    Tapper(page, piled=True, types_letters=True).month(game, 0)
    assert text_of(page) == written_by_taps(game, 1, PLAYERS, piled=True)
    expect_status(page, "verified")
    assert fits(page)
    page.locator("[data-send]").tap()
    expect(page.locator(".said")).to_contain_text("サーバー")

    draft = page.url
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(draft)
    expect_status(page, "verified")
    save_game(page)
    expect(page.locator(".outcome")).to_contain_text("検証済み")


def test_other_moves_are_tried_without_a_network(ready: Page, site: str) -> None:
    page = ready
    address = find_game(page, site)
    open_without_network(page, urlsplit(address).path)
    page.locator("kafu-replay").evaluate("(player) => { player.position = '1.2' }")
    page.locator("[data-what-if-begin]").tap()
    board = page.locator("[data-what-if]")
    board.locator("[data-seats] .key").first.tap()
    expect(board.locator("[data-branch] li, [data-field] .key")).not_to_have_count(0)
    assert fits(page)


# Each page starts the engine anew, for five seconds of CPU; tests/records/device has the responses.
@pytest.mark.long_only
def test_month_of_a_lesson_is_played_without_a_network(ready: Page) -> None:
    page = ready
    open_without_network(page, "/learn/koikoi/", "#month")
    expect(page.locator("#month .key").first).to_be_visible()
    page.locator("[data-hint]").tap()
    expect(page.locator("#month [data-says]")).to_contain_text("あなた")


@pytest.mark.long_only
def test_impossible_entry_of_a_sheet_is_told_without_a_network(ready: Page) -> None:
    page = ready
    open_without_network(page, "/sheets/new")
    page.locator("[name=ruleset]").select_option("hachihachi")
    page.locator("[data-setup] [type=submit]").tap()
    for seat, points in enumerate(("5", "5", "5"), start=1):
        page.locator(f"#sums-1-{seat}").fill(points)
    expect_fault(page, "sums")


@pytest.mark.long_only
def test_game_is_analysed_on_the_device_while_the_queue_is_long(
    chromium: Browser, site: str
) -> None:
    with watch_page(chromium, base_url=site, **PHONE) as page:
        key = store(page, write(simulate("koikoi", seed=8, options={"months": "1"})))
        address = f"/games/{key}/"
        stage = Stage("waiting", is_slow=True)
        context = {"stage": stage, "engine": "here", "page": address, "record": {"key": key}}
        with translation.override("ja"):
            waiting = render_to_string("records/_analysis.html", context)
        answer: dict[str, Any] = {"body": waiting, "content_type": "text/html; charset=utf-8"}
        page.route(f"**{address}analysis/", lambda route: route.fulfill(**answer))
        page.goto(address)
        offer = page.locator("[data-here]")
        expect(offer).to_be_visible()
        assert not page.evaluate(LOADED)
        offer.locator("[data-begin]").tap()
        offer.locator("[data-cancel]").tap()
        expect(offer.locator("[data-begin]")).to_be_enabled(timeout=PATIENCE)
        offer.locator("[data-begin]").tap()
        expect(page.locator("[data-part=done] .players tbody tr")).to_have_count(
            2, timeout=PATIENCE
        )
        expect(page.locator("[data-part=done]")).to_contain_text("損な手")
        assert fits(page)


def test_engine_that_fails_to_load_says_so_and_leaves_the_page_to_the_server(
    chromium: Browser, site: str
) -> None:
    with watch_page(chromium, base_url=site, **PHONE) as page:
        page.route("**/python_stdlib.zip", lambda route: route.fulfill(body="another file"))
        page.goto("/records/new?ruleset=koikoi")
        assert not page.evaluate(LOADED)
        page.locator("[data-device] summary").tap()
        page.locator("[data-prepare]").tap()
        expect(page.locator("[data-failed]")).to_be_visible()
        expect(page.locator("[data-ready]")).to_be_hidden()
        page.locator("[data-setup] [type=submit]").tap()
        expect(page.locator("[data-dealing]")).to_be_visible()
