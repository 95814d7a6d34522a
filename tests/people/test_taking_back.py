"""Withdrawal of anonymous uploads by their secret, and restoring of withdrawn games."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from records.ingest.ownership import RESTORE_PERIOD, change_visibility, restore, take_down
from records.models import Ownership, Record, Upload, Visibility
from records.operations import comparison
from records.privacy.access import hash_secret, matches, new_secret
from records.services import removals, visibility
from tests.api.contract import problem
from tests.people.world import do_jobs, identity_of, sent, session, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
PUBLIC, UNLISTED = Visibility.PUBLIC, Visibility.UNLISTED
WITHDRAWN = Visibility.WITHDRAWN
KAFU = "text/x-kafu"


def upload_anonymously(*seeds: int, secret: str = "") -> Upload:
    """Upload games without an account through the API."""
    headers = {"Upload-Secret": secret} if secret else {}
    body = "\n".join(map(makers.text, seeds))
    response = Client().post(reverse("api:uploads"), body, KAFU, headers=headers)
    assert response.status_code == 202, response.content
    do_jobs()
    return Upload.objects.get(key=response.json()["key"])


def game(seed: int) -> Record:
    return Record.objects.get(identity=identity_of(seed))


def levels() -> list[int]:
    """Return the visibility of all games by their seeds."""
    levels = dict(Record.objects.values_list("identity", "visibility"))
    identities = map(identity_of, range(1, 6))
    return [levels[identity] for identity in identities if identity in levels]


def patch(upload: Upload, level: str, secret: str = "", **extra_headers: str) -> Any:
    headers = ({"Upload-Secret": secret} if secret else {}) | extra_headers
    fields = {"visibility": level}
    address = reverse("api:upload", args=[upload.key])
    return Client().patch(address, fields, "application/json", headers=headers)


def test_secret_is_stored_as_a_hash_and_weak_ones_are_refused() -> None:
    secret = new_secret()
    assert matches(hash_secret(secret), secret)
    assert not matches(hash_secret(secret), new_secret())
    assert not matches("", "")
    assert not matches(hash_secret(secret), "")
    for weak in ("short", "x" * 21, "with a blank " * 3, "x" * 101):
        with pytest.raises(ValueError, match="not a secret"):
            hash_secret(weak)
    answer = Client().post(reverse("api:uploads"), "x", KAFU, headers={"Upload-Secret": "guess"})
    problem(answer, "invalid-header", 400)


def test_secret_changes_its_upload_through_the_api() -> None:
    secret = new_secret()
    upload = upload_anonymously(1, 2, secret=secret)
    assert upload.secret == hash_secret(secret)
    for wrong in ("", new_secret(), "x"):
        problem(patch(upload, "withdrawn", wrong), "not-signed-in", 401)
    problem(patch(upload, "private", secret), "not-signed-in", 401)
    assert levels() == [PUBLIC, PUBLIC]
    assert patch(upload, "unlisted", secret).status_code == 202
    do_jobs()
    assert levels() == [UNLISTED, UNLISTED]
    assert patch(upload, "withdrawn", secret).status_code == 202
    do_jobs()
    assert levels() == [WITHDRAWN, WITHDRAWN]
    report = reverse("api:upload", args=[upload.key])
    assert Client().get(report).status_code == 404
    assert Client().get(report, headers={"Upload-Secret": secret}).status_code == 200
    # The secret of an upload opens no second upload.
    other_upload = upload_anonymously(5, secret=new_secret())
    problem(patch(other_upload, "withdrawn", secret), "not-signed-in", 401)
    assert not list(comparison.miscounted())


def test_upload_of_an_account_has_no_secret() -> None:
    owner, secret = user("owner"), new_secret()
    headers = token(owner, "upload") | {"Upload-Secret": secret}
    Client().post(reverse("api:uploads"), makers.text(1), KAFU, headers=headers)
    upload = Upload.objects.get()
    assert upload.secret == ""
    problem(patch(upload, "withdrawn", secret), "not-signed-in", 401)


@pytest.mark.long_only  # `test_claims.py` and `test_secret_corrections.py`
def test_games_of_other_senders_without_account_stay() -> None:
    secret, other_secret = new_secret(), new_secret()
    first = upload_anonymously(1, 2, secret=secret)
    second = upload_anonymously(2, 3, secret=other_secret)
    patch(first, "withdrawn", secret)
    do_jobs()
    assert levels() == [WITHDRAWN, PUBLIC, PUBLIC]
    patch(second, "unlisted", other_secret)
    do_jobs()
    assert levels() == [WITHDRAWN, UNLISTED, UNLISTED]
    patch(second, "withdrawn", other_secret)
    do_jobs()
    assert levels() == [WITHDRAWN] * 3
    assert not list(comparison.miscounted())


def test_withdrawn_game_is_public_when_sent_again() -> None:
    secret = new_secret()
    patch(upload_anonymously(1, secret=secret), "withdrawn", secret)
    do_jobs()
    assert levels() == [WITHDRAWN]
    upload_anonymously(1)
    assert levels() == [PUBLIC]


def test_withdrawn_upload_is_restored() -> None:
    """Games that were withdrawn separately before stay withdrawn."""
    owner = user("owner")
    upload = sent(makers.text(1), makers.text(2), owner=owner)
    change_visibility(owner=owner.pk, records=[game(1).pk], visibility=WITHDRAWN)
    who = token(owner, "upload")
    assert patch(upload, "withdrawn", **who).status_code == 202
    do_jobs()
    assert levels() == [WITHDRAWN, WITHDRAWN]
    assert patch(upload, "public", **who).status_code == 202
    do_jobs()
    assert levels() == [WITHDRAWN, PUBLIC]
    assert Client().get(reverse("game", args=[game(2).key])).status_code == 200
    report = Client().get(reverse("api:upload-games", args=[upload.key])).json()
    assert report["results"][-1]["status"] == "verified"
    assert not list(comparison.miscounted())


def test_upload_restored_during_its_withdrawal_is_public() -> None:
    owner = user("owner")
    upload = sent(*map(makers.text, (1, 2, 3)), owner=owner)
    visibility.request_change(upload, WITHDRAWN)
    visibility.restore(upload)
    do_jobs()
    assert levels() == [PUBLIC] * 3


def test_upload_withdrawn_too_long_ago_is_not_restored() -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    patch(upload, "withdrawn", secret)
    do_jobs()
    Upload.objects.update(withdrawn_at=timezone.now() - RESTORE_PERIOD - timedelta(minutes=1))
    problem(patch(upload, "public", secret), "conflict", 409)
    assert levels() == [WITHDRAWN]


def test_game_removed_by_staff_is_not_restored() -> None:
    owner, secret = user("owner"), new_secret()
    upload = upload_anonymously(1, secret=secret)
    owned_upload = sent(makers.text(2), owner=owner)
    patch(upload, "withdrawn", secret)
    pks = list(Ownership.objects.filter(owner=owner).values_list("record", flat=True))
    change_visibility(owner=owner.pk, records=pks, visibility=WITHDRAWN)
    do_jobs()
    take_down(Record.objects.values_list("pk", flat=True))
    removals.for_upload(upload)
    do_jobs()
    problem(patch(upload, "public", secret), "conflict", 409)
    assert restore(owner=owner.pk, records=pks) == 0
    visibility.request_change(owned_upload, UNLISTED)
    do_jobs()
    assert levels() == [WITHDRAWN, WITHDRAWN]


def test_owner_withdraws_and_restores_single_games() -> None:
    owner = user("owner")
    sent(makers.text(1), makers.text(2), owner=owner, visibility=UNLISTED)
    first, second = game(1), game(2)
    browser = session(owner)
    form = {"game": [first.key, second.key], "visibility": "0"}
    question = browser.post(reverse("change_games"), form).content.decode()
    assert "2 games will be removed" in question
    assert levels() == [UNLISTED, UNLISTED]
    assert browser.post(reverse("change_games"), form | {"confirmed": "1"}).status_code == 302
    assert levels() == [WITHDRAWN, WITHDRAWN]
    assert "2 withdrawn games can be restored" in browser.get(reverse("me")).content.decode()
    page = browser.get(reverse("withdrawn_games")).content.decode()
    assert first.key in page and second.key in page
    browser.post(reverse("withdrawn_games"), {"game": first.key})
    assert levels() == [UNLISTED, WITHDRAWN]
    address = reverse("api:ownership", args=[second.key])
    headers = token(owner, "read", "upload")
    stranger = token(user("other"), "read", "upload")
    fields = {"visibility": "public"}
    response = Client().patch(address, fields, "application/json", headers=stranger)
    problem(response, "not-found", 404)
    assert Client().patch(address, fields, "application/json", headers=headers).status_code == 200
    assert levels() == [UNLISTED, PUBLIC]
    assert "can be restored" not in browser.get(reverse("me")).content.decode()


def test_withdrawal_of_one_game_is_confirmed_first() -> None:
    owner = user("owner")
    sent(makers.text(1), owner=owner)
    address = reverse("my_game", args=[Record.objects.get().key])
    assert "1 game will be removed" in (
        session(owner).post(address, {"withdraw": "1"}).content.decode()
    )
    assert levels() == [PUBLIC]
    session(owner).post(address, {"withdraw": "1", "confirmed": "1"})
    assert levels() == [WITHDRAWN]


def test_secret_withdraws_and_restores_on_the_pages() -> None:
    browser = Client()
    answer = browser.post(reverse("upload"), {"text": makers.text(1)})
    report = answer["Location"]
    upload = Upload.objects.get()
    secret = report.rstrip("/").rsplit("/", 1)[1]
    assert matches(upload.secret, secret)
    do_jobs()
    page = browser.get(report)
    assert page["Referrer-Policy"] == "same-origin"
    assert page["Cache-Control"] == "private, no-store"
    assert "Keep the link of this page" in page.content.decode()
    assert '<option value="private"' not in page.content.decode()
    everybody = browser.get(reverse("report", args=[upload.key])).content.decode()
    assert secret not in everybody
    assert "Withdraw all games" not in everybody
    change = reverse("change_upload", args=[upload.key])
    assert browser.post(change, {"withdraw": "1", "confirmed": "1"}).status_code == 404
    question = browser.post(change, {"withdraw": "1", "secret": secret}).content.decode()
    assert "1 game will be removed" in question
    confirmed = {"withdraw": "1", "confirmed": "1", "secret": secret}
    assert browser.post(change, confirmed)["Location"] == report
    do_jobs()
    assert levels() == [WITHDRAWN]
    assert browser.get(reverse("report", args=[upload.key])).status_code == 404
    assert "Restore the games" in browser.get(report).content.decode()
    browser.post(change, {"restore": "1", "secret": secret})
    do_jobs()
    assert levels() == [PUBLIC]


def test_api_lists_the_uploads_of_their_owner() -> None:
    owner = user("owner")
    uploads = [sent(makers.text(seed), owner=owner) for seed in (1, 2)]
    sent(makers.text(3), owner=user("other"))
    headers = token(owner, "read")
    results = Client().get(reverse("api:my-uploads"), headers=headers).json()["results"]
    assert [row["key"] for row in results] == [upload.key for upload in reversed(uploads)]
    assert results[0]["state"] == "done"


def test_upload_in_parts_keeps_its_secret() -> None:
    secret = new_secret()
    body = makers.text(1).encode()
    tus = {"Tus-Resumable": "1.0.0"}
    begun = Client().post(
        reverse("api:resumables"),
        headers=tus | {"Upload-Length": str(len(body)), "Upload-Secret": secret},
    )
    assert begun.status_code == 201
    Client().patch(
        begun["Location"],
        body,
        "application/offset+octet-stream",
        headers=tus | {"Upload-Offset": "0"},
    )
    assert matches(Upload.objects.get().secret, secret)
