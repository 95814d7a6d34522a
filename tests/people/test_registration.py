"""Registration: permission and allowed names."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from tests.people.world import PASSWORD, session, user

pytestmark = pytest.mark.django_db


def register(name: str) -> Any:
    """Send the registration form; return the response."""
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client().post(reverse("account_signup"), fields)


@pytest.mark.parametrize("method", ["get", "post"])
def test_closed_registration_is_refused(settings: Any, method: str) -> None:
    settings.REGISTRATION_OPEN = False
    fields = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    answer = getattr(Client(), method)(reverse("account_signup"), fields)
    assert answer.status_code == 403
    assert "Registration is closed" in answer.content.decode()
    assert not get_user_model().objects.exists()
    assert reverse("account_signup") not in Client().get(reverse("account_login")).content.decode()
    answer = Client().get(reverse("account_signup"), headers={"Accept-Language": "ja"})
    assert "新規登録は受け付けていません" in answer.content.decode()


def test_staff_creates_accounts_while_registration_is_closed(settings: Any) -> None:
    settings.REGISTRATION_OPEN = False
    fields = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    staff = session(user("staff", staff=True))
    response = staff.post(reverse("admin:auth_user_add"), fields | {"usable_password": "true"})
    assert response.status_code == 302
    login = Client().post(reverse("account_login"), {"login": "aya", "password": PASSWORD})
    assert login["Location"] == reverse("me")


def test_name_that_looks_like_another_is_refused() -> None:
    user("aya")
    for name in ("aya", "AYA", "ａｙａ", "Ａya"):
        assert register(name).status_code == 200, name
        assert get_user_model().objects.count() == 1, name
        # Log-in accepts every spelling of the name.
        fields = {"login": name, "password": PASSWORD}
        assert Client().post(reverse("account_login"), fields)["Location"] == reverse("me"), name


def test_name_is_stored_in_its_plain_form() -> None:
    assert register("ｋｉｋｕ").status_code == 302
    assert get_user_model().objects.get().username == "kiku"
