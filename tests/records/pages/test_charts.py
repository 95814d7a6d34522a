"""Charts of the statistics in a browser: drawn under our policy, readable by pointer and keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kafu.rules.rulesets import RULESETS
from lengths import LONG
from tests.records.pages.test_axe import Way, violations

PHONE: Final[Way] = ("ja-JP", 390, "dark")
DESK: Final[Way] = ("en-US", 1280, "light")
IS_DARK: Final = "matchMedia('(prefers-color-scheme: dark)').matches"
#: Milliseconds for the first chart, with which the library is made and fetched.
PATIENCE: Final = 30_000


@contextmanager
def open_statistics(chromium: Browser, way: Way, address: str) -> Iterator[Page]:
    """Yield the page in one of the ways; at the end nothing was written to the console."""
    locale, width, scheme = way
    context = chromium.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert not messages


@pytest.fixture(
    scope="module",
    params=(PHONE, DESK) if LONG else (PHONE,),
    ids=lambda way: "-".join(map(str, way)),
)
def koikoi_statistics(
    request: pytest.FixtureRequest, chromium: Browser, site: str
) -> Iterator[Page]:
    """Yield the page of koi-koi, for all tests that do not change it."""
    address = f"{site}/statistics/koikoi/"
    with open_statistics(chromium, request.param, address) as page:
        yield page


def draw(chart: Locator) -> Locator:
    """Unfold a chart, scroll to it and return it when it is drawn."""
    chart.evaluate("(element) => { (element.closest('details') ?? element).open = true; }")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg.marks")).to_be_visible(timeout=PATIENCE)
    return chart


def draw_figure(page: Page, figure: str) -> Locator:
    """Return the chart of a figure, when it is drawn."""
    return draw(page.locator(f"#{figure} hana-chart"))


def read_rows(page: Page, chart: Locator) -> list[dict[str, Any]]:
    """Return the rows that a chart is drawn from."""
    spec = page.request.get(f"{page.url.split('/statistics/')[0]}{chart.get_attribute('src')}")
    rows: list[dict[str, Any]] = spec.json()["data"]["values"]
    return rows


def check_charts(page: Page) -> None:
    """Draw every chart of the page, and check that each fits the room left for it."""
    charts = page.locator("hana-chart").all()
    assert len(charts) > 4
    for chart in charts:
        room = chart.evaluate("(element) => parseFloat(element.style.minHeight)")
        draw(chart)
        assert chart.locator("svg.marks [aria-roledescription]").count() > 0
        box = chart.bounding_box()
        assert box is not None and abs(box["height"] - room) < 40, chart.get_attribute("src")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]  # type: ignore[index]
    # In short a chart of each form, with its table.
    for place in ("main",) if LONG else ("#yaku", "#scores"):
        assert violations(page.locator(place), contrast=LONG) == []


def test_every_chart_is_drawn_and_fits(
    chromium: Browser, site: str, koikoi_statistics: Page
) -> None:
    """In `make test-long` those of the other rulesets too."""
    check_charts(koikoi_statistics)
    for ruleset in RULESETS if LONG else ():
        with open_statistics(chromium, DESK, f"{site}/statistics/{ruleset}/") as page:
            check_charts(page)


def test_chart_has_a_mark_per_row(koikoi_statistics: Page) -> None:
    for figure, mark in (("yaku", "point"), ("scores", "bar")):
        chart = draw_figure(koikoi_statistics, figure)
        rows = read_rows(koikoi_statistics, chart)
        assert chart.locator(f'[aria-roledescription="{mark}"]').count() == len(rows) > 1
    # Intervals are drawn behind the points.
    chart = draw_figure(koikoi_statistics, "yaku")
    intervals = chart.locator('[aria-roledescription="rule mark"]')
    assert intervals.count() == len(read_rows(koikoi_statistics, chart))


def test_long_names_are_written_whole(koikoi_statistics: Page) -> None:
    for figure in ("yaku", "openings", "cards"):
        chart = draw_figure(koikoi_statistics, figure)
        labels = chart.locator(".mark-text text").all_text_contents()
        names = {row["name"] for row in read_rows(koikoi_statistics, chart)}
        assert names <= set(labels), names - set(labels)


def test_pointer_shows_the_values_of_a_mark(koikoi_statistics: Page) -> None:
    chart = draw_figure(koikoi_statistics, "scores")
    rows = read_rows(koikoi_statistics, chart)
    best = max(range(len(rows)), key=lambda number: rows[number]["rate"])
    chart.locator('[aria-roledescription="bar"]').nth(best).hover()
    tip = chart.locator(".chart-tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(f"{rows[best]['rate']:.2%}")
    koikoi_statistics.mouse.move(0, 0)
    expect(tip).to_be_hidden()


def test_keys_go_from_mark_to_mark(koikoi_statistics: Page) -> None:
    page = koikoi_statistics
    chart = draw_figure(page, "ends")
    chart.focus()
    tip, ring = chart.locator(".chart-tip"), chart.locator(".chart-ring")
    page.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()
    expect(ring).to_be_visible()
    first = tip.text_content()
    page.keyboard.press("ArrowRight")
    assert tip.text_content() != first
    page.keyboard.press("Home")
    assert tip.text_content() == first
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(ring).to_be_hidden()
    title = page.locator("#ends h2").text_content() or "?"
    assert title in (chart.get_attribute("aria-label") or "")


def test_chart_follows_light_and_width(koikoi_statistics: Page) -> None:
    page = koikoi_statistics
    chart = draw_figure(page, "ends")
    size, is_dark = page.viewport_size, page.evaluate(IS_DARK)
    assert size is not None
    fill = chart.locator('[aria-roledescription="point"]').first.get_attribute("fill")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    page.wait_for_function(
        """(old) => document.querySelector('#ends [aria-roledescription="point"]')
            ?.getAttribute("fill") !== old""",
        arg=fill,
    )
    page.set_viewport_size({"width": 800, "height": 900})
    page.wait_for_function(
        """() => Math.abs(document.querySelector("#ends svg.marks").clientWidth -
            document.querySelector("#ends hana-chart").clientWidth) < 2"""
    )
    page.emulate_media(color_scheme="dark" if is_dark else "light")
    page.set_viewport_size(size)


def test_page_without_scripts_has_tables(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/statistics/koikoi/")
    assert not page.locator("hana-chart").first.is_visible()
    page.locator("#seats .method > summary").click()
    assert page.locator("#seats table").is_visible()
    context.close()


def test_chart_whose_library_is_missing_refers_to_the_table(chromium: Browser, site: str) -> None:
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    page.route("**/vendor/vega.*.js", lambda route: route.abort())
    page.goto(f"{site}/statistics/koikoi/")
    chart = page.locator("hana-chart").first
    expect(chart).to_contain_text("The chart could not be loaded; the table has its figures.")
    context.close()
