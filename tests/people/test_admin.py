"""The admin: access and its actions."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people.models import PlayerRequest, Token
from people.tokens import create_token
from records.models import Player, Record, Upload, Visibility
from records.services.pseudonyms import set_pseudonym
from tests.people.mail import sent as mails
from tests.people.world import PASSWORD, sent, session, token, user
from tests.records.makers import text, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

MODELS = [model._meta.label_lower for model in admin.site._registry]


@pytest.fixture
def staff() -> Client:
    """Return a browser in which staff is logged in."""
    return session(user("staff", staff=True))


def list_of(label: str) -> str:
    """Return the address of a model's list."""
    return reverse(f"admin:{label.replace('.', '_')}_changelist")


def act(browser: Client, label: str, action: str, *rows: Any) -> Any:
    """Run an action of a list on some rows."""
    fields = {"action": action, "_selected_action": [row.pk for row in rows]}
    return browser.post(list_of(label), fields, follow=True)


def test_visitor_of_the_admin_is_led_to_the_login_of_the_site() -> None:
    user("staff", staff=True)
    browser = Client()
    response = browser.get(reverse("admin:index"), follow=True)
    assert (
        response.redirect_chain[-1][0]
        == f"{reverse('account_login')}?next={reverse('admin:index')}"
    )
    fields = {"login": "staff", "password": PASSWORD, "next": reverse("admin:index")}
    assert browser.post(reverse("admin:login"), fields).status_code == 302
    # The admin's log-in form logs nobody in.
    assert browser.get(reverse("admin:index")).status_code == 302
    assert browser.post(reverse("account_login"), fields)["Location"] == reverse("admin:index")
    assert browser.get(reverse("admin:index")).status_code == 200
    change = browser.get(reverse("admin:password_change"))
    assert change["Location"] == reverse("account_change_password")


def test_user_outside_the_staff_is_told_so_without_a_redirect_loop() -> None:
    page = session(user("aya")).get(reverse("admin:index"), follow=True)
    assert page.status_code == 200
    assert page.redirect_chain[-1][0] == reverse("me")
    assert "This page is for staff only." in page.content.decode()


def test_account_is_closed_instead_of_deleted(staff: Client) -> None:
    aya, ben = user("aya"), user("ben")
    sent(text(1), owner=aya)
    sent(text(2), owner=ben)
    assert staff.post(reverse("admin:auth_user_delete", args=[aya.pk])).status_code == 403
    act(staff, "auth.user", "close", aya)
    act(staff, "auth.user", "close_and_withdraw", ben)
    assert get_user_model().objects.filter(is_active=False).count() == 2
    work_all()
    assert list(get_user_model().objects.values_list("username", flat=True)) == ["staff"]
    levels = list(Record.objects.order_by("pk").values_list("visibility", flat=True))
    assert levels == [Visibility.PUBLIC, Visibility.WITHDRAWN]


def test_account_of_the_staff_is_not_closed(staff: Client) -> None:
    page = act(staff, "auth.user", "close", get_user_model().objects.get())
    assert "remove that status first" in page.content.decode()
    assert get_user_model().objects.get().is_active


def test_password_set_by_the_staff_revokes_tokens(staff: Client) -> None:
    aya = user("aya")
    program, browser = token(aya, "read"), session(aya)
    new = {"password1": "another of seven slips", "password2": "another of seven slips"}
    address = reverse("admin:auth_user_password_change", args=[aya.pk])
    assert staff.post(address, new | {"usable_password": "true"}).status_code == 302
    assert Client().get(reverse("api:me"), headers=program).status_code == 401
    assert browser.get(reverse("me")).status_code == 302
    assert mails() == []


def test_upload_is_taken_down_with_its_games(staff: Client) -> None:
    upload = sent(text(1), text(2), owner=user("aya"))
    act(staff, "records.upload", "withdraw", upload)
    assert Upload.objects.get().visibility == Visibility.WITHDRAWN
    work_all()
    assert set(Record.objects.values_list("visibility", flat=True)) == {Visibility.WITHDRAWN}


def test_too_many_games_are_not_taken_down_in_one_request(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent(text(1), text(2))
    monkeypatch.setattr("people.admin.MAX_GAMES", 1)
    page = act(staff, "records.record", "withdraw", *Record.objects.all())
    assert "At most 1 games at once" in page.content.decode()
    act(staff, "records.record", "withdraw", Record.objects.order_by("pk")[0])
    levels = list(Record.objects.order_by("pk").values_list("visibility", flat=True))
    assert levels == [Visibility.WITHDRAWN, Visibility.PUBLIC]


def test_real_name_is_shown_only_where_it_is_needed(staff: Client) -> None:
    sent(text(1), owner=user("aya"))
    player = Player.objects.order_by("pk")[0]
    real = player.name
    player_request = PlayerRequest.objects.create(
        owner=get_user_model().objects.get(username="aya"),
        kind="pseudonym",
        player=real,
        pseudonym="Nobody",
    )
    set_pseudonym(player, "Nobody")
    address = reverse("admin:people_playerrequest_change", args=[player_request.pk])
    fields = {"player": real, "pseudonym": "Nobody", "words": "", "state": "done", "answer": ""}
    assert staff.post(address, fields).status_code == 302
    assert real not in str(LogEntry.objects.get())
    labels = {label for label in MODELS if real in staff.get(list_of(label)).content.decode()}
    assert labels == {"people.playerrequest", "records.player"}
    assert real not in staff.get(reverse("admin:index")).content.decode()


def test_token_is_revoked_by_the_staff(staff: Client) -> None:
    create_token(owner=user("aya"), name="t", scopes=["read"])
    act(staff, "people.token", "revoke", Token.objects.get())
    assert not Token.objects.get().is_valid
