"""When dumps are made, by which process, and what an interrupted one leaves."""

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

from records.models import Dump, Job, Record, Visibility
from records.opendata import files, making, months, parquet, schedule
from records.opendata.schema import TABLES
from records.work import ledger, processes
from tests.records.makers import hurry, ingest, joined, text

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 1, 0, 5, tzinfo=UTC)
#: The jobs that make dumps.
DUMPS = Job.objects.filter(kind="dump")


def come(*seeds: int, on: str) -> None:
    """Games that came in on a day."""
    ingest(joined(*(text(seed) for seed in seeds)))
    day = datetime.fromisoformat(on).replace(tzinfo=UTC)
    Record.objects.filter(created__gt=timezone.now() - timedelta(hours=1)).update(created=day)


def test_months() -> None:
    assert months.month_end("2026-12") == datetime(2027, 1, 1, tzinfo=UTC)
    assert months.month_end("2024-02") == datetime(2024, 3, 1, tzinfo=UTC)
    for wrong in ("2026-13", "2026-1", "26-01", "2026", "x-yz", "2026-01-01"):
        with pytest.raises(ValueError):
            months.month_end(wrong)


def test_a_month_that_is_over_is_due_once(dumps: Path) -> None:
    assert months.due(NOW) is None  # nothing is there
    come(1, 2, on="2026-10-31T23:59:59")
    come(3, on="2026-11-01T00:00:00")
    assert months.due(NOW - timedelta(days=1)) is None
    assert months.due(NOW) == "2026-10"
    made = making.make("2026-10")
    assert made.manifest["counts"]["games"] == 2
    assert made.whole
    assert months.due(NOW) is None
    assert months.due(NOW + timedelta(days=30)) == "2026-11"


def test_a_dump_of_the_month_under_way_does_not_count(dumps: Path) -> None:
    come(1, on="2026-10-05")
    Dump.objects.create(month="2026-10", directory="2026-10-x", made=NOW)
    assert months.due(NOW) == "2026-10"


def test_the_first_is_made_at_once_where_that_is_wanted(dumps: Path) -> None:
    come(1, on="2026-11-01")
    assert months.due(NOW) is None
    assert months.due(NOW, first=True) == "2026-11"
    Dump.objects.create(month="2026-11", directory="2026-11-x", made=NOW)
    assert months.due(NOW, first=True) is None


def test_made_again_it_takes_the_place_of_the_old_one(dumps: Path) -> None:
    come(1, 2, on="2026-10-05")
    first = making.make("2026-10")
    Record.objects.filter(text=text(2)).update(visibility=Visibility.WITHDRAWN)
    second = making.make("2026-10")
    assert [path.name for path in dumps.iterdir()] == [second.directory] != [first.directory]
    assert second.manifest["counts"]["games"] == 1
    assert Dump.objects.get().directory == second.directory


def test_only_so_many_are_kept(dumps: Path, settings: LazySettings) -> None:
    settings.DUMPS_KEPT = 2
    come(1, on="2026-01-05")
    (dumps / "stray").mkdir(parents=True)
    for month in ("2026-03", "2026-05", "2026-04"):
        making.make(month)
    assert [dump.month for dump in Dump.objects.all()] == ["2026-05", "2026-04"]
    there = {path.name for path in dumps.iterdir()}
    assert there == set(Dump.objects.values_list("directory", flat=True))


def leased(lease: str, minutes: float = 5) -> None:
    """Let a process have the job of the dump of October."""
    until = timezone.now() + timedelta(minutes=minutes)
    held = {"state": "leased", "lease": lease, "lease_until": until}
    Job.objects.update_or_create(kind="dump", subject="2026-10", defaults=held)


def test_two_at_once(dumps: Path) -> None:
    come(1, on="2026-10-05")
    leased(f"elsewhere:{os.getpid()}:00:00")
    with pytest.raises(making.BeingMade, match="of elsewhere"):
        making.make("2026-10")
    with pytest.raises(CommandError, match="is being made"):
        call_command("dump", "--month", "2026-10")
    leased(f"elsewhere:{os.getpid()}:00:00", minutes=-1)
    assert making.make("2026-10").whole
    assert DUMPS.get().state == "done"


def test_who_was_killed_is_known_by_their_number(dumps: Path) -> None:
    come(1, on="2026-10-05")
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (gone.pid, os.getpid()):
        leased(f"{socket.gethostname()[: ledger.HOST_LENGTH]}:{pid}:00:00")
        (dumps / f".draft-2026-10-{pid}").mkdir(parents=True, exist_ok=True)
        made = making.make("2026-10")
        assert [path.name for path in dumps.iterdir()] == [made.directory]


