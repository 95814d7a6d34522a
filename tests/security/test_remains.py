"""The sweep removes files that killed processes left, and no file in use."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import default_storage, storages
from django.utils import timezone

from hanaarchive import server
from records.ingest import leftovers
from records.ingest.object_drafts import DraftedObjects
from records.ingest.receiving import Part, receive
from records.ingest.resumable import append, begin
from records.jobs import sweeping
from records.models import ObjectDraft, UploadFile

pytestmark = pytest.mark.django_db
DAYS = 3 * 86400


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give the test a separate temporary folder, and make the next sweep search."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(leftovers._LastSearch, "time", None)
    yield


def make_old(path: Path) -> Path:
    """Create a file if it is missing, and set its time days back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_bytes(b"x")
    then = time.time() - DAYS
    os.utime(path, (then, then))
    return path


def storage_folder() -> Path:
    """Return the folder of uploads."""
    return Path(default_storage.path(""))


def list_objects() -> set[Path]:
    """Return all stored files."""
    return {path for path in storage_folder().rglob("*") if path.is_file()}


class Killed(BaseException):
    """An end as by SIGKILL."""


def test_object_of_a_killed_upload_is_removed_when_it_is_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = receive(parts=[Part("a", (b"whole",))], via="api").files.get()
    assert not ObjectDraft.objects.exists()
    earlier = list_objects()

    def fail_halfway() -> Iterator[bytes]:
        yield b"half"
        raise Killed

    monkeypatch.setattr(DraftedObjects, "discard", lambda draft: None)
    with pytest.raises(Killed):
        receive(parts=[Part("a", (b"first",)), Part("b", fail_halfway())], via="api")
    assert len(list_objects() - earlier) == 1
    sweeping.tidy()
    assert len(list_objects() - earlier) == 1, "the upload may continue"
    ObjectDraft.objects.update(created=timezone.now() - timedelta(days=3))
    orphan = make_old(storage_folder() / "zz" / "orphan")
    assert leftovers.remove() == 1
    assert list_objects() - earlier == {orphan}, "a lost database may be rebuilt from it"
    assert Path(stored.stored.path).exists()
    assert not ObjectDraft.objects.exists()
    orphan.unlink()


def test_upload_that_took_too_long_gets_no_rows() -> None:
    """The sweep may be removing its objects."""

    def wait_long() -> Iterator[bytes]:
        ObjectDraft.objects.update(created=timezone.now() - timedelta(days=1, minutes=1))
        yield b"game"

    before = list_objects()
    with pytest.raises(OSError, match="took too long"):
        receive(parts=[Part("a", wait_long())], via="api")
    assert not UploadFile.objects.exists() and list_objects() == before


def test_old_temporary_files_of_forms_and_static_files_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    form = make_old(settings.SCRATCH_DIR / "tmpabcd.upload")
    draft = make_old(settings.VAR_DIR / "static" / "tmpefgh")
    copy = make_old(settings.VAR_DIR / "static" / "ab")
    current = settings.SCRATCH_DIR / "tmpijkl.upload"
    current.touch()
    sweeping.tidy()
    assert not form.exists() and not draft.exists()
    assert copy.exists() and current.exists()
    current.unlink()


def test_part_that_no_row_names_is_removed() -> None:
    partial = begin(sender="a", name="x", metadata="", length=5)
    append(partial, 0, BytesIO(b"1234").read)
    folder = Path(storages["partial"].path(""))
    part = make_old(folder / partial.parts[0][0])
    strays = [make_old(folder / name) for name in (f"{partial.key}.4.x.zst", "ab12.lock")]
    sweeping.tidy()
    assert part.exists()
    assert not any(path.exists() for path in strays)


def test_temporary_folder_without_its_owner_is_removed(tmp_path: Path) -> None:
    with leftovers.temporary("hana-metrics-") as name:
        in_use = Path(name)
        (in_use / "counter_1.db").touch()
        dead = tmp_path / "hana-metrics-dead"
        dead.mkdir()
        (dead / "owner").touch()
        (dead / "counter_2.db").touch()
        new, before, foreign = (
            tmp_path / f"{p}x" for p in ("hana-metrics-n", "hana-rebuild-", "my")
        )
        for folder in (new, before, foreign):
            folder.mkdir()
        make_old(before / "hana.sqlite3")
        make_old(before)
        sweeping.tidy()
        assert not dead.exists() and not before.exists()
        assert in_use.exists() and new.exists() and foreign.exists()
    assert not in_use.exists()


def test_sweep_looks_once_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def count_call() -> int:
        calls.append(1)
        return 0

    monkeypatch.setattr(leftovers, "remove", count_call)
    for _ in range(5):
        leftovers.tidy()
    assert len(calls) == 1


def test_web_process_tidies_its_own_machine() -> None:
    """The sweep may run on another machine."""
    form = make_old(settings.SCRATCH_DIR / "tmpmnop.upload")
    server.tidy()
    assert not form.exists()
