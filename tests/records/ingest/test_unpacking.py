"""Archives in uploads: their files become files of the upload; an unreadable file is a fault."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from pytest_django import Settings

from archives.makers import encrypted, gz, tarred, zipped
from kafu.archives import bounds
from kafu.archives.bounds import RATIO_FROM
from lengths import part
from records.ingest import unpacking
from records.ingest.cutting import cut_file
from records.ingest.object_drafts import DraftedObjects
from records.ingest.receiving import BULK_BYTES, Part, receive
from records.ingest.reports import report
from records.jobs.executor import Worker, work_off
from records.jobs.ledger import LeaseLost, claim
from records.models import Record, Upload, UploadFile
from tests.records.makers import MALFORMED, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_facts")]

GAMES = {"a.kafu": text(1).encode(), "b/c.kafu": joined(text(2), MALFORMED)}


def sent(data: bytes, name: str = "z.zip") -> Upload:
    """Return an upload of one file after all its jobs."""
    upload = receive(parts=[Part(name, (data,))], via="api")
    work_off(upload, lambda progress: None)
    return upload


def told(upload: Upload) -> dict[str, str | None]:
    """Return the files by name, with the codes of their faults."""
    return {file.name: file.fault and file.fault["code"] for file in upload.files.all()}


def stored_files() -> set[Path]:
    """Return the files in the storage."""
    return {path for path in Path(default_storage.path("")).rglob("*") if path.is_file()}


def test_games_of_an_archive_are_stored() -> None:
    data = zipped(GAMES | {"i.gz": gz(text(3).encode())})
    upload = sent(data)
    assert told(upload) == dict.fromkeys(
        ["z.zip", "z.zip › a.kafu", "z.zip › b/c.kafu", "z.zip › i.gz", "z.zip › i.gz › i"]
    )
    assert [file.number for file in upload.files.all()] == [1, 2, 3, 4, 5]
    progress = upload.progress()
    assert progress["state"] == "done"
    assert progress["games"]["total"] == progress["games"]["read"] == 4
    assert (progress["files"], progress["files_unpacked"], progress["files_faulty"]) == (1, 4, 0)
    assert progress["bytes"] == len(data)
    assert Record.objects.count() == 3
    places = upload.submissions.order_by("file__number", "number").values_list(
        "file__name", "status"
    )
    assert list(places) == [
        ("z.zip › a.kafu", "verified"),
        ("z.zip › b/c.kafu", "verified"),
        ("z.zip › b/c.kafu", "malformed"),
        ("z.zip › i.gz › i", "verified"),
    ]


@pytest.mark.parametrize("make", part([zipped, tarred], one_of=2))
def test_file_that_is_no_game_by_its_name_is_reported_as_skipped(make: Any) -> None:
    skipped_files = {
        **{"games/desktop.ini": b"[.ShellClassInfo]", "games/Thumbs.db": bytes(72)},
        **{"README.md": b"# Games", "__MACOSX/games/._a.kafu": b"x", "show.py": b"print()"},
    }
    data = make({"games/a.kafu": text(1).encode(), **skipped_files})
    upload = sent(data, "g.zip")
    assert told(upload) == {
        "g.zip": None,
        "g.zip › games/a.kafu": None,
        **dict.fromkeys(
            (
                *("g.zip › games/desktop.ini", "g.zip › games/Thumbs.db", "g.zip › README.md"),
                *("g.zip › __MACOSX", "g.zip › show.py"),
            ),
            "passed-over",
        ),
    }
    progress = upload.progress()
    assert (progress["state"], progress["games"]["total"]) == ("done", 1)
    assert (progress["files_unpacked"], progress["files_faulty"]) == (1, 0)
    lines = [(line.file_name, line.status) for line, _players in report(upload)]
    assert lines[1:] == [(name, "passed-over") for name, code in told(upload).items() if code]


def test_unreadable_member_is_a_fault_of_its_file() -> None:
    files = {"a": text(1).encode(), "secret": b"x", "photo": bytes(range(256)) * 40}
    files |= {"old.7z": b"7z\xbc\xaf\x27\x1c" + bytes(9), "bomb": b" " * (RATIO_FROM + 1)}
    before = stored_files()
    upload = sent(encrypted(files, "secret"))
    assert told(upload) == {
        "z.zip": None,
        "z.zip › a": None,
        "z.zip › secret": "archive-encrypted",
        "z.zip › photo": "binary",
        "z.zip › old.7z": "compressed",
        "z.zip › bomb": "archive-ratio",
    }
    progress = upload.progress()
    assert (progress["state"], progress["files_faulty"]) == ("done", 4)
    assert progress["games"]["total"] == progress["games"]["verified"] == 1
    assert len(stored_files() - before) == 2, "the archive and one file"


def test_archives_of_an_upload_share_the_limit_of_files(settings: Settings) -> None:
    settings.UNPACK_FILES = 3
    first, second = zipped({"a": b"1", "b": b"2"}), zipped({"c": b"3", "d": b"4"})
    upload = receive(parts=[Part("1.zip", (first,)), Part("2.zip", (second,))], via="api")
    work_off(upload, lambda progress: None)
    assert told(upload) == {
        "1.zip": None,
        "2.zip": "archive-too-many-files",
        "1.zip › a": None,
        "1.zip › b": None,
        "2.zip › c": None,
    }
    fault: Any = upload.files.get(name="2.zip").fault
    assert fault["values"] == {"limit": 3}


def test_archives_unpacked_at_the_same_time_share_the_limit_of_bytes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither sees the other's bytes until they are booked."""
    settings.UNPACK_BYTES = 1000
    first_zip, second_zip = zipped({"a": b"1" * 600}), zipped({"b": b"2" * 300, "c": b"3" * 300})
    before = stored_files()
    upload = receive(parts=[Part("1.zip", (first_zip,)), Part("2.zip", (second_zip,))], via="api")
    first, second = upload.files.all()
    real = unpacking._write

    def late(*args: Any) -> Any:
        monkeypatch.setattr(unpacking, "_write", real)
        job = claim(first.pk)
        assert job is not None
        cut_file(job)
        return real(*args)

    monkeypatch.setattr(unpacking, "_write", late)
    job = claim(second.pk)
    assert job is not None
    cut_file(job)
    assert told(upload) == {
        "1.zip": None,
        "2.zip": "archive-too-large",
        "1.zip › a": None,
        "2.zip › b": None,
    }
    assert len(stored_files() - before) == 4, "what was beyond is not kept"


