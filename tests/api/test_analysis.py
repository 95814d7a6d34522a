"""The analysis of a game over the API."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from records.models import Record
from tests.api.contract import problem
from tests.people.world import sent, token, user
from tests.records.makers import UNSUPPORTED as SHEET
from tests.records.makers import work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


@pytest.fixture(autouse=True)
def few_deals(settings: LazySettings) -> None:
    settings.ANALYSIS_DEALS = 2


def make_address(text: str) -> str:
    """Store a game; return the address of its analysis."""
    sent(text)
    return reverse("api:record-analysis", args=[Record.objects.get().key])


def make_game() -> str:
    """Return a koi-koi game of a month that ends after four turns."""
    return write(simulate("koikoi", seed=229, options={"months": "1"}))


def test_analysis_is_requested_followed_and_read() -> None:
    address, caller = make_address(make_game()), token(user("aya"), "upload")
    assert Client().get(address).json()["state"] == "none"
    requested = Client().post(address, headers=caller)
    assert requested.status_code == 202
    assert requested.json() | {"engine": ""} == {
        **{"state": "waiting", "progress": 0, "total": None},
        **{"engine": "", "made": None, "analysis": None},
    }
    work_all()
    body = Client().get(address).json()
    assert body["state"] == "done" and body["progress"] == body["total"]
    assert body["analysis"]["ruleset"] == "koikoi" and len(body["analysis"]["seats"]) == 2
    option = body["analysis"]["choices"][0]["options"][0]
    assert 0 <= option["chance"]["value"] <= 1 and option["chance"]["error"] >= 0
    again = Client().post(address, headers=caller)
    assert again.status_code == 200 and again.json() == body


def test_request_with_a_token_needs_the_scope_upload() -> None:
    address = make_address(make_game())
    problem(Client().post(address, headers=token(user("aya"), "read")), "scope-missing", 403)


def test_score_sheet_has_no_analysis() -> None:
    address = make_address(SHEET)
    problem(Client().get(address), "no-analysis", 404)
    problem(Client().post(address, headers=token(user("aya"), "upload")), "no-analysis", 404)


def test_requests_have_a_rate_limit_of_their_own(settings: LazySettings) -> None:
    """Reading stays possible when the limit is reached."""
    settings.RATES = settings.RATES | {"analysis": (1, 3600)}
    address, caller = make_address(make_game()), token(user("aya"), "upload", "read")
    assert Client().post(address, headers=caller).status_code == 202
    problem(Client().post(address, headers=caller), "too-many-requests", 429)
    assert Client().get(address, headers=caller).status_code == 200
