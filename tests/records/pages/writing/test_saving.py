"""Saving in the editor and in the score-sheet form leads to the game, which can be corrected.

In a browser: test_scenarios.py.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Record, Upload, Visibility
from tests.markup import join_lines
from tests.people.world import do_jobs, sent, session, user
from tests.records import makers
from tests.records.pages.writing.actions import document

pytestmark = pytest.mark.django_db


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


def test_unreadable_game_is_shown_with_its_fault_and_the_way_back(client: Client) -> None:
    address = post(client, makers.MALFORMED)
    do_jobs()
    page = client.get(address).content.decode()
    assert 'class="line fault"' in page and "Nothing is lost" in page
    assert f"/check/?upload={Upload.objects.get().key}" in page
    assert "data-back" in page and "data-game" not in page


def test_several_games_and_other_viewers_get_the_upload_report(client: Client) -> None:
    several = post(client, makers.joined(makers.text(1), makers.text(2)).decode())
    do_jobs()
    assert "Withdraw all games" in client.get(several).content.decode()
    post(client, makers.text(3))
    do_jobs()
    other = reverse("report", args=[Upload.objects.latest("pk").key])
    assert "Upload report" in client.get(f"{other}?saved").content.decode()


def test_change_of_a_saved_game_returns_to_its_page(client: Client) -> None:
    address = post(client, makers.text(1))
    do_jobs()
    upload = Upload.objects.get()
    secret = address.split("/")[-2]
    change = reverse("change_upload", args=[upload.key])
    fields = {"secret": secret, "saved": "1"}
    assert client.post(change, fields | {"visibility": "unlisted"})["Location"] == address
    confirmation = client.post(change, fields | {"withdraw": "1"}).content.decode()
    assert f'href="{address}"' in confirmation
    assert '<input type="hidden" name="saved" value="1">' in confirmation


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


@pytest.mark.parametrize("name", ["new-record", "new-sheet"])
def test_draft_of_a_correction_is_opened_after_its_game_is_gone(client: Client, name: str) -> None:
    address = f"{reverse(name)}?record=gone"
    assert client.get(address).status_code == 404
    page = client.get(f"{address}&draft=a").content.decode()
    assert "data-send" in page and 'name="replaces"' not in page


def test_form_corrects_the_sheet_of_its_owner(client: Client) -> None:
    owner = user("owner")
    upload = sent(document("koikoi"), owner=owner, visibility=Visibility.UNLISTED)
    record = upload.submissions.get().record
    assert record is not None
    query = {"record": record.key}
    page = join_lines(session(owner).get(reverse("new-sheet"), query).content.decode())
    replaces = f'name="replaces" value="{record.key}" checked'
    assert replaces in page and "data-sent" not in page
    assert '<option value="unlisted" selected>' in page
    for stranger in (client, session(user("other"))):
        assert "data-sent" not in stranger.get(reverse("new-sheet"), query).content.decode()
    # A sheet sent without an account is replaced by the secret stored in the sender's browser.
    sent(document("koikoi"))
    page = client.get(reverse("new-sheet"), query).content.decode()
    assert f'data-sent="{record.key}" disabled hidden' in page
