"""No number of accounts keeps other accounts from the analysis of games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import part
from records.jobs.ledger import give_up, hold, put_off, take
from records.models import Job, Record
from records.services import analyses
from tests.api.contract import problem
from tests.people.world import sent, session, token, user
from tests.records.makers import work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

ATTACKER, ELSEWHERE = "203.0.113.1", "203.0.113.2"
GAMES = 8


@pytest.fixture(scope="module")
def keys(rows_for_all: None) -> list[str]:
    """Return the keys of games that can be analysed."""
    sent(*(write(simulate("koikoi", seed=n, options={"months": "1"})) for n in range(GAMES)))
    return list(Record.objects.order_by("pk").values_list("key", flat=True))


def account(name: str, *, days: int = 0) -> Any:
    """Make an account that registered some days ago."""
    owner = user(name)
    owner.date_joined = timezone.now() - timedelta(days=days)
    owner.save()
    return owner


def request(owner: Any, key: str, address: str = ATTACKER) -> Any:
    """Request the analysis of a game over the API."""
    url = reverse("api:record-analysis", args=[key])
    return Client(REMOTE_ADDR=address).post(url, headers=token(owner, "upload"))


def attack(keys: list[str]) -> int:
    """Request as much as two new accounts can. Return the number of waiting games."""
    for number in range(2):
        owner = account(f"new{number}")
        statuses = [request(owner, key).status_code for key in keys[:6]]
        assert set(statuses) <= {202, 429}
    return Job.objects.filter(kind=analyses.ANALYSIS).count()


def claims(count: int) -> list[str]:
    """Let a worker take jobs. Return the keys of their games in order."""
    order = []
    for _ in range(count):
        job = take()
        assert job is not None
        order.append(job.subject)
        put_off(hold(job))
    return order


@pytest.mark.parametrize(("days", "address"), part([(8, ATTACKER), (0, ELSEWHERE)]))
def test_many_new_accounts_of_one_address_leave_turns_to_another_account(
    keys: list[str], days: int, address: str
) -> None:
    assert attack(keys) == 5
    other_account = account("other", days=days)
    assert request(other_account, keys[-1], address).status_code == 202
    order = claims(12)
    assert order.index(keys[-1]) <= 2
    assert order.count(keys[-1]) >= 5, "new accounts of one address have one turn together"


def test_games_of_an_account_wait_up_to_a_number(keys: list[str]) -> None:
    owner = account("aya", days=30)
    statuses = [request(owner, key, f"203.0.113.{n}").status_code for n, key in enumerate(keys)]
    assert statuses == [202] * 5 + [429] * (GAMES - 5)
    refused = request(owner, keys[-1])
    body = problem(refused, "too-many-analyses", 429)
    assert body["limit"] == 5 and int(refused["Retry-After"]) > 0
    assert "5 games waiting" in body["detail"]
    assert request(owner, keys[0]).status_code == 202, "this one waits already"


def test_one_game_of_an_address_waits_without_an_account(keys: list[str]) -> None:
    first, second = (reverse("api:record-analysis", args=[key]) for key in keys[:2])
    stranger = Client(REMOTE_ADDR=ATTACKER)
    assert stranger.post(first).status_code == 202
    body = problem(stranger.post(second), "too-many-analyses", 429)
    assert body["limit"] == 1 and "log in" in body["detail"]
    assert Client(REMOTE_ADDR=ELSEWHERE).post(second).status_code == 202
    (params, _) = Job.objects.filter(kind=analyses.ANALYSIS).values_list("params", flat=True)
    assert params.keys() == {"sender"} and ATTACKER not in str(params)


def test_new_account_with_many_addresses_has_one_number(keys: list[str]) -> None:
    owner = account("aya")
    statuses = [request(owner, key, f"203.0.113.{n}").status_code for n, key in enumerate(keys)]
    assert statuses.count(202) == 5


def test_page_says_that_games_of_the_account_wait(keys: list[str], settings: LazySettings) -> None:
    settings.ANALYSES_WAITING = 1
    browser = session(account("aya", days=30))
    first, second = (reverse("analysis", args=[key]) for key in keys[:2])
    assert browser.post(first).status_code == 302
    refused = browser.post(second)
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert "1 games waiting to be analysed" in refused.content.decode()


def test_job_forgets_who_requested_it_when_it_is_over(
    keys: list[str], settings: LazySettings
) -> None:
    settings.ANALYSIS_DEALS = 2
    for key in keys[:2]:
        assert request(account(key[:9]), key).status_code == 202
    finished, given_up = Job.objects.filter(kind=analyses.ANALYSIS).order_by("pk")
    assert finished.params.keys() == {"account", "sender"} and ATTACKER not in str(finished.params)
    give_up(given_up.pk, "by a test")
    work_all()
    analyses.tidy()
    for job in (finished, given_up):
        job.refresh_from_db()
        assert job.params == {}
    assert finished.state == Job.State.DONE
    again = account("again")
    assert request(again, given_up.subject).status_code == 202
    given_up.refresh_from_db()
    assert given_up.params["account"] == again.pk
