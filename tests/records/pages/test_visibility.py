"""Who may see an upload, chosen on its form and changed on its report, in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, expect

from lengths import part
from tests.records import makers
from tests.records.pages.test_axe import violations

WAIT: Final = 30_000
WIDTHS: Final = (390, 1280)
Way: TypeAlias = tuple[str, Literal["light", "dark"], tuple[int, int], str]
#: Language, scheme, seeds of two games, and what withdrawn is called.
WAYS: Final[tuple[Way, ...]] = (
    ("en-US", "light", (301, 302), "withdrawn"),
    ("ja-JP", "dark", (303, 304), "取り下げ"),
)


@pytest.fixture(params=part(WAYS), ids=lambda way: way[0])
def way(request: pytest.FixtureRequest) -> Way:
    """One of the ways to look at the archive."""
    found: Way = request.param
    return found


@pytest.fixture
def member(chromium: Browser, site: str, way: Way) -> Iterator[Page]:
    """A page of somebody who has just registered."""
    locale, scheme, _seeds, _word = way
    context = chromium.new_context(locale=locale, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{site}/account/signup/")
    page.locator("[name=username]").fill(f"member-{locale}")
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill("a hand of seven slips")
    page.locator("main form button").click()
    page.wait_for_url(lambda address: "/signup/" not in address)
    yield page
    context.close()


def looked_at(page: Page, what: str) -> dict[str, list[str]]:
    """What is wrong with the page at each width: what axe finds, and whether it is too wide."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        told = violations(page)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            told.append(f"{wide} px wide")
        if told:
            found[f"{what} {width}"] = told
    return found


def test_a_member_says_who_may_see_the_games(
    member: Page,
    chromium: Browser,
    site: str,
    way: Way,
) -> None:
    """By keyboard: sent as private, shown to whoever has the address, taken back."""
    _locale, _scheme, seeds, withdrawn = way
    member.goto(f"{site}/upload/")
    wrong = looked_at(member, "form")
    member.locator("textarea").fill("\n".join(map(makers.text, seeds)))
    member.locator("[name=visibility][value=public]").focus()
    member.keyboard.press("ArrowDown")
    member.keyboard.press("ArrowDown")
    expect(member.locator("[name=visibility][value=private]")).to_be_checked()
    member.keyboard.press("Enter")
    member.locator('[data-state="done"]').wait_for(timeout=WAIT)
    wrong |= looked_at(member, "report")

    level = member.locator("#visibility")
    expect(level).to_have_value("private")
    game = member.locator("table.list a").first.get_attribute("href")
    stranger = chromium.new_context()
    assert stranger.request.get(f"{site}{game}").status == 404
    assert member.request.get(f"{site}{game}").status == 200

    level.select_option("unlisted")
    level.press("Tab")
    member.keyboard.press("Enter")
    changing = member.locator("[data-changing]")
    changing.wait_for(state="attached", timeout=WAIT)
    expect(changing).to_be_hidden(timeout=WAIT)
    expect(level).to_have_value("unlisted")
    wrong |= looked_at(member, "changed")
    assert stranger.request.get(f"{site}{game}").status == 200

    member.locator("[name=withdraw]").focus()
    member.keyboard.press("Enter")
    member.locator("[name=confirmed]").wait_for(state="attached")
    wrong |= looked_at(member, "asked")
    member.locator("[name=withdraw]").focus()
    member.keyboard.press("Enter")
    expect(level).to_have_count(0)
    expect(member.locator(".who b")).to_have_text(withdrawn)
    expect(changing).to_be_hidden(timeout=WAIT)
    wrong |= looked_at(member, "withdrawn")
    assert stranger.request.get(f"{site}{game}").status == 410
    stranger.close()
    assert not wrong
