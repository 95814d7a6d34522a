"""Corrections of anonymous uploads, which need the secret of the upload."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from lengths import part
from records.models import Gone, Ownership, Record, Upload, Visibility
from records.operations import comparison, rebuild
from records.privacy.access import hash_secret, matches, new_secret
from tests.api.contract import problem
from tests.markup import join_lines
from tests.people.test_taking_back import patch, upload_anonymously
from tests.people.world import do_jobs, session, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
KAFU = "text/x-kafu"
PUBLIC, UNLISTED = Visibility.PUBLIC, Visibility.UNLISTED
WITHDRAWN = Visibility.WITHDRAWN


def put(key: str, text: str, secret: str = "", **headers: str) -> Any:
    """Send a game as the replacement of another."""
    headers |= {"Upload-Secret": secret} if secret else {}
    address = reverse("api:uploads", query={"replaces": key})
    return Client().post(address, text, KAFU, headers=headers)


def replaced(key: str, text: str, secret: str) -> tuple[Upload, Record]:
    """Replace a game, and return the new upload and its game."""
    answer = put(key, text, secret)
    assert answer.status_code == 202, answer.content
    do_jobs()
    upload = Upload.objects.get(key=answer.json()["key"])
    record = upload.submissions.get().record
    assert record is not None
    return upload, record


def broken(secret: str) -> Record:
    """Send an illegal game with a secret, and return the game."""
    answer = Client().post(
        reverse("api:uploads"), makers.illegal(3), KAFU, headers={"Upload-Secret": secret}
    )
    do_jobs()
    record = Upload.objects.get(key=answer.json()["key"]).submissions.get().record
    assert record is not None
    return record


def test_corrected_game_takes_the_place_and_keeps_the_secret() -> None:
    secret = new_secret()
    former = broken(secret)
    upload, mended = replaced(former.key, makers.text(3), secret)
    assert (upload.secret, upload.replaces, upload.owner) == (hash_secret(secret), former.key, None)
    former.refresh_from_db()
    assert (former.visibility, former.gone_why) == (WITHDRAWN, Gone.REPLACED)
    at = Client().get(reverse("game", args=[former.key]))
    assert (at.status_code, at["Location"]) == (301, reverse("game", args=[mended.key]))
    history = Client().get(reverse("api:record-history", args=[mended.key])).json()
    assert [step["former"] for step in history["corrections"]] == [former.key]
    assert history["corrections"][0]["changes"]
    # The secret also permits replacing the new game, and returning to the first.
    _upload, again = replaced(mended.key, makers.text(4), secret)
    _upload, back = replaced(again.key, makers.text(3), secret)
    assert (back.pk, back.visibility) == (mended.pk, PUBLIC)
    assert not list(comparison.miscounted())


def test_wrong_secret_replaces_nothing_and_gives_no_hint() -> None:
    secret = new_secret()
    former = broken(secret)
    answers = [put(former.key, makers.text(3), wrong) for wrong in ("", new_secret())]
    problems = [problem(answer, "forbidden", 403) for answer in answers]
    for body in problems:
        body.pop("request_id", None)
    assert problems[0] == problems[1]
    problem(put(former.key, makers.text(3), "short"), "invalid-header", 400)
    problem(put("nothing", makers.text(3), secret), "not-found", 404)
    # The secret of another upload is refused, and so is the right secret in an account's request.
    other_secret = new_secret()
    upload_anonymously(5, secret=other_secret)
    problem(put(former.key, makers.text(3), other_secret), "forbidden", 403)
    strange = token(user("other"), "read", "upload")
    problem(put(former.key, makers.text(3), secret, **strange), "forbidden", 403)
    assert Upload.objects.exclude(replaces="").count() == 0
    former.refresh_from_db()
    assert former.visibility == PUBLIC


def test_game_of_an_account_is_not_replaced_by_a_secret() -> None:
    secret, owner = new_secret(), user("owner")
    headers = token(owner, "upload") | {"Upload-Secret": secret}
    Client().post(reverse("api:uploads"), makers.text(1), KAFU, headers=headers)
    do_jobs()
    problem(put(Record.objects.get().key, makers.text(2), secret), "forbidden", 403)


def test_withdrawn_or_replaced_game_is_not_replaced_again() -> None:
    secret = new_secret()
    former = broken(secret)
    replaced(former.key, makers.text(3), secret)
    assert put(former.key, makers.text(4), secret).status_code in (301, 410)
    second = new_secret()
    upload = upload_anonymously(7, secret=second)
    record = upload.submissions.get().record
    assert record is not None
    patch(upload, "withdrawn", second)
    do_jobs()
    problem(put(record.key, makers.text(4), second), "gone", 410)


@pytest.mark.parametrize("first", part([True, False]))
def test_game_of_another_sender_without_account_stays(first: bool) -> None:
    secret, other_secret = new_secret(), new_secret()
    if first:
        upload_anonymously(1, secret=other_secret)
    upload = upload_anonymously(1, secret=secret)
    if not first:
        upload_anonymously(1, secret=other_secret)
    record = upload.submissions.get().record
    assert record is not None
    replaced(record.key, makers.text(2), secret)
    record.refresh_from_db()
    assert record.visibility == PUBLIC
    problem(put(record.key, makers.text(3), secret), "forbidden", 403)
    # The other upload's sender may still replace the game or withdraw it, which removes the game.
    other_upload = Upload.objects.get(secret=hash_secret(other_secret))
    assert patch(other_upload, "withdrawn", other_secret).status_code == 202
    do_jobs()
    record.refresh_from_db()
    assert record.visibility == WITHDRAWN
    assert not list(comparison.miscounted())


def test_rebuilt_archive_keeps_the_correction() -> None:
    secret, other_secret = new_secret(), new_secret()
    former = broken(secret)
    _upload, mended = replaced(former.key, makers.text(3), secret)
    upload_anonymously(5, secret=other_secret)
    rebuild.begin()

    def check_that_former_stays_hidden(_: object) -> None:
        former.refresh_from_db()
        assert former.visibility == WITHDRAWN

    rebuild.work(check_that_former_stays_hidden)
    former.refresh_from_db()
    mended.refresh_from_db()
    assert (former.visibility, mended.visibility) == (WITHDRAWN, PUBLIC)
    assert not list(comparison.miscounted())


def test_upload_whose_account_was_closed_replaces_nothing() -> None:
    owner = user("owner")
    headers = token(owner, "read", "upload")
    Client().post(reverse("api:uploads"), makers.illegal(3), KAFU, headers=headers)
    do_jobs()
    former = Record.objects.get()
    assert put(former.key, makers.text(3), **headers).status_code == 202
    Upload.objects.update(owner=None)
    Ownership.objects.update(owner=None)
    do_jobs()
    former.refresh_from_db()
    assert former.visibility == PUBLIC


def test_secret_corrects_a_game_on_the_pages() -> None:
    secret = new_secret()
    former = broken(secret)
    upload = Upload.objects.get()
    form = {"text": makers.text(3), "replaces": former.key}
    for wrong in ({}, {"secret": new_secret()}, {"secret": "short"}):
        answer = Client().post(reverse("upload"), form | wrong)
        assert answer.status_code == 400
        assert "Only the sender of a game can replace it" in answer.content.decode()
        for name in ("check", "new-record"):
            page = Client().post(reverse(name), form | wrong).content.decode()
            assert 'name="replaces"' not in page
    # Only the browser with the secret can use the button of this public page.
    query = {"upload": upload.key, "file": "1", "game": "1"}
    page = Client().get(reverse("check"), query).content.decode()
    assert f'data-sent="{upload.key}" disabled hidden' in page
    assert secret not in page
    assert "data-sent" not in session(user("other")).get(reverse("check"), query).content.decode()
    for name in ("check", "new-record"):
        response = Client().post(reverse(name), form | {"secret": secret})
        page = join_lines(response.content.decode())
        assert f'name="replaces" value="{former.key}"' in page
        assert f'name="secret" value="{secret}"' in page
    answer = Client().post(reverse("upload"), form | {"secret": secret})
    fresh = Upload.objects.get(replaces=former.key)
    assert answer["Location"] == reverse("my_report", args=[fresh.key, secret])
    do_jobs()
    former.refresh_from_db()
    assert former.gone_why == Gone.REPLACED


def test_upload_that_replaces_nothing_gets_a_new_secret() -> None:
    secret = new_secret()
    broken(secret)
    Client().post(reverse("upload"), {"text": makers.text(3), "secret": secret})
    assert not matches(Upload.objects.order_by("-pk")[0].secret, secret)
