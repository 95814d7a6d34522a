"""Chunks that are divided: at a game that takes too much CPU time, or when other jobs wait."""

from unittest.mock import patch

import pytest
from django.test import override_settings

from lengths import part
from records.ingest.judging import judge, judge_chunk, refuse_game, store_chunk
from records.jobs import ledger
from records.jobs.executor import Worker
from records.jobs.ledger import LeaseLost
from records.jobs.shares import SECOND_WEIGHT, Share
from records.models import Chunk, Job, Submission, Upload
from tests.records.makers import joined, text, upload, work_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]


def cut(count: int, sender: str = "a") -> Upload:
    """Return an upload of games in a single chunk."""
    up = upload(joined(*(text(seed) for seed in range(1, count + 1))), sender=sender)
    Worker(up).step()
    return up


def take(up: Upload) -> Job:
    job = ledger.take(upload=up)
    assert job is not None
    return job


def parts(up: Upload) -> list[tuple[int, int, str]]:
    """Return first game, number of games and state of each chunk."""
    return list(up.chunks.order_by("first_game").values_list("first_game", "games", "job__state"))


@pytest.mark.parametrize(
    ("number", "others"),
    part(
        [
            (3, [(1, 2, "waiting"), (4, 1, "waiting")]),
            (1, [(2, 3, "waiting")]),
            (4, [(1, 3, "waiting")]),
        ]
    ),
)
def test_refused_game_is_malformed_and_the_others_wait(
    number: int, others: list[tuple[int, int, str]]
) -> None:
    up = cut(4)
    job = take(up)
    refuse_game(job.pk, number)
    assert parts(up) == sorted([*others, (number, 1, "done")])
    error = Submission.objects.get().error
    assert error is not None and (error["code"], error["values"]) == ("too-costly", {"seconds": 2})
    refuse_game(job.pk, number)  # by another process
    work_all(Worker())
    counts = up.progress()["games"]
    assert (counts["verified"], counts["malformed"], counts["total"]) == (3, 1, 4)
    assert max(up.jobs.values_list("attempts", flat=True)) == 1


def test_refused_game_ends_the_lease_of_another_process() -> None:
    up = cut(2)
    job = take(up)
    judged = list(judge(Chunk.objects.select_related("file", "upload").get(pk=job.pk)))
    refuse_game(job.pk, 2)
    with pytest.raises(LeaseLost):
        store_chunk(job, judged)
    assert Submission.objects.count() == 1


@override_settings(UNREADABLE_GAMES=1)
def test_upload_of_refused_games_only_is_stopped() -> None:
    up = cut(3)
    refuse_game(take(up).pk, 1)
    up.refresh_from_db()
    assert up.stopped is not None and up.stopped["code"] == "nothing-readable"


def test_chunk_with_a_used_up_share_stores_its_games_and_queues_the_rest() -> None:
    up = cut(4)
    job = take(up)
    with patch.object(Share, "is_used_up", side_effect=[False, True]):
        judge_chunk(job)
    assert parts(up) == [(1, 2, "done"), (3, 2, "waiting")]
    assert Submission.objects.count() == 2
    second_job = up.chunks.get(first_game=3).job
    assert second_job.turn > job.turn
    work_all(Worker())
    assert up.progress()["games"]["verified"] == 4


def test_costly_work_moves_the_waiting_jobs_of_the_sender_only() -> None:
    up = cut(2)
    later, other = (upload(text(8).encode(), sender=sender) for sender in "ab")
    before = {job.pk: job.turn for job in Job.objects.filter(state="waiting")}
    ledger.charge(take(up), SECOND_WEIGHT)
    after = dict(Job.objects.values_list("pk", "turn"))
    moved = {later.jobs.get().pk: SECOND_WEIGHT, other.jobs.get().pk: 0}
    moved[up.chunks.get().pk] = SECOND_WEIGHT
    assert {pk: after[pk] - turn for pk, turn in before.items()} == moved
