"""A closed account: log-in is disabled immediately, and the games follow one by one."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from people.accounts import lifecycle
from people.models import Collection, Token
from records.ingest import ownership
from records.ingest.receiving import Part, receive
from records.ingest.resumable import append, begin
from records.jobs import batches, executor, ledger
from records.jobs.executor import Worker, work_off
from records.models import Job, Ownership, PartialUpload, Record, Upload, Visibility
from records.services import removals
from tests.people.test_holdings import sound
from tests.people.world import (
    PASSWORD,
    confirmed,
    do_jobs,
    reauthenticate,
    sent,
    session,
    token,
    user,
)
from tests.records.makers import hurry, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

PRIVATE, PUBLIC, WITHDRAWN = Visibility.PRIVATE, Visibility.PUBLIC, Visibility.WITHDRAWN


@pytest.fixture(scope="module")
def aya_for_all(rows_for_all: None) -> Any:
    owner = confirmed("aya", "aya@example.org")
    sent(*(text(seed) for seed in range(1, 6)), owner=owner)
    sent(text(6), owner=owner, visibility=PRIVATE)
    return owner


@pytest.fixture
def aya(aya_for_all: Any, db: None) -> Any:
    """Return an owner of five public games and a private game."""
    return get_user_model().objects.get(pk=aya_for_all.pk)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Process two games a batch."""
    monkeypatch.setattr(ownership, "BATCH", 2)
    monkeypatch.setattr(removals, "BATCH", 2)


def job_states() -> list[str]:
    """Return the states of the jobs that change the games of an account or upload."""
    jobs = Job.objects.filter(kind__in=removals.KINDS).order_by("pk")
    return list(jobs.values_list("state", flat=True))


def levels() -> list[int]:
    """Return the visibility of each game."""
    return list(Record.objects.order_by("pk").values_list("visibility", flat=True))


def test_closed_account_lets_nobody_in_and_its_games_follow_later(aya: Any) -> None:
    here, elsewhere, program = session(aya), session(aya), token(aya, "read")
    fields = {"games": "withdraw"}
    reauthenticate(here)
    page = here.post(reverse("delete_account"), fields, follow=True)
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
def test_games_of_a_closed_account_follow_in_batches(
    aya: Any, withdraw: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "TURN_SECONDS", 0)
    Ownership.objects.filter(owner=aya).update(note="mine")
    Collection.objects.create(owner=aya, name="best").ownerships.set(Ownership.objects.all())
    lifecycle.close(aya, withdraw=withdraw)
    assert executor.run_next()
    assert Ownership.objects.filter(owner=aya).count() == 4
    assert job_states() == ["waiting"]
    sound()
    step = executor.run_next if withdraw else Worker().step
    for _ in range(4):
        if job_states() == ["waiting"]:
            step()
    sound()
    assert levels() == ([WITHDRAWN] * 6 if withdraw else [PUBLIC] * 5 + [WITHDRAWN])
    assert not get_user_model().objects.exists()
    assert not Collection.objects.exists()
    assert job_states() == ["done"]
    assert not Ownership.objects.exclude(note="")
    assert Upload.objects.filter(owner=None).count() == 2
    assert not executor.run_next()


def test_batch_that_fails_is_repeated(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lifecycle.close(aya, withdraw=True)
    update_records = ownership.update_records

    def fail(*arguments: Any, **options: Any) -> None:
        update_records(*arguments, **options)
        raise RuntimeError("killed here")

    monkeypatch.setattr(ownership, "update_records", fail)
    executor.run_next()
    assert job_states() == ["failed"]
    assert levels() == [PUBLIC] * 5 + [PRIVATE]
    monkeypatch.setattr(ownership, "update_records", update_records)
    do_jobs()
    assert levels() == [WITHDRAWN] * 6


def test_failing_account_does_not_delay_another(aya: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ben = user("ben")
    sent(text(9), owner=ben)
    for owner in (aya, ben):
        lifecycle.close(owner, withdraw=True)
    end_ownerships = removals.end_ownerships

    def fail_for_aya(owner: int, *, withdraw: bool) -> int:
        assert owner != aya.pk
        return end_ownerships(owner, withdraw=withdraw)

    monkeypatch.setattr(removals, "end_ownerships", fail_for_aya)
    for _ in range(2):
        executor.run_next()
    assert job_states() == ["failed", "done"]
    assert levels()[-1] == WITHDRAWN


def test_failing_withdrawal_is_retried_with_growing_pauses(
    aya: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses grow up to a bound."""
    lifecycle.close(aya, withdraw=True)
    with monkeypatch.context() as patched:
        patched.setattr(removals, "end_ownerships", lambda *_, **__: 1 // 0)
        for attempts in (0, 19):
            Job.objects.filter(kind=removals.WITHDRAW).update(attempts=attempts)
            hurry()
            executor.run_next()
    job = Job.objects.get(kind=removals.WITHDRAW)
    assert (job.state, job.attempts) == ("failed", 20)
    wait = (job.due_at - timezone.now()).total_seconds()
    assert ledger.MAX_RETRY_SECONDS - 60 < wait <= ledger.MAX_RETRY_SECONDS
    do_jobs()
    assert levels() == [WITHDRAWN] * 6


@pytest.mark.parametrize(("level", "withdraw"), [(PUBLIC, True), (PUBLIC, False), (PRIVATE, False)])
def test_game_read_after_the_account_closed_belongs_to_nobody(withdraw: bool, level: int) -> None:
    chie = user("chie")
    part = Part("games.kafu", (text(9).encode(),))
    upload = receive(parts=[part], via="api", owner=chie.pk, visibility=level)
    lifecycle.close(chie, withdraw=withdraw)
    do_jobs()
    assert not get_user_model().objects.filter(pk=chie.pk).exists()
    work_off(Upload.objects.get(pk=upload.pk), lambda _: None)
    record = upload.submissions.get().record
    assert record is not None
    assert record.visibility == (PUBLIC if level == PUBLIC and not withdraw else WITHDRAWN)
    sound()


def test_account_closed_twice_ends_its_partial_uploads_and_leaves_its_games(db: None) -> None:
    dan = user("dan")
    partial = begin(sender=f"user:{dan.pk}", owner=dan.pk, name="x", metadata="", length=10)
    append(partial, 0, BytesIO(b"12345").read)
    path = Path(storages["partial"].path(partial.parts[0][0]))
    assert path.exists()
    lifecycle.close(dan, withdraw=False)
    assert not PartialUpload.objects.exists()
    assert not path.exists()
    lifecycle.close(dan, withdraw=True)
    assert Job.objects.get(kind__in=removals.KINDS).kind == removals.LEAVE


def test_upload_removed_by_staff_hides_games_of_all_owners(aya: Any) -> None:
    ben = user("ben")
    sent(text(1), owner=ben)
    upload = Upload.objects.order_by("pk")[0]
    removals.for_upload(upload)
    assert Client().get(reverse("report", args=[upload.key])).status_code == 404
    assert levels() == [PUBLIC] * 5 + [PRIVATE]
    do_jobs()
    assert levels() == [WITHDRAWN] * 5 + [PRIVATE]
    assert job_states() == ["done"]
    sound()
