"""Due dates of dumps, competing processes, and the remains of an interrupted dump."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.utils import timezone

from lengths import part
from records.base import clock
from records.facts.refresh import outdate
from records.jobs import holders, ledger, processes
from records.jobs.enqueue import BeingMade
from records.models import Dump, Job, Record
from records.opendata import dump_job, files, listing, schedule
from records.opendata.tables import TABLES
from tests.records.makers import hurry
from tests.records.opendata.games import ingest_games, query, refresh

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 1, 0, 5, tzinfo=UTC)
#: The jobs of dumps.
DUMPS = Job.objects.filter(kind="dump")


@pytest.fixture
def readme_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write dumps of one file, which take a tenth of the time."""

    def write_readme(draft: Path, games: listing.MonthGameList, *_: Any) -> dict[str, Any]:
        (draft / files.README).write_text(games.month)
        return {"counts": {"games": 1}}

    monkeypatch.setattr(dump_job, "write_files", write_readme)


def test_end_of_a_month_is_the_first_of_the_next() -> None:
    assert schedule.month_end("2026-12") == datetime(2027, 1, 1, tzinfo=UTC)
    assert schedule.month_end("2024-02") == datetime(2024, 3, 1, tzinfo=UTC)
    for wrong in ("2026-13", "2026-1", "26-01", "2026", "x-yz", "2026-01-01"):
        with pytest.raises(ValueError):
            schedule.month_end(wrong)


@pytest.mark.long_only  # the tests below have due months
def test_month_that_is_over_is_due_once(dumps: Path) -> None:
    assert schedule.find_due_month(NOW) is None  # no games yet
    ingest_games(1, 2, on="2026-10-31T23:59:59")
    ingest_games(3, on="2026-11-01T00:00:00")
    assert schedule.find_due_month(NOW - timedelta(days=1)) is None
    assert schedule.find_due_month(NOW) == "2026-10"
    dump = dump_job.make("2026-10")
    assert dump.manifest["counts"]["games"] == 2
    assert dump.whole
    assert schedule.find_due_month(NOW) is None
    assert schedule.find_due_month(NOW + timedelta(days=30)) == "2026-11"


def test_month_with_a_dump_made_too_early_is_due(dumps: Path) -> None:
    ingest_games(1, on="2026-10-05")
    Dump.objects.create(month="2026-10", directory="2026-10-x", made=NOW)
    assert schedule.find_due_month(NOW) == "2026-10"


def test_first_dump_is_due_immediately_on_request(dumps: Path) -> None:
    ingest_games(1, on="2026-11-01")
    assert schedule.find_due_month(NOW) is None
    assert schedule.find_due_month(NOW, first=True) == "2026-11"
    Dump.objects.create(month="2026-11", directory="2026-11-x", made=NOW)
    assert schedule.find_due_month(NOW, first=True) is None


@pytest.mark.usefixtures("readme_alone")
def test_oldest_dumps_are_removed_but_for_the_one_just_made(
    dumps: Path, settings: LazySettings
) -> None:
    settings.DUMPS_KEPT = 2
    ingest_games(1, on="2026-01-05")
    (dumps / "stray").mkdir()
    months = {
        "2026-03": ["2026-03"],
        "2026-05": ["2026-05", "2026-03"],
        "2026-04": ["2026-05", "2026-04"],
        "2026-01": ["2026-05", "2026-04", "2026-01"],
        "2026-06": ["2026-06", "2026-05"],
    }
    for month, remaining in months.items():
        dump_job.make(month)
        rows = list(Dump.objects.all())
        assert [dump.month for dump in rows] == remaining
        assert {path.name for path in dumps.iterdir()} == {dump.directory for dump in rows}


def lease_job(lease: str, minutes: float = 5) -> None:
    """Let a process have the job of the dump of October."""
    until = timezone.now() + timedelta(minutes=minutes)
    held = {"state": "leased", "lease": lease, "lease_until": until}
    Job.objects.update_or_create(kind="dump", subject="2026-10", defaults=held)


