"""What cannot be dealt is said at once, unknown cards are dealt, a step in the past is changed."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from tests.records.pages.writing.test_editor import begin, kafu

WORKED = "/records/new?example=koikoi"


def place(page: Page, number: int) -> Locator:
    """A hand, the field or the draw pile."""
    return page.locator("[data-places] .place").nth(number)


def test_what_cannot_be_dealt_is_said_and_nothing_is_lost(page: Page) -> None:
    """A card twice, a ninth card, no letter; by text, by names and by a tap."""
    begin(page, "koikoi", "Aya", "Ben")
    letters, problem = page.locator("[data-letters]"), page.locator("[data-no-names]")
    expect(page.locator("[data-dealers] legend")).to_be_visible()
    letters.fill("AEIMQUYc")
    expect(problem).to_be_empty()
    place(page, 1).click()
    letters.fill("ABF!JNRVZdh")
    expect(problem).to_have_text(re.compile(r"[“「]![”」].*Aya.*Ben.*8"))
    expect(letters).to_have_value("BFJNRVZd")
    expect(place(page, 0).locator(".card")).to_have_count(8)
    page.locator('[data-pack] [data-letter="C"]').click()  # the hand is full
    expect(problem).to_have_text(re.compile(r"Ben.*8"))
    expect(place(page, 1).locator(".card")).to_have_count(8)
    place(page, 2).click()
    names = page.locator("[data-names]")
    names.fill("pine crane, pine dregs, sake cup")
    names.press("Enter")
    expect(problem).to_have_text(re.compile(r"[(（]A[)）]"))
    expect(names).to_have_value("pine crane, pine dregs, sake cup")
    names.fill("pine dregs, sake cup")
    names.press("Enter")
    expect(place(page, 2).locator(".card")).to_have_count(2)
    page.locator('[data-pack] [data-letter="k"]').click()
    expect(problem).to_be_empty()
    letters.fill("C...")
    expect(problem).to_be_empty()


def test_cards_that_nobody_knows(page: Page) -> None:
    """The rest of a hand is unknown: what is played from it can be any card that is left."""
    begin(page, "koikoi", "Aya", "Ben")
    page.locator("[data-letters]").fill("AE")
    page.locator("[data-unknown]").click()
    page.locator("[data-unknown]").click()
    page.locator("[data-letters]").fill("CGKOSWej")
    page.locator("[data-dealing] [type=submit]").click()
    expect(page.locator("[data-table]")).to_be_visible()
    assert "hand 1 AE??????\nhand 2 ????????\n" in kafu(page)
    unknown = page.locator('[data-table] .key[data-key="M"]').first
    unknown.click()
    expect(page.locator("[data-steps] li")).not_to_have_count(1)
    verdict = verify(read(kafu(page))).verdict
    assert verdict.error is None


def test_a_step_is_changed_and_what_follows_is_kept(page: Page) -> None:
    """The first line that does not fit any more is marked; undo gives all back."""
    page.goto(WORKED)
    steps = page.locator("[data-steps] li button")
    expect(steps.last).to_have_attribute("aria-current", "step")
    before = kafu(page)
    turns = [line for line in before.split("\n") if re.match(r"\d+\. ", line)]
    assert len(turns) > 2
    steps.first.click()
    expect(steps.first).to_have_attribute("aria-current", "step")
    played = turns[0].split()[1][0]
    keys = page.locator("[data-seats] .key")
    other = next(
        letter
        for one in keys.all()
        if (letter := one.get_attribute("data-key")) and letter != played
    )
    page.locator(f'[data-seats] .key[data-key="{other}"]').click()
    choices = page.locator("[data-field] .key")
    page.locator("[data-verdict][data-kind=illegal], [data-field] .key").first.wait_for()
    if choices.count():
        choices.first.click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "illegal")
    after = kafu(page)
    assert turns[0] not in after, "the turn is another"
    assert all(line in after for line in turns[1:]), "what follows is as it was written"
    error = verify(read(after)).verdict.error
    assert error is not None
    expect(page.locator("[data-lines] .faulty")).to_have_text(str(error.line))
    page.locator("[data-undo]").click()
    expect(page.locator("[data-text]")).to_have_value(before)
    expect(page.locator("[data-lines] .faulty")).to_have_count(0)
