"""axe-core on every kind of page: no barrier for anybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lengths import LONG
from tests.records.pages.kinds import opened

#: Language, width and scheme: two pairs, each of which has both values of all three. A page is
#: looked at in one of the four ways, by turns; in `make test-long` in both of a pair.
WAYS: Final[tuple[tuple[str, int, Literal["light", "dark"]], ...]] = (
    ("en-US", 390, "light"),
    ("ja-JP", 1280, "dark"),
    ("en-US", 1280, "light"),
    ("ja-JP", 390, "dark"),
)
AXE = Axe()


def violations(page: Page) -> list[str]:
    """What axe finds on the page as it stands, shadow roots and all, in a line each."""
    found: dict[str, Any] = AXE.run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{one['impact']} {one['id']}: {node['html'][:120]} {node.get('failureSummary')}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


@pytest.fixture(params=range(len(WAYS)), ids=lambda way: "-".join(map(str, WAYS[way])))
def way(request: pytest.FixtureRequest) -> int:
    """One of the ways to look at the archive."""
    number: int = request.param
    return number


@pytest.fixture
def open_page(way: int, chromium: Browser) -> Iterator[Page]:
    """A page in that way."""
    locale, width, scheme = WAYS[way]
    context = chromium.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    yield context.new_page()
    context.close()


def test_no_page_keeps_anybody_out(
    way: int, open_page: Page, site: str, kinds: dict[str, str]
) -> None:
    found = {}
    for number, (kind, path) in enumerate(kinds.items()):
        if number % len(WAYS) == way or (LONG and number % 2 == way // 2):
            opened(open_page, f"{site}{path}")
            if told := violations(open_page):
                found[kind] = told
    assert not found


@pytest.mark.parametrize("way", [0, 1], indirect=True)
def test_what_opens_keeps_nobody_out(open_page: Page, site: str, kinds: dict[str, str]) -> None:
    """The player's dialogs, a branch, and a page without results."""
    opened(open_page, f"{site}{kinds['game']}")
    found = {}
    for dialog in ("help", "settings", "share"):
        open_page.locator(f"[data-do={dialog}]").click()
        if told := violations(open_page):
            found[dialog] = told
        open_page.keyboard.press("Escape")
    open_page.locator("[data-what-if-begin]").click()
    open_page.locator("[data-what-if] .key").first.wait_for()
    if told := violations(open_page):
        found["what if"] = told
    open_page.context.add_cookies([{"name": "spoilers", "value": "hide", "url": site}])
    opened(open_page, f"{site}{kinds['game']}")
    if told := violations(open_page):
        found["no results"] = told
    assert not found
