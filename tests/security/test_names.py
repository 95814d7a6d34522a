"""User names that look like another account's, like the archive's, or are invisible."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people import names
from people.accounts import lifecycle
from people.models import NameSkeleton
from records.base.lookalikes import skeletons
from tests.people.world import PASSWORD, reauthenticate, session, user

pytestmark = pytest.mark.django_db
#: "ace" in Cyrillic letters alone.
CYRILLIC_ACE = "\u0430\u0441\u0435"


def register(name: str) -> Any:
    """Post the form for a new account."""
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client().post(reverse("account_signup"), form)


def is_registered(name: str) -> bool:
    """Try to register, and return whether the account exists."""
    response = register(name)
    assert response.status_code in (200, 302)
    return bool(get_user_model().objects.filter(username=name).exists())


@pytest.mark.parametrize(
    "name",
    ["\u0430lice", "p\u0430ypal", "aya\u05d0", "ivan-\u0438\u0432\u0430\u043d", "\u0391lice"],
)
def test_name_of_mixed_scripts_is_refused(name: str) -> None:
    assert not is_registered(name)


@pytest.mark.parametrize("name", ["..", "_", "-", "@+", "\u3164", "aya\u115f"])
def test_name_without_visible_letters_is_refused(name: str) -> None:
    assert not is_registered(name)


@pytest.mark.parametrize("name", ["admin", "Admin", "ROOT", "Staff", "管理者", "運営", "аdmin"])
def test_reserved_name_is_refused(name: str) -> None:
    assert not is_registered(name)


@pytest.mark.parametrize(
    ("name", "lookalike"),
    [
        ("ace", CYRILLIC_ACE),
        ("liam", "Iiam"),
        ("hanako", "hanak0"),
        ("タロウ", "夕ロウ"),
        ("Ace", CYRILLIC_ACE.upper()),
    ],
)
def test_name_that_looks_like_another_is_refused(name: str, lookalike: str) -> None:
    assert is_registered(name)
    assert not is_registered(lookalike)
    assert "looks too much like" in register(lookalike).content.decode()


@pytest.mark.parametrize(
    "name",
    ["花子", "はなこHanako", "カルタ・".rstrip("・"), "山田taro", "иван", "김철수", "aya.b-2"],
)
def test_name_of_one_script_or_japanese_is_accepted(name: str) -> None:
    assert is_registered(name)


def test_name_is_free_when_its_account_is_closed() -> None:
    assert is_registered("ace")
    owner = get_user_model().objects.get(username="ace")
    lifecycle.close(owner, withdraw=True)
    assert is_registered(CYRILLIC_ACE)


def test_name_in_the_admin_is_checked(db: None) -> None:
    user("ace")
    browser = session(user("chief", staff=True))
    reauthenticate(browser)
    form = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    for name in (CYRILLIC_ACE, "admin", ".."):
        browser.post(reverse("admin:auth_user_add"), form | {"username": name})
        assert not get_user_model().objects.filter(username=name).exists()
    browser.post(reverse("admin:auth_user_add"), form | {"username": "hanako"})
    hanako: Any = get_user_model().objects.get(username="hanako")
    change = reverse("admin:auth_user_change", args=[hanako.pk])
    when = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    browser.post(change, when | {"username": CYRILLIC_ACE})
    hanako.refresh_from_db()
    assert hanako.username == "hanako"
    browser.post(change, when | {"username": "hanako2", "is_active": "on"})
    hanako.refresh_from_db()
    assert hanako.username == "hanako2"


def test_account_with_such_a_name_keeps_working() -> None:
    """Operators may have made the account, or the account is older than the check."""
    user("ace")
    lookalike = user(CYRILLIC_ACE)
    form = {"login": CYRILLIC_ACE, "password": PASSWORD}
    assert Client().post(reverse("account_login"), form)["Location"] == reverse("me")
    lookalike.set_password("another hand of slips")
    lookalike.save()
    staff = session(user("chief", staff=True))
    when = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    change = reverse("admin:auth_user_change", args=[lookalike.pk])
    staff.post(change, when | {"username": CYRILLIC_ACE, "first_name": "A", "is_active": "on"})
    lookalike.refresh_from_db()
    assert lookalike.first_name == "A"


@pytest.mark.parametrize("fault", ["look-alike", "same name"])
def test_second_of_two_that_register_at_the_same_moment_is_refused(
    monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Both names were checked before either was saved."""
    user("ace")
    monkeypatch.setattr(names, "check_name", lambda *_: None)
    monkeypatch.setattr(
        "allauth.account.internal.userkit.filter_users_by_username",
        lambda *_: get_user_model().objects.none(),
    )
    name = CYRILLIC_ACE if fault == "look-alike" else "ace"
    response = register(name)
    assert response.status_code == 200
    assert "looks too much like" in response.content.decode()
    assert get_user_model().objects.count() == 1
    assert not response.wsgi_request.user.is_authenticated


def test_migration_gives_look_alikes_to_the_oldest_account() -> None:
    first, second = user("ace"), user(CYRILLIC_ACE)
    NameSkeleton.objects.all().delete()
    import_module("people.migrations.0003_name_skeletons").hold(apps, None)
    assert set(NameSkeleton.objects.values_list("owner", flat=True)) == {first.pk}
    names.reserve_name(second)
    assert not second.name_skeletons.exists()
    assert first.name_skeletons.count() == len(skeletons("ace"))