def test_who_was_too_slow_publishes_nothing(dumps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come(1, on="2026-10-05")

    def robbed(directory: Path) -> None:
        DUMPS.update(lease="another:1:00:00")

    monkeypatch.setattr("records.opendata.notebook.write", robbed)
    with pytest.raises((ledger.LeaseLost, FileNotFoundError)):
        making.make("2026-10")
    assert list(dumps.iterdir()) == []
    assert not Dump.objects.exists()
    assert DUMPS.get().lease == "another:1:00:00"


def test_one_of_an_old_month_stays_until_the_next(dumps: Path, settings: LazySettings) -> None:
    settings.DUMPS_KEPT = 1
    come(1, on="2026-01-05")
    for month in ("2026-04", "2026-03"):
        assert (dumps / making.make(month).directory).is_dir()
    assert [dump.month for dump in Dump.objects.all()] == ["2026-04", "2026-03"]
    making.make("2026-05")
    assert [dump.month for dump in Dump.objects.all()] == ["2026-05"]
    assert len(list(dumps.iterdir())) == 1


@pytest.mark.parametrize("level", [Visibility.WITHDRAWN, Visibility.PRIVATE, Visibility.UNLISTED])
def test_what_is_hidden_meanwhile_is_not_in_it(
    dumps: Path, monkeypatch: pytest.MonkeyPatch, level: Visibility
) -> None:
    come(1, 2, 3, on="2026-10-05")
    monkeypatch.setattr(files, "BATCH", 1)
    _first, second, third = Record.objects.order_by("pk")
    there = files.published("2026-10", lambda: None)
    next(there)
    Record.objects.filter(pk=second.pk).update(visibility=level)
    assert [key for key, *_ in there] == [third.key]


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("records.opendata.parquet.Tables.add", FULL),
        ("records.opendata.parquet.Tables.finish", duckdb.IOException("No space left on device")),
        ("records.opendata.notebook.write", FULL),
        ("records.opendata.files.readme", FULL),
    ],
)
def test_why_it_failed_stands_with_its_job(
    dumps: Path, monkeypatch: pytest.MonkeyPatch, place: str, error: Exception
) -> None:
    come(1, on="2026-10-05")

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
    assert months.due(NOW) == "2026-10"
    made = making.make("2026-10")
    job.refresh_from_db()
    assert (job.state, job.reason, job.progress, job.total) == ("done", "", 1, 1)
    with monkeypatch.context() as broken:
        broken.setattr(place, full)
        with pytest.raises((OSError, duckdb.Error)):
            making.make("2026-10")
    row = Dump.objects.get()  # what was published stays
    assert (row.directory, row.whole, row.manifest) == (made.directory, True, made.manifest)
    job.refresh_from_db()
    assert job.state == "failed" and "No space left" in job.reason
    assert [path.name for path in dumps.iterdir()] == [made.directory]


def test_the_command(dumps: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("2026-13", "x", "2999-01", "../..", ""):
        with pytest.raises(CommandError):
            call_command("dump", "--month", wrong)
    call_command("dump", "--due")
    assert capsys.readouterr().out == ""
    with pytest.raises(CommandError, match="name a --month"):
        call_command("dump")
    come(1, on="2026-10-05")
    call_command("dump", "--due")
    assert capsys.readouterr().out.endswith(": 1 games\n")
    assert Dump.objects.get().month == months.month_of(
        timezone.now().replace(day=1) - timedelta(days=1)
    )


def test_the_sweep_begins_it_and_ends_it(dumps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Process:
        """One that runs until it is told to end."""

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
    one = processes.Runner()
    schedule.enqueue_due()
    one.step()
    assert started == []
    come(1, on="2020-10-05")
    schedule.enqueue_due()
    schedule.enqueue_due()
    one.step()
    one.step()
    assert started == [["job", str(DUMPS.get().pk)]]
    Process.status = 1
    one.step()  # it failed: not again for a while
    one.step()
    assert len(started) == 1
    one.next = 0.0
    one.step()
    assert len(started) == 2
    one.end()
    assert Process.status == -15


def test_the_process_of_its_own(dumps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    come(1, on="2020-10-05")
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


def test_an_archive_without_games_has_a_dump_of_none(dumps: Path) -> None:
    made = making.make(months.month_of(timezone.now()))
    assert made.manifest["counts"] == dict.fromkeys(("games", "deals", "turns", "yaku"), 0)
    tables = parquet.connect(dumps / made.directory)
    for table in TABLES.values():
        assert tables.execute(f"SELECT count(*) FROM '{table.file}'").fetchone() == (0,)
