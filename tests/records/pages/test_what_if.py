"""What if: a branch that does not fit. Branches by keys are in test_scenarios.py."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.records.pages.replay_page import find_game


def test_address_with_an_action_that_does_not_fit_shows_what_fits(page: Page, site: str) -> None:
    """Text that is no branch has no actions (tests/javascript/what_if.test.mjs)."""
    page.goto(f"{find_game(page, site)}?at=1.0&then==shobu")
    expect(page.locator("[data-what-if] [data-status]")).not_to_be_empty()
    expect(page.locator("[data-what-if] [data-branch] li")).to_have_count(0)
