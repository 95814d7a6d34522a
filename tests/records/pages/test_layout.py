"""Every kind of page in windows of all sizes.

The page fits and does not move, axe finds no barrier, Tab reaches every control, and a page in
Japanese has no English.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser, Page

from lengths import LONG
from tests.records.pages.kinds import ALL_WINDOWS, VARIANTS, Window, open_page
from tests.records.pages.test_axe import violations
from tests.records.pages.test_language import find_english, find_english_in

# Sums the layout shifts of a page since its beginning, as measured by the browser.
SHIFT = """() => new Promise((done) => {
    let shifted = 0;
    const add = (list) => {
        for (const shift of list.getEntries()) if (!shift.hadRecentInput) shifted += shift.value;
    };
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => setTimeout(() => done(shifted), 60));
})"""

# Measures the width of a page, once it has been drawn.
DRAWN_WIDTH = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
    () => done(document.documentElement.scrollWidth))))"""

# Opens every panel, menu and dialog, and returns those that do not lie inside the window, and the
# controls of the page's head that are covered.
PARTS_OUTSIDE = """() => {
    const roots = [document];
    for (const root of roots)
        for (const { shadowRoot } of root.querySelectorAll("*"))
            if (shadowRoot) roots.push(shadowRoot);
    const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
    const faults = [];
    const check = (element, lowest) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        if (!width || left < 0 || top + scrollY < 0 || right > innerWidth || bottom > lowest)
            faults.push(`${element.outerHTML.slice(0, 60)} ${left}–${right}, ${top}–${bottom}`);
    };
    for (const panel of all("details > :not(summary)")) {
        const details = panel.parentElement;
        if (details.open || getComputedStyle(panel).position !== "absolute") continue;
        if (!details.querySelector("summary").checkVisibility()) continue;
        details.open = true;
        check(panel, document.documentElement.scrollHeight - scrollY);
        details.open = false;
    }
    for (const button of all("[popovertarget]").filter((button) => button.checkVisibility())) {
        button.popoverTargetElement.showPopover();
        check(button.popoverTargetElement, innerHeight);
        button.popoverTargetElement.hidePopover();
    }
    for (const dialog of all("dialog:not([open])")) {
        // A dialog of a hidden part, such as the editor before its first deal, never opens.
        if (!(dialog.parentElement?.checkVisibility() ?? true)) continue;
        dialog.showModal();
        check(dialog, innerHeight);
        dialog.close();
    }
    scrollTo(0, 0);
    for (const control of all("header.site :is(a, button, summary)")) {
        const { left, top, width, height } = control.getBoundingClientRect();
        const hit = document.elementFromPoint(left + width / 2, top + height / 2);
        if (control.checkVisibility() && !control.contains(hit))
            faults.push(`covered: ${control.outerHTML.slice(0, 60)}`);
    }
    return faults;
}"""

# Collects the elements to be reached by Tab within an element: visible and focusable, in shadow
# roots too. Notes those that had the focus without showing it, or below a sticky control.
WATCH = """(place) => {
    const controls = "a[href], button, input, select, textarea, summary, [tabindex]";
    const all = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
        ...(element.matches(controls) ? [element] : []),
        ...(element.shadowRoot ? all(element.shadowRoot) : []),
    ]);
    const visible = (element) => element.checkVisibility({ visibilityProperty: true }) &&
        !element.disabled && element.type !== "hidden" && element.tabIndex >= 0 &&
        !element.closest("[inert]");
    const due = all(document.querySelector(place)).filter(visible);
    // Tab stops at one of a group of radio buttons only.
    const groups = new Set();
    window.due = new Set(due.filter((element) => {
        if (element.type !== "radio") return true;
        const isFirst = !groups.has(element.name);
        groups.add(element.name);
        return isFirst;
    }));
    window.dim = [];
    const describe = (element) => element.outerHTML.slice(0, 160);
    const watch = (event) => {
        const element = event.composedPath()[0];
        const style = getComputedStyle(element);
        const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
        const area = element.querySelector("rect");  // a link of the chart: its area has a rim
        const rim = area && getComputedStyle(area).stroke !== "none";
        if (!ring && !rim && style.boxShadow === "none") window.dim.push(describe(element));
        window.due.delete(element);
        if (element.type === "radio")
            for (const other of window.due)
                if (other.name === element.name) window.due.delete(other);
    };
    // The browser has scrolled to an element by the time that it loses the focus.
    const watchCover = (event) => {
        const element = event.composedPath()[0];
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        const hit = element.getRootNode().elementFromPoint((left + right) / 2, y);
        for (let cover = hit; cover && !cover.contains(element); cover = cover.parentElement)
            if (["sticky", "fixed"].includes(getComputedStyle(cover).position))
                window.dim.push(`covered: ${describe(element)}`);
    };
    // A step from control to control of one shadow root is heard nowhere else.
    const roots = new Set([document, ...due.map((element) => element.getRootNode())]);
    for (const root of roots) {
        root.addEventListener("focusin", watch, true);
        root.addEventListener("focusout", watchCover, true);
    }
    window.left = () => [[...window.due].filter(visible).map(describe), window.dim];
    return window.due.size;
}"""

