"""The list of games and the players in a browser: by keyboard, on a phone, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.records.pages.ways import ways

PHONE, DESK = 390, 1280
#: The suggestions that are there to be chosen from.
SUGGESTED = ".suggestions:not([hidden]) [role=option]"


@pytest.fixture(params=ways((DESK, PHONE), ("en-US", "ja-JP")))
def window(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A window of a width and a language; a script error fails the test."""
    width, locale = request.param
    context = chromium.new_context(locale=locale, viewport={"width": width, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert not faults


def fits(page: Page) -> bool:
    """Nothing stands out of the window."""
    found: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found


def test_a_player_is_found_by_keyboard(site: str, window: Page) -> None:
    window.goto(f"{site}/games/")
    field = window.locator("#player-1")
    field.focus()
    window.keyboard.type("chi")
    options = window.locator(SUGGESTED)
    expect(options).to_have_count(1)
    expect(field).to_have_attribute("aria-expanded", "true")
    window.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    active = field.get_attribute("aria-activedescendant")
    assert active == options.first.get_attribute("id")
    window.keyboard.press("Enter")
    expect(field).to_have_value("Chiyo")
    expect(field).to_have_attribute("aria-expanded", "false")
    window.keyboard.press("Tab")
    window.keyboard.type("A")
    expect(window.locator(SUGGESTED).first).to_be_visible()
    window.keyboard.press("Escape")
    expect(window.locator(SUGGESTED)).to_have_count(0)
    window.keyboard.type("ya")
    window.keyboard.press("Enter")
    window.wait_for_url("**/games/?**")
    # What was left empty is not in the address.
    assert window.url.removeprefix(site) == "/games/?player=Chiyo&player=Aya"
    rows = window.locator("table.list tbody tr")
    assert rows.count() >= 1
    assert all("Chiyo" in row and "Aya" in row for row in rows.all_inner_texts())
    assert fits(window)


def test_a_suggestion_is_taken_with_the_pointer(site: str, window: Page) -> None:
    window.goto(f"{site}/games/?event=x")
    field = window.locator("#event")
    field.fill("SAM")
    window.locator(SUGGESTED).first.click()
    expect(field).to_have_value("Sample games")
    expect(field).to_be_focused()


def test_the_yaku_are_those_of_the_ruleset(site: str, window: Page) -> None:
    window.goto(f"{site}/games/")
    ruleset, yaku = window.locator("[name=ruleset]"), window.locator("[name=yaku]")
    yaku.select_option("kusa")
    ruleset.select_option("koikoi")
    expect(yaku).to_have_value("kusa")
    assert window.locator("[name=yaku] optgroup:not([hidden])").count() == 1
    ruleset.select_option("hachihachi")
    expect(yaku).to_have_value("")
    ruleset.select_option("")
    assert window.locator("[name=yaku] optgroup:not([hidden])").count() == 5


def test_back_from_a_list_the_form_can_be_used_again(site: str, page: Page) -> None:
    page.goto(f"{site}/games/")
    page.locator("[name=ruleset]").select_option("koikoi")
    page.locator(".ask button").click()
    page.wait_for_url("**/games/?ruleset=koikoi")
    page.go_back()
    expect(page.locator("#player-1")).to_be_enabled()


def test_without_script_the_form_asks_all_the_same(site: str, chromium: Browser) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/games/")
    page.locator("#player-1").fill("Chiyo")
    page.locator("[name=sort]").select_option("score")
    page.locator(".ask button").click()
    page.wait_for_url("**sort=score**")
    expect(page.locator("#player-1")).to_have_value("Chiyo")
    assert page.locator("table.list tbody tr").count() >= 1
    assert page.url.count("sort=score") == 1
    context.close()


def test_from_a_game_in_the_list_to_a_player_and_on(site: str, window: Page) -> None:
    window.goto(f"{site}/games/")
    window.locator("table.list .names a").first.click()
    window.wait_for_url(re.compile("/players/[^/]+/$"))
    assert fits(window)
    window.locator(".career td a").first.click()
    window.wait_for_url("**/games/?player=*&player=*")
    window.goto(f"{site}/players/")
    window.locator("[name=q]").fill("ch")
    window.keyboard.press("Enter")
    expect(window.locator("table.people tbody tr")).to_have_count(1)
    assert fits(window)


def test_who_wants_no_results_sees_none(site: str, window: Page) -> None:
    cookie = {"name": "spoilers", "value": "hide", "url": site}
    window.context.add_cookies([cookie])  # type: ignore[list-item]
    window.goto(f"{site}/games/")
    assert window.locator("table.list td.spoiler").first.is_hidden()
    window.locator("table.list .names a").first.click()
    window.wait_for_url(re.compile("/players/[^/]+/$"))
    assert all(one.is_hidden() for one in window.locator(".spoiler").all())
