"""The score sheet as a plain form, for browsers without scripts."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.test import Client
from pytest_django import Settings

from records.models import Record, Upload, UploadFile
from tests.people.world import do_jobs

pytestmark = pytest.mark.django_db

GAME: Final[dict[str, Any]] = {"rules": "hachihachi", "player": ["花子", "Ben", "Chie"]}


def test_page_without_scripts_leads_to_the_plain_form(client: Client) -> None:
    page = client.get("/sheets/new").content.decode()
    assert 'action="/sheets/plain"' in page and 'value="koikoi/' in page
    response = client.get("/sheets/plain", GAME)
    assert len(response.context["rows"]) == 12
    assert 'name="player"' in client.get("/sheets/plain").content.decode()


def test_faults_are_told_beside_the_month_and_no_entry_is_lost(client: Client) -> None:
    """A missing next dealer, a player's missing points, and a word that is no number."""
    months = {"kan-1-1": "4", "rest-1-1": "22", "kan-1-2": "2", "minus-1-2": "on"}
    months |= {"rest-2-1": "5", "kan-3-1": "x", "kan-3-2": "1", "save": "1"}
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    response = client.post("/sheets/plain", GAME | months)
    errors = [" ".join(row.errors) for row in response.context["rows"][:4]]
    assert "次の親（月石を置いた人）を選んでください" in errors[0]
    assert "Benの点がまだです" in errors[1] and not errors[3]
    page = response.content.decode()
    assert all(f'value="{value}"' in page for value in ("4", "22", "x"))
    assert "−3貫10点" in page and not Upload.objects.exists()


def test_months_are_saved_as_their_sheet_with_what_was_entered(
    client: Client, settings: Settings
) -> None:
    """22 points are 1 kan and 10 points, and zeros are a month in which nothing was paid."""
    months = {"kan-1-1": "4", "rest-1-1": "22", "rest-1-2": "-24", "stone-1": "2", "save": "1"}
    settings.RATES = {"uploads": (0, 60)}
    refused = client.post("/sheets/plain", GAME | months)
    assert refused.status_code == 429 and refused["Retry-After"]
    page = refused.content.decode()
    assert "Too many uploads" in page and 'value="22"' in page
    settings.RATES = {}
    assert client.get("/sheets/plain", {**GAME, **months}).status_code == 200
    assert not Upload.objects.exists()
    assert "saved" in client.post("/sheets/plain", GAME | months)["Location"]
    koikoi = {"rules": "koikoi", "player": ["A", "B"]}
    client.post("/sheets/plain", {**koikoi, "rest-1-1": "0", "rest-2-2": "5", "save": "1"})
    assert '"4k22"' in (UploadFile.objects.earliest("pk").entries or "")
    do_jobs()
    texts = Record.objects.order_by("pk").values_list("text", flat=True)
    assert "pay month 1 +5k10 2 -2k 3 -3k10\nstone 2\n" in texts[0]
    assert "month 1 dealer 1\n\nmonth 1 dealer 1\npay month 1 0 2 +5\n" in texts[1]
