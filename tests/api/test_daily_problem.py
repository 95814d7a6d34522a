"""The problem of a day over the API."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Record
from records.services import problems
from tests.api.contract import problem
from tests.people.world import sent
from tests.records import makers
from tests.records.problems import ADVANTAGE, store_some

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def address(day: object) -> str:
    return reverse("api:daily-problem", args=[day])


def test_problem_of_today_has_the_table_and_the_solution() -> None:
    sent(makers.text(1))
    record = Record.objects.get()
    (stored,) = store_some(record)
    body = Client().get(address("today")).json()
    assert body == Client().get(address(body["day"])).json()
    assert body["day"] == str(problems.today())
    assert (body["key"], body["at"]) == (record.key, f"{stored.deal}.{stored.step - 1}")
    assert (body["best"], body["advantage"], body["error"]) == (stored.best, ADVANTAGE, 0.2)
    own, other = body["seat"] - 1, 2 - body["seat"]
    assert {option["move"][0] for option in body["options"]} == {*body["hands"][own]}
    assert {*body["hands"][other]} == {"?"}
    assert body["stock"] + sum(map(len, (*body["hands"], *body["captured"], body["field"]))) == 48


@pytest.mark.parametrize(
    ("day", "query", "code", "status"),
    [
        ("2026-13-01", "", "invalid-parameter", 400),
        ("yesterday", "", "invalid-parameter", 400),
        ("today", "?ruleset=go", "invalid-parameter", 400),
        ("today", "?ruleset=hachihachi", "no-problem", 404),
        ("2020-01-01", "", "no-problem", 404),
        ("2999-01-01", "", "no-problem", 404),
    ],
)
def test_request_without_a_problem_is_refused(day: str, query: str, code: str, status: int) -> None:
    problem(Client().get(address(day) + query), code, status)
