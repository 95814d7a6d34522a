"""The work of one sender does not keep that of another waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from people.tokens import make
from records.models import Job, Line, Upload, Visibility
from records.serving.senders import hashed
from records.store import deferred, ownership, visibility
from records.work import batches, kinds, tasks, turns
from records.work.kinds import kind_of
from records.work.ledger import take
from tests.conftest import Environment, Hana
from tests.people.world import session, user
from tests.records.archives.makers import zipped
from tests.records.makers import joined, text, upload

pytestmark = pytest.mark.django_db

#: Senders by what is kept of their names.
SENDERS = {hashed(name): name for name in ("huge", "small", "busy", "other", "again", "a", "b")}


def games(count: int = 20) -> list[str]:
    """So many games, made where they are first wanted: a test that is not run makes none."""
    return [text(seed) for seed in range(1, count + 1)]


def taken(most: int = 1000) -> list[str]:
    """Work it all off, or so many rows; whose rows they were, in order."""
    senders: list[str] = []
    do = tasks.do

    def noted(job: Job, **more: bool) -> None:
        assert job.upload is not None
        senders.append(SENDERS[job.upload.sender])
        do(job, **more)

    with patch.object(tasks, "do", noted):
        while len(senders) < most and tasks.do_next():
            pass
    return senders


@override_settings(CHUNK_GAMES=1)
def test_a_small_upload_with_a_huge_one() -> None:
    """One file and two chunks are done when six rows are: those and one of the other's each."""
    upload(joined(*games()), sender="huge")
    assert taken(5) == ["huge"] * 5
    small = upload(joined(*games(2)), sender="small")
    assert Counter(taken(6))["small"] == 3
    assert small.progress()["state"] == "done"
    assert taken() == ["huge"] * (21 - 5 - 3)


@override_settings(CHUNK_GAMES=1)
def test_an_archive_of_many_files() -> None:
    archive = zipped({f"{n}.kafu": game.encode() for n, game in enumerate(games())})
    upload(archive, sender="huge")
    taken(3)
    upload(text(1).encode(), sender="small")
    assert Counter(taken(4))["small"] == 2
    assert set(taken()) == {"huge"}


@override_settings(CHUNK_GAMES=1)
def test_many_uploads_of_one_sender_have_one_turn() -> None:
    for game in games():
        upload(game.encode(), sender="busy")
    other = upload(joined(*games(5)), sender="other")
    order = taken(14)
    assert abs(Counter(order)["busy"] - Counter(order)["other"]) <= 2
    assert other.progress()["state"] == "done" or "other" in taken(2)


@override_settings(CHUNK_GAMES=1)
def test_who_comes_again_and_again_is_not_always_first() -> None:
    """Each time as soon as the one before is done; the other's rows go on meanwhile."""
    upload(joined(*games()), sender="huge")
    taken(1)
    order: list[str] = []
    again = hashed("again")
    for game in games(5):
        upload(game.encode(), sender="again")
        while Job.objects.filter(upload__sender=again, state__in=Job.OPEN).exists():
            order += taken(1)
    assert Counter(order)["huge"] >= 5


@override_settings(CHUNK_GAMES=1)
def test_one_s_own_small_upload_with_one_s_own_huge_one() -> None:
    huge = upload(joined(*games()), sender="a")
    Upload.objects.filter(pk=huge.pk).update(bulk=True)
    taken(5)
    small = upload(text(1).encode(), sender="a")
    taken(4)
    assert small.progress()["state"] == "done"


@override_settings(CHUNK_GAMES=1)
def test_a_sender_who_waited_long_ago_has_no_claim_left() -> None:
    """Nor has one who had much done when nobody else wanted anything to pay for it."""
    upload(joined(*games()), sender="a")
    taken()
    for sender in "ab":
        upload(joined(*games(5)), sender=sender)
    order = taken(8)
    assert Counter(order) == {"a": 4, "b": 4}
    taken()
    assert turns.tidy() == Line.objects.count() + 1
    assert list(Line.objects.values_list("name", flat=True)) == [Line.CLAIMED]


@override_settings(CHUNK_GAMES=1)
def test_what_is_retried_puts_nobody_back() -> None:
    """A row of long ago that comes up again does not set the clock of turns back."""
    upload(joined(*games()), sender="a")
    taken(10)
    before = turns.current()
    Job.objects.filter(kind="chunk", state="done").update(state="waiting", due_at=timezone.now())
    found = take()
    assert found is not None
    assert turns.current() == before


@override_settings(CHUNK_GAMES=1)
def test_a_change_of_visibility_does_not_wait_for_the_next_large_upload() -> None:
    one = upload(text(1).encode(), sender="a")
    Upload.objects.filter(pk=one.pk).update(owner=user("aya"))
    taken()
    huge = upload(joined(*games()), sender="a")
    Upload.objects.filter(pk=huge.pk).update(bulk=True)
    taken(5)
    kind = replace(kind_of("visibility"), cost=1)
    with patch.dict(kinds._KINDS, {"visibility": kind}):
        visibility.request_change(one, Visibility.PRIVATE)
        taken(3)
    assert Job.objects.get(kind="visibility").state == "done"


@override_settings(CHUNK_GAMES=1)
def test_a_change_of_many_games_and_uploads_take_turns() -> None:
    """The change of an account takes its share, and no more, while uploads are being read."""
    upload(joined(*games()), sender="huge")
    taken(5)
    owner = user("aya")
    sent = upload(text(1).encode(), sender="a")
    Upload.objects.filter(pk=sent.pk).update(owner=owner)
    kind = replace(kind_of("leave"), cost=5)
    order: list[str] = []
    with (
        patch.dict(kinds._KINDS, {"leave": kind}),
        patch.object(batches, "TURN_SECONDS", 0),
        patch.object(ownership, "BATCH", 1),
    ):
        deferred.for_owner(owner, withdraw=False)
        while job := take():
            order.append(job.kind)
            tasks.do(job)
    assert "leave" in order[:8]
    assert order.count("leave") >= 2
    assert "chunk" in order[order.index("leave") + 1 :]


def test_who_sent_it() -> None:
    """An account is one sender, by its session and all its tokens; else it is the address."""
    owner = user("aya")
    first, second = (
        {"Authorization": f"Bearer {make(owner=owner, name=name, scopes=['upload'])[1]}"}
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


#: Workers on PostgreSQL at the same moment: each takes a row of its own.
ASK = """
import threading
from django.db import connection
from records.work.ledger import take
from records.models import Job
from tests.records.makers import text, upload
for sender in "abcdefgh":
    upload(text(1).encode(), sender=sender)
found, start = [], threading.Barrier(8)
def one():
    start.wait()
    found.append(take())
    connection.close()
threads = [threading.Thread(target=one) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("taken", sorted(job.pk for job in found) == sorted(
    Job.objects.values_list("pk", flat=True)))
"""


def test_workers_at_the_same_moment(hana: Hana, hana_env: Callable[..., Environment]) -> None:
    env = hana_env(postgres=True)
    assert "taken True" in hana("shell", "--command", ASK, env=env).stdout
