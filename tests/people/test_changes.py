"""A change of visibility of a whole upload, which all its games follow."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from lengths import part
from people.accounts import lifecycle
from records.ingest.ownership import RESTORE_PERIOD, change_visibility, take_down
from records.ingest.receiving import Part, receive
from records.ingest.reports import progress_of_change
from records.jobs import batches
from records.jobs.executor import Worker
from records.jobs.ledger import claim
from records.models import Job, Ownership, Player, Record, Upload, Visibility
from records.services import visibility
from records.shapes.uploads import Following
from tests.people.test_holdings import sound
from tests.people.world import identity_of, sent, session, token, user
from tests.records.makers import text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

WITHDRAWN, PRIVATE, UNLISTED, PUBLIC = Visibility


@pytest.fixture
def aya(db: None) -> Any:
    """Create an owner of games."""
    return user("aya")


@pytest.fixture(autouse=True)
def small(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit chunks and batches to two games, without pauses."""
    settings.CHUNK_GAMES = 2
    monkeypatch.setattr(batches, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(batches, "TURN_SECONDS", 0)


def games(*seeds: int) -> list[str]:
    """Return the texts of games by their seeds."""
    return [text(seed) for seed in seeds]


def work(most: int = 100) -> int:
    """Run at most ``most`` steps until no work is left; return the number of steps."""
    worker = Worker()
    worker.tended = float("inf")  # no ratings in between
    return next((steps for steps in range(most) if not worker.step()), most)


def changes() -> QuerySet[Job]:
    """Return the jobs of visibility changes."""
    return Job.objects.filter(kind="visibility")


def record(seed: int) -> Record:
    """Return a game by its seed."""
    return Record.objects.get(identity=identity_of(seed))


def levels() -> list[int]:
    """Return the visibility of each game, in the order of their seeds."""
    return [record(seed).visibility for seed in range(1, Record.objects.count() + 1)]


def test_all_games_of_an_upload_follow_its_visibility(aya: Any) -> None:
    upload = sent(*games(1, 2, 3, 4, 5), owner=aya, visibility=UNLISTED)
    for level in (PRIVATE, PUBLIC, WITHDRAWN):
        visibility.request_change(upload, level)
        assert Upload.objects.get().visibility == level
        assert progress_of_change(upload) == Following("waiting", 0, 5)
        assert work() == 7  # three chunks, a mark for each, and a final query for more
        assert levels() == [level] * 5
        assert progress_of_change(upload) == Following("done", 5, 5)
        counts = set(Player.objects.values_list("games", flat=True))
        assert counts == {5 if level is PUBLIC else 0}
        sound()


def test_change_of_a_killed_worker_is_continued(aya: Any) -> None:
    upload = sent(*games(1, 2, 3, 4, 5), owner=aya)
    visibility.request_change(upload, PRIVATE)
    work(2)
    assert progress_of_change(upload) == Following("waiting", 2, 5)
    assert levels() == [PRIVATE, PRIVATE, PUBLIC, PUBLIC, PUBLIC]
    assert claim(changes().get().pk)  # by a worker that is killed
    assert work() == 0
    changes().update(lease_until=timezone.now())  # the end of its lease
    work()
    assert levels() == [PRIVATE] * 5
    sound()


def test_change_that_fails_three_times_is_given_up_and_can_be_repeated(
    aya: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    visibility.request_change(upload, PRIVATE)

    def fail(*_: Any) -> None:
        raise ValueError("boom")

    with monkeypatch.context() as patched:
        patched.setattr(visibility, "apply_change", fail)
        for _attempt in range(4):
            changes().filter(state=Job.State.FAILED).update(due_at="2026-01-01T00:00Z")
            work(1)
    row = changes().get()
    assert (row.state, row.reason) == ("dead-letter", "ValueError: boom")
    page = session(aya).get(reverse("report", args=[upload.key])).content.decode()
    assert "failed three times and was given up" in page
    visibility.request_change(upload, PRIVATE)
    work()
    assert levels() == [PRIVATE] * 3


def test_games_read_after_the_change_follow_it(aya: Any) -> None:
    sent(*games(4), owner=aya)  # one of the games is public already
    file = Part("games.kafu", ("\n".join(games(1, 2, 3, 4, 5)).encode(),))
    upload = receive(parts=[file], via="api", owner=aya.pk)
    work(2)  # cut, and the first chunk
    assert Record.objects.count() == 3
    visibility.request_change(upload, PRIVATE)
    work()
    assert levels() == [PRIVATE] * 5
    assert upload.progress()["state"] == "done"
    assert progress_of_change(upload) == Following("done", 5, 5)
    sound()


def test_games_of_other_owners_are_not_changed(aya: Any) -> None:
    ben = user("ben")
    upload = sent(*games(1, 2), owner=aya)
    sent(*games(2, 3), owner=ben)
    visibility.request_change(upload, PRIVATE)
    work()
    assert levels() == [PRIVATE, PUBLIC, PUBLIC]
    assert set(Ownership.objects.filter(owner=ben).values_list("visibility", flat=True)) == {PUBLIC}
    sound()


def test_latest_decision_about_a_game_counts(aya: Any) -> None:
    upload = sent(*games(1, 2, 3, 4), owner=aya)
    change_visibility(
        owner=aya.pk, records=[record(1).pk], visibility=UNLISTED
    )  # before: overruled
    visibility.request_change(upload, PRIVATE)
    change_visibility(owner=aya.pk, records=[record(2).pk], visibility=UNLISTED)
    sent(*games(3), owner=aya)
    work()
    assert levels() == [PRIVATE, UNLISTED, PUBLIC, PRIVATE]
    sent(*games(4), owner=aya)
    assert levels() == [PRIVATE, UNLISTED, PUBLIC, PUBLIC]
    sound()


@pytest.mark.long_only  # the test above has several decisions
def test_later_of_two_changes_counts_in_any_order_of_work(aya: Any) -> None:
    first = sent(*games(1, 2), owner=aya)
    second = sent(*games(2, 3), owner=aya)
    visibility.request_change(second, PRIVATE)
    visibility.request_change(first, UNLISTED)
    work()
    assert levels() == [UNLISTED, UNLISTED, PRIVATE]
    visibility.request_change(first, PRIVATE)
    visibility.request_change(second, UNLISTED)
    work()
    assert levels() == [PRIVATE, UNLISTED, UNLISTED]
    visibility.request_change(first, PUBLIC)
    work(1)
    visibility.request_change(first, UNLISTED)  # takes its place
    work()
    assert changes().filter(upload=first).count() == 1
    assert levels() == [UNLISTED] * 3
    sound()


def test_game_made_public_is_created_at_that_moment(aya: Any) -> None:
    upload = sent(*games(1), owner=aya, visibility=PRIVATE)
    earlier = record(1).created
    visibility.request_change(upload, PUBLIC)
    work()
    assert record(1).created > earlier
    public_since = record(1).created
    visibility.request_change(upload, UNLISTED)
    work()
    assert record(1).created == public_since


def test_withdrawn_game_is_not_made_visible_by_a_change(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    change_visibility(owner=aya.pk, records=[record(1).pk], visibility=WITHDRAWN)
    take_down([record(2).pk])
    visibility.request_change(upload, PUBLIC)
    work()
    assert levels() == [WITHDRAWN, WITHDRAWN, PUBLIC]
    assert change_visibility(owner=aya.pk, records=[record(2).pk], visibility=PUBLIC) == 0
    visibility.request_change(upload, WITHDRAWN)
    work()
    assert levels() == [WITHDRAWN] * 3
    with pytest.raises(visibility.Withdrawn):
        visibility.request_change(upload, PUBLIC)
    Upload.objects.update(withdrawn_at=timezone.now() - RESTORE_PERIOD)
    with pytest.raises(visibility.Withdrawn):
        visibility.restore(upload)
    sent(*games(1), owner=aya)
    assert levels() == [PUBLIC, WITHDRAWN, WITHDRAWN]
    sound()


@pytest.mark.parametrize("withdraw", part([True, False]))
def test_account_closed_during_a_change_loses_all_games(aya: Any, withdraw: bool) -> None:
    upload = sent(*games(1, 2, 3, 4), owner=aya)
    visibility.request_change(upload, PRIVATE)
    work(1)
    lifecycle.close(aya, withdraw=withdraw)
    work()
    assert levels() == [WITHDRAWN] * 4  # a private anonymous game would be visible to nobody
    assert not changes().exists()
    sound()


def test_owner_changes_an_upload_through_the_api(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    address = reverse("api:upload", args=[upload.key])
    client, headers = Client(), token(aya, "upload")

    def patch(fields: Any) -> Any:
        return client.patch(address, fields, "application/json", headers=headers)

    response = patch({"visibility": "private"})
    assert response.status_code == 202
    body = response.json()
    assert body["visibility"] == "private"
    assert body["change"] == {"state": "waiting", "games": 0, "total": 3}
    work()
    assert client.get(address, headers=headers).json()["change"]["state"] == "done"
    assert client.get(address).status_code == 404
    invalid: list[Any] = [{}, {"visibility": "secret"}, {"visibility": None}, [], 7]
    for fields in invalid:
        assert patch(fields).status_code == 400, fields
    assert patch({"visibility": "withdrawn"}).status_code == 202
    Upload.objects.update(withdrawn_at=timezone.now() - RESTORE_PERIOD)
    again = patch({"visibility": "public"})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert "upload them again" in again.json()["detail"]


def test_owner_changes_an_upload_on_its_page(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    client, page = session(aya), reverse("report", args=[upload.key])
    address = reverse("change_upload", args=[upload.key])
    assert "Choose who can see them" in client.post(address, {}, follow=True).content.decode()
    body = client.post(address, {"visibility": "private"}, follow=True).content.decode()
    assert 'data-now="changing"' in body
    assert '<option value="private" selected>' in body
    work()
    body = client.get(page).content.decode()
    assert 'data-now="done"' in body
    question = client.post(address, {"visibility": "public", "withdraw": "1"})
    assert "3 games will be removed" in question.content.decode()
    assert Upload.objects.get().visibility == PRIVATE
    client.post(address, {"withdraw": "1", "confirmed": "1"})
    assert Upload.objects.get().visibility == WITHDRAWN
    body = client.post(address, {"visibility": "public"}, follow=True).content.decode()
    assert "This upload is withdrawn" in body
    assert "<select" not in body.split('class="who"')[1].split("</section>")[0]
