"""The values of the next choice beside the replay of an analysed game of the samples."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from lengths import part
from tests.records.pages.replay_page import find_game, open_replay

DESK, PHONE = (1280, 720), (390, 664)
BEST = {"en": "best", "ja": "最善"}
#: The cells of the review with figures that another element covers, or that the box cuts off.
READ_COVERED = """() => {
    const root = document.querySelector("kafu-replay").shadowRoot;
    return [...root.querySelectorAll(".review .figure")].filter((cell) => {
        const { right, top, height } = cell.getBoundingClientRect();
        return root.elementFromPoint(right - 2, top + height / 2)?.closest("td") !== cell;
    }).map((cell) => cell.textContent);
}"""


@pytest.mark.parametrize(
    ("ruleset", "window", "language"),
    part(list(product(("hachihachi", "koikoi"), (PHONE, DESK), ("en", "ja"))), one_of=7),
)
def test_review_is_used_by_keys(
    chromium: Browser, site: str, ruleset: str, window: tuple[int, int], language: str
) -> None:
    width, height = window
    context = chromium.new_context(locale=language, viewport={"width": width, "height": height})
    page = context.new_page()
    open_replay(page, find_game(page, site, ruleset=ruleset))
    review = page.locator("[data-said] .review")
    review.wait_for()
    assert page.evaluate(READ_COVERED) == [], "the first choice may be one of words"
    page.keyboard.press("c")
    expect(review.locator("tr.best .tag").first).to_have_text(BEST[language])
    expect(review.locator("tr.chosen")).to_have_count(1)
    assert page.locator("[data-felt] .ring-chosen").count() > 0
    assert page.locator("[data-felt] .ring-best").count() > 0
    for mark in ("best", "chosen"):
        assert is_inside(page, f"[data-said] .review tr.{mark}"), mark

    review.locator("[data-again]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-felt] :is(.ring-best, .ring-chosen)")).to_have_count(0)
    review.locator("[data-answers] button").first.focus()
    page.keyboard.press("Enter")
    expect(review.locator("tr.mine")).to_have_count(1)

    seat = page.locator("[data-view] option").last.get_attribute("value")
    page.locator("[data-view]").select_option(seat)
    seats = set()
    for _step in range(12):
        page.keyboard.press("ArrowRight")
        seats |= set(page.locator(".seat:has(.ring-best)").evaluate_all(READ_SEATS))
    assert seats <= {seat}, "the cards of opponents are hidden"

    month = page.locator("[data-steps]").nth(2)
    steps, box = int(month.get_attribute("data-steps") or 0), month.bounding_box()
    assert box is not None
    month.click(position={"x": box["width"] / 2, "y": 4})
    replay = page.locator("kafu-replay")
    expect(replay).to_have_js_property("position", f"3.{steps // 2}")
    context.close()


READ_SEATS = "(seats) => seats.map((seat) => seat.dataset.seat)"


def is_inside(page: Page, selector: str) -> bool:
    """Return whether an element of the review lies in its box, above the sticky controls."""
    box, said, controls = (
        page.locator(place).first.bounding_box()
        for place in (selector, "[data-said]", "[data-controls]")
    )
    assert box is not None and said is not None and controls is not None
    bottom = min(said["y"] + said["height"], controls["y"])
    return said["y"] <= box["y"] and box["y"] + box["height"] <= bottom


def test_table_stands_still_while_the_analysis_loads(chromium: Browser, site: str) -> None:
    context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    address = find_game(page, site, ruleset="koikoi")
    requests: list[Route] = []
    analysis = f"{address}analysis/**"
    page.route(analysis, lambda route: requests.append(route))
    with page.expect_request(analysis):
        open_replay(page, address)
    page.evaluate("document.fonts.ready.then(() => null)")
    places = [page.locator(place).first for place in ("[data-felt]", "[data-controls]")]
    before = [place.bounding_box() for place in places]
    for request in requests:
        request.continue_()
    page.locator("[data-said] .review tr.best").wait_for()
    assert [place.bounding_box() for place in places] == before
    context.close()


def test_table_of_all_choices_needs_no_script(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="ja")
    page = context.new_page()
    page.goto(f"{find_game(page, site, ruleset='hachihachi')}analysis/")
    months = page.locator("details.choices")
    assert months.count() >= 12
    months.first.locator("summary").click()
    choice = months.first.locator("tbody").first
    expect(choice.locator("tr.best rect")).to_have_attribute("width", "100%")
    expect(choice.locator("tr.chosen")).to_be_visible()
    choice.get_by_role("link").click()
    expect(page.locator(".felt .card").first).to_be_visible()
    context.close()
