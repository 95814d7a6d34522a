"""Navigating a replay: buttons, keys, wheel, taps, scrub bar, lists, addresses, autoplay."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import Browser, Page, expect

from tests.records.pages.replay_page import (
    Player,
    find_game,
    open_replay,
    wait_for_player,
    watch_page,
)
from tests.records.pages.test_replay_room import check_whole_table

CENTRE = """(element) => {
    const box = element.shadowRoot.querySelector("[data-felt]").getBoundingClientRect();
    return [box.left, box.top, box.width, box.height];
}"""

#: Notes every position that is shown from now on.
NOTE_STEPS = """() => {
    window.steps = [];
    document.addEventListener("kafu-step", ({ detail }) => window.steps.push(detail));
}"""


def test_arrow_keys_show_every_step_of_a_deal_and_go_back(koikoi: Player) -> None:
    koikoi.check(1, 0)
    steps = koikoi.counts[0]
    shown = koikoi.press_and_read(["ArrowRight"] * steps + ["ArrowLeft"])
    expected = [*((1, step) for step in range(1, steps)), (2, 0), (1, steps - 1)]
    for content, (deal, step) in zip(shown, expected, strict=True):
        koikoi.check_shown(content, deal, step)


def test_keys_go_by_turn_by_deal_and_to_the_ends(koikoi: Player) -> None:
    steps = koikoi.deals[0]["steps"]
    turns = [
        number
        for number, (step, after) in enumerate(pairwise(steps))
        if step["kind"] != "deal" and (step["turn"], step["seat"]) != (after["turn"], after["seat"])
    ]
    assert turns[0] != 1
    last, end = koikoi.end[0], koikoi.end
    places = {
        "Shift+ArrowRight": [(1, turns[0]), (1, turns[1])],
        "Shift+ArrowLeft": [(1, turns[0]), (1, 0)],
        "End": [end],
        "PageUp": [(last, 0), (last - 1, 0)],
        "PageDown": [(last, 0), end],
        "ArrowRight": [end],
        "Home": [(1, 0)],
        "ArrowLeft": [(1, 0)],
    }
    steps_by_key = [(key, place) for key, expected in places.items() for place in expected]
    shown = koikoi.press_and_read([key for key, _ in steps_by_key])
    for content, (_, (deal, step)) in zip(shown, steps_by_key, strict=True):
        koikoi.check_shown(content, deal, step)


def test_buttons_and_taps_on_a_phone_lead_to_steps(chromium: Browser, site: str) -> None:
    phone = {"has_touch": True, "is_mobile": True, "viewport": {"width": 360, "height": 844}}
    with watch_page(chromium, locale="ja", **phone) as page:
        replay = open_replay(page, f"{find_game(page, site)}#2.3")
        check_whole_table(page, is_phone=True)
        replay.check(2, 3)
        assert page.locator("[data-replay]").get_attribute("lang") == "ja"
        for way, place in (
            ("next", (2, 4)),
            ("previous", (2, 3)),
            ("last", replay.end),
            ("previousDeal", (replay.end[0], 0)),
            ("first", (1, 0)),
            ("nextDeal", (2, 0)),
            ("nextTurn", None),
            ("previousTurn", (2, 0)),
            ("first", (1, 0)),
        ):
            button = page.locator(f'[data-go="{way}"]')
            expect(button).to_be_in_viewport()
            button.click()
            if place:
                replay.wait_for(*place)
        replay.check(1, 0)
        for way in ("first", "previous", "previousTurn", "previousDeal"):
            button = page.locator(f'[data-go="{way}"]')
            expect(button).to_have_attribute("aria-disabled", "true")
        x_start, top, across, _ = page.locator("kafu-replay").evaluate(CENTRE)
        for fraction, step in ((0.8, 1), (0.8, 2), (0.2, 1)):
            page.touchscreen.tap(x_start + fraction * across, top + 60)
            replay.wait_for(1, step)


def test_links_of_strip_list_and_chart_lead_to_their_steps(koikoi: Player) -> None:
    page = koikoi.page
    page.locator('[data-pick="3"]').click()
    koikoi.wait_for(3, 0)
    page.locator('[data-moves] [data-at="3.2"]').click()
    koikoi.check(3, 2)
    items = page.locator("[data-moves] ol > li > a[href]")
    expect(items).to_have_count(koikoi.counts[2])
    page.locator('[data-chart] [data-at="2.0"]').focus()
    page.keyboard.press("Enter")
    koikoi.wait_for(2, 0)


def test_print_has_the_scores_and_the_moves_of_all_deals(koikoi: Player) -> None:
    page = koikoi.page
    moves, visible = page.locator("[data-moves] li"), page.locator("[data-felt], .tabs summary")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(moves).to_have_count(sum(koikoi.counts))
    expect(page.locator("table.score")).to_be_visible()
    assert not any(part.is_visible() for part in visible.all())
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(moves).to_have_count(koikoi.counts[0])


def test_scrub_bar_goes_over_all_steps(koikoi: Player) -> None:
    bar = koikoi.page.locator("[data-scrub]")
    expect(bar).to_have_attribute("max", str(sum(koikoi.counts) - 1))
    bar.fill(str(koikoi.counts[0] + 2))
    koikoi.check(2, 2)
    bar.focus()
    koikoi.page.keyboard.press("ArrowRight")
    koikoi.wait_for(2, 3)
    koikoi.page.keyboard.press("End")
    koikoi.wait_for(*koikoi.end)


def test_wheel_steps_and_scrolls_the_page_at_the_end(page: Page, site: str) -> None:
    """On a page of its own, because the wheel belongs to a page that was just scrolled."""
    koikoi = open_replay(page, find_game(page, site))
    x_start, top, width, height = page.locator("kafu-replay").evaluate(CENTRE)
    page.mouse.move(x_start + width / 2, top + height / 2)
    for delta, step in ((120, 1), (120, 2), (-120, 1)):
        page.mouse.wheel(0, delta)
        koikoi.wait_for(1, step)
    assert page.evaluate("scrollY") == 0
    koikoi.go(*koikoi.end)
    for _ in range(50):  # a long ledger first scrolls to its end
        page.mouse.wheel(0, 120)
        page.wait_for_timeout(100)
        if page.evaluate("scrollY") > 0:
            break
    page.wait_for_function("() => scrollY > 0")
    koikoi.wait_for(*koikoi.end)


def test_autoplay_stops_at_the_end_and_starts_again(koikoi: Player) -> None:
    page = koikoi.page
    play = page.locator('[data-do="play"]')
    page.evaluate(NOTE_STEPS)
    koikoi.go(koikoi.end[0], koikoi.end[1] - 2)
    for _ in range(2):
        page.keyboard.press("-")  # a step in four seconds: time to look
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(play).to_have_attribute("aria-label", "Pause")
    for _ in range(5):
        page.keyboard.press("+")
    expect(page.locator("[data-speed]")).to_have_text("8×")
    koikoi.wait_for(*koikoi.end)
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()
    page.wait_for_function("() => window.steps.includes('1.1')")
    page.keyboard.press(" ")  # the button has the focus: the key is the button's
    expect(play).to_have_attribute("aria-pressed", "false")


def test_step_by_hand_ends_autoplay(koikoi: Player) -> None:
    koikoi.press_and_read([" ", "ArrowRight"])
    expect(koikoi.page.locator('[data-do="play"]')).to_have_attribute("aria-pressed", "false")
    koikoi.check(1, 1)


def test_address_leads_to_its_step_and_is_corrected(page: Page, site: str) -> None:
    """The fragment goes before the query; the other language begins at the same step."""
    address = find_game(page, site)
    note = page.locator("[data-note]")
    # In a window as low as this the page scrolls to the table.
    page.set_viewport_size({"width": 1280, "height": 300})
    replay = open_replay(page, f"{address}?at=2.3#3.4")
    assert (replay.position, page.evaluate("location.hash")) == ("3.4", "#3.4")
    expect(note).to_be_hidden()
    check_whole_table(page, is_phone=False)
    page.locator(".language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    wait_for_player(page).check(3, 4)
    last = f"2.{replay.counts[1] - 1}"
    page.goto("about:blank")
    replay = open_replay(page, f"{address}?at=2.9999")
    for _ in ("query", "fragment"):
        assert (replay.position, page.evaluate("location.hash")) == (last, f"#{last}")
        expect(note).to_be_visible()
        page.evaluate("location.hash = '#3.2'")
        replay.wait_for(3, 2)
        expect(note).to_be_hidden()
        page.evaluate("location.hash = '#2.9999'")
        replay.wait_for(2, replay.counts[1] - 1)


def test_address_follows_each_step_and_makes_no_history(koikoi: Player) -> None:
    before = koikoi.page.evaluate("history.length")
    koikoi.page.keyboard.press("ArrowRight")
    koikoi.page.keyboard.press("PageDown")
    koikoi.wait_for(2, 0)
    assert koikoi.page.evaluate("location.hash") == "#2.0"
    assert koikoi.page.evaluate("history.length") == before


def test_keys_of_fields_dialogs_and_the_browser_do_not_step(koikoi: Player) -> None:
    page = koikoi.page
    page.keyboard.press("Control+ArrowRight")
    page.locator("[data-view]").focus()
    page.keyboard.press("End")
    assert koikoi.position == "1.0"
    page.keyboard.press("Escape")
    page.locator('[data-do="help"]').click()
    page.keyboard.press("ArrowRight")
    assert koikoi.position == "1.0"
