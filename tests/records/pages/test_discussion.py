"""Comments and studies in a browser: written, deleted, kept, and hidden while still to come."""

from __future__ import annotations

from secrets import token_hex

from playwright.sync_api import Browser, expect

from lengths import LONG
from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import SAMPLES
from tests.records.pages.test_axe import violations


def test_comments_stand_at_their_steps_and_a_step_is_kept_in_a_study(
    chromium: Browser, site: str
) -> None:
    context = chromium.new_context(base_url=site, locale="en-US")
    page = context.new_page()
    sign_up(context, site, f"member-{token_hex(4)}")
    query = {"event": SAMPLES, "ruleset": "koikoi", "status": "verified"}
    records = page.request.get("/api/v1/records", params={**query}).json()["results"]
    game = f"/games/{records[0]['key']}/"
    page.goto(f"{game}#1.2")
    discussion = page.locator("[data-discussion]")
    listed, step_links = discussion.locator("[data-list] li"), discussion.locator("[data-steps] a")
    page.locator("summary", has_text="Comments").click()
    expect(discussion.locator("[data-none]")).to_be_visible()
    for step, text in (("1.2", "First <b>words</b>"), ("2.1", "Later words")):
        page.evaluate("(at) => (location.hash = at)", step)
        expect(discussion.locator("[data-at]")).to_have_text(step)
        discussion.locator("textarea").fill(text)
        discussion.locator("[data-form] button").click()
        expect(listed).to_have_count(1)
        expect(listed.locator(".text")).to_have_text(text)
    expect(step_links).to_have_text(["1.2"])
    # Following a link to a comment's step shows the tab of comments.
    named = listed.get_attribute("id")
    step_links.click()
    expect(listed.locator(".text")).to_have_text("First <b>words</b>")
    page.locator("summary", has_text="Data").click()
    expect(listed).to_be_hidden()
    page.evaluate("(id) => (location.hash = id)", named)
    expect(listed.locator(".text")).to_have_text("Later words")
    expect(listed).to_be_visible()
    step_links.click()
    expect(listed.locator(".text")).to_have_text("First <b>words</b>")
    expect(step_links).to_have_text(["2.1"])
    assert violations(discussion, contrast=LONG) == []
    # With results hidden, the comment of a later step is not named, but the comment of an earlier
    # step is.
    context.add_cookies([{"name": "spoilers", "value": "hide", "url": site}])
    page.reload()
    expect(listed).to_have_count(1)
    expect(discussion.locator("[data-others]")).to_be_hidden()
    page.evaluate("() => (location.hash = '2.1')")
    expect(step_links).to_have_text(["1.2"])
    listed.locator("button").click()
    expect(discussion.locator("[data-none]")).to_be_visible()
    page.locator("[data-keep]").click()
    page.locator("[name=note]").fill("Here")
    page.locator("main form [type=submit], main form button").last.click()
    expect(page.locator(".entries .note")).to_have_text("Here")
    expect(page.locator(".entries .table")).to_have_attribute("href", f"{game}?at=2.1")
    assert violations(page, contrast=LONG) == []
    context.close()
