"""Comments and studies in a browser: said, kept, deleted, and nothing told of what is to come."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.people.world import PASSWORD
from tests.records.pages.conftest import STAFF
from tests.records.pages.kinds import SAMPLES
from tests.records.pages.test_axe import violations


def test_comments_at_their_steps_and_a_step_that_is_kept(chromium: Browser, own_site: str) -> None:
    context = chromium.new_context(base_url=own_site, locale="en-US")
    page = context.new_page()
    page.goto("/account/login/")
    page.fill("[name=login]", STAFF)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url("**/me/")
    query = {"event": SAMPLES, "ruleset": "koikoi", "status": "verified"}
    found = page.request.get("/api/v1/records", params={**query}).json()["results"]
    game = f"/games/{found[0]['key']}/"
    page.goto(f"{game}#1.2")
    said = page.locator("[data-discussion]")
    listed, others = said.locator("[data-list] li"), said.locator("[data-steps] a")
    expect(said.locator("[data-none]")).to_be_visible()
    for step, words in (("1.2", "First <b>words</b>"), ("2.1", "Later words")):
        page.evaluate("(at) => (location.hash = at)", step)
        expect(said.locator("[data-at]")).to_have_text(step)
        said.locator("textarea").fill(words)
        said.locator("[data-form] button").click()
        expect(listed).to_have_count(1)
        expect(listed.locator(".text")).to_have_text(words)
    expect(others).to_have_text(["1.2"])
    others.click()
    expect(listed.locator(".text")).to_have_text("First <b>words</b>")
    expect(others).to_have_text(["2.1"])
    assert violations(page) == []
    # With results hidden, the step to come is not told of; the one before is.
    context.add_cookies([{"name": "spoilers", "value": "hide", "url": own_site}])
    page.reload()
    expect(listed).to_have_count(1)
    expect(said.locator("[data-others]")).to_be_hidden()
    page.evaluate("() => (location.hash = '2.1')")
    expect(others).to_have_text(["1.2"])
    listed.locator("button").click()
    expect(said.locator("[data-none]")).to_be_visible()
    page.locator("[data-keep]").click()
    page.locator("[name=note]").fill("Here")
    page.locator("main form [type=submit], main form button").last.click()
    expect(page.locator(".entries .note")).to_have_text("Here")
    expect(page.locator(".entries .table")).to_have_attribute("href", f"{game}?at=2.1")
    assert violations(page) == []
    page.goto("/studies/mine/")
    assert violations(page) == []
    context.close()
