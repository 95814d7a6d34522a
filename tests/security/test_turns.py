"""Jobs of one sender do not delay jobs of another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from unittest.mock import patch

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from people.tokens import create_token
from records.ingest import ownership
from records.jobs import batches, executor, kinds, ledger
from records.jobs.kinds import kind_of
from records.jobs.ledger import take
from records.models import Job, Line, Upload, Visibility
from records.services import removals, visibility
from records.serving.senders import hashed
from tests.people.world import session, user
from tests.records.makers import MALFORMED, joined, text, upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

#: Senders by the stored hashes of their names.
SENDERS = {hashed(name): name for name in ("huge", "small", "busy", "other", "again", "a", "b")}


def make_games(count: int = 10) -> list[str]:
    """Return malformed games, whose chunks are done in less time than those of readable games."""
    return [MALFORMED] * count


def do_jobs(limit: int = 1000) -> list[str]:
    """Do all jobs, or up to a limit. Return the sender of each, in order."""
    senders: list[str] = []
    do = executor.run_job

    def record_sender(job: Job, **more: bool) -> None:
        assert job.upload is not None
        senders.append(SENDERS[job.upload.sender])
        do(job, **more)

    with patch.object(executor, "run_job", record_sender):
        while len(senders) < limit and executor.run_next():
            pass
    return senders


@pytest.mark.long_only  # the next test has a small upload too
@override_settings(CHUNK_GAMES=1)
def test_small_upload_is_done_alternately_with_a_huge_one() -> None:
    """The file and the two chunks of the small upload are done within six jobs."""
    upload(joined(*make_games()), sender="huge")
    assert do_jobs(5) == ["huge"] * 5
    small = upload(joined(*make_games(2)), sender="small")
    assert Counter(do_jobs(6))["small"] == 3
    assert small.progress()["state"] == "done"
    assert do_jobs() == ["huge"] * (11 - 5 - 3)


@override_settings(CHUNK_GAMES=10)
def test_small_upload_is_done_before_long_jobs_that_wait_already() -> None:
    for sender in ("huge", "busy", "other"):
        upload(joined(*make_games()), sender=sender)
    assert do_jobs(4) == ["huge", "busy", "other", "huge"]
    upload(text(1).encode(), sender="small")
    assert do_jobs() == ["small", "small", "busy", "other"]


@override_settings(CHUNK_GAMES=1)
def test_many_uploads_of_one_sender_share_one_turn() -> None:
    for game in make_games(8):
        upload(game.encode(), sender="busy")
    other_upload = upload(joined(*make_games(5)), sender="other")
    order = do_jobs(14)
    assert abs(Counter(order)["busy"] - Counter(order)["other"]) <= 2
    assert other_upload.progress()["state"] == "done" or "other" in do_jobs(2)


@pytest.mark.long_only  # the test above has many uploads too
@override_settings(CHUNK_GAMES=1)
def test_sender_of_one_upload_after_another_is_not_always_first() -> None:
    """Jobs of the huge upload are done between the uploads of the other sender."""
    upload(joined(*make_games()), sender="huge")
    do_jobs(1)
    order: list[str] = []
    again = hashed("again")
    for game in make_games(5):
        upload(game.encode(), sender="again")
        while Job.objects.filter(upload__sender=again, state__in=Job.OPEN).exists():
            order += do_jobs(1)
    assert Counter(order)["huge"] >= 5


@override_settings(CHUNK_GAMES=1)
def test_small_upload_is_not_delayed_by_a_bulk_upload_of_its_sender() -> None:
    huge = upload(joined(*make_games()), sender="a")
    Upload.objects.filter(pk=huge.pk).update(bulk=True)
    do_jobs(5)
    small = upload(text(1).encode(), sender="a")
    do_jobs(4)
    assert small.progress()["state"] == "done"


@override_settings(CHUNK_GAMES=1)
def test_turns_of_an_earlier_busy_time_do_not_count() -> None:
    """A sender whose jobs were done while no other sender waited does not pay for them."""
    upload(joined(*make_games(5)), sender="a")
    do_jobs()
    for sender in "ab":
        upload(joined(*make_games(3)), sender=sender)
    order = do_jobs(6)
    assert Counter(order) == {"a": 3, "b": 3}
    do_jobs()
    assert ledger.tidy() == Line.objects.count() + 1
    assert list(Line.objects.values_list("name", flat=True)) == [Line.CLAIMED]


@override_settings(CHUNK_GAMES=1)
def test_retried_job_does_not_set_the_clock_of_turns_back() -> None:
    upload(joined(*make_games()), sender="a")
    do_jobs(6)
    before = ledger.current()
    Job.objects.filter(kind="chunk", state="done").update(state="waiting", due_at=timezone.now())
    assert take() is not None
    assert ledger.current() == before


@override_settings(CHUNK_GAMES=1)
def test_change_of_visibility_does_not_wait_for_a_bulk_upload() -> None:
    shown = upload(text(1).encode(), sender="a")
    Upload.objects.filter(pk=shown.pk).update(owner=user("aya"))
    do_jobs()
    huge = upload(joined(*make_games()), sender="a")
    Upload.objects.filter(pk=huge.pk).update(bulk=True)
    do_jobs(5)
    kind = replace(kind_of("visibility"), weight=1)
    with patch.dict(kinds._KINDS, {"visibility": kind}):
        visibility.request_change(shown, Visibility.PRIVATE)
        do_jobs(3)
    assert Job.objects.get(kind="visibility").state == "done"


@pytest.mark.long_only  # the test above has a change beside uploads
@override_settings(CHUNK_GAMES=1)
def test_change_of_many_games_and_uploads_are_done_alternately() -> None:
    """The change of an account takes its share, and no more, while uploads are read."""
    upload(joined(*make_games()), sender="huge")
    do_jobs(5)
    owner = user("aya")
    sent = upload(text(1).encode(), sender="a")
    Upload.objects.filter(pk=sent.pk).update(owner=owner)
    kind = replace(kind_of("leave"), weight=5)
    order: list[str] = []
    with (
        patch.dict(kinds._KINDS, {"leave": kind}),
        patch.object(batches, "TURN_SECONDS", 0),
        patch.object(ownership, "BATCH", 1),
    ):
        removals.for_owner(owner, withdraw=False)
        while job := take():
            order.append(job.kind)
            executor.run_job(job)
    assert "leave" in order[:8]
    assert order.count("leave") >= 2
    assert "chunk" in order[order.index("leave") + 1 :]


def test_sender_is_the_account_or_else_the_address() -> None:
    """An account is one sender, with its session and all its tokens."""
    owner = user("aya")
    first, second = (
        {"Authorization": f"Bearer {create_token(owner=owner, name=name, scopes=['upload'])[1]}"}
        for name in "ab"
    )
    url, kind = reverse("api:uploads"), "text/x-kafu"
    stranger = Client(REMOTE_ADDR="2001:db8:1:2:3::4")
    session(owner).post(reverse("upload"), {"text": text(1)})
    Client().post(url, text(1), content_type=kind, headers=first)
    Client().post(url, text(1), content_type=kind, headers={**second, "Idempotency-Key": "1"})
    Client().post(
        reverse("api:resumables"),
        headers={**first, "Tus-Resumable": "1.0.0", "Upload-Length": "0"},
    )
    stranger.post(reverse("upload"), {"text": text(1)})
    stranger.post(url, text(1), content_type=kind)
    account, address = map(hashed, (f"user:{owner.pk}", "address:2001:db8:1:2::/64"))
    senders = list(Upload.objects.order_by("pk").values_list("sender", flat=True))
    assert senders == [account] * 4 + [address] * 2
    assert not Upload.objects.filter(sender="").exists()
    assert upload(b"x").sender == ""
