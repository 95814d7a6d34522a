"""Transient errors cost no attempt, and games that hang are ended."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from datetime import timedelta
from tempfile import TemporaryFile
from typing import Any

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from records.base import transient
from records.base.transient import is_transient, write_with_retry
from records.ingest import cutting
from records.jobs import executor
from records.jobs.ledger import claim, take
from records.models import Chunk, Job
from tests import forking
from tests.conftest import bare_env
from tests.records.makers import text, upload


def caused(cause: Exception) -> OperationalError:
    error = OperationalError()
    error.__cause__ = cause
    return error


def of_sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError()
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "no space"),
        OSError(errno.EFBIG, "too big"),
        InterfaceError("connection already closed"),
        caused(psycopg.OperationalError("server closed the connection")),
        caused(psycopg.errors.AdminShutdown()),
        caused(psycopg.errors.DiskFull()),
        caused(psycopg.errors.DeadlockDetected()),
        caused(of_sqlite(sqlite3.SQLITE_BUSY)),
        caused(of_sqlite(sqlite3.SQLITE_FULL)),
        caused(of_sqlite(sqlite3.SQLITE_IOERR_WRITE)),
    ],
    ids=repr,
)
def test_error_of_the_machine_is_transient(error: Exception) -> None:
    assert is_transient(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("poison"),
        MemoryError(),
        FileNotFoundError(errno.ENOENT, "its bytes are gone"),
        caused(psycopg.errors.ProgramLimitExceeded()),  # too long for an index
        caused(of_sqlite(sqlite3.SQLITE_ERROR)),
    ],
    ids=repr,
)
def test_error_of_the_work_is_not_transient(error: Exception) -> None:
    assert not is_transient(error)


@pytest.mark.django_db
def test_full_disk_costs_no_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    upload(text(1).encode())
    job = Job.objects.get()
    monkeypatch.setattr(executor, "PAUSE_SECONDS", 0)

    def full(job: Job) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(cutting, "cut_file", full)
        for _ in range(5):
            executor.run_next()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("waiting", 0)
    assert "No space left" in job.reason
    executor.run_next()
    assert Chunk.objects.count() == 1


@pytest.mark.django_db
def test_lease_of_a_dead_process_ends_immediately() -> None:
    upload(text(1).encode())
    job = Job.objects.get()
    assert claim(job.pk)
    assert take() is None, "we are alive"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    job.refresh_from_db()
    Job.objects.update(lease=job.lease.replace(f":{os.getpid()}:", f":{dead.pid}:"))
    executor.run_next()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("done", 2)


@pytest.mark.django_db
def test_lease_of_a_dead_process_with_our_number_ends_immediately() -> None:
    """In a restarted container processes have the same numbers."""
    upload(text(1).encode())
    job = claim(Job.objects.get().pk)
    assert job is not None
    host, pid, word, secret = job.lease.split(":")
    Job.objects.update(lease=f"{host}:{pid}:{word[::-1]}0:{secret}")
    assert take() is not None


@pytest.mark.django_db
@pytest.mark.parametrize("lease", ["elsewhere:1:aa:ff", "", "odd"])
def test_lease_of_another_machine_is_left_alone(lease: str) -> None:
    upload(text(1).encode())
    later = timezone.now() + timedelta(seconds=9)
    Job.objects.update(state="leased", lease=lease, lease_until=later)
    assert take() is None


def test_end_of_an_attempt_is_written_when_the_database_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transient, "_PAUSE_SECONDS", 0)
    monkeypatch.setattr(connection, "close", lambda: None)
    answers: list[Any] = [InterfaceError(), caused(psycopg.errors.AdminShutdown()), None, "again"]

    def write() -> None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer

    write_with_retry(write)
    assert answers == ["again"]


def test_process_of_work_over_the_time_limit_ends_with_a_traceback() -> None:
    code = """
import time
from records.jobs.children import time_limit
with time_limit(60):
    pass
with time_limit(0.2):
    time.sleep(60)
"""
    command = ["manage.py", "shell", "--no-imports", "--command", code]
    with TemporaryFile("w+") as errors:
        process = forking.start(command, env=bare_env(), stdout=errors, stderr=errors)
        assert process.wait(60) == 1
        errors.seek(0)
        assert "Timeout (0:00:00.200000)!" in errors.read()
