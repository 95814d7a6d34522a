"""Games that were sent without an account are added to one, in a browser."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.records.pages.test_axe import violations
from tests.services import wait_until

WAIT: Final = 30_000
#: Add an upload to the browser's list of sent uploads.
REMEMBER: Final = """(upload) => {
    const uploads = JSON.parse(localStorage.getItem("hana-sent") ?? "[]");
    const fresh = { ...upload, when: new Date().toISOString() };
    localStorage.setItem("hana-sent", JSON.stringify([fresh, ...uploads]));
}"""


def send(page: Page, site: str, seed: int) -> str:
    """Send a game as the upload page does, and return the address of its secret page."""
    secret = token_hex(16)
    headers = {"Content-Type": "text/x-kafu", "Upload-Secret": secret}
    game = makers.text(seed)
    upload = page.request.post(f"{site}/api/v1/uploads", data=game, headers=headers).json()
    address = f"{site}/api/v1/uploads/{upload['key']}"
    wait_until(lambda: page.request.get(address).json()["state"] == "done", "the game is stored")
    page.evaluate(REMEMBER, {"key": upload["key"], "secret": secret})
    return f"{site}/uploads/{upload['key']}/mine/{secret}/"


@pytest.mark.long_only  # test_scenarios.py adds one in its browser
def test_uploads_of_this_browser_are_offered_to_a_new_account_and_added(
    page: Page, site: str
) -> None:
    page.goto(f"{site}/robots.txt")  # a page of the site without scripts
    second, first = send(page, site, 312), send(page, site, 311)
    sign_up(page.context, site, f"claimer-{token_hex(4)}")
    page.goto(f"{site}/me/")
    offer = page.locator("[data-claims]")
    expect(offer.locator("li")).to_have_count(2)
    assert not violations(page, contrast=False)

    # The first on its secret page, without the list.
    page.goto(first)
    page.locator("form[action$='/claim/'] button").click()
    page.wait_for_url(lambda address: "/mine/" not in address)
    page.goto(f"{site}/me/")

    # The second from the list; the browser forgets both.
    expect(offer.locator("li")).to_have_count(1)
    offer.locator("button").press("Enter")
    expect(page.locator("[data-claimed]")).to_be_visible()
    expect(offer).to_be_hidden()
    # The page shows the games once they are the account's.
    expect(page.locator(".own-games > li")).to_have_count(2, timeout=WAIT)
    assert page.evaluate("localStorage.getItem('hana-sent')") == "[]"
    assert page.request.get(second).status == 404
