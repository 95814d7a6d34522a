"""The visibility of an upload in a browser: chosen on its form and changed on its report."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

from playwright.sync_api import Page, expect

from lengths import LONG
from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import fits
from tests.records.pages.test_axe import violations

WAIT: Final = 30_000


def test_member_sends_games_as_private_shows_them_to_the_address_and_withdraws_them_by_keys(
    page: Page, site: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    sign_up(page.context, site, f"member-{token_hex(4)}")
    page.goto(f"{site}/upload/")
    # The report of two games has no player, whose styles axe would read against the policy.
    games = makers.joined(*(makers.text(seed) for seed in (353, 354)))
    page.locator("textarea").fill(games.decode())
    page.locator("[name=visibility][value=public]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=visibility][value=private]")).to_be_checked()
    page.keyboard.press("Enter")
    page.locator('[data-state="done"]').wait_for(timeout=WAIT)

    level, changing = page.locator("#visibility"), page.locator("[data-changing]")
    expect(level).to_have_value("private")
    game = page.locator(".sent-games a").first.get_attribute("href")
    browser = page.context.browser
    assert browser is not None
    stranger = browser.new_context()
    assert stranger.request.get(f"{site}{game}").status == 404
    assert page.request.get(f"{site}{game}").status == 200

    level.select_option("unlisted")
    level.press("Tab")
    page.keyboard.press("Enter")
    changing.wait_for(state="attached", timeout=WAIT)
    expect(changing).to_be_hidden(timeout=WAIT)
    expect(level).to_have_value("unlisted")
    assert fits(page)
    assert not violations(page, contrast=LONG)
    assert stranger.request.get(f"{site}{game}").status == 200

    page.locator("[name=withdraw]").focus()
    page.keyboard.press("Enter")
    page.locator("[name=confirmed]").wait_for(state="attached")
    if LONG:
        assert not violations(page)
    page.locator("[name=withdraw]").focus()
    page.keyboard.press("Enter")
    expect(level).to_have_count(0)
    expect(page.locator(".who b")).to_have_text("withdrawn")
    expect(changing).to_be_hidden(timeout=WAIT)
    assert stranger.request.get(f"{site}{game}").status == 410
    stranger.close()
