"""A change of visibility of a whole upload: all its games follow, whatever happens meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from people.accounts import closing
from records.intake import queries
from records.intake.receiving import Part, receive
from records.models import Job, Ownership, Player, Record, Upload, Visibility
from records.operations.rebuild import begin, work
from records.store import visibility
from records.store.ownership import UNDONE, change_visibility, take_down
from records.work import batches
from records.work.ledger import claim
from records.work.worker import Worker
from tests.conftest import Environment, Hana
from tests.people.test_at_once import code
from tests.people.test_holdings import sound
from tests.people.world import sent, session, token, user
from tests.records.makers import text

pytestmark = pytest.mark.django_db

WITHDRAWN, PRIVATE, UNLISTED, PUBLIC = Visibility


@pytest.fixture
def aya(db: None) -> Any:
    """One holder."""
    return user("aya")


@pytest.fixture(autouse=True)
def small(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games a chunk and a turn, and no pause."""
    settings.CHUNK_GAMES = 2
    monkeypatch.setattr(batches, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(batches, "TURN_SECONDS", 0)


def games(*seeds: int) -> list[str]:
    """Games by their seeds."""
    return [text(seed) for seed in seeds]


def worked_off(most: int = 100) -> int:
    """Work until there is nothing to do; returns how many steps that took, at most ``most``."""
    worker = Worker()
    worker.scheduled = float("inf")  # no ratings in between
    return next((done for done in range(most) if not worker.step()), most)


def changes() -> QuerySet[Job]:
    """The jobs of changes."""
    return Job.objects.filter(kind="visibility")


def record(seed: int) -> Record:
    """A game by its seed."""
    return Record.objects.get(identity=verify(read(text(seed))).verdict.identity)


def levels() -> list[int]:
    """How visible each game is, in the order of their seeds."""
    return [record(seed).visibility for seed in range(1, Record.objects.count() + 1)]


@pytest.mark.parametrize("level", Visibility)
def test_all_games_follow(aya: Any, level: Visibility) -> None:
    upload = sent(*games(1, 2, 3, 4, 5), owner=aya, visibility=UNLISTED)
    visibility.request_change(upload, level)
    assert Upload.objects.get().visibility == level
    assert queries.change(upload) == {"state": "waiting", "games": 0, "total": 5}
    assert worked_off() == 7  # three chunks, a mark for each, and a look whether there are more
    assert levels() == [level] * 5
    assert queries.change(upload) == {"state": "done", "games": 5, "total": 5}
    assert {one.games for one in Player.objects.all()} == {5 if level is PUBLIC else 0}
    sound()


def test_it_goes_on_where_it_was(aya: Any) -> None:
    upload = sent(*games(1, 2, 3, 4, 5), owner=aya)
    visibility.request_change(upload, PRIVATE)
    worked_off(2)
    assert queries.change(upload) == {"state": "waiting", "games": 2, "total": 5}
    assert levels() == [PRIVATE, PRIVATE, PUBLIC, PUBLIC, PUBLIC]
    assert claim(changes().get().pk)  # by one that is killed
    assert worked_off() == 0
    changes().update(lease_until=timezone.now())  # the end of its lease
    worked_off()
    assert levels() == [PRIVATE] * 5
    sound()


def test_what_fails_is_tried_three_times_and_named(
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
            worked_off(1)
    row = changes().get()
    assert (row.state, row.reason) == ("dead-letter", "ValueError: boom")
    page = session(aya).get(reverse("report", args=[upload.key])).content.decode()
    assert "failed three times and was given up" in page
    visibility.request_change(upload, PRIVATE)
    worked_off()
    assert levels() == [PRIVATE] * 3


def test_games_that_are_still_being_read_follow(aya: Any) -> None:
    sent(*games(4), owner=aya)  # one of them he holds already, for all to see
    part = Part("games.kafu", ("\n".join(games(1, 2, 3, 4, 5)).encode(),))
    upload = receive(parts=[part], via="api", owner=aya.pk)
    worked_off(2)  # cut, and the first chunk
    assert Record.objects.count() == 3
    visibility.request_change(upload, PRIVATE)
    worked_off()
    assert levels() == [PRIVATE] * 5
    assert upload.progress()["state"] == "done"
    assert queries.change(upload) == {"state": "done", "games": 5, "total": 5}
    sound()


def test_games_of_others_stay_as_they_are(aya: Any) -> None:
    ben = user("ben")
    upload = sent(*games(1, 2), owner=aya)
    sent(*games(2, 3), owner=ben)
    visibility.request_change(upload, PRIVATE)
    worked_off()
    assert levels() == [PRIVATE, PUBLIC, PUBLIC]
    assert set(Ownership.objects.filter(owner=ben).values_list("visibility", flat=True)) == {PUBLIC}
    sound()


def test_what_one_says_later_counts(aya: Any) -> None:
    upload = sent(*games(1, 2, 3, 4), owner=aya)
    change_visibility(
        owner=aya.pk, records=[record(1).pk], visibility=UNLISTED
    )  # before: overruled
    visibility.request_change(upload, PRIVATE)
    change_visibility(owner=aya.pk, records=[record(2).pk], visibility=UNLISTED)
    sent(*games(3), owner=aya)
    worked_off()
    assert levels() == [PRIVATE, UNLISTED, PUBLIC, PRIVATE]
    sent(*games(4), owner=aya)
    assert levels() == [PRIVATE, UNLISTED, PUBLIC, PUBLIC]
    sound()


def test_the_later_of_two_changes_counts_whichever_is_done_first(aya: Any) -> None:
    one = sent(*games(1, 2), owner=aya)
    other = sent(*games(2, 3), owner=aya)
    visibility.request_change(other, PRIVATE)
    visibility.request_change(one, UNLISTED)
    worked_off()
    assert levels() == [UNLISTED, UNLISTED, PRIVATE]
    visibility.request_change(one, PRIVATE)
    visibility.request_change(other, UNLISTED)
    worked_off()
    assert levels() == [PRIVATE, UNLISTED, UNLISTED]
    visibility.request_change(one, PUBLIC)
    worked_off(1)
    visibility.request_change(one, UNLISTED)  # takes its place
    worked_off()
    assert changes().filter(upload=one).count() == 1
    assert levels() == [UNLISTED] * 3
    sound()


def test_what_becomes_public_comes_in_only_now(aya: Any) -> None:
    upload = sent(*games(1), owner=aya, visibility=PRIVATE)
    earlier = record(1).created
    visibility.request_change(upload, PUBLIC)
    worked_off()
    assert record(1).created > earlier
    shown = record(1).created
    visibility.request_change(upload, UNLISTED)
    worked_off()
    assert record(1).created == shown


def test_what_is_withdrawn_stays_so(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    change_visibility(owner=aya.pk, records=[record(1).pk], visibility=WITHDRAWN)
    take_down([record(2).pk])
    visibility.request_change(upload, PUBLIC)
    worked_off()
    assert levels() == [WITHDRAWN, WITHDRAWN, PUBLIC]
    assert change_visibility(owner=aya.pk, records=[record(2).pk], visibility=PUBLIC) == 0
    visibility.request_change(upload, WITHDRAWN)
    worked_off()
    assert levels() == [WITHDRAWN] * 3
    with pytest.raises(visibility.Withdrawn):
        visibility.request_change(upload, PUBLIC)
    Upload.objects.update(withdrawn_at=timezone.now() - UNDONE)
    with pytest.raises(visibility.Withdrawn):
        visibility.restore(upload)
    sent(*games(1), owner=aya)
    assert levels() == [PUBLIC, WITHDRAWN, WITHDRAWN]
    sound()


@pytest.mark.parametrize("withdraw", [True, False])
def test_an_account_that_goes_meanwhile(aya: Any, withdraw: bool) -> None:
    upload = sent(*games(1, 2, 3, 4), owner=aya)
    visibility.request_change(upload, PRIVATE)
    worked_off(1)
    closing.close(aya, withdraw=withdraw)
    worked_off()
    assert levels() == [WITHDRAWN] * 4  # nobody could see private ones
    assert not changes().exists()
    sound()


def test_an_archive_rebuilt_is_as_it_was(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    visibility.request_change(upload, PRIVATE)
    worked_off()
    sent(*games(3), owner=aya)
    begin()
    work(lambda _: None)
    assert levels() == [PRIVATE, PRIVATE, PUBLIC]
    sound()


def test_by_the_api(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    address = reverse("api:upload", args=[upload.key])
    client, own = Client(), token(aya, "upload")

    def patch(said: Any) -> Any:
        return client.patch(address, said, "application/json", headers=own)

    response = patch({"visibility": "private"})
    assert response.status_code == 202
    told = response.json()
    assert told["visibility"] == "private"
    assert told["change"] == {"state": "waiting", "games": 0, "total": 3}
    worked_off()
    assert client.get(address, headers=own).json()["change"]["state"] == "done"
    assert client.get(address).status_code == 404
    wrong: list[Any] = [{}, {"visibility": "secret"}, {"visibility": None}, [], 7]
    for said in wrong:
        assert patch(said).status_code == 400, said
    assert patch({"visibility": "withdrawn"}).status_code == 202
    Upload.objects.update(withdrawn_at=timezone.now() - UNDONE)
    again = patch({"visibility": "public"})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert "upload them again" in again.json()["detail"]


def test_by_the_page(aya: Any) -> None:
    upload = sent(*games(1, 2, 3), owner=aya)
    client, page = session(aya), reverse("report", args=[upload.key])
    address = reverse("change_upload", args=[upload.key])
    assert "Choose who may see them" in client.post(address, {}, follow=True).content.decode()
    body = client.post(address, {"visibility": "private"}, follow=True).content.decode()
    assert 'data-now="changing"' in body
    assert '<option value="private" selected>' in body
    worked_off()
    body = client.get(page).content.decode()
    assert 'data-now="done"' in body
    asked = client.post(address, {"visibility": "public", "withdraw": "1"})
    assert "3 games will be removed" in asked.content.decode()
    assert Upload.objects.get().visibility == PRIVATE
    client.post(address, {"withdraw": "1", "confirmed": "1"})
    assert Upload.objects.get().visibility == WITHDRAWN
    body = client.post(address, {"visibility": "public"}, follow=True).content.decode()
    assert "This upload is withdrawn" in body
    assert "<select" not in body.split('class="who"')[1].split("</section>")[0]


#: One process sends the same games over and over and changes its uploads, and works at them; the
#: other decides about single ones.
CHANGER = """
    import random, time
    from django.conf import settings
    from django.contrib.auth.models import User
    from records.store import visibility as changes
    from records.work import batches
    from records.store.ownership import change_visibility, take_down
    from records.models import Record
    from records.work.worker import Worker
    from tests.people.world import sent
    from tests.records.makers import text
    settings.CHUNK_GAMES, batches.PAUSE_SECONDS = 2, 0
    chance = random.Random({seed})
    owner = User.objects.get_or_create(username="user{seed}")[0]
    texts = [text(seed) for seed in range(1, 5)]
    for turn in range(6):
        chance.shuffle(texts)
        upload = sent(*texts[:3], owner=owner, visibility=chance.choice([1, 2, 3]))
        changes.request_change(upload, chance.choice([1, 2, 3]))
        pks = list(Record.objects.values_list("pk", flat=True))
        change_visibility(owner=owner.pk, records=pks[:2], visibility=chance.choice([1, 2, 3]))
    worker, end = Worker(), time.monotonic() + 3
    while time.monotonic() < end:
        worker.step()
"""
CHECK = """
    from tests.people.test_holdings import sound
    sound()
    from records.models import Job
    changes = Job.objects.filter(kind="visibility")
    print("open", changes.exclude(state="done").count(), changes.count())
"""


def test_workers_at_once(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True, DJANGO_SETTINGS_MODULE="hanaarchive.settings")
    both = [hana.start_python(*code(CHANGER.format(seed=seed)), env=env) for seed in (1, 2)]
    for process in both:
        assert process.wait(120) == 0
    done = hana.start_python(*code(CHECK), env=env)
    assert done.wait(60) == 0
    assert done.stdout is not None
    assert done.stdout.read().split() == ["open", "0", "12"]