# Keeps two of similar children, because axe would take long for long lists and tables.
TRIM = """() => {
    const roots = [document];
    const names = ["for", "list", "form", "headers", "aria-labelledby", "aria-describedby",
        "aria-controls", "aria-owns", "aria-activedescendant"];
    const isNamed = ({ id }, root) => names.some((name) =>
        id && root.querySelector(`[${name}~="${CSS.escape(id)}"]`));
    const isNeeded = (child, root) =>
        child.matches("link, style") ||
        [child, ...child.querySelectorAll("[id]")].some((element) => isNamed(element, root));
    for (const root of roots)
        for (const parent of root.querySelectorAll("*")) {
            if (parent.shadowRoot) roots.push(parent.shadowRoot);
            const counts = {};
            for (const child of [...parent.children]) {
                const key = `${child.tagName} ${child.getAttribute("class")}`;
                counts[key] = (counts[key] ?? 0) + 1;
                if (counts[key] > 2 && !isNeeded(child, root)) child.remove();
            }
        }
}"""


#: Language, window and scheme.
Way = tuple[str, Window, Literal["light", "dark"]]
#: Windows of each page, in addition to the window at opening.
WINDOWS: Final = ALL_WINDOWS if LONG else ((320, 568), (844, 340))
#: `make test` opens every third page at a desk, and all further pages on a phone.
EVERY_DESK: Final = 3
#: In `make test` axe measures the contrast of every twelfth page of each kind of window.
EVERY_CONTRAST: Final = 12
PHONE: Final[Way] = ("ja-JP", (390, 664), "dark")
DESK: Final[Way] = ("en-US", (1280, 720), "light")
OTHER_WAYS: Final[tuple[Way, ...]] = (
    ("en-US", (390, 664), "light"),
    ("ja-JP", (1280, 720), "dark"),
)
#: An unnoticeable layout shift of a page while it loads.
MOST_SHIFT: Final = 0.02
#: Pages that Tab goes through on a phone too.
BY_TAB: Final = ("home", "games", "game of many", "embed")
#: Pages with axe tests elsewhere, or with the same markup as a page tested here.
AXE_ELSEWHERE: Final = ("game of many", "hostile game")
#: Pages tested elsewhere in a narrow window, including barriers: only their Japanese HTML is read
#: here.
OPENED_ELSEWHERE: Final = (
    "game with a fault",
    "upload",
    "report",
    "check",
    "editor",
    "editor with a game",
    "sheet form",
)
#: Tab goes through the first controls of a page; the page of the cards alone has 600 links.
CONTROLS: Final = 80 if LONG else 20


def open_window(
    browser: Browser,
    locale: str = "en-US",
    window: Window = (1280, 720),
    scheme: Literal["light", "dark"] = "light",
) -> Page:
    """Return a page in a window of this size."""
    context = browser.new_context(locale=locale, color_scheme=scheme)
    page = context.new_page()
    resize(page, window)
    return page


def resize(page: Page, window: Window) -> None:
    """Give the page a window of this size."""
    page.set_viewport_size({"width": window[0], "height": window[1]})


def measure_shift(page: Page, address: str) -> float:
    """Open a page and return how much it shifts while it loads: the least of up to three loads.

    A busy machine may draw a table before all of its rows have come.
    """
    shifts = []
    for _ in range(3):
        open_page(page, address)
        shifts.append(page.evaluate(SHIFT))
        if shifts[-1] <= MOST_SHIFT:
            break
    return float(min(shifts))


