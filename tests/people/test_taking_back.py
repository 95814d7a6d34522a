"""What was sent without an account is taken back by its secret; what was withdrawn is restored."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kafu.notation.writer import identity
from records.models import Ownership, Record, Upload, Visibility
from records.operations import comparison
from records.privacy.secret import hashed, made, opens
from records.store import deferred, visibility
from records.store.ownership import UNDONE, change_visibility, restore, take_down
from tests.api.contract import problem
from tests.people.world import sent, session, token, user
from tests.records import makers

pytestmark = pytest.mark.django_db
PUBLIC, UNLISTED = Visibility.PUBLIC, Visibility.UNLISTED
WITHDRAWN = Visibility.WITHDRAWN
KAFU = "text/x-kafu"


def by_nobody(*seeds: int, words: str = "") -> Upload:
    """An upload without an account, by the API."""
    headers = {"Upload-Secret": words} if words else {}
    body = "\n".join(map(makers.text, seeds))
    answer = Client().post(reverse("api:uploads"), body, KAFU, headers=headers)
    assert answer.status_code == 202, answer.content
    makers.work_all()
    return Upload.objects.get(key=answer.json()["key"])


def game(seed: int) -> Record:
    return Record.objects.get(identity=identity(makers.year(seed)))


def levels() -> list[int]:
    """The visibility of all games, those of the lowest seeds first."""
    known = dict(Record.objects.values_list("identity", "visibility"))
    found = [known.get(identity(makers.year(seed))) for seed in range(1, 6)]
    return [level for level in found if level is not None]


def patch(upload: Upload, level: str, words: str = "", **more: str) -> Any:
    headers = ({"Upload-Secret": words} if words else {}) | more
    said = {"visibility": level}
    address = reverse("api:upload", args=[upload.key])
    return Client().patch(address, said, "application/json", headers=headers)


def test_a_secret_is_kept_as_its_hash() -> None:
    words = made()
    assert opens(hashed(words), words)
    assert not opens(hashed(words), made())
    assert not opens("", "")
    assert not opens(hashed(words), "")
    for weak in ("short", "x" * 21, "with a blank " * 3, "x" * 101):
        with pytest.raises(ValueError, match="not a secret"):
            hashed(weak)
    answer = Client().post(reverse("api:uploads"), "x", KAFU, headers={"Upload-Secret": "guess"})
    problem(answer, "invalid-header", 400)


def test_by_the_api() -> None:
    words = made()
    upload = by_nobody(1, 2, words=words)
    assert upload.secret == hashed(words)
    for wrong in ("", made(), "x"):
        problem(patch(upload, "withdrawn", wrong), "not-signed-in", 401)
    problem(patch(upload, "private", words), "not-signed-in", 401)
    assert levels() == [PUBLIC, PUBLIC]
    assert patch(upload, "unlisted", words).status_code == 202
    makers.work_all()
    assert levels() == [UNLISTED, UNLISTED]
    assert patch(upload, "withdrawn", words).status_code == 202
    makers.work_all()
    assert levels() == [WITHDRAWN, WITHDRAWN]
    report = reverse("api:upload", args=[upload.key])
    assert Client().get(report).status_code == 404
    assert Client().get(report, headers={"Upload-Secret": words}).status_code == 200
    # A secret of one upload opens no other.
    other = by_nobody(5, words=made())
    problem(patch(other, "withdrawn", words), "not-signed-in", 401)
    assert not list(comparison.miscounted())


def test_an_upload_of_an_account_has_no_secret() -> None:
    owner, words = user("owner"), made()
    headers = token(owner, "upload") | {"Upload-Secret": words}
    Client().post(reverse("api:uploads"), makers.text(1), KAFU, headers=headers)
    upload = Upload.objects.get()
    assert upload.secret == ""
    problem(patch(upload, "withdrawn", words), "not-signed-in", 401)


def test_what_others_sent_without_an_account_stays() -> None:
    words, others = made(), made()
    first = by_nobody(1, 2, words=words)
    second = by_nobody(2, 3, words=others)
    patch(first, "withdrawn", words)
    makers.work_all()
    assert levels() == [WITHDRAWN, PUBLIC, PUBLIC]
    patch(second, "unlisted", others)
    makers.work_all()
    assert levels() == [WITHDRAWN, UNLISTED, UNLISTED]
    patch(second, "withdrawn", others)
    makers.work_all()
    assert levels() == [WITHDRAWN] * 3
    assert not list(comparison.miscounted())


def test_it_comes_back_when_it_is_sent_again() -> None:
    words = made()
    patch(by_nobody(1, words=words), "withdrawn", words)
    makers.work_all()
    assert levels() == [WITHDRAWN]
    by_nobody(1)
    assert levels() == [PUBLIC]


@pytest.mark.parametrize("words", ["", "of nobody"])
def test_an_upload_is_restored(words: str) -> None:
    """What was withdrawn by itself before stays so."""
    owner = None if words else user("owner")
    if words:
        words = made()
        upload = by_nobody(1, 2, words=words)
    else:
        upload = sent(makers.text(1), makers.text(2), owner=owner)
    if owner is not None:
        change_visibility(owner=owner.pk, records=[game(1).pk], visibility=WITHDRAWN)
    who = token(owner, "upload") if owner else {}
    assert patch(upload, "withdrawn", words, **who).status_code == 202
    makers.work_all()
    assert levels() == [WITHDRAWN, WITHDRAWN]
    assert patch(upload, "public", words, **who).status_code == 202
    makers.work_all()
    assert levels() == ([PUBLIC, PUBLIC] if words else [WITHDRAWN, PUBLIC])
    assert Client().get(reverse("game", args=[game(2).key])).status_code == 200
    report = Client().get(reverse("api:upload-games", args=[upload.key])).json()
    assert report["results"][-1]["status"] == "verified"
    assert not list(comparison.miscounted())


def test_restored_while_it_is_still_being_withdrawn() -> None:
    owner = user("owner")
    upload = sent(*map(makers.text, (1, 2, 3)), owner=owner)
    visibility.request_change(upload, WITHDRAWN)
    visibility.restore(upload)
    makers.work_all()
    assert levels() == [PUBLIC] * 3


def test_too_late() -> None:
    words = made()
    upload = by_nobody(1, words=words)
    patch(upload, "withdrawn", words)
    makers.work_all()
    Upload.objects.update(withdrawn_at=timezone.now() - UNDONE - timedelta(minutes=1))
    problem(patch(upload, "public", words), "conflict", 409)
    assert levels() == [WITHDRAWN]


def test_what_the_archive_removed_is_not_restored() -> None:
    owner, words = user("owner"), made()
    upload = by_nobody(1, words=words)
    own = sent(makers.text(2), owner=owner)
    patch(upload, "withdrawn", words)
    pks = list(Ownership.objects.filter(owner=owner).values_list("record", flat=True))
    change_visibility(owner=owner.pk, records=pks, visibility=WITHDRAWN)
    makers.work_all()
    take_down(Record.objects.values_list("pk", flat=True))
    deferred.for_upload(upload)
    makers.work_all()
    problem(patch(upload, "public", words), "conflict", 409)
    assert restore(owner=owner.pk, records=pks) == 0
    visibility.request_change(own, UNLISTED)
    makers.work_all()
    assert levels() == [WITHDRAWN, WITHDRAWN]


def test_single_games_are_restored() -> None:
    owner = user("owner")
    sent(makers.text(1), makers.text(2), owner=owner, visibility=UNLISTED)
    first, second = game(1), game(2)
    browser = session(owner)
    form = {"game": [first.key, second.key], "visibility": "0"}
    asked = browser.post(reverse("change_games"), form).content.decode()
    assert "2 games will be removed" in asked
    assert levels() == [UNLISTED, UNLISTED]
    assert browser.post(reverse("change_games"), form | {"confirmed": "1"}).status_code == 302
    assert levels() == [WITHDRAWN, WITHDRAWN]
    assert "2 withdrawn games can be restored" in browser.get(reverse("me")).content.decode()
    page = browser.get(reverse("withdrawn_games")).content.decode()
    assert first.key in page and second.key in page
    browser.post(reverse("withdrawn_games"), {"game": first.key})
    assert levels() == [UNLISTED, WITHDRAWN]
    address = reverse("api:ownership", args=[second.key])
    own = token(owner, "read", "upload")
    stranger = token(user("other"), "read", "upload")
    said = {"visibility": "public"}
    found = Client().patch(address, said, "application/json", headers=stranger)
    problem(found, "not-found", 404)
    assert Client().patch(address, said, "application/json", headers=own).status_code == 200
    assert levels() == [UNLISTED, PUBLIC]
    assert "can be restored" not in browser.get(reverse("me")).content.decode()


def test_one_game_is_asked_about_too() -> None:
    owner = user("owner")
    sent(makers.text(1), owner=owner)
    address = reverse("my_game", args=[Record.objects.get().key])
    assert "1 game will be removed" in (
        session(owner).post(address, {"withdraw": "1"}).content.decode()
    )
    assert levels() == [PUBLIC]
    session(owner).post(address, {"withdraw": "1", "confirmed": "1"})
    assert levels() == [WITHDRAWN]


def test_by_the_pages() -> None:
    browser = Client()
    answer = browser.post(reverse("upload"), {"text": makers.text(1)})
    mine = answer["Location"]
    upload = Upload.objects.get()
    words = mine.rstrip("/").rsplit("/", 1)[1]
    assert opens(upload.secret, words)
    makers.work_all()
    page = browser.get(mine)
    assert page["Referrer-Policy"] == "same-origin"
    assert page["Cache-Control"] == "private, no-store"
    assert "Keep the address of this page" in page.content.decode()
    assert '<option value="private"' not in page.content.decode()
    everybody = browser.get(reverse("report", args=[upload.key])).content.decode()
    assert words not in everybody
    assert "Withdraw all games" not in everybody
    change = reverse("change_upload", args=[upload.key])
    assert browser.post(change, {"withdraw": "1", "confirmed": "1"}).status_code == 404
    asked = browser.post(change, {"withdraw": "1", "words": words}).content.decode()
    assert "1 game will be removed" in asked
    confirmed = {"withdraw": "1", "confirmed": "1", "words": words}
    assert browser.post(change, confirmed)["Location"] == mine
    makers.work_all()
    assert levels() == [WITHDRAWN]
    assert browser.get(reverse("report", args=[upload.key])).status_code == 404
    assert "Restore the games" in browser.get(mine).content.decode()
    browser.post(change, {"restore": "1", "words": words})
    makers.work_all()
    assert levels() == [PUBLIC]


def test_ones_own_uploads_by_the_api() -> None:
    owner = user("owner")
    uploads = [sent(makers.text(seed), owner=owner) for seed in (1, 2)]
    sent(makers.text(3), owner=user("other"))
    headers = token(owner, "read")
    found = Client().get(reverse("api:my-uploads"), headers=headers).json()["results"]
    assert [one["key"] for one in found] == [one.key for one in reversed(uploads)]
    assert found[0]["state"] == "done"


def test_in_parts() -> None:
    words = made()
    body = makers.text(1).encode()
    tus = {"Tus-Resumable": "1.0.0"}
    begun = Client().post(
        reverse("api:resumables"),
        headers=tus | {"Upload-Length": str(len(body)), "Upload-Secret": words},
    )
    assert begun.status_code == 201
    Client().patch(
        begun["Location"],
        body,
        "application/offset+octet-stream",
        headers=tus | {"Upload-Offset": "0"},
    )
    assert opens(Upload.objects.get().secret, words)