def test_archives_of_an_upload_share_the_computing_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each nested archive takes about a fifth of a second of a clock that every look advances."""
    ticks = count()
    monkeypatch.setattr(bounds, "thread_time", lambda: next(ticks) / 100)
    nested = {f"{number}.gz": gz(b"") * 4 for number in range(9)}
    upload = sent(zipped({"a.kafu": text(1).encode(), **nested}))
    faulty = upload.files.filter(fault__code="archive-too-costly")
    assert 2 < faulty.count() < 8
    assert {file.fault["values"]["limit"] for file in faulty if file.fault} == {1}
    progress = upload.progress()
    assert (progress["state"], progress["games"]["verified"]) == ("done", 1)


@pytest.mark.long_only  # archives of an upload share the limit of bytes below
@pytest.mark.long
def test_archive_of_many_small_bombs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No single file is suspiciously large; together they would fill the disk."""
    monkeypatch.setattr(unpacking, "ALL_FROM", RATIO_FROM)
    empty = b" " * (RATIO_FROM // 2)
    upload = sent(zipped({f"{number}": empty for number in range(12)}))
    fault = UploadFile.objects.get(parent=None, upload=upload).fault
    assert fault is not None and fault["code"] == "archive-too-large"
    size = upload.files.get(parent=None).size
    most = max(RATIO_FROM, 250 * size)
    assert fault["values"] == {"limit": most}
    unpacked = [file.size for file in upload.files.exclude(parent=None)]
    assert 0 < sum(unpacked) <= most < 12 * len(empty)


def test_lost_lease_leaves_no_unpacked_file() -> None:
    upload = receive(parts=[Part("z.zip", (zipped(GAMES),))], via="api")
    before = stored_files()
    job = upload.files.get().job
    job.lease = "somebody else"
    with pytest.raises(LeaseLost):
        cut_file(job)
    assert told(upload) == {"z.zip": None}
    assert stored_files() == before


def test_full_disk_leaves_no_unpacked_file_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload = receive(parts=[Part("z.zip", (zipped(GAMES),))], via="api")
    before = stored_files()
    real = DraftedObjects.store

    def full(draft: DraftedObjects, file: UploadFile, chunks: Any) -> None:
        if "c.kafu" in file.name:
            raise OSError(28, "No space left on device")
        real(draft, file, chunks)

    monkeypatch.setattr(DraftedObjects, "store", full)
    Worker(upload).step()
    file = upload.files.get()
    assert file.job.state == "waiting"
    assert "No space left" in file.job.reason
    assert stored_files() == before


def test_large_archive_is_bulk() -> None:
    year = text(1).encode()
    data = b"\n".join([year] * (1 + BULK_BYTES // len(year)))
    upload = receive(parts=[Part("z.gz", (gz(data),))], via="api")
    assert not upload.bulk
    Worker(upload).step()
    upload.refresh_from_db()
    assert upload.bulk


def test_long_path_is_shortened_in_its_middle() -> None:
    upload = sent(zipped({"d/" * 1500 + "last.kafu": text(1).encode()}))
    name = upload.files.get(number=2).name
    assert len(name) < 1024
    assert name.startswith("z.zip › d/d/") and name.endswith("last.kafu")
    assert "…" in name
