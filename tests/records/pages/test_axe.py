"""axe-core on what opens on a page: no barrier for anybody. (Every page: test_layout.py.)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from lengths import part
from tests.records.pages.kinds import opened

#: Language, width and scheme.
Way = tuple[str, int, Literal["light", "dark"]]
WAYS: Final[tuple[Way, ...]] = (("en-US", 390, "light"), ("ja-JP", 1280, "dark"))
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


@pytest.fixture(params=part(WAYS), ids=lambda way: "-".join(map(str, way)))
def open_page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    """A page in one of the ways."""
    locale, width, scheme = request.param
    context = chromium.new_context(
        locale=locale, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    yield context.new_page()
    context.close()


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
