import gc
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import override_settings
from django.utils import timezone

from records.intake import judging
from records.models import Chunk, Record, Upload, UploadFile
from records.store.judged import JudgedGame
from records.store.pieces import pieces
from records.work import sweeping, tasks
from records.work.sweeping import retry_aside, settle, sweep
from records.work.worker import Worker
from tests.records.makers import MALFORMED, joined, text, upload

pytestmark = pytest.mark.django_db


def work_all(worker: Worker) -> None:
    """Step until there is nothing to do, not waiting for pauses."""
    for _ in range(500):
        for model in (UploadFile, Chunk):
            model.objects.filter(state__in=model.OPEN).update(ready_at=timezone.now())
        if not worker.step():
            return
    raise AssertionError("it never ends")


def test_a_worker_does_it_all_and_then_rests() -> None:
    up = upload(joined(text(1), MALFORMED))
    assert up.progress()["state"] == "waiting"
    worker = Worker()
    assert worker.step()
    assert up.progress()["state"] == "working"
    assert worker.step()
    assert not worker.step()
    assert up.progress()["state"] == "done"


@override_settings(CHUNK_GAMES=1)
def test_uploads_take_turns() -> None:
    large = upload(joined(*map(text, range(1, 6))), sender="a")
    small = upload(text(9).encode(), sender="b")
    worker = Worker()
    for _ in range(4):
        worker.step()
    assert small.progress()["state"] == "done"
    assert large.progress()["chunks"] == {"done": 1, "total": 5, "aside": 0}


def test_a_message_can_come_any_number_of_times() -> None:
    up = upload(text(1).encode())
    for _ in range(5):
        tasks.work()
    chunk = up.chunks.get()
    assert (chunk.state, chunk.attempts) == ("done", 1)
    assert up.progress()["games"]["read"] == 1


class Poison:
    """Judges like the real one, but dies of a text that holds ``Poison``."""

    def __init__(self) -> None:
        self.judge = judging.judge

    def __call__(self, chunk: Chunk) -> list[JudgedGame]:
        if any(b"Poison" in piece.data for piece in pieces(chunk)):
            raise MemoryError("poison")
        return self.judge(chunk)


def test_one_game_that_fails_is_told_from_its_neighbours() -> None:
    games = [text(seed) for seed in range(1, 8)]
    games[4] = games[4].replace("Aya", "Poison")
    up = upload(joined(*games))
    with patch.object(judging, "judge", Poison()):
        work_all(Worker())
    progress = up.progress()
    assert progress["state"] == "done"
    assert progress["chunks"]["aside"] == 1
    assert (progress["games"]["read"], progress["games"]["verified"]) == (6, 6)
    aside = up.chunks.get(state="aside")
    assert (aside.first_game, aside.games) == (5, 1)
    assert aside.reason == "MemoryError: poison"
    assert Record.objects.count() == 6

    assert retry_aside() == 1
    work_all(Worker())
    assert up.progress()["games"]["verified"] == 7
    assert up.progress()["chunks"]["aside"] == 0


@pytest.mark.parametrize("fails", [False, True])
def test_cycles_of_garbage_wait_while_a_chunk_is_worked_off(fails: bool) -> None:
    searched: list[bool] = []
    judge = judging.judge

    def noted(chunk: Chunk) -> list[JudgedGame]:
        searched.append(gc.isenabled())
        if fails:
            raise ValueError
        return judge(chunk)

    upload(text(1).encode())
    with patch.object(judging, "judge", noted):
        work_all(Worker())
    assert searched and not any(searched)
    assert gc.isenabled()


def remove_stored(up: Upload) -> None:
    """Lose the bytes of an upload's only file."""
    Path(up.files.get().stored.path).unlink()


def test_a_file_that_cannot_be_cut_is_set_aside() -> None:
    up = upload(b"x")
    remove_stored(up)
    work_all(Worker())
    progress = up.progress()
    assert (progress["state"], progress["files_aside"]) == ("done", 1)
    assert up.files.get().reason.startswith("FileNotFoundError")


def test_chunks_of_a_file_that_is_gone_are_set_aside() -> None:
    up = upload(joined(text(1), text(2)))
    worker = Worker()
    worker.step()
    remove_stored(up)
    work_all(worker)
    assert up.progress()["chunks"]["aside"] == 1
    assert "cannot be cut again" in up.chunks.get().reason


def test_a_worker_that_died_each_time_leaves_no_reason_but_one_is_given() -> None:
    up = upload(b"x")
    UploadFile.objects.update(
        state="leased", attempts=3, ready_at=timezone.now() - timedelta(seconds=1)
    )
    assert settle() == 1
    assert "worker was ended" in up.files.get().reason


def test_a_lease_that_holds_is_not_settled() -> None:
    upload(b"x")
    UploadFile.objects.update(
        state="leased", attempts=3, ready_at=timezone.now() + timedelta(seconds=9)
    )
    assert settle() == 0


def test_the_worker_outlives_a_locked_database() -> None:
    calls = []

    def step(self: Worker) -> bool:
        calls.append(1)
        raise OperationalError("database is locked")

    with patch.object(Worker, "step", step), patch("time.sleep"):
        Worker().run(lambda: len(calls) == 3)
    assert len(calls) == 3


def test_without_a_broker_the_sweep_only_settles() -> None:
    upload(b"x")
    UploadFile.objects.update(ready_at=timezone.now() - timedelta(days=1))
    with patch.object(sweeping, "send") as send:
        assert sweep() == 0
    send.assert_not_called()


@override_settings(REDIS_URL="redis://somewhere")
def test_the_sweep_enqueues_what_waits_too_long() -> None:
    late = timezone.now() - timedelta(seconds=60)
    _waiting, fresh, dead, held, big = (upload(b"x") for _ in range(5))
    UploadFile.objects.exclude(upload=fresh).update(ready_at=late)
    UploadFile.objects.filter(upload=dead).update(state="leased")
    UploadFile.objects.filter(upload=held).update(state="leased", ready_at=timezone.now())
    Upload.objects.filter(pk=big.pk).update(bulk=True)
    with (
        patch.object(tasks.work, "apply_async") as send,
        patch.object(sweeping, "messages", lambda: 0),
    ):
        assert sweep() == send.call_count == 3
    with patch.object(sweeping, "messages", lambda: sweeping.MAX_MESSAGES):
        assert sweep() == 0
