"""Saving in the editor and in the score-sheet form leads to the game, which can be corrected."""

from __future__ import annotations

import re
from secrets import token_hex

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from lengths import LONG
from records.models import Record, Upload, Visibility
from tests.people.world import do_jobs, sent, session, user
from tests.records import makers
from tests.records.pages.accounts import sign_up
from tests.records.pages.kinds import fits
from tests.records.pages.test_axe import violations
from tests.records.pages.writing.actions import (
    ON_TELEPHONE,
    begin_game,
    begin_sheet,
    document,
    expect_status,
    save_game,
    short_game,
    toggle_yaku,
    unfold,
)

#: The largest part of a telephone's height that the bar with the save button may take.
BAR_SHARE = 0.12


def expect_save_in_reach(page: Page) -> None:
    """Check that the save button is in the window, in a bar of a bounded height."""
    assert page.viewport_size is not None
    height = page.viewport_size["height"]
    expect(page.locator("[data-send]")).to_be_in_viewport(ratio=1)
    bar = page.locator(".keep").bounding_box()
    assert bar is not None and bar["height"] <= BAR_SHARE * height
    assert fits(page)


def expect_saved(page: Page) -> None:
    """Check what the page of a game offers after saving."""
    own = page.locator("[data-own]")
    expect(own.locator("[role=status]").first).to_have_text(re.compile("Saved|保存しました"))
    expect(own.locator("[data-share]")).to_be_visible()
    assert "saved" not in page.url
    assert fits(page)
    assert violations(own, contrast=LONG) == []


# In a browser ---------------------------------------------------------------------------------


@ON_TELEPHONE
def test_saved_game_is_shown_and_corrected_later_by_the_secret_of_the_browser(page: Page) -> None:
    begin_game(page, "koikoi", "Aya", "Ben")
    page.locator("[data-random]").click()
    expect(page.locator("[data-send]")).to_be_enabled()
    expect_save_in_reach(page)
    former = save_game(page)
    expect_saved(page)
    expect(page.locator("kafu-replay .replay.live")).to_be_visible()
    page.goto("/records/new")
    expect(page.locator("[data-setup]")).to_be_visible()
    expect(page.locator("[data-drafts]")).to_be_hidden()

    page.goto(f"/games/{former}/")
    page.locator("[data-own] a[href*='/records/new?record=']").click()
    expect_status(page, "unfinished")
    unfold(page)
    page.locator("[data-text]").fill(short_game(12))
    expect_status(page, "verified")
    expect(page.locator("[data-kept]")).not_to_be_empty()
    page.reload()
    expect(page.locator("[data-text]")).to_have_value(short_game(12))
    expect(page.locator("[name=replaces]")).to_be_checked()
    expect_save_in_reach(page)
    corrected = save_game(page)
    assert corrected != former
    assert page.request.get(f"/games/{former}/").url.endswith(f"/games/{corrected}/")


