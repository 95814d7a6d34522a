"""Every kind of page in windows of all sizes: it fits, it does not move, it keeps nobody out, the
keyboard reaches all; and in Japanese no English is left on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page

from kafu.notation.writer import write
from lengths import LONG, part
from records.operations.samples import year
from tests.records.pages.kinds import opened
from tests.records.pages.test_axe import Way, violations
from tests.records.pages.test_language import english

# The layout shift of a page since it began, as the browser sums it.
SHIFT = """() => new Promise((done) => {
    let shifted = 0;
    const add = (list) => {
        for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value;
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => done(shifted), 60));
})"""

# How wide a page is, once it has been drawn.
DRAWN_WIDTH = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
    () => done(document.documentElement.scrollWidth))))"""

# What Tab has to reach: what is to be seen and takes the focus, in shadow roots too.
WATCH = """() => {
    const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
    const all = (root) => [...root.querySelectorAll("*")].flatMap((one) =>
        [...(one.matches(controls) ? [one] : []), ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) &&
        !one.disabled && one.type !== "hidden" && one.tabIndex >= 0 && !one.closest("[inert]");
    const due = all(document).filter(seen);
    // Of a group of radio buttons only one is in the way of Tab.
    const groups = new Set();
    window.due = new Set(due.filter((one) => {
        if (one.type !== "radio") return true;
        const first = !groups.has(one.name);
        groups.add(one.name);
        return first;
    }));
    window.dim = [];
    const told = (one) => one.outerHTML.slice(0, 160);
    const watch = (event) => {
        const one = event.composedPath()[0];
        const style = getComputedStyle(one);
        const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
        const drawn = one.querySelector("rect");  // a link of the chart: its area has a rim
        const rim = drawn && getComputedStyle(drawn).stroke !== "none";
        if (!ring && !rim && style.boxShadow === "none") window.dim.push(told(one));
        window.due.delete(one);
        if (one.type === "radio")
            for (const other of window.due) if (other.name === one.name) window.due.delete(other);
    };
    // A step from control to control of one shadow root is heard nowhere else.
    const roots = new Set([document, ...due.map((one) => one.getRootNode())]);
    for (const root of roots) root.addEventListener("focusin", watch, true);
    window.left = () => [[...window.due].filter(seen).map(told), window.dim];
    return window.due.size;
}"""


def looked_at(
    chromium: Browser,
    width: int,
    locale: str = "en-US",
    scheme: Literal["light", "dark"] = "light",
) -> Page:
    """A page of this width."""
    context = chromium.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    return context.new_page()


#: Telephones and desks, by the first of their widths.
WIDTHS: Final = {360: (360, 768, 390), 1280: (2560, 1280)}
WAYS: Final[tuple[Way, ...]] = (("ja-JP", 360, "dark"), ("en-US", 1280, "light"))
#: The layout shift of a page while it loads that nobody notices.
MOST_SHIFT: Final = 0.02
IN_ALL_WAYS: Final[tuple[Way, ...]] = (*WAYS, ("en-US", 360, "light"), ("ja-JP", 1280, "dark"))


def shift_of(page: Page, address: str) -> float:
    """Return how much a page shifts while it loads: the least of up to three loads.

    A busy machine may draw a table before all of its rows have come.
    """
    shifts = []
    for _ in range(3):
        opened(page, address)
        shifts.append(page.evaluate(SHIFT))
        if shifts[-1] <= MOST_SHIFT:
            break
    return float(min(shifts))


