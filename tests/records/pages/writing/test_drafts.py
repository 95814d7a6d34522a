"""Nothing that is written is lost: no room in the browser, drafts of older versions, two tabs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect

from tests.records import makers
from tests.records.pages.writing.test_editor import begin, kafu
from tests.records.pages.writing.test_sheet_form import begin as begin_sheet

#: What a browser without room does, and one that keeps nothing.
FULL: Final = (
    "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError'); };"
)
FORBIDDEN: Final = "indexedDB.open = () => { throw new DOMException('', 'SecurityError'); };"
PUT: Final = """(draft) => new Promise((resolve, reject) => {
    const request = indexedDB.open("hana", 1);
    request.onsuccess = () => {
        const work = request.result.transaction("drafts", "readwrite");
        work.objectStore("drafts").put(draft);
        work.oncomplete = resolve;
        work.onerror = reject;
    };
})"""
#: Of a version that named the ruleset so.
SHEET: Final = {"rules": "koikoi", "players": ["Aya", "Ben"]}


def notice(page: Page) -> Any:
    """What is said of the draft itself."""
    return page.locator("[data-notice]")


def downloaded(page: Page) -> str:
    """The file that the notice hands out."""
    with page.expect_download() as download:
        notice(page).locator("button").click()
    return Path(download.value.path()).read_text("utf-8")


def test_a_browser_without_room(page: Page) -> None:
    """It is said at once, and the text can be taken away."""
    page.add_init_script(FULL)
    begin(page, "koikoi", "Aya", "Ben")
    expect(notice(page)).to_have_text(re.compile("no room|空きがなく"))
    page.locator("[data-random]").click()
    expect(page.locator("[data-text]")).to_have_value(re.compile("month 1"))
    assert downloaded(page) == kafu(page)
    expect(page.locator("[data-kept]")).to_be_empty()


@pytest.mark.parametrize("address", ["/records/new", "/sheets/new"])
def test_a_browser_that_keeps_nothing(page: Page, address: str) -> None:
    """It is said before anything is written."""
    page.add_init_script(FORBIDDEN)
    page.goto(address)
    expect(notice(page)).to_have_text(re.compile("keeps no drafts|保存されません"))
    expect(notice(page).locator("button")).to_be_hidden()
    page.locator("[data-setup] [type=submit]").click()
    expect(notice(page).locator("button")).to_be_visible()


@pytest.mark.parametrize(
    "draft",
    [
        {"state": {"kafu": makers.text(3)}},
        {"text": makers.text(3), "title": "koi-koi"},
        {"version": 1, "state": {"kafu": makers.text(3), "at": 7}, "past": [{}, "x"]},
    ],
    ids=["no version", "no state", "odd fields"],
)
def test_a_draft_of_an_older_version_opens(page: Page, draft: dict[str, Any]) -> None:
    page.goto("/records/new")
    page.evaluate(PUT, {"id": "old", **draft})
    page.goto("/records/new?draft=old")
    expect(page.locator("[data-text]")).to_have_value(makers.text(3))
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")
    expect(notice(page)).to_be_hidden()


@pytest.mark.parametrize("address", ["/records/new", "/sheets/new"])
def test_a_draft_that_cannot_be_shown_is_handed_out(page: Page, address: str) -> None:
    page.goto(address)
    kind = "sheet" if "sheets" in address else "game"
    strange = {"id": "new", "kind": kind, "version": 99, "state": {"game": makers.text(3)}}
    page.evaluate(PUT, strange)
    page.goto(f"{address}?draft=new")
    expect(notice(page)).to_have_text(re.compile("another version|別の版"))
    assert downloaded(page) == makers.text(3)
    expect(page.locator("[data-setup]")).to_be_visible()


def test_a_sheet_of_an_older_version_opens(page: Page) -> None:
    """Months, tags and options that it lacks are empty."""
    page.goto("/sheets/new")
    page.evaluate(PUT, {"id": "old", "kind": "sheet", "state": SHEET})
    page.goto("/sheets/new?draft=old")
    expect(page.locator("[data-text]")).to_have_text(re.compile("Aya"))
    expect(notice(page)).to_be_hidden()


def test_two_tabs_on_one_draft(page: Page) -> None:
    """Each has what the other wrote, and says so; what stood there alone comes back by undo."""
    begin(page, "koikoi")
    page.locator("[data-text]").fill(makers.text(3))
    expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")
    expect(page.locator("[data-kept]")).not_to_be_empty()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("[data-text]")).to_have_value(makers.text(3))
    other.locator("[data-text]").fill(makers.text(4))
    expect(page.locator("[data-text]")).to_have_value(makers.text(4))
    expect(notice(page)).to_have_text(re.compile("another tab|別のタブ"))
    expect(notice(other)).to_be_hidden()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.wait_for_timeout(1500)
    assert len(requests) <= 1, "they do not tell each other the same for ever"
    page.locator("[data-undo]").click()
    expect(page.locator("[data-text]")).to_have_value(makers.text(3))
    expect(other.locator("[data-text]")).to_have_value(makers.text(3))
    other.close()


@pytest.mark.parametrize("kind", ["game", "sheet"])
def test_a_tab_that_crashes_loses_nothing(page: Page, kind: str) -> None:
    """What was written until then is listed in the next one, as it was."""
    context = page.context
    if kind == "game":
        begin(page, "koikoi", "Aya", "Ben")
        page.locator("[data-text]").fill(makers.text(3))
        expect(page.locator("[data-verdict]")).to_have_attribute("data-kind", "verified")
    else:
        begin_sheet(page, "koikoi", "Aya", "Ben")
        page.locator("details:has([data-tags]) summary").click()
        page.locator("[data-tags] [name=Event]").fill("Winter cup")
    expect(page.locator("[data-kept]")).not_to_be_empty()
    page.on("crash", lambda _page: None)
    with pytest.raises(PlaywrightError):
        page.goto("chrome://crash")
    fresh = context.new_page()
    fresh.goto("/records/new" if kind == "game" else "/sheets/new")
    fresh.locator("[data-drafts] a").first.click()
    if kind == "game":
        expect(fresh.locator("[data-text]")).to_have_value(makers.text(3))
    else:
        expect(fresh.locator("[data-tags] [name=Event]")).to_have_value("Winter cup")
