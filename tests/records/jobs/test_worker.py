"""The embedded worker and the sweep."""

import gc
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.db import OperationalError
from django.test import override_settings
from django.utils import timezone

from records.ingest import judging
from records.jobs import executor, messages
from records.jobs.executor import Worker
from records.jobs.sweeping import resolve, retry_dead_letters, sweep
from records.models import Chunk, Job, Record, Upload
from records.texts.judged import JudgedGame
from records.texts.pieces import pieces
from tests.records.makers import MALFORMED, joined, text, upload, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def test_worker_does_all_jobs_and_then_rests() -> None:
    up = upload(joined(text(1), MALFORMED))
    assert up.progress()["state"] == "waiting"
    worker = Worker()
    assert worker.step()
    assert up.progress()["state"] == "working"
    assert worker.step()
    assert not worker.step()
    assert up.progress()["state"] == "done"


@override_settings(CHUNK_GAMES=1)
def test_small_upload_is_done_before_the_end_of_a_large_one() -> None:
    large = upload(joined(*map(text, range(1, 6))), sender="a")
    small = upload(text(9).encode(), sender="b")
    worker = Worker()
    for _ in range(4):
        worker.step()
    assert small.progress()["state"] == "done"
    assert large.progress()["chunks"] == {"done": 1, "total": 5, "dead_lettered": 0}


def test_job_with_many_messages_is_done_once() -> None:
    up = upload(text(1).encode())
    for _ in range(5):
        executor.run_next()
    chunk = up.chunks.get()
    assert (chunk.job.state, chunk.job.attempts) == ("done", 1)
    assert up.progress()["games"]["read"] == 1


class Poison:
    """A judge that dies of texts with ``Poison``."""

    def __init__(self) -> None:
        self.judge = judging.judge

    def __call__(self, chunk: Chunk) -> Iterator[JudgedGame]:
        if any(b"Poison" in piece.data for piece in pieces(chunk)):
            raise MemoryError("poison")
        return self.judge(chunk)


def test_failing_game_is_separated_from_its_neighbours() -> None:
    games = [text(seed) for seed in range(1, 8)]
    games[4] = games[4].replace("Aya", "Poison")
    up = upload(joined(*games))
    with patch.object(judging, "judge", Poison()):
        work_all(Worker())
    progress = up.progress()
    assert progress["state"] == "done"
    assert progress["chunks"]["dead_lettered"] == 1
    assert (progress["games"]["read"], progress["games"]["verified"]) == (6, 6)
    poison = up.chunks.get(job__state="dead-letter")
    assert (poison.first_game, poison.games) == (5, 1)
    assert poison.job.reason == "MemoryError: poison"
    assert Record.objects.count() == 6

    assert retry_dead_letters() == 1
    work_all(Worker())
    assert up.progress()["games"]["verified"] == 7
    assert up.progress()["chunks"]["dead_lettered"] == 0


@pytest.mark.parametrize("fails", [False, True])
def test_garbage_collection_is_off_during_a_chunk(fails: bool) -> None:
    searched: list[bool] = []
    judge = judging.judge

    def noted(chunk: Chunk) -> Iterator[JudgedGame]:
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


def test_file_that_cannot_be_cut_is_given_up() -> None:
    up = upload(b"x")
    remove_stored(up)
    work_all(Worker())
    progress = up.progress()
    assert (progress["state"], progress["files_dead_lettered"]) == ("done", 1)
    assert up.files.get().job.reason.startswith("FileNotFoundError")


def test_chunks_of_a_missing_file_are_given_up() -> None:
    up = upload(joined(text(1), text(2)))
    worker = Worker()
    worker.step()
    remove_stored(up)
    work_all(worker)
    assert up.progress()["chunks"]["dead_lettered"] == 1
    assert "cannot be cut again" in up.chunks.get().job.reason


def test_job_that_killed_its_worker_each_time_has_a_reason() -> None:
    up = upload(b"x")
    Job.objects.update(
        state="leased", attempts=3, lease_until=timezone.now() - timedelta(seconds=1)
    )
    assert resolve() == 1
    assert "worker was ended" in up.files.get().job.reason


def test_valid_lease_is_left_alone() -> None:
    upload(b"x")
    Job.objects.update(
        state="leased", attempts=3, lease_until=timezone.now() + timedelta(seconds=9)
    )
    assert resolve() == 0


def test_locked_database_does_not_end_the_worker() -> None:
    calls = []

    def step(self: Worker) -> bool:
        calls.append(1)
        raise OperationalError("database is locked")

    with patch.object(Worker, "step", step), patch("time.sleep"):
        Worker().run(lambda: len(calls) == 3)
    assert len(calls) == 3


def test_sweep_without_a_broker_sends_nothing() -> None:
    upload(b"x")
    Job.objects.update(due_at=timezone.now() - timedelta(days=1))
    with patch.object(messages, "send") as send:
        assert sweep() == 0
    send.assert_not_called()


@override_settings(REDIS_URL="redis://somewhere")
def test_sweep_sends_messages_for_jobs_that_wait_too_long() -> None:
    late = timezone.now() - timedelta(seconds=60)
    _waiting, fresh, dead, held, big = (upload(b"x") for _ in range(5))
    Job.objects.exclude(upload=fresh).update(due_at=late)
    Job.objects.filter(upload=dead).update(state="leased", lease_until=late)
    Job.objects.filter(upload=held).update(state="leased", lease_until=timezone.now())
    Upload.objects.filter(pk=big.pk).update(bulk=True)
    with (
        patch.object(messages.current_app, "send_task") as send,
        patch.object(messages, "count_waiting", lambda: 0),
    ):
        assert sweep() == send.call_count == 3
    with patch.object(messages, "count_waiting", lambda: messages.MAX_MESSAGES):
        assert sweep() == 0
