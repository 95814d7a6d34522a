"""Accounts: registration, login, logout, and rate limits."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from lengths import part
from records.models import Record, Upload, Visibility
from tests.markup import join_lines
from tests.people import world
from tests.people.world import PASSWORD, reauthenticate, session, user
from tests.records.makers import illegal, text, work_all

pytestmark = pytest.mark.django_db(transaction=True)


def test_account_is_registered_used_and_deleted() -> None:
    browser = Client()
    fields = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    assert browser.post(reverse("account_signup"), fields)["Location"] == reverse("me")
    browser.post(reverse("upload"), {"text": text(1), "visibility": "private"})
    upload = Upload.objects.get()
    assert upload.owner is not None
    assert (upload.owner.username, upload.visibility) == ("aya", Visibility.PRIVATE)
    assert upload.key in browser.get(reverse("my_uploads")).content.decode()
    browser.post(reverse("account_logout"))
    assert browser.get(reverse("me")).status_code == 302
    browser.post(reverse("account_login"), {"login": "aya", "password": PASSWORD})
    assert browser.get(reverse("me")).status_code == 200
    reauthenticate(browser)
    assert browser.post(reverse("delete_account"), {}).status_code == 200
    closed_page = browser.post(reverse("delete_account"), {"games": "leave"}, follow=True)
    assert "Your account is deleted" in closed_page.content.decode()
    work_all()
    assert not get_user_model().objects.exists()
    assert Client().get(reverse("report", args=[upload.key])).status_code == 404


def test_own_games_and_uploads_are_listed_with_their_verdicts() -> None:
    aya = user("aya")
    dated = text(1).replace("\n\n", '\n[Date "2025-03-02"]\n\n', 1)
    good, bad = (
        world.sent(dated, owner=aya),
        world.sent(text(2), illegal(3), "[Kafu broken", owner=aya),
    )
    browser = session(aya)
    page = join_lines(browser.get(reverse("my_uploads")).content.decode())
    report = reverse("report", args=[bad.key])
    assert re.search(rf'href="{report}#faults">2 games with a problem<', page)
    assert f"{reverse('report', args=[good.key])}#faults" not in page
    page = join_lines(browser.get(reverse("me")).content.decode())
    seats = Record.objects.get(date="2025-03-02").seats.order_by("number")
    card = page.partition("2 March 2025")[0].rpartition('class="whole"')[2]
    assert re.findall(r'<b class="sums">(.*?)</b>', card) == [str(seat.final) for seat in seats]
    winners = re.findall(r'<bdi>(\w+)</bdi> <span class="winner"', card)
    assert winners == [seat.name for seat in seats if seat.rank == 1]
    assert "2 March 2025" in page and "illegal" in page


@pytest.mark.parametrize("password", ["short", "1234567890123", "passwordpassword", "aya-aya-aya"])
def test_weak_password_is_refused(password: str) -> None:
    fields = {"username": "aya-aya-aya", "password1": password, "password2": password}
    page = Client().post(reverse("account_signup"), fields)
    assert (page.status_code == 200) == (password != "passwordpassword")


@pytest.mark.parametrize(
    "name",
    part(
        ["account_signup", "account_reset_password", "account_email", "account_reauthenticate"],
        one_of=4,
    ),
)
def test_form_sent_many_times_is_limited(name: str) -> None:
    browser = (
        session(user("aya")) if name in ("account_reauthenticate", "account_email") else Client()
    )
    statuses = [browser.post(reverse(name), {}).status_code for _ in range(21)]
    assert statuses[0] in (200, 302)
    assert statuses[-1] == 429


def test_uploads_of_a_page_are_limited(settings: Any) -> None:
    settings.RATES = settings.RATES | {"uploads": (1, 60)}
    statuses = [Client().post(reverse("upload"), {"text": "x"}).status_code for _ in range(2)]
    assert statuses == [302, 429]
