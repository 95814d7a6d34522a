"""A stored sheet that is opened in the form again, and undo and redo there."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from kafu.editing.sheet_forms import LineWanted, MonthWanted, write_sheet
from records.models import Record, Visibility
from tests.people.world import sent, session, user
from tests.records.makers import ingest, text
from tests.records.pages.writing.actions import (
    ON_TELEPHONE,
    change_payment,
    choose,
    document,
    press,
    store,
    toggle_yaku,
    wait_until_kept,
)

#: Type an amount into each of some fields without a pause.
TYPE = """(fields, amounts) => amounts.forEach((amount, i) => {
    fields[i].value = amount;
    fields[i].dispatchEvent(new Event("input", { bubbles: true }));
})"""


def data_of(client: Client, record: Record) -> Any:
    """Return what the page of the form gives its module."""
    page = client.get(reverse("new-sheet"), {"record": record.key}).content.decode()
    data = re.search(r'id="sheet-data"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert data is not None
    return json.loads(unescape(data[1]))


@pytest.mark.django_db
def test_payments_and_comments_that_the_form_cannot_have_are_listed(client: Client) -> None:
    sheet = (
        document("hachihachi")
        .replace('"A"]', '"花子"]')
        .replace("pay tobikomi 1 +4k 2 -2k 3 -2k", "pay tobikomi 1 +4k 2 -3k 3 -1k ; a remark")
    )
    ingest(sheet.encode())
    for lang, month, yaku, comments in (
        ("en", "Month 3: ", "tobikomi", "Comments are left out."),
        ("ja", "3月：", "飛込", "注釈"),
    ):
        client.defaults["HTTP_ACCEPT_LANGUAGE"] = lang
        data = data_of(client, Record.objects.get())["sheet"]
        assert (data["ruleset"], data["players"], data["at"]) == (
            "hachihachi",
            ["花子", "B", "C"],
            3,
        )
        sheet_has, form_has = [line for line in data["unsaid"] if "花子" in line]
        assert all(month in line and yaku in line for line in (sheet_has, form_has))
        assert "−3" in sheet_has and "−2" in form_has
        assert comments in " ".join(data["unsaid"])


@pytest.mark.django_db
def test_private_sheet_is_opened_by_its_owner_alone(client: Client) -> None:
    owner = user("owner")
    upload = sent(document("koikoi"), owner=owner, visibility=Visibility.PRIVATE)
    record = upload.submissions.get().record
    assert record is not None
    address = f"{reverse('new-sheet')}?record={record.key}"
    assert client.get(address).status_code == 404
    assert session(user("other")).get(address).status_code == 404
    assert len(data_of(session(owner), record)["sheet"]["months"]) == 12
    editor = session(owner).get(f"{reverse('new-record')}?record={record.key}")
    assert editor["Location"] == address


@pytest.mark.django_db
def test_game_of_cards_is_not_opened_in_the_form_and_a_sheet_links_to_it(client: Client) -> None:
    cards = ingest(text(1).encode()).submissions.get().record
    assert cards is not None
    response = client.get(reverse("new-sheet"), {"record": cards.key})
    assert response["Location"] == f"{reverse('check')}?record={cards.key}"
    sheet = ingest(document("koikoi").encode()).submissions.get().record
    assert sheet is not None
    page = client.get(reverse("game", args=[sheet.key])).content.decode()
    assert f'href="{reverse("new-sheet")}?record={sheet.key}"' in page


@pytest.mark.long_only  # the score keeper corrects a stored sheet
@ON_TELEPHONE
def test_stored_sheet_is_opened_as_it_was_and_every_change_is_undone_and_redone(
    page: Page,
) -> None:
    months = [
        MonthWanted(ba="large", lines=[LineWanted(3, "sanbon"), LineWanted(2, "akatan")]),
        MonthWanted(ba="large", lines=[LineWanted(1, "aka"), LineWanted(3, "inoshikacho")]),
    ]
    written = write_sheet("hachihachi", ("A", "B", "C"), {}, months, tags={"Round": "7"}).text
    sheet = written.replace('[Sheet "1"]', '[Annotator "X"]\n[Sheet "1"]')
    page.goto(f"/sheets/new?record={store(page, sheet)}")
    save = page.locator("[data-save]")
    undo, redo = page.locator("[data-undo]"), page.locator("[data-redo]")
    expect(save).to_have_value(written)
    expect(page.locator("[data-unsaid] li")).to_have_text(re.compile("Annotator"))
    expect(undo).to_be_disabled()

    texts = [save.input_value()]

    def expect_change(pattern: str) -> None:
        expect(save).to_have_value(re.compile(pattern))
        texts.append(save.input_value())

    press(page, '.paper th [data-at="2"]')
    expect(page.locator('.paper th [data-at="2"]')).to_have_attribute("aria-current", "true")
    toggle_yaku(page, 2, "aotan")
    expect_change(r"pay aotan 1 -14k 2 \+28k 3 -14k")
    change_payment(page, 2, "half", "yes")
    expect_change(r"pay aotan 1 -7k 2 \+14k 3 -7k")
    choose(page, "ba", "small")
    expect_change(r"pay aotan 1 -3k6 2 \+7k 3 -3k6")
    page.locator('[name="points"][data-part="rest"]').evaluate_all(TYPE, ["-10", "1"])  # one change
    expect_change(r"month 2(.*\n)*pay points")

    press(page, "[data-undo]")
    expect(save).to_have_value(texts[-2])
    press(page, "[data-undo]")
    expect(save).to_have_value(texts[-3])
    expect(redo).to_be_enabled()
    wait_until_kept(page)
    page.reload()
    expect(save).to_have_value(texts[-3])
    page.locator("[data-heading]").focus()
    page.keyboard.press("Control+y")
    expect(save).to_have_value(texts[-2])
    for before in texts[-3::-1]:
        page.keyboard.press("Control+z")
        expect(save).to_have_value(before)
    toggle_yaku(page, 1, "sanbon")
    expect(redo).to_be_disabled()
