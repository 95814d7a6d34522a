"""Uploads without an account: "private" is refused, and an account claims them by their secret."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from records.models import Upload, Visibility
from records.privacy.secret import made
from tests.api.contract import problem
from tests.people.test_taking_back import by_nobody, game, patch
from tests.people.world import session
from tests.records import makers

pytestmark = pytest.mark.django_db
PUBLIC = Visibility.PUBLIC


def secret_page(upload: Upload, secret: str) -> str:
    """The address of the report for who knows the secret."""
    return reverse("my_report", args=[upload.key, secret])


def set_visibility(browser: Client, upload: Upload, secret: str, level: str) -> Any:
    """Post the form of the report."""
    form = {"words": secret, "visibility": level}
    return browser.post(reverse("change_upload", args=[upload.key]), form)


def test_private_is_not_offered_for_an_upload_without_owner(aya: Any) -> None:
    secret = made()
    upload = by_nobody(1, words=secret)
    browser = session(aya)
    page = browser.get(secret_page(upload, secret)).content.decode()
    assert '<option value="unlisted"' in page
    assert '<option value="private"' not in page


def test_private_for_an_upload_without_owner_is_refused(aya: Any) -> None:
    secret = made()
    upload = by_nobody(1, words=secret)
    set_visibility(session(aya), upload, secret, "private")
    makers.work_all()
    upload.refresh_from_db()
    assert upload.visibility == PUBLIC
    assert Client().get(reverse("game", args=[game(1).key])).status_code == 200
    problem(patch(upload, "private", secret), "not-signed-in", 401)
