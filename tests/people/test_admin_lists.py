"""The admin's lists and forms in an archive of many rows."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import PlayerRequest
from people.tokens import create_token
from tests.people.test_admin import MODELS, list_of
from tests.people.world import sent, session, user
from tests.records.makers import text

pytestmark = pytest.mark.django_db


def create_rows(first: int, last: int) -> None:
    """Create rows of every model in the admin."""
    for number in range(first, last):
        name = f"user{number}"
        owner = get_user_model().objects.create(username=name)
        create_token(owner=owner, name="t", scopes=["read"])
        PlayerRequest.objects.create(owner=owner, kind="opt-out", player=name)
        sent(text(number), owner=owner)


@pytest.fixture(scope="module")
def browser(rows_for_all: None) -> Client:
    """Return a browser in which staff is logged in."""
    return session(user("staff", staff=True))


@pytest.fixture(scope="module")
def lists(browser: Client) -> dict[str, list[int]]:
    """Return the number of queries of each list, with few rows and with many rows."""
    browser.get(reverse("admin:index"))  # notes the session
    counts: dict[str, list[int]] = {label: [] for label in MODELS}
    for first, last in ((1, 3), (3, 6)):
        create_rows(first, last)
        for label, query_counts in counts.items():
            with CaptureQueriesContext(connection) as queries:
                page = browser.get(list_of(label))
            assert page.status_code == 200
            assert "no-store" in page["Cache-Control"]
            query_counts.append(len(queries))
    return counts


def test_list_of_many_rows_makes_as_many_queries_as_one_of_few(
    lists: dict[str, list[int]],
) -> None:
    for label, (few, many) in lists.items():
        assert few == many < 15, label


def test_form_offers_no_choice_of_all_rows(browser: Client, lists: dict[str, list[int]]) -> None:
    for model in admin.site._registry:
        label = model._meta.label_lower
        row = model._default_manager.order_by("pk").last()
        if label not in lists or row is None:
            continue
        page = browser.get(reverse(f"admin:{label.replace('.', '_')}_change", args=[row.pk]))
        assert page.status_code == 200, label
        body = page.content.decode()
        assert not any(f">user{number}</option>" in body for number in range(1, 8)), label