@pytest.mark.usefixtures("readme_alone")
def test_dump_begun_when_its_month_ends_is_whole(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = datetime(2026, 11, 1, tzinfo=UTC)
    for moment, is_whole in ((end - timedelta(microseconds=1), False), (end, True)):
        monkeypatch.setattr(clock, "now", lambda moment=moment: moment)
        assert dump_job.make("2026-10").whole is is_whole


@pytest.mark.usefixtures("readme_alone")
def test_dump_that_another_process_makes_is_refused(dumps: Path) -> None:
    ingest_games(1, on="2026-10-05")
    lease_job(f"elsewhere:{os.getpid()}:00:00")
    with pytest.raises(BeingMade, match="of elsewhere"):
        dump_job.make("2026-10")
    with pytest.raises(CommandError, match="is being made"):
        call_command("dump", "--month", "2026-10")
    lease_job(f"elsewhere:{os.getpid()}:00:00", minutes=-1)
    assert dump_job.make("2026-10").whole
    assert DUMPS.get().state == "done"


@pytest.mark.usefixtures("readme_alone")
def test_lease_of_a_killed_process_is_taken_over(dumps: Path) -> None:
    ingest_games(1, on="2026-10-05")
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        lease_job(f"{socket.gethostname()[: holders.HOST_LENGTH]}:{pid}:00:00")
        (dumps / f"2026-10-{pid}").mkdir()
        dump = dump_job.make("2026-10")
        assert [path.name for path in dumps.iterdir()] == [dump.directory]


def test_process_that_lost_its_lease_publishes_nothing(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest_games(1, on="2026-10-05")

    def robbed(directory: Path) -> None:
        DUMPS.update(lease="another:1:00:00")

    monkeypatch.setattr("records.opendata.notebook.write", robbed)
    with pytest.raises((ledger.LeaseLost, FileNotFoundError)):
        dump_job.make("2026-10")
    assert list(dumps.iterdir()) == []
    assert not Dump.objects.exists()
    assert DUMPS.get().lease == "another:1:00:00"


def test_game_with_outdated_facts_is_listed_without_rows(dumps: Path) -> None:
    ingest_games(1, 2, on="2026-10-05")
    record = Record.objects.earliest("pk")
    outdate(Record.objects.filter(pk=record.pk))
    dump = dump_job.make("2026-10")
    assert dump.manifest["games_without_rows"] == 1
    directory = dumps / dump.directory
    listed = query(directory, "SELECT game FROM 'games.parquet' WHERE deals IS NULL")
    assert listed == [(record.key,)]
    assert query(directory, "SELECT count(DISTINCT game) FROM 'deals.parquet'") == [(1,)]


def test_dump_is_not_due_before_facts_are_written(dumps: Path) -> None:
    ingest_games(1, on="2020-10-05")
    outdate(Record.objects.all())
    schedule.enqueue_due()
    assert not DUMPS.exists()
    refresh(Record.objects.all())
    schedule.enqueue_due()
    assert DUMPS.exists()


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("place", "error"),
    part(
        [
            ("records.opendata.listing.write_rows", FULL),
            ("records.opendata.files.write_tables", duckdb.IOException("No space left on device")),
        ],
        one_of=2,
    ),
)
def test_job_of_a_failed_dump_has_the_reason(
    dumps: Path, monkeypatch: pytest.MonkeyPatch, place: str, error: Exception
) -> None:
    ingest_games(1, on="2026-10-05")

    def full(*_given: Any) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(place, full)
        with pytest.raises(CommandError, match=r"2026-10 failed: .*No space left"):
            call_command("dump", "--month", "2026-10")
    assert list(dumps.iterdir()) == []
    job = DUMPS.get()
    assert (job.state, job.lease) == ("failed", "") and "No space left" in job.reason
    assert not Dump.objects.exists()
    assert schedule.find_due_month(NOW) == "2026-10"
    dump = dump_job.make("2026-10")
    job.refresh_from_db()
    assert (job.state, job.reason, job.progress, job.total) == ("done", "", 1, 1)
    with monkeypatch.context() as broken:
        broken.setattr(place, full)
        with pytest.raises((OSError, duckdb.Error)):
            dump_job.make("2026-10")
    row = Dump.objects.get()  # The published dump stays.
    assert (row.directory, row.whole, row.manifest) == (dump.directory, True, dump.manifest)
    job.refresh_from_db()
    assert job.state == "failed" and "No space left" in job.reason
    assert [path.name for path in dumps.iterdir()] == [dump.directory]


def test_dump_command_makes_a_month_or_the_due_one(
    dumps: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for wrong in ("2026-13", "x", "2999-01", "../..", ""):
        with pytest.raises(CommandError):
            call_command("dump", "--month", wrong)
    with pytest.raises(CommandError, match="name a --month"):
        call_command("dump")
    ingest_games(1, on="2026-10-05")
    call_command("dump")
    assert capsys.readouterr().out.endswith(": 1 games\n")
    assert Dump.objects.get().month == schedule.month_of(
        timezone.now().replace(day=1) - timedelta(days=1)
    )


def test_runner_starts_and_ends_the_process_of_a_dump(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Process:
        """A process that runs until it is terminated."""

        status: int | None = None

        def __init__(self, command: list[str], **_: Any) -> None:
            started.append(command[-2:])
            Process.status = None

        def poll(self) -> int | None:
            return Process.status

        def terminate(self) -> None:
            Process.status = -15

        def wait(self, timeout: float = 0) -> int:
            assert Process.status is not None
            return Process.status

    monkeypatch.setattr(processes.subprocess, "Popen", Process)
    runner = processes.Runner()
    schedule.enqueue_due()
    runner.step()
    assert started == []
    ingest_games(1, on="2020-10-05")
    schedule.enqueue_due()
    schedule.enqueue_due()
    runner.step()
    runner.step()
    assert started == [["job", str(DUMPS.get().pk)]]
    Process.status = 1
    runner.step()  # the job failed, hence a pause
    runner.step()
    assert len(started) == 1
    runner.start_at = 0.0
    runner.step()
    assert len(started) == 2
    runner.end()
    assert Process.status == -15


@pytest.mark.long_only  # the command `dump` makes one, the runner starts `job`
def test_job_command_makes_the_dump_of_its_job(
    dumps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest_games(1, on="2020-10-05")
    schedule.enqueue_due()
    job = DUMPS.get()
    with monkeypatch.context() as broken:
        broken.setattr("records.opendata.notebook.write", lambda _: 1 // 0)
        with pytest.raises(CommandError, match="ZeroDivisionError"):
            call_command("job", str(job.pk))
    with pytest.raises(CommandError, match="not due"):
        call_command("job", str(job.pk))
    hurry()
    call_command("job", str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.progress) == ("done", 1)
    assert Dump.objects.get().month == job.subject


def test_archive_without_games_has_an_empty_dump(dumps: Path) -> None:
    dump = dump_job.make(schedule.month_of(timezone.now()))
    assert dump.manifest["counts"] == dict.fromkeys(TABLES, 0)
    for table in TABLES.values():
        assert query(dumps / dump.directory, f"SELECT count(*) FROM '{table.file}'") == [(0,)]
