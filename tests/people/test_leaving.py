"""A closed account: nobody can log in at once, and its games follow one by one."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from people.accounts import closing
from people.models import Collection, Token
from records.intake.receiving import Part, receive
from records.intake.resumable import begin, path_of
from records.models import Errand, Ownership, PartialUpload, Record, Submission, Upload, Visibility
from records.store import ownership
from records.work import deferred, sweeping
from records.work.worker import Worker, work_off
from tests.people.test_holdings import sound
from tests.people.world import PASSWORD, confirmed, reauthenticate, sent, session, token, user
from tests.records.makers import text

pytestmark = pytest.mark.django_db

PRIVATE, PUBLIC, WITHDRAWN = Visibility.PRIVATE, Visibility.PUBLIC, Visibility.WITHDRAWN


@pytest.fixture
def aya(db: None) -> Any:
    """A holder of five public games and a private one, in batches of two."""
    found = confirmed("aya", "aya@example.org")
    sent(*(text(seed) for seed in range(1, 6)), owner=found)
    sent(text(6), owner=found, visibility=PRIVATE)
    return found


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games a batch."""
    monkeypatch.setattr(ownership, "BATCH", 2)
    monkeypatch.setattr(deferred, "BATCH", 2)


def levels() -> list[int]:
    """How visible each game is."""
    return list(Record.objects.order_by("pk").values_list("visibility", flat=True))


def test_nobody_gets_in_any_more_and_the_request_touches_no_game(aya: Any) -> None:
    here, elsewhere, program = session(aya), session(aya), token(aya, "read")
    said = {"games": "withdraw"}
    reauthenticate(here)
    page = here.post(reverse("delete_account"), said, follow=True)
    assert "Your account is deleted" in page.content.decode()
    assert levels() == [PUBLIC] * 5 + [PRIVATE]
    assert [browser.get(reverse("me")).status_code for browser in (here, elsewhere)] == [302, 302]
    assert Client().get(reverse("api:me"), headers=program).status_code == 401
    assert not Token.objects.exists()
    assert not Client().login(username="aya", password=PASSWORD)
    row = get_user_model().objects.get()
    assert not row.is_active and not row.email and "aya" not in row.username
    # The name is free.
    new = {"username": "aya", "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post(reverse("account_signup"), new).status_code == 302


@pytest.mark.parametrize("withdraw", [True, False])
def test_the_games_follow_a_batch_at_a_time(aya: Any, withdraw: bool) -> None:
    Ownership.objects.filter(owner=aya).update(note="mine")
    Collection.objects.create(owner=aya, name="best").ownerships.set(Ownership.objects.all())
    closing.close(aya, withdraw=withdraw)
    errand = Errand.objects.get()
    assert deferred.step(errand.pk)
    assert Ownership.objects.filter(owner=aya).count() == 4
    sound()
    assert deferred.run(60) == 2
    sound()
    assert levels() == ([WITHDRAWN] * 6 if withdraw else [PUBLIC] * 5 + [WITHDRAWN])
    assert not get_user_model().objects.exists()
    assert not Collection.objects.exists()
    assert not Errand.objects.exists()
    assert not Ownership.objects.exclude(note="")
    assert Upload.objects.filter(owner=None).count() == 2
    assert not deferred.step(errand.pk)


def test_a_batch_that_breaks_off_is_done_again(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    closing.close(aya, withdraw=True)
    update_records = ownership.update_records

    def broken(*given: Any, **more: Any) -> None:
        update_records(*given, **more)
        raise RuntimeError("killed here")

    monkeypatch.setattr(ownership, "update_records", broken)
    assert deferred.run(60) == 0
    assert levels() == [PUBLIC] * 5 + [PRIVATE]
    monkeypatch.setattr(ownership, "update_records", update_records)
    deferred.run(60)
    assert levels() == [WITHDRAWN] * 6


def test_an_errand_that_fails_keeps_no_other_from_being_done(
    aya: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ben = user("ben")
    sent(text(9), owner=ben)
    for one in (aya, ben):
        closing.close(one, withdraw=True)
    end_ownerships = deferred.end_ownerships

    def picky(owner: int, *, withdraw: bool) -> int:
        assert owner != aya.pk
        return end_ownerships(owner, withdraw=withdraw)

    monkeypatch.setattr(deferred, "end_ownerships", picky)
    deferred.run(60)
    assert list(Errand.objects.values_list("holder", flat=True)) == [aya.pk]
    assert levels()[-1] == WITHDRAWN


@pytest.mark.parametrize("work", [sweeping.sweep, lambda: Worker().step()])
def test_sweep_and_embedded_worker_do_errands(aya: Any, work: Any) -> None:
    closing.close(aya, withdraw=True)
    for _ in range(4):
        work()
    assert levels() == [WITHDRAWN] * 6
    assert not Errand.objects.exists()


@pytest.mark.parametrize("withdraw", [True, False])
@pytest.mark.parametrize("level", [PUBLIC, PRIVATE])
def test_what_is_read_later_is_nobodys(withdraw: bool, level: int) -> None:
    aya = user("aya")
    part = Part("games.kafu", (text(1).encode(),))
    upload = receive(parts=[part], via="api", owner=aya.pk, visibility=level)
    closing.close(aya, withdraw=withdraw)
    deferred.run(60)
    assert not get_user_model().objects.exists()
    work_off(Upload.objects.get(pk=upload.pk), lambda _: None)
    assert Submission.objects.count() == 1
    assert levels() == [PUBLIC if level == PUBLIC and not withdraw else WITHDRAWN]
    sound()


def test_an_upload_in_parts_is_given_up(aya: Any) -> None:
    partial = begin(sender=f"user:{aya.pk}", owner=aya.pk, name="x", metadata="", length=10)
    path = path_of(partial)
    closing.close(aya, withdraw=False)
    assert not PartialUpload.objects.exists()
    assert not path.exists()


def test_closing_twice_is_closing_once(aya: Any) -> None:
    closing.close(aya, withdraw=False)
    closing.close(aya, withdraw=True)
    assert Errand.objects.get().kind == Errand.Kind.LEAVE


def test_the_staff_takes_an_upload_out_whoever_has_its_games(aya: Any) -> None:
    ben = user("ben")
    sent(text(1), owner=ben)
    upload = Upload.objects.order_by("pk")[0]
    deferred.for_upload(upload)
    assert Client().get(reverse("report", args=[upload.key])).status_code == 404
    assert levels() == [PUBLIC] * 5 + [PRIVATE]
    deferred.run(60)
    assert levels() == [WITHDRAWN] * 5 + [PRIVATE]
    assert not Errand.objects.exists()
    sound()
