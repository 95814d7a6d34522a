"""Uploads without an account cannot be private; an account claims them by their secret."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from kafu.notation.writer import identity
from lengths import LONG, part
from people.accounts import lifecycle
from records.ingest import quotas, storing
from records.ingest.ownership import change_visibility, take_down
from records.jobs import ledger
from records.models import Gone, Ownership, Record, Upload, Visibility
from records.operations import comparison, rebuild
from records.privacy.access import new_secret
from records.services import visibility
from records.services.claims import Changing, NotClaimable, claim
from records.serving.senders import account_sender
from tests.api.contract import problem
from tests.people.test_holdings import sound
from tests.people.test_secret_corrections import broken, put, replaced
from tests.people.test_taking_back import game, levels, patch, upload_anonymously
from tests.people.world import sent, session, token, user
from tests.records import makers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]
PRIVATE, UNLISTED, PUBLIC = Visibility.PRIVATE, Visibility.UNLISTED, Visibility.PUBLIC
WITHDRAWN = Visibility.WITHDRAWN
State = dict[int, set[tuple[int | None, int]]]


@pytest.fixture
def ben(db: None) -> Any:
    """Return another account."""
    return user("ben")


def secret_page(upload: Upload, secret: str) -> str:
    """Return the address of the report with the secret."""
    return reverse("my_report", args=[upload.key, secret])


def set_visibility(browser: Client, upload: Upload, secret: str, level: str) -> Any:
    """Post the form of the report."""
    form = {"secret": secret, "visibility": level}
    return browser.post(reverse("change_upload", args=[upload.key]), form)


def post_claim(upload: Upload, secret: str, owner: Any = None) -> Any:
    """Claim by the API."""
    headers = {"Upload-Secret": secret} | (token(owner, "upload") if owner else {})
    return Client().post(reverse("api:upload-claim", args=[upload.key]), headers=headers)


def owners(seed: int) -> dict[int | None, int]:
    """Return the visibility of a game by its owners; None stands for no account."""
    ownerships = Ownership.objects.filter(record__identity=identity(makers.simulate_months(seed)))
    return dict(ownerships.values_list("owner", "visibility"))


def state() -> State:
    """Return all ownerships by record."""
    ownerships: State = {}
    for record, owner, level in Ownership.objects.values_list("record", "owner", "visibility"):
        ownerships.setdefault(record, set()).add((owner, level))
    return ownerships


def assert_sound() -> None:
    """Check that records, listings and players agree."""
    sound()
    assert not list(comparison.miscounted())


def assert_rebuilt_alike(*, is_rebuilt: bool = False) -> None:
    """Check that reading all uploads again changes no ownership and no visibility.

    In `make test` two tests rebuild: one of simple claims, one of most kinds of ownerships.
    """
    assert_sound()
    if not is_rebuilt and not LONG:
        return
    before, shown = state(), dict(Record.objects.values_list("pk", "visibility"))
    rebuild.begin()
    rebuild.work(lambda _: None)
    assert state() == before
    assert dict(Record.objects.values_list("pk", "visibility")) == shown


def test_private_is_neither_offered_nor_accepted_for_an_upload_without_owner(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    browser = session(aya)
    page = browser.get(secret_page(upload, secret)).content.decode()
    assert '<option value="unlisted"' in page
    assert '<option value="private"' not in page
    set_visibility(browser, upload, secret, "private")
    makers.work_all()
    upload.refresh_from_db()
    assert upload.visibility == PUBLIC
    assert Client().get(reverse("game", args=[game(1).key])).status_code == 200
    problem(patch(upload, "private", secret), "not-signed-in", 401)


def test_claimed_games_belong_to_the_account(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, 2, secret=secret)
    browser = session(aya)
    page = browser.get(secret_page(upload, secret)).content.decode()
    address = reverse("claim_upload", args=[upload.key])
    assert address in page
    response = browser.post(address, {"secret": secret})
    assert response["Location"] == reverse("report", args=[upload.key])
    assert "Adding the games to your account" in browser.get(response["Location"]).content.decode()
    makers.work_all()
    assert owners(1) == owners(2) == {aya.pk: PUBLIC}
    assert levels() == [PUBLIC, PUBLIC]
    assert game(1).key in browser.get(reverse("me")).content.decode()
    # The secret is not valid any more, and the owner may hide the games.
    assert Client().get(secret_page(upload, secret)).status_code == 404
    problem(patch(upload, "withdrawn", secret), "not-signed-in", 401)
    problem(put(game(1).key, makers.text(3), secret), "forbidden", 403)
    set_visibility(browser, upload, "", "private")
    makers.work_all()
    assert owners(1) == {aya.pk: PRIVATE}
    assert browser.get(reverse("game", args=[game(1).key])).status_code == 200
    assert_rebuilt_alike(is_rebuilt=True)


def test_claim_by_the_api_is_repeatable(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    problem(post_claim(upload, secret), "not-signed-in", 401)
    problem(post_claim(upload, new_secret(), aya), "not-found", 404)
    problem(post_claim(upload, "", aya), "not-found", 404)
    first = post_claim(upload, secret, aya)
    assert first.status_code == 202, first.content
    assert first.json()["change"] == {"state": "waiting", "games": 0, "total": 1}
    makers.work_all()
    again = post_claim(upload, secret, aya)
    assert again.status_code == 202
    assert again.json()["change"] is None
    assert owners(1) == {aya.pk: PUBLIC}


def test_upload_of_another_account_is_not_claimable(aya: Any, ben: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    claim(upload.key, secret, aya.pk)
    for _ in range(2):
        with pytest.raises(NotClaimable):
            claim(upload.key, secret, ben.pk)
        makers.work_all()
    assert (
        session(ben)
        .post(reverse("claim_upload", args=[upload.key]), {"secret": secret})
        .status_code
        == 404
    )
    with pytest.raises(NotClaimable):
        claim(sent(makers.text(2)).key, "", ben.pk)
    assert owners(1) == {aya.pk: PUBLIC}


def test_games_that_others_sent_without_an_account_too_keep_both_ownerships(aya: Any) -> None:
    secret = new_secret()
    upload_anonymously(2, secret=new_secret())
    upload = upload_anonymously(1, 2, secret=secret)
    patch(upload, "unlisted", secret)
    makers.work_all()
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == {aya.pk: UNLISTED}
    assert owners(2) == {aya.pk: UNLISTED, None: PUBLIC}
    assert_rebuilt_alike()


@pytest.mark.long_only  # the test above splits levels too
def test_ownership_without_an_account_is_less_public_after_its_most_public_upload_is_claimed(
    aya: Any,
) -> None:
    other_secret, secret = new_secret(), new_secret()
    patch(upload_anonymously(1, secret=other_secret), "unlisted", other_secret)
    upload = upload_anonymously(1, secret=secret)
    makers.work_all()
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == {aya.pk: PUBLIC, None: UNLISTED}
    assert_sound()


def test_account_that_has_the_game_keeps_its_later_decision(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    sent(makers.text(1), owner=aya)
    change_visibility(owner=aya.pk, records=[game(1).pk], visibility=PRIVATE)
    assert levels() == [PUBLIC]
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == {aya.pk: PRIVATE}
    assert levels() == [PRIVATE]
    assert_rebuilt_alike()


def test_account_that_has_the_game_gets_the_more_public_of_both(aya: Any) -> None:
    secret = new_secret()
    sent(makers.text(1), owner=aya, visibility=PRIVATE)
    upload = upload_anonymously(1, secret=secret)
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == {aya.pk: PUBLIC}
    assert_sound()


def test_withdrawn_upload_is_claimed_and_restored_by_the_account(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, 2, secret=secret)
    upload_anonymously(2, secret=new_secret())
    patch(upload, "withdrawn", secret)
    makers.work_all()
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == {aya.pk: WITHDRAWN}
    assert owners(2) == {aya.pk: WITHDRAWN, None: PUBLIC}
    visibility.restore(Upload.objects.get(pk=upload.pk))
    makers.work_all()
    assert owners(1) == {aya.pk: PUBLIC}
    assert owners(2) == {aya.pk: PUBLIC, None: PUBLIC}
    assert_rebuilt_alike(is_rebuilt=True)


def test_game_that_the_staff_took_down_stays_down_when_claimed(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, 2, secret=secret)
    take_down([game(1).pk])
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert levels() == [WITHDRAWN, PUBLIC]
    assert owners(1) == {aya.pk: WITHDRAWN}
    assert game(1).gone_why == Gone.REMOVED
    assert not session(aya).get(reverse("withdrawn_games")).context["rows"]
    assert_rebuilt_alike()


@pytest.mark.parametrize("claimed", part([1, 0]))
def test_corrections_are_claimed_with_the_games_that_they_replaced(aya: Any, claimed: int) -> None:
    secret = new_secret()
    former = broken(secret)
    upload, mended = replaced(former.key, makers.text(3), secret)
    first = Upload.objects.exclude(pk=upload.pk).get()
    claim((first, upload)[claimed].key, secret, aya.pk)
    makers.work_all()
    assert set(Upload.objects.values_list("owner", "secret", "claim")) == {(aya.pk, "", 0)}
    assert state() == {former.pk: {(aya.pk, WITHDRAWN)}, mended.pk: {(aya.pk, PUBLIC)}}
    assert not session(aya).get(reverse("withdrawn_games")).context["rows"]
    history = Client().get(reverse("api:record-history", args=[mended.key])).json()
    assert history["corrections"][0]["changes"]
    assert_sound()


@pytest.mark.long_only  # the test above and that of both ownerships
def test_corrected_game_of_others_is_withdrawn_for_the_account_alone(aya: Any) -> None:
    secret = new_secret()
    former = broken(secret)
    sent(makers.illegal(3))
    upload, _mended = replaced(former.key, makers.text(3), secret)
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert state()[former.pk] == {(aya.pk, WITHDRAWN), (None, PUBLIC)}
    assert_rebuilt_alike()


@pytest.mark.long_only  # the next test has the chunk that is read during a claim
@pytest.mark.parametrize("read", part([1, 0, 2]))
def test_upload_claimed_while_it_is_read(aya: Any, settings: Any, read: int) -> None:
    settings.CHUNK_GAMES = 1
    secret = new_secret()
    body = makers.text(1) + "\n" + makers.text(2)
    headers = {"Upload-Secret": secret}
    Client().post(reverse("api:uploads"), body, "text/x-kafu", headers=headers)
    upload = Upload.objects.get()
    worker = makers.Worker()
    for _ in range(read):
        assert worker.step()
    claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert owners(1) == owners(2) == {aya.pk: PUBLIC}
    upload.refresh_from_db()
    assert (upload.claim, upload.secret) == (0, "")
    assert_sound()


def test_chunk_that_did_not_see_the_claim_follows_it(aya: Any, monkeypatch: Any) -> None:
    """The transaction of the chunk reads the upload before the claim, and ends after it."""
    secret = new_secret()
    headers = {"Upload-Secret": secret}
    Client().post(reverse("api:uploads"), makers.text(1), "text/x-kafu", headers=headers)
    upload = Upload.objects.get()
    add = storing.add_ownerships

    def claim_first(stale: Upload, records: Any) -> None:
        claim(upload.key, secret, aya.pk)
        add(stale, records)

    monkeypatch.setattr(storing, "add_ownerships", claim_first)
    makers.work_all()
    assert owners(1) == {aya.pk: PUBLIC}
    assert_sound()


def test_change_of_visibility_after_a_claim_waits_for_it(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    claim(upload.key, secret, aya.pk)
    set_visibility(session(aya), upload, "", "private")
    makers.work_all()
    assert owners(1) == {aya.pk: PRIVATE}
    assert levels() == [PRIVATE]
    assert_sound()


def test_change_of_visibility_under_way_puts_off_a_claim(aya: Any) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    patch(upload, "unlisted", secret)
    problem(post_claim(upload, secret, aya), "conflict", 409)
    with pytest.raises(Changing):
        claim(upload.key, secret, aya.pk)
    makers.work_all()
    assert post_claim(upload, secret, aya).status_code == 202
    makers.work_all()
    assert owners(1) == {aya.pk: UNLISTED}


def test_game_that_was_private_when_others_sent_it_is_new_to_a_sender(aya: Any, ben: Any) -> None:
    sent(makers.text(1), owner=ben, visibility=PRIVATE)
    change_visibility(owner=ben.pk, records=[game(1).pk], visibility=PUBLIC)
    upload = sent(makers.text(1), owner=aya)
    assert upload.chunks.get().duplicates == 0
    assert_rebuilt_alike()
    assert upload.chunks.get().duplicates == 0


@pytest.mark.long_only  # others' ownerships stay in tests above
def test_another_sender_who_withdraws_during_a_claim_hides_nothing(aya: Any) -> None:
    secret, other_secret = new_secret(), new_secret()
    upload = upload_anonymously(1, secret=secret)
    other_upload = upload_anonymously(1, secret=other_secret)
    claim(upload.key, secret, aya.pk)
    visibility.request_change(other_upload, WITHDRAWN)
    change = ledger.claim(other_upload.jobs.get(kind="visibility").pk)
    assert change is not None
    visibility.run(change)
    assert levels() == [PUBLIC]
    makers.work_all()
    assert owners(1) == {aya.pk: PUBLIC, None: WITHDRAWN}
    assert levels() == [PUBLIC]
    assert_rebuilt_alike()


@pytest.mark.parametrize("withdraw", part([True, False]))
def test_account_that_is_closed_during_a_claim_takes_its_games_along(
    aya: Any, withdraw: bool
) -> None:
    secret = new_secret()
    upload = upload_anonymously(1, secret=secret)
    claim(upload.key, secret, aya.pk)
    lifecycle.close(aya, withdraw=withdraw)
    makers.work_all()
    assert owners(1) == ({} if withdraw else {None: PUBLIC})
    assert levels() == [WITHDRAWN if withdraw else PUBLIC]
    assert Client().get(secret_page(upload, secret)).status_code == 404


def test_claim_gives_no_larger_quota(aya: Any, settings: Any) -> None:
    settings.QUOTAS = {
        "anonymous": dict.fromkeys(quotas.NAMES, 7),
        "account": dict.fromkeys(quotas.NAMES, 99),
    }
    secret = new_secret()
    upload = Upload(sender=quotas.hashed("address:192.0.2.1"), secret=secret)
    assert quotas.left(upload, quotas.GAMES) == 7
    upload.owner = aya
    assert quotas.left(upload, quotas.GAMES) == 7
    upload.sender = quotas.hashed(account_sender(aya.pk))
    assert quotas.left(upload, quotas.GAMES) == 99
