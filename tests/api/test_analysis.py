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

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def few_deals(settings: LazySettings) -> None:
    settings.ANALYSIS_DEALS = 2


def _address(text: str) -> str:
    sent(text)
    return reverse("api:record-analysis", args=[Record.objects.get().key])


def _koikoi() -> str:
    return write(simulate("koikoi", seed=4, options={"months": "1"}))


def test_it_is_requested_followed_and_read() -> None:
    address, caller = _address(_koikoi()), token(user("aya"), "upload")
    assert Client().get(address).json()["state"] == "none"
    begun = Client().post(address, headers=caller)
    assert begun.status_code == 202
    assert begun.json() | {"engine": ""} == {
        **{"state": "waiting", "progress": 0, "total": None},
        **{"engine": "", "made": None, "analysis": None},
    }
    work_all()
    found = Client().get(address).json()
    assert found["state"] == "done" and found["progress"] == found["total"]
    assert found["analysis"]["ruleset"] == "koikoi" and len(found["analysis"]["seats"]) == 2
    option = found["analysis"]["choices"][0]["options"][0]
    assert 0 <= option["chance"]["value"] <= 1 and option["chance"]["error"] >= 0
    again = Client().post(address, headers=caller)
    assert again.status_code == 200 and again.json() == found


def test_work_is_for_accounts_that_may_upload() -> None:
    address = _address(_koikoi())
    problem(Client().post(address), "not-signed-in", 401)
    problem(Client().post(address, headers=token(user("aya"), "read")), "scope-missing", 403)


def test_a_sheet_has_none() -> None:
    address = _address(SHEET)
    problem(Client().get(address), "no-analysis", 404)
    problem(Client().post(address, headers=token(user("aya"), "upload")), "no-analysis", 404)


def test_requests_for_work_are_limited(settings: LazySettings) -> None:
    """By a limit of their own: reading goes on."""
    settings.RATES = settings.RATES | {"analysis": (1, 3600)}
    address, caller = _address(_koikoi()), token(user("aya"), "upload", "read")
    assert Client().post(address, headers=caller).status_code == 202
    problem(Client().post(address, headers=caller), "too-many-requests", 429)
    assert Client().get(address, headers=caller).status_code == 200
