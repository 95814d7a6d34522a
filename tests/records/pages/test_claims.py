"""Games that were sent without an account are added to one, in a browser."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import part
from tests.records import makers
from tests.records.pages.test_visibility import WAIT, looked_at

Way: TypeAlias = tuple[str, Literal["light", "dark"], tuple[int, int]]
#: Language, scheme, and seeds of two games.
WAYS: Final[tuple[Way, ...]] = (
    ("en-US", "light", (311, 312)),
    ("ja-JP", "dark", (313, 314)),
)


def send(page: Page, site: str, seed: int) -> str:
    """Send a game without an account; returns the address of the secret page."""
    page.goto(f"{site}/upload/")
    page.locator("textarea").fill(makers.text(seed))
    page.locator("#upload button[type=submit]").click()
    page.locator('[data-state="done"]').wait_for(timeout=WAIT)
    return page.url


def register(page: Page, site: str, name: str) -> None:
    """Create an account; its games are shown."""
    page.goto(f"{site}/account/signup/")
    page.locator("[name=username]").fill(name)
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill("a hand of seven slips")
    page.locator("main form button").click()
    page.wait_for_url("**/me/")


@pytest.mark.parametrize("way", part(WAYS), ids=lambda way: way[0])
def test_uploads_of_this_browser_are_offered_after_registering(
    chromium: Browser, site: str, way: Way
) -> None:
    locale, scheme, seeds = way
    context = chromium.new_context(locale=locale, color_scheme=scheme)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    first = send(page, site, seeds[0])
    second = send(page, site, seeds[1])
    register(page, site, f"claimer-{locale}")
    offered = page.locator("[data-claims]")
    expect(offered.locator("li")).to_have_count(2)
    wrong = looked_at(page, "offered")

    # One on its secret page, without the list.
    page.goto(first)
    wrong |= looked_at(page, "secret page")
    page.locator("form[action$='/claim/'] button").click()
    page.wait_for_url(lambda address: "/mine/" not in address)
    wrong |= looked_at(page, "added")
    page.goto(f"{site}/me/")

    # The other from the list; the browser forgets both.
    expect(offered.locator("li")).to_have_count(1)
    offered.locator("button").press("Enter")
    expect(page.locator("[data-claimed]")).to_be_visible()
    expect(offered).to_be_hidden()
    # The page shows the games once they are the account's.
    expect(page.locator("table.list tbody tr")).to_have_count(2, timeout=WAIT)
    wrong |= looked_at(page, "claimed")
    assert page.evaluate("localStorage.getItem('hana-sent')") == "[]"
    assert context.request.get(second).status == 404
    context.close()
    assert not errors
    assert not wrong