@pytest.mark.parametrize(
    ("locale", "width", "scheme"), IN_ALL_WAYS if LONG else WAYS, ids=lambda value: str(value)
)
def test_every_page_fits_stands_still_and_keeps_nobody_out(
    chromium: Browser,
    site: str,
    kinds: dict[str, str],
    locale: str,
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    """Nothing moves while a page loads; it is not wider than its window, nor when that grows; axe
    finds no barrier. On desks every other page is tried, and axe looks at each page once; in
    `make test-long` all of it in four ways.
    """
    page = looked_at(chromium, width, locale, scheme)
    wide, moved, left, barred = {}, {}, {}, {}
    for number, (kind, path) in enumerate(kinds.items()):
        is_others = not LONG and number % 2 != (width > 768)
        if is_others and width > 768:
            continue
        page.set_viewport_size({"width": width, "height": 900})
        if (shift := shift_of(page, f"{site}{path}")) > MOST_SHIFT:
            moved[kind] = shift
        if locale == "ja-JP" and (words := english(page)):
            left[kind] = words
        for size in WIDTHS[width]:
            page.set_viewport_size({"width": size, "height": 900})
            if (found := page.evaluate(DRAWN_WIDTH)) > size:
                wide[kind, size] = found
        if not is_others and (told := violations(page)):
            barred[kind] = told
    page.context.close()
    assert not wide and not moved and not left and not barred


@pytest.mark.parametrize("width", [360, 1280])
def test_letters_without_a_space_widen_no_page(
    chromium: Browser, own_site: str, width: int, tmp_path: Path
) -> None:
    """Of a hostile record: names, event and site of 4,000 letters."""
    page = looked_at(chromium, width)
    game = year(1, ("W" * 4000, "M" * 4000))
    game.tags |= {"Event": "E" * 4000, "Site": "S" * 4000, "Round": "R" * 4000}
    (tmp_path / "long.kafu").write_text(write(game))
    page.goto(f"{own_site}/upload/")
    page.locator("input[name=files]").set_input_files(tmp_path / "long.kafu")
    page.locator("main button[type=submit]").first.click()
    link = page.locator("main a[href^='/games/']").first
    link.wait_for()
    key = (link.get_attribute("href") or "").split("/")[2]
    for path in (f"/games/{key}/", f"/games/{key}/moves/", "/games/", "/players/", page.url):
        opened(page, path if path.startswith("http") else f"{own_site}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.context.close()


#: The first so many controls of a page are gone through; the pack's page alone has 600 links.
CONTROLS = 80


@pytest.mark.parametrize(
    ("width", "locale", "only"),
    [(1280, "en-US", ()), (390, "ja-JP", ("home", "games", "game of many", "embed", "cards"))],
)
def test_tab_reaches_every_control(
    chromium: Browser,
    site: str,
    kinds: dict[str, str],
    width: int,
    locale: str,
    only: tuple[str, ...],
) -> None:
    """And each shows that it has the focus. Of all pages every third, in `make test-long` each."""
    page = looked_at(chromium, width, locale)
    missed = {}
    for kind in only or part(list(kinds)):
        opened(page, f"{site}{kinds[kind]}")
        due = page.evaluate(WATCH)
        for _press in range(min(due, CONTROLS) + 3):
            page.keyboard.press("Tab")
        unreached, dim = page.evaluate("window.left()")
        if len(unreached) > max(0, due - CONTROLS) or dim:
            missed[kind] = {"unreached": unreached[:4], "dim": dim[:4]}
    page.context.close()
    assert not missed


def test_wide_windows_are_used(chromium: Browser, site: str) -> None:
    """At 2,560 px the text is larger and the content is no narrow strip."""
    page = looked_at(chromium, 2560)
    page.goto(f"{site}/games/")
    assert page.locator("main .page").bounding_box()["width"] > 1900  # type: ignore[index]
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") > 18
    page.context.close()


def test_a_sheet_is_printed_black_on_white_without_the_site(
    chromium: Browser, site: str, kinds: dict[str, str]
) -> None:
    page = looked_at(chromium, 1280)
    page.goto(f"{site}{kinds['sheet']}")
    page.emulate_media(media="print", color_scheme="dark")
    for gone in ("header.site", "footer.site"):
        assert not page.locator(gone).is_visible()
    colours = page.evaluate(
        """() => ["color", "backgroundColor"].map((one) => getComputedStyle(document.body)[one])"""
    )
    assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]
    page.context.close()
