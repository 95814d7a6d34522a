"""Navigating a replay: buttons, keys, wheel, taps, scrub bar, lists, addresses, autoplay."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.records.pages.replay_page import Player, game, opened, player
from tests.records.pages.ways import ways

CENTRE = """(element) => {
    const box = element.shadowRoot.querySelector("[data-felt]").getBoundingClientRect();
    return [box.left, box.top, box.width, box.height];
}"""

#: Notes every place that is shown from now on.
NOTE_STEPS = """() => {
    window.steps = [];
    document.addEventListener("kafu-step", ({ detail }) => window.steps.push(detail));
}"""
#: Presses keys before anything else can happen.
KEYS = """(keys) => keys.forEach((key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))"""


@pytest.fixture
def shown(page: Page, site: str) -> Player:
    """A koi-koi game of the samples at its start."""
    return opened(page, game(page, site))


def test_card_by_card_through_a_deal_and_back(shown: Player) -> None:
    press = shown.page.keyboard.press
    shown.check(1, 0)
    for step in range(1, shown.counts[0]):
        press("ArrowRight")
        shown.check(1, step)
    press("ArrowRight")
    shown.check(2, 0)
    press("ArrowLeft")
    shown.check(1, shown.counts[0] - 1)


def test_the_keys_go_by_turn_by_deal_and_to_the_ends(shown: Player) -> None:
    press = shown.page.keyboard.press
    steps = shown.deals[0]["steps"]
    turns = [
        i
        for i, (step, after) in enumerate(pairwise(steps))
        if step["kind"] != "deal" and (step["turn"], step["seat"]) != (after["turn"], after["seat"])
    ]
    press("Shift+ArrowRight")
    assert shown.at == f"1.{turns[0]}" != "1.1"
    press("Shift+ArrowRight")
    assert shown.at == f"1.{turns[1]}"
    press("Shift+ArrowLeft")
    assert shown.at == f"1.{turns[0]}"
    press("Shift+ArrowLeft")
    assert shown.at == "1.0"
    for key, place in (
        ("End", shown.last),
        ("PageUp", (shown.last[0], 0)),
        ("PageUp", (shown.last[0] - 1, 0)),
        ("PageDown", (shown.last[0], 0)),
        ("PageDown", shown.last),
        ("ArrowRight", shown.last),
        ("Home", (1, 0)),
        ("ArrowLeft", (1, 0)),
    ):
        press(key)
        shown.check(*place)


@pytest.mark.parametrize(("lang", "width"), ways(("en", "ja"), (390, 1280)))
def test_buttons(chromium: Browser, site: str, lang: str, width: int) -> None:
    page = chromium.new_page(locale=lang, viewport={"width": width, "height": 844})
    shown = opened(page, f"{game(page, site)}#2.3")
    shown.check(2, 3)
    for way, place in (
        ("next", (2, 4)),
        ("previous", (2, 3)),
        ("last", shown.last),
        ("previousDeal", (shown.last[0], 0)),
        ("first", (1, 0)),
        ("nextDeal", (2, 0)),
        ("nextTurn", None),
        ("previousTurn", (2, 0)),
    ):
        button = page.locator(f'[data-go="{way}"]')
        expect(button).to_be_in_viewport()
        button.click()
        if place:
            shown.check(*place)
    page.locator('[data-go="first"]').click()
    for way in ("first", "previous", "previousTurn", "previousDeal"):
        button = page.locator(f'[data-go="{way}"]')
        expect(button).to_have_attribute("aria-disabled", "true")
    page.close()


def test_the_strip_the_list_and_the_chart_are_links(shown: Player) -> None:
    page = shown.page
    page.locator('[data-pick="3"]').click()
    shown.check(3, 0)
    page.locator('[data-moves] [data-at="3.2"]').click()
    shown.check(3, 2)
    items = page.locator("[data-moves] ol > li > a[href]")
    expect(items).to_have_count(shown.counts[2])
    page.locator('[data-chart] [data-at="2.0"]').focus()
    page.keyboard.press("Enter")
    shown.check(2, 0)


def test_the_scrub_bar_goes_over_all_steps_and_says_where(shown: Player) -> None:
    bar = shown.page.locator("[data-scrub]")
    expect(bar).to_have_attribute("max", str(sum(shown.counts) - 1))
    bar.fill(str(shown.counts[0] + 2))
    shown.check(2, 2)
    bar.focus()
    shown.page.keyboard.press("ArrowRight")
    shown.check(2, 3)
    shown.page.keyboard.press("End")
    shown.check(*shown.last)


def test_the_wheel_steps_and_leaves_the_page_its_own_at_the_ends(shown: Player) -> None:
    page = shown.page
    left, top, width, height = page.locator("kafu-replay").evaluate(CENTRE)
    page.mouse.move(left + width / 2, top + height / 2)
    page.mouse.wheel(0, 120)
    shown.check(1, 1)
    page.mouse.wheel(0, 120)
    shown.check(1, 2)
    page.mouse.wheel(0, -120)
    shown.check(1, 1)
    assert page.evaluate("scrollY") == 0
    shown.go(*shown.last)
    for _ in range(50):  # a ledger that is longer than its place goes to its own end first
        page.mouse.wheel(0, 120)
        page.wait_for_timeout(100)
        if page.evaluate("scrollY") > 0:
            break
    page.wait_for_function("() => scrollY > 0")
    shown.check(*shown.last)


@pytest.mark.parametrize("width", [360, 390])
def test_a_finger_taps_on_and_back(chromium: Browser, site: str, width: int) -> None:
    context = chromium.new_context(
        has_touch=True, is_mobile=True, viewport={"width": width, "height": 844}, locale="en-US"
    )
    page = context.new_page()
    shown = opened(page, game(page, site))
    left, top, across, _ = page.locator("kafu-replay").evaluate(CENTRE)
    for part, place in ((0.8, 1), (0.8, 2), (0.2, 1)):
        page.touchscreen.tap(left + part * across, top + 60)
        shown.check(1, place)
    context.close()


def test_autoplay_goes_on_stops_at_the_end_and_starts_again(shown: Player) -> None:
    page = shown.page
    play = page.locator('[data-do="play"]')
    page.evaluate(NOTE_STEPS)
    shown.go(shown.last[0], shown.last[1] - 2)
    for _ in range(2):
        page.keyboard.press("-")  # a step in four seconds: time to look
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(play).to_have_attribute("aria-label", "Pause")
    for _ in range(5):
        page.keyboard.press("+")
    expect(page.locator("[data-speed]")).to_have_text("8×")
    shown.stands(*shown.last)
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()
    page.wait_for_function("() => window.steps.includes('1.1')")
    page.keyboard.press(" ")  # on the button, it is the button's
    expect(play).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("-")
    expect(page.locator("[data-speed]")).to_have_text("4×")
    page.reload()
    expect(page.locator("[data-speed]")).to_have_text("4×")


def test_a_step_by_hand_ends_the_autoplay(shown: Player) -> None:
    shown.page.evaluate(KEYS, [" ", "ArrowRight"])
    expect(shown.page.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")
    shown.check(1, 1)


def test_an_address_is_honoured_or_corrected(page: Page, site: str) -> None:
    address = game(page, site)
    note = page.locator("[data-note]")
    for asked, due, mended in (
        ("#4", "4.0", False),
        ("?at=2.3", "2.3", False),
        ("?at=2.3#3.4", "3.4", False),
        ("#2.9999", None, True),
        ("?at=2.9999", None, True),
        ("#nonsense", "1.0", False),
        ("", "1.0", False),
    ):
        page.goto("about:blank")
        shown = opened(page, f"{address}{asked}")
        place = due or f"2.{shown.counts[1] - 1}"
        assert shown.at == place
        assert page.evaluate("location.hash") == f"#{place}"
        assert note.is_visible() == mended
    page.goto(f"{address}#99.1")
    shown = player(page)
    expect(note).to_be_visible()
    shown.check(*shown.last)
    page.evaluate("location.hash = '#3.2'")
    shown.stands(3, 2)
    expect(note).to_be_hidden()


def test_the_address_follows_each_step_and_makes_no_history(shown: Player) -> None:
    before = shown.page.evaluate("history.length")
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press("PageDown")
    assert shown.page.evaluate("location.hash") == "#2.0"
    assert shown.page.evaluate("history.length") == before


def test_the_other_language_begins_at_the_same_step(page: Page, site: str) -> None:
    opened(page, f"{game(page, site)}#2.3")
    page.locator(".language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    player(page).check(2, 3)


def test_keys_that_are_typed_or_belong_to_the_browser_are_left_alone(shown: Player) -> None:
    page = shown.page
    page.keyboard.press("Control+ArrowRight")
    page.locator("[data-view]").focus()
    page.keyboard.press("End")
    assert shown.at == "1.0"
    page.keyboard.press("Escape")
    page.locator('[data-do="help"]').click()
    page.keyboard.press("ArrowRight")
    assert shown.at == "1.0"
