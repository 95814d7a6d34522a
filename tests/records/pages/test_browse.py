"""The list of games and the players in a browser: by keyboard, on a phone, in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.records.pages.kinds import fits
from tests.records.pages.replay_page import watch_page

#: The suggestions of a field that are open.
SUGGESTED = ".suggestions:not([hidden]) [role=option]"


@pytest.fixture
def window(chromium: Browser) -> Iterator[Page]:
    """Yield a narrow window in Japanese; a script error fails the test."""
    with watch_page(chromium, locale="ja-JP", viewport={"width": 390, "height": 900}) as page:
        yield page


def test_form_of_games_suggests_names_by_keyboard_and_pointer(site: str, window: Page) -> None:
    """The yaku are those of the ruleset, and what is empty is left out of the address."""
    window.goto(f"{site}/games/?event=x")
    window.locator(".more-fields > summary").click()
    ruleset, yaku = window.locator("[name=ruleset]"), window.locator("[name=yaku]")
    shown = window.locator("[name=yaku] optgroup:not([hidden])")
    yaku.select_option("kusa")
    ruleset.select_option("koikoi")
    expect(yaku).to_have_value("kusa")
    assert shown.count() == 1
    ruleset.select_option("hachihachi")
    expect(yaku).to_have_value("")
    ruleset.select_option("")
    assert shown.count() == 5

    event = window.locator("#event")
    event.fill("SAM")
    window.locator(SUGGESTED).first.click()
    expect(event).to_have_value("Sample games")
    expect(event).to_be_focused()

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
    event.fill("")
    window.locator("#player-2").press("Enter")
    window.wait_for_url("**/games/?player=**")
    assert window.url.removeprefix(site) == "/games/?player=Chiyo&player=Aya"
    rows = window.locator("table.list tbody tr")
    assert rows.count() >= 1
    assert all("Chiyo" in row and "Aya" in row for row in rows.all_inner_texts())
    assert fits(window)
    window.go_back()
    expect(window.locator("#player-1")).to_be_enabled()


@pytest.mark.long_only  # the form has the same suggestions
def test_search_suggests_players_and_events_and_its_list_leads_to_a_player(
    site: str, window: Page
) -> None:
    """Chips remove filters. Results are hidden where the viewer wants none."""
    window.goto(f"{site}/games/")
    window.locator("#q").press_sequentially("sam")
    window.locator(SUGGESTED, has_text="Sample games").click()
    window.wait_for_url("**/games/?event=Sample+games")
    window.locator("#q").press_sequentially("chi")
    expect(window.locator(SUGGESTED)).to_have_count(1)
    window.keyboard.press("ArrowDown")
    window.keyboard.press("Enter")
    window.wait_for_url("**/games/?event=Sample+games&player=Chiyo")
    window.context.add_cookies([{"name": "spoilers", "value": "hide", "url": site}])
    window.locator(".chips.chosen a", has_text="Chiyo").click()
    window.wait_for_url("**/games/?event=Sample+games")

    assert window.locator("table.list td.spoiler").first.is_hidden()
    window.locator("table.list .names a").first.click()
    window.wait_for_url(re.compile("/players/[^/]+/$"))
    assert fits(window)
    assert all(result.is_hidden() for result in window.locator(".spoiler").all())
    together = window.locator(".opponents td a").first
    expect(together).to_have_attribute("href", re.compile("^/games/\\?player=.+&player=.+"))
