"""Concurrent processes on one database, forked from a process that has loaded the archive.

A test runs a function of this module in a separate process on PostgreSQL. Forks share the loaded
code: each takes milliseconds, while a start of Python takes a second.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connections

from people.accounts import lifecycle
from records.facts.rows import COUNTED
from records.ingest import ownership
from records.ingest.receiving import Part, receive
from records.jobs import batches, executor
from records.jobs.executor import Worker
from records.models import Job, Ownership, Record, Upload, Visibility
from records.models.jobs import CLAIM, VISIBILITY
from records.privacy.access import hash_secret
from records.services import claims, visibility
from tests.people.test_holdings import sound
from tests.people.world import do_jobs, sent
from tests.records import makers
from tests.records.facts import test_following as following
from tests.records.facts.naive import assert_right

#: Rounds of each process in `change_concurrently`.
ROUNDS = 6
#: The games that are sent: kinds and tags of `test_following.short`.
GAMES = [(kind, tags) for kind in ("1", "1w", "2", "3") for tags in (0, 1)]
SECRET = "s" * 30


def fork(work: Callable[[], object]) -> int:
    """Run a function in a fork with connections of its own. Return the process number."""
    connections.close_all()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def run_concurrently(*functions: Callable[[], object]) -> None:
    """Run each function in a fork, and wait until all have ended without an error."""
    pids = [fork(function) for function in functions]
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * len(pids)


def send_decide_and_claim(seed: int) -> None:
    """Run uploads in public and not, decisions about games and uploads, and claims at once."""
    settings.CHUNK_GAMES = 2
    pytest.MonkeyPatch().setattr(batches, "PAUSE_SECONDS", 0)
    choices, chance = Random(f"games {seed}"), Random(f"levels {seed}")
    owner = User.objects.get_or_create(username=f"user{seed}")[0]
    worker = Worker()
    for number in range(ROUNDS):
        texts = [following.short(*game) for game in choices.sample(GAMES, 4)]
        upload = sent(*texts, owner=owner, visibility=chance.choice([1, 2, 3]))
        visibility.request_change(upload, chance.choice([1, 2, 3]))
        pks = list(Record.objects.values_list("pk", flat=True))
        level = chance.choice([0, 1, 2, 3])
        ownership.change_visibility(
            owner=owner.pk, records=chance.sample(pks, min(2, len(pks))), visibility=level
        )
        part = Part("a.kafu", ("\n".join(texts[:3]).encode(),))
        receive(parts=[part], via="api", secret=hash_secret(f"{SECRET}{number // 2}{seed}"))
        worker.step()
        for anonymous in Upload.objects.filter(owner=None):
            for sender in "12":
                try:
                    claims.claim(anonymous.key, f"{SECRET}{number // 2}{sender}", owner.pk)
                except claims.NotClaimable:
                    pass
        for _ in range(4):
            makers.hurry()
            worker.step()


def check_claims() -> None:
    """Check that every claimed upload and its games belong to the claiming owner."""
    assert Upload.objects.exclude(owner=None).filter(via="api", claim=0, secret="").exists()
    for upload in Upload.objects.all():
        assert upload.owner is None or (upload.secret, upload.claim) == ("", 0)
        for submission in upload.submissions.all():
            assert submission.record is not None
            owners = submission.record.ownerships.filter(owner=upload.owner)
            assert owners.exists(), (upload.owner, submission)
    for held in Ownership.objects.all():
        submissions = held.record.submissions.filter(upload__owner=held.owner)
        assert submissions.exists(), (held.owner, held.record)


def change_concurrently() -> None:
    """Let two processes change the same games, finish their jobs, and check all rows."""
    run_concurrently(*(partial(send_decide_and_claim, seed) for seed in (1, 2)))
    run_concurrently(do_jobs, do_jobs)
    do_jobs()
    sound()
    assert_right()
    check_claims()
    changes = Job.objects.filter(kind=VISIBILITY)
    unfinished = Job.objects.exclude(state=Job.State.DONE).filter(kind__in=(VISIBILITY, CLAIM))
    assert (changes.count(), unfinished.count()) == (2 * ROUNDS, 0)
    assert Ownership.objects.filter(owner__username="user1").exists()
    print("games", Record.objects.filter(status__in=COUNTED, deals_played__gt=0).count())


def withdraw_slowly(report: int, pause: float) -> None:
    """Withdraw games of closed accounts, a game a batch, and write a dot to ``report`` for each.

    Each dot is written before the transaction of its game ends, which then takes ``pause`` seconds.
    """
    update_records = ownership.update_records

    def update_slowly(*arguments: Any, **options: Any) -> None:
        update_records(*arguments, **options)
        if arguments[0]:
            os.write(report, b".")
        time.sleep(pause)

    patch = pytest.MonkeyPatch()
    patch.setattr(ownership, "BATCH", 1)
    patch.setattr(ownership, "update_records", update_slowly)
    end = time.monotonic() + 30
    while User.objects.filter(username__startswith="closed").exists() and time.monotonic() < end:
        if not executor.run_next():
            time.sleep(0.02)


def kill_while_withdrawing() -> None:
    """Close an account, kill two of the withdrawing processes, and check the result."""
    aya, ben = (User.objects.create(username=name) for name in ("aya", "ben"))
    sent(*(makers.text(seed) for seed in range(1, 8)), owner=aya)
    sent(*(makers.text(seed) for seed in range(1, 4)), owner=ben)
    lifecycle.close(aya, withdraw=True)
    reader, writer = os.pipe()
    for _ in range(2):
        pid = fork(partial(withdraw_slowly, writer, 0.3))
        assert os.read(reader, 1) + os.read(reader, 1) == b".."
        os.kill(pid, signal.SIGKILL)  # in the midst of the second game's transaction
        os.waitpid(pid, 0)
    run_concurrently(*(partial(withdraw_slowly, writer, 0) for _ in range(2)))
    os.close(writer)
    assert len(os.read(reader, 100)) == 7 - 2, "the first game of each killed process was safe"
    sound()
    assert User.objects.get() == ben
    assert Job.objects.get(kind="withdraw").state == Job.State.DONE
    assert Ownership.objects.count() == 3
    levels = sorted(Record.objects.values_list("visibility", flat=True))
    assert levels == [Visibility.WITHDRAWN] * 4 + [Visibility.PUBLIC] * 3
