"""Charts of the statistics in a browser: drawn under our policy, readable by pointer and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from kafu.rules.rulesets import RULESETS
from lengths import part
from tests.records.pages.test_axe import violations

#: Language, width and scheme.
Way = tuple[str, int, Literal["light", "dark"]]
WAYS: Final[tuple[Way, ...]] = (
    ("en-US", 1280, "light"),
    ("ja-JP", 390, "dark"),
)
#: Seconds for the first chart, with which the library is made and fetched.
PATIENCE: Final = 30_000


@pytest.fixture(params=WAYS, ids=lambda way: "-".join(map(str, way)))
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """A page in one of the ways. The test fails if anything is said on the console."""
    yield from opened(chromium, request.param)


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: "-".join(map(str, way)))
def koikoi(request: pytest.FixtureRequest, chromium: Browser, site: str) -> Iterator[Page]:
    """The page of koi-koi in one of the ways, for all tests that leave it as it is."""
    for page in opened(chromium, request.param):
        page.goto(f"{site}/statistics/koikoi/")
        yield page


def opened(chromium: Browser, way: Way) -> Iterator[Page]:
    """A page in one of the ways; at the end nothing was said on the console."""
    locale, width, scheme = way
    context = chromium.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert not said


def drawn(chart: Locator) -> Locator:
    """A chart, when it is drawn."""
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg.marks")).to_be_visible(timeout=PATIENCE)
    return chart


def first(page: Page, figure: str) -> Locator:
    """The chart of a figure, when it is drawn."""
    return drawn(page.locator(f"#{figure} hana-chart"))


def spec(page: Page, chart: Locator) -> dict[str, Any]:
    """What a chart is made of."""
    found: dict[str, Any] = page.request.get(
        f"{page.url.split('/statistics/')[0]}{chart.get_attribute('src')}"
    ).json()
    return found


@pytest.mark.parametrize(
    ("page", "ruleset"),
    part([(WAYS[i % 2], ruleset) for i, ruleset in enumerate((*RULESETS, "koikoi"))]),
    indirect=["page"],
)
def test_every_chart_is_drawn_and_fits(page: Page, site: str, ruleset: str) -> None:
    page.goto(f"{site}/statistics/{ruleset}/")
    charts = page.locator("hana-chart").all()
    assert len(charts) > 4
    for chart in charts:
        room = chart.evaluate("(one) => parseFloat(one.style.minHeight)")
        drawn(chart)
        assert chart.locator("svg.marks [aria-roledescription]").count() > 0
        box = chart.bounding_box()
        assert box is not None and abs(box["height"] - room) < 40, chart.get_attribute("src")
    assert not violations(page)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]  # type: ignore[index]


def test_a_mark_for_every_row(koikoi: Page) -> None:
    for figure, mark in (("yaku", "point"), ("scores", "bar")):
        chart = first(koikoi, figure)
        rows = spec(koikoi, chart)["data"]["values"]
        marks = chart.locator(f'[aria-roledescription="{mark}"]')
        assert marks.count() == len(rows) > 1
    # Intervals stand behind the points.
    spans = first(koikoi, "yaku").locator('[aria-roledescription="rule mark"]')
    assert spans.count() == len(spec(koikoi, first(koikoi, "yaku"))["data"]["values"])


def test_long_names_can_be_read(koikoi: Page) -> None:
    for figure in ("yaku", "openings", "cards"):
        chart = first(koikoi, figure)
        written = chart.locator(".mark-text text").all_text_contents()
        names = {row["name"] for row in spec(koikoi, chart)["data"]["values"]}
        assert names <= set(written), names - set(written)


def test_the_pointer_shows_values(koikoi: Page) -> None:
    chart = first(koikoi, "scores")
    rows = spec(koikoi, chart)["data"]["values"]
    best = max(range(len(rows)), key=lambda number: rows[number]["rate"])
    chart.locator('[aria-roledescription="bar"]').nth(best).hover()
    tip = chart.locator(".chart-tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(f"{rows[best]['rate']:.2%}")
    koikoi.mouse.move(0, 0)
    expect(tip).to_be_hidden()


def test_the_keys_go_from_mark_to_mark(koikoi: Page) -> None:
    chart = first(koikoi, "seats")
    chart.focus()
    tip, ring = chart.locator(".chart-tip"), chart.locator(".chart-ring")
    koikoi.keyboard.press("ArrowRight")
    expect(tip).to_be_visible()
    expect(ring).to_be_visible()
    one = tip.text_content()
    koikoi.keyboard.press("ArrowRight")
    assert tip.text_content() != one
    koikoi.keyboard.press("Home")
    assert tip.text_content() == one
    koikoi.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    expect(ring).to_be_hidden()
    title = koikoi.locator("#seats h2").text_content() or "?"
    assert title in (chart.get_attribute("aria-label") or "")


@pytest.mark.parametrize("page", part(WAYS, one_of=2), indirect=True)
def test_a_chart_follows_its_room_and_the_light(page: Page, site: str) -> None:
    page.goto(f"{site}/statistics/koikoi/")
    chart = first(page, "seats")
    dot = chart.locator('[aria-roledescription="point"]').first

    def colour() -> str | None:
        return dot.get_attribute("fill")

    before = colour()
    dark = page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')
    page.emulate_media(color_scheme="light" if dark else "dark")
    page.wait_for_function(
        """(old) => document.querySelector('#seats [aria-roledescription="point"]')
            ?.getAttribute("fill") !== old""",
        arg=before,
    )
    page.set_viewport_size({"width": 800, "height": 900})
    page.wait_for_function(
        """() => Math.abs(document.querySelector("#seats svg.marks").clientWidth -
            document.querySelector("#seats hana-chart").clientWidth) < 2"""
    )


@pytest.mark.parametrize("page", part(WAYS[::-1], one_of=2), indirect=True)
def test_filters_ask_for_what_is_filled_in(page: Page, site: str) -> None:
    page.goto(f"{site}/statistics/koikoi/")
    form = page.locator("form.ask").first
    name = page.request.get(f"{site}/api/v1/records?ruleset=koikoi").json()
    player = name["results"][0]["players"][0]["name"]
    field = form.locator("#player")
    field.press_sequentially(player[:3])
    page.locator("#player-list [role=option]", has_text=re.compile(f"^{re.escape(player)}")).click()
    expect(field).to_have_value(player)
    form.locator("button").click()
    page.wait_for_url(re.compile(r"\?"))
    assert parse_qsl(urlsplit(page.url).query) == [("player", player)]
    first(page, "compare")
    own = page.locator("#decisions form")
    own.locator("select").first.select_option("left")
    own.locator("button").click()
    page.wait_for_url(re.compile("decisions.by=left"))
    asked = dict(parse_qsl(urlsplit(page.url).query))
    assert asked["player"] == player and urlsplit(page.url).fragment == "decisions"
    data = page.locator("#decisions .forms a").first.get_attribute("href")
    assert data is not None and "by=left" in data


def test_without_a_script_there_are_the_tables(chromium: Browser, site: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/statistics/koikoi/")
    assert not page.locator("hana-chart").first.is_visible()
    assert page.locator("#seats table").is_visible()
    context.close()


def test_a_chart_that_cannot_be_had_says_so(chromium: Browser, site: str) -> None:
    context = chromium.new_context(locale="en-US")
    page = context.new_page()
    page.route("**/vendor/vega.*.js", lambda route: route.abort())
    page.goto(f"{site}/statistics/koikoi/")
    chart = page.locator("hana-chart").first
    expect(chart).to_contain_text("The chart could not be loaded; the table has its figures.")
    context.close()