def find_outside(page: Page, windows: tuple[Window, ...]) -> dict[Window, list[str]]:
    """Return what lies outside of each window: the page itself, panels, menus and dialogs."""
    outside = {}
    for window in windows:
        resize(page, window)
        drawn = page.evaluate(DRAWN_WIDTH)
        faults = page.evaluate(PARTS_OUTSIDE)
        if drawn > window[0]:
            faults.append(f"the page is {drawn} px wide")
        if faults:
            outside[window] = faults
    return outside


def measure_wide(page: Page) -> dict[str, float]:
    """Return width of the content and size of text in a very wide window, if they do not grow."""
    resize(page, (2560, 1300))
    width, size = page.evaluate(
        """() => [document.querySelector("main .page").getBoundingClientRect().width,
                  parseFloat(getComputedStyle(document.body).fontSize)]"""
    )
    return {} if width > 1900 and size > 18 else {"width": width, "size": size}


def find_unreached(page: Page, *, has_head: bool) -> list[list[str]]:
    """Return controls that Tab does not reach, and those whose focus is not seen.

    Without ``has_head`` Tab begins where the link to the content of the page leads.
    """
    if not has_head:
        page.evaluate("location.hash = '#main'")
    due = page.evaluate(WATCH, "html" if has_head else "#main")
    for _repeat in range(min(due, CONTROLS) + 3):
        page.keyboard.down("Tab")
    page.keyboard.up("Tab")
    unreached, dim = page.evaluate("window.left()")
    return [unreached[: max(0, len(unreached) - max(0, due - CONTROLS))][:4], dim[:4]]


def choose_kinds(kinds: list[str], *, is_phone: bool) -> list[str]:
    """Return the kinds of pages that are opened on a phone, or at a desk."""
    if LONG:
        return kinds
    drawn = [kind for kind in kinds if kind not in VARIANTS + OPENED_ELSEWHERE]
    return [kind for number, kind in enumerate(drawn) if (number % EVERY_DESK > 0) == is_phone]


@pytest.mark.parametrize(
    ("locale", "window", "scheme"),
    (PHONE, DESK, *OTHER_WAYS) if LONG else (PHONE, DESK),
    ids=lambda value: str(value),
)
def test_page_fits_stands_still_and_has_no_barrier(
    chromium: Browser,
    site: str,
    kinds: dict[str, str],
    locale: str,
    window: Window,
    scheme: Literal["light", "dark"],
) -> None:
    """Each page on a phone or at a desk; in `make test-long` all of them in four ways.

    Tab reaches every control; axe finds no barrier. A hostile game with names of 4,000 letters
    without a space is in the lists.
    """
    page = open_window(chromium, locale, window, scheme)
    is_phone = window[0] < 768
    faults: dict[str, dict[str, Any]] = defaultdict(dict)
    for number, kind in enumerate(choose_kinds(list(kinds), is_phone=is_phone)):
        address = f"{site}{kinds[kind]}"
        resize(page, window)
        if (shift := measure_shift(page, address)) > MOST_SHIFT:
            faults[kind]["shift"] = shift
        if locale == "ja-JP":
            faults[kind]["English"] = find_english(page)
        elif not LONG:
            faults[kind]["English"] = find_english_at(page, address)
        if kind == "games":
            faults[kind]["small when wide"] = measure_wide(page)
        # The window of the opening comes last, because the following checks use it.
        faults[kind]["outside"] = find_outside(page, (*WINDOWS, window))
        if LONG or kind in BY_TAB or not is_phone:
            # All pages have the same head and foot.
            has_head = LONG or kind in ("home", "embed")
            faults[kind]["unreached"], faults[kind]["dim"] = find_unreached(page, has_head=has_head)
        if LONG:
            faults[kind]["axe"] = violations(page)
        elif kind not in AXE_ELSEWHERE:
            page.evaluate(TRIM)
            faults[kind]["axe"] = violations(page, contrast=number % EVERY_CONTRAST == 0)
    for kind in () if LONG or is_phone else OPENED_ELSEWHERE:
        faults[kind]["English"] = find_english_at(page, f"{site}{kinds[kind]}")
    page.context.close()
    assert not {kind: checks for kind, checks in faults.items() if any(checks.values())}


def find_english_at(page: Page, address: str) -> dict[str, set[str]]:
    """Return English words in the Japanese HTML of an address, by the text that has them."""
    japanese = page.request.get(address, headers={"Accept-Language": "ja"})
    return find_english_in(page, japanese.text())
