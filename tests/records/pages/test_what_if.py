"""What if: a game is played on from a step, next to what really came."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.records.pages.kinds import open_page
from tests.records.pages.replay_page import find_game


def test_branch_by_taps_is_kept_in_the_address(page: Page, site: str) -> None:
    """It is compared with the game, opened again by its address, and closed by a key."""
    open_page(page, f"{find_game(page, site)}?at=1.0")
    page.locator("[data-what-if-begin]").click()
    table = page.locator("[data-what-if]")
    expect(table.locator("[data-asks]")).not_to_be_empty()
    expect(page.locator("kafu-replay")).to_be_hidden()
    real = table.locator("[data-real] li")
    assert real.count() > 4
    expect(table.locator("[data-real-came]")).to_contain_text(re.compile(r"[−+]\d"))
    branch = table.locator("[data-branch] li")
    idle = page.locator("[data-what-if][aria-busy=false]")
    for _tap in range(4):
        table.locator(".key").first.click()
        idle.wait_for()
    expect(branch.nth(2)).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?at=1\.0&then=[A-Za-v]"))
    texts = branch.all_inner_texts()
    page.reload()
    expect(branch).to_have_count(len(texts))
    assert branch.all_inner_texts() == texts
    expect(page.locator("kafu-replay")).to_be_hidden()
    page.keyboard.press("Backspace")
    expect(branch).not_to_have_count(len(texts))
    page.keyboard.press("Escape")
    expect(page.locator("kafu-replay")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/#1\.0$"))
    expect(page.locator("[data-what-if-begin]")).to_be_focused()


def test_address_with_an_action_that_does_not_fit_shows_what_fits(page: Page, site: str) -> None:
    """Text that is no branch has no actions (tests/javascript/what_if.test.mjs)."""
    page.goto(f"{find_game(page, site)}?at=1.0&then==shobu")
    expect(page.locator("[data-what-if] [data-status]")).not_to_be_empty()
    expect(page.locator("[data-what-if] [data-branch] li")).to_have_count(0)