@ON_TELEPHONE
def test_saved_sheet_is_shown_and_added_to_an_account(page: Page, site: str) -> None:
    begin_sheet(page, "koikoi", "Aya", "Ben")
    toggle_yaku(page, 2, "akatan")
    expect(page.locator("[data-send]")).to_be_enabled()
    expect_save_in_reach(page)
    key = save_game(page)
    expect_saved(page)
    expect(page.locator(".score").first).to_be_visible()
    expect(page.locator("[data-own] a[href*='/sheets/new?record=']")).to_be_visible()
    expect(page.locator(f"[data-own] a[href$='?next=/games/{key}/']")).to_be_visible()

    sign_up(page.context, site, f"saver-{token_hex(4)}")
    page.reload()
    page.locator("[data-claim]").click()
    expect(page.locator(".facts a[href^='/me/']").first).to_be_visible()
    expect(page.locator("[data-own]")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('hana-sent')") == "[]"


# Without a browser ----------------------------------------------------------------------------


def post(client: Client, text: str) -> str:
    """Save a game as the pages do, and return the address of its report."""
    response = client.post(reverse("upload"), {"text": text, "saved": "1"})
    assert response["Location"].endswith("?saved")
    return response["Location"]


def has_hidden_own(page: str) -> bool:
    """Return whether the part of a game's page for its sender is hidden."""
    part = re.search(r"<section[^>]* data-own=[^>]*>", page)
    assert part is not None
    return " hidden" in part[0]


@pytest.mark.django_db
def test_report_of_a_saved_game_follows_it_and_leads_to_it(client: Client) -> None:
    address = post(client, makers.text(1))
    waiting = client.get(address).content.decode()
    assert 'data-now="waiting"' in waiting and 'http-equiv="refresh"' in waiting
    assert "It is being saved" in waiting and "data-game" not in waiting
    do_jobs()
    page = client.get(address).content.decode()
    game = reverse("game", args=[Record.objects.get().key])
    assert f'href="{game}?saved"' in page
    for text in ("Upload report", "paste.kafu", "Withdraw all games", "report.csv"):
        assert text not in page
    assert "Withdraw the game" in page


@pytest.mark.django_db
def test_unreadable_game_is_shown_with_its_fault_and_the_way_back(client: Client) -> None:
    address = post(client, makers.MALFORMED)
    do_jobs()
    page = client.get(address).content.decode()
    assert 'class="line fault"' in page and "Nothing is lost" in page
    assert f"/check/?upload={Upload.objects.get().key}" in page
    assert "data-back" in page and "data-game" not in page


@pytest.mark.django_db
def test_several_games_and_other_viewers_get_the_upload_report(client: Client) -> None:
    several = post(client, makers.joined(makers.text(1), makers.text(2)).decode())
    do_jobs()
    assert "Withdraw all games" in client.get(several).content.decode()
    post(client, makers.text(3))
    do_jobs()
    other = reverse("report", args=[Upload.objects.latest("pk").key])
    assert "Upload report" in client.get(f"{other}?saved").content.decode()


@pytest.mark.django_db
def test_change_of_a_saved_game_returns_to_its_page(client: Client) -> None:
    address = post(client, makers.text(1))
    do_jobs()
    upload = Upload.objects.get()
    words = address.split("/")[-2]
    change = reverse("change_upload", args=[upload.key])
    fields = {"words": words, "saved": "1"}
    assert client.post(change, fields | {"visibility": "unlisted"})["Location"] == address
    confirmation = client.post(change, fields | {"withdraw": "1"}).content.decode()
    assert f'href="{address}"' in confirmation
    assert '<input type="hidden" name="saved" value="1">' in confirmation


@pytest.mark.django_db
def test_part_for_the_sender_is_hidden_from_others(client: Client) -> None:
    owner = user("owner")
    upload = sent(document("koikoi"), owner=owner, visibility=Visibility.UNLISTED)
    record = upload.submissions.get().record
    assert record is not None
    address = f"{reverse('game', args=[record.key])}?saved"
    assert has_hidden_own(client.get(address).content.decode())
    assert has_hidden_own(session(user("other")).get(address).content.decode())
    page = session(owner).get(address).content.decode()
    assert not has_hidden_own(page)
    assert reverse("my_game", args=[record.key]) in page
    assert has_hidden_own(session(owner).get(address.removesuffix("?saved")).content.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["new-record", "new-sheet"])
def test_draft_of_a_correction_is_opened_after_its_game_is_gone(client: Client, name: str) -> None:
    address = f"{reverse(name)}?record=gone"
    assert client.get(address).status_code == 404
    page = client.get(f"{address}&draft=a").content.decode()
    assert "data-send" in page and 'name="replaces"' not in page


@pytest.mark.django_db
def test_form_corrects_the_sheet_of_its_owner(client: Client) -> None:
    owner = user("owner")
    upload = sent(document("koikoi"), owner=owner, visibility=Visibility.UNLISTED)
    record = upload.submissions.get().record
    assert record is not None
    query = {"record": record.key}
    page = session(owner).get(reverse("new-sheet"), query).content.decode()
    replaces = f'name="replaces" value="{record.key}" checked'
    assert replaces in page and "data-sent" not in page
    assert '<option value="unlisted" selected>' in page
    for stranger in (client, session(user("other"))):
        assert "data-sent" not in stranger.get(reverse("new-sheet"), query).content.decode()
    # A sheet sent without an account is replaced with the secret that the sender's browser keeps.
    sent(document("koikoi"))
    page = client.get(reverse("new-sheet"), query).content.decode()
    assert f'data-sent="{record.key}" disabled hidden' in page
