"""A sheet of the archive opened in the form again, and what is undone there."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from records.models import Record, Visibility
from tests.people.world import sent, session, user
from tests.records.makers import ingest, text
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.test_sheet_form import (
    begin,
    choose,
    document,
    line,
    press,
    yaku,
)

#: Types a word into each of some fields.
TYPED = """(fields, words) => words.forEach((word, i) => {
    fields[i].value = word;
    fields[i].dispatchEvent(new Event("input", { bubbles: true }));
})"""


def data_of(client: Client, record: Record) -> Any:
    """What the page gives its module."""
    page = client.get(reverse("new-sheet"), {"record": record.key}).content.decode()
    found = re.search(r'id="sheet-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(unescape(found[1]))


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_the_form_cannot_say_is_said_in_words(client: Client, lang: str) -> None:
    sheet = (
        document("hachihachi")
        .replace('"A"]', '"花子"]')
        .replace("pay tobikomi 1 +4k 2 -2k 3 -2k", "pay tobikomi 1 +4k 2 -3k 3 -1k ; a remark")
    )
    ingest(sheet.encode())
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = lang
    data = data_of(client, Record.objects.get())["sheet"]
    assert (data["ruleset"], data["players"], data["at"]) == ("hachihachi", ["花子", "B", "C"], 3)
    (payments,) = [line for line in data["unsaid"] if "花子" in line]
    assert {"en": "Month 3: ", "ja": "3月: "}[lang] in payments
    assert {"en": "tobikomi", "ja": "飛込"}[lang] in payments and "−3" in payments
    assert {"en": "Comments are left out.", "ja": "注釈"}[lang] in " ".join(data["unsaid"])


@pytest.mark.django_db
def test_who_may_open_which_game(client: Client) -> None:
    """A private sheet is its owner's; a game of cards goes elsewhere, and a sheet to the form."""
    owner = user("owner")
    sheet = sent(document("koikoi"), owner=owner, visibility=Visibility.PRIVATE)
    record = sheet.submissions.get().record
    assert record is not None
    address = f"{reverse('new-sheet')}?record={record.key}"
    assert client.get(address).status_code == 404
    assert session(user("other")).get(address).status_code == 404
    assert len(data_of(session(owner), record)["sheet"]["months"]) == 12
    editor = session(owner).get(f"{reverse('new-record')}?record={record.key}")
    assert editor["Location"] == address
    cards = ingest(text(1).encode()).submissions.get().record
    assert cards is not None
    answer = client.get(reverse("new-sheet"), {"record": cards.key})
    assert answer["Location"] == f"{reverse('check')}?record={cards.key}"


def store(page: Page, kafu: str) -> None:
    """Upload a sheet and open its page."""
    page.goto("/check/")
    page.locator("textarea[name=text]").fill(kafu)
    page.locator('#check [formaction="/upload/"]').click()
    page.wait_for_url("**/uploads/**")
    page.locator('[data-state="done"]').wait_for(timeout=30_000)
    page.locator('main a[href^="/games/"]').first.click()
    page.wait_for_url("**/games/**")


def test_a_stored_sheet_is_corrected(page: Page) -> None:
    """The document's year comes back as it was; one payment is changed and changed back."""
    sheet = document("hachihachi").replace('[Date "', '[Round "7"]\n[Date "')
    sheet = sheet.replace('[Sheet "1"]', '[Annotator "X"]\n[Sheet "1"]')
    store(page, sheet)
    page.locator('main a[href^="/sheets/new?record="]').first.click()
    save = page.locator("[data-save]")
    expect(save).to_have_value(re.compile(r"month 12 dealer"))
    assert save.input_value() == sheet.replace('[Annotator "X"]\n', "")
    expect(page.locator("[data-unsaid] li")).to_have_text(re.compile("Annotator"))
    before = save.input_value()
    yaku(page, 2, "aotan")
    expect(save).not_to_have_value(before)
    press(page, "[data-undo]")
    expect(save).to_have_value(before)
    assert not violations(page)


def test_undo_and_redo(page: Page) -> None:
    """Taps, what was typed and months; what was undone survives a reload."""
    begin(page, "hachihachi", "A", "B", "C")
    save = page.locator("[data-save]")
    undo, redo = page.locator("[data-undo]"), page.locator("[data-redo]")
    expect(undo).to_be_disabled()
    yaku(page, 2, "akatan")
    expect(save).to_have_value(re.compile("pay akatan"))
    line(page, 0, "gain", "+14k")
    expect(save).to_have_value(re.compile(r"pay akatan 1 -7k 2 \+14k"))
    choose(page, "ba", "large")
    expect(save).to_have_value(re.compile("ba large"))
    # In one moment: what is typed without a pause is one change.
    page.locator('[name="points"]').evaluate_all(TYPED, ["-10", "1"])
    expect(save).to_have_value(re.compile("pay points"))
    press(page, "[data-undo]")
    expect(save).not_to_have_value(re.compile("pay points"))
    press(page, "[data-undo]")
    expect(save).to_have_value(re.compile("ba small|dealer 1\npay"))
    expect(redo).to_be_enabled()
    expect(page.locator("[data-kept]")).not_to_be_empty()
    page.reload()
    expect(save).to_have_value(re.compile(r"2 \+14k"))
    page.locator("[data-heading]").focus()
    page.keyboard.press("Control+y")
    expect(save).to_have_value(re.compile("ba large"))
    page.keyboard.press("Control+z")
    expect(save).not_to_have_value(re.compile("ba large"))
    yaku(page, 1, "sanbon")
    expect(redo).to_be_disabled()
