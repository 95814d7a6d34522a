"""Objects of uploads in a bucket: stored, discarded, and removed by the sweep."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import File
from django.core.files.storage import default_storage, storages
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from archives.makers import zipped
from records.base.bucket import PackedBucket
from records.base.packed import Packed, opened
from records.ingest import object_drafts, resumable
from records.ingest.receiving import Part, receive
from records.jobs.executor import Worker, work_off
from records.models import Dump, ObjectDraft, Record, Upload, UploadFile
from records.models.uploads import UNPACKED
from records.opendata import dump_job, schedule
from records.operations import rebuild
from tests.records.makers import hurry, joined, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_bucket")]


def list_objects() -> set[str]:
    """Return the names of all uploads in the bucket."""
    folders = default_storage.listdir("")[0]
    return {f"{folder}/{name}" for folder in folders for name in default_storage.listdir(folder)[1]}


def send_archive(count: int) -> Upload:
    """Receive an archive with ``count`` games."""
    data = zipped({f"{seed}.kafu": text(seed).encode() for seed in range(1, count + 1)})
    return receive(parts=[Part("games.zip", (data,))], via="api")


def unpack(upload: Upload) -> None:
    """Unpack the archive of an upload, without further jobs."""
    Worker(upload).step()


@pytest.mark.long_only  # the next tests store archives
def test_small_files_of_an_archive_are_stored_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload = send_archive(12)
    real, threads = PackedBucket.save_packed, set()

    def note_thread(storage: PackedBucket, name: str, content: File) -> None:
        threads.add(threading.current_thread())
        time.sleep(0.01)
        real(storage, name, content)

    monkeypatch.setattr(Packed, "save_packed", note_thread)
    monkeypatch.setattr(object_drafts, "MAX_WAITING", 3)
    unpack(upload)
    assert 1 < len(threads) <= object_drafts.THREADS
    members = upload.files.exclude(parent=None)
    assert members.count() == 12
    stored = {str(file.stored) for file in upload.files.all()}
    assert list_objects() == stored
    for file in members[:3]:
        with file.stored.open() as stream:
            assert len(stream.read()) == file.size > 0
    assert not ObjectDraft.objects.exists()


@pytest.mark.long_only  # test_unpacking.py tries again after a full disk
def test_archive_is_unpacked_later_if_the_bucket_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upload = send_archive(5)
    sent = list_objects()
    real = PackedBucket.save_packed

    def fail_once(storage: PackedBucket, name: str, content: File) -> None:
        if ".3." in name:
            raise OSError(5, "the bucket does not answer")
        real(storage, name, content)

    with monkeypatch.context() as patched:
        patched.setattr(Packed, "save_packed", fail_once)
        unpack(upload)
    assert upload.files.get().job.state == "waiting"
    assert list_objects() == sent and not ObjectDraft.objects.exists()
    hurry()
    unpack(upload)
    assert upload.files.count() == 6


def test_objects_of_a_killed_worker_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    upload = send_archive(3)
    sent = list_objects()

    class Killed(BaseException):
        pass

    def kill(*args: Any) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("records.ingest.unpacking._write", kill)
        with pytest.raises(Killed):
            unpack(upload)
    assert len(list_objects() - sent) == 3
    assert object_drafts.remove_abandoned() == 0
    ObjectDraft.objects.update(created=timezone.now() - timedelta(days=3))
    assert object_drafts.remove_abandoned() == 1
    assert list_objects() == sent


def test_object_that_cannot_be_discarded_is_removed_by_the_sweep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise OSError(5, "the bucket does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(PackedBucket, "delete_all", refuse)
        patched.setattr("records.ingest.receiving.create_upload", refuse)
        with pytest.raises(OSError):
            receive(parts=[Part("a", (b"x",))], via="api")
    assert len(list_objects()) == 1
    ObjectDraft.objects.update(created=timezone.now() - timedelta(days=3))
    assert object_drafts.remove_abandoned() == 1
    assert not list_objects()


@pytest.mark.long_only  # tests/api/test_resumable.py has it in a directory
def test_resumable_upload_is_assembled_in_the_bucket() -> None:
    data = joined(text(1), text(2))
    partial = resumable.begin(sender="a", name="x", metadata="", length=len(data))
    for first, end in ((0, 1000), (1000, len(data))):
        resumable.append(partial, first, BytesIO(data[first:end]).read)
    assert partial.upload is not None
    with partial.upload.files.get().stored.open() as stream:
        assert stream.read() == data
    assert storages["partial"].listdir("") == ([], [])
    assert resumable.remove_strays(timedelta(0)) == 0


@pytest.mark.long_only  # operations/test_rebuild.py has it with a directory
def test_archive_is_rebuilt_from_the_bucket() -> None:
    work_off(send_archive(2), lambda _: None)
    unpacked = {name for name in list_objects() if UNPACKED in name}
    assert len(unpacked) == 2
    call_command("rebuild", "--from-uploads")
    assert not unpacked & list_objects() and len(list_objects()) == 3
    key = UploadFile.objects.get(parent=None).stored.name
    Upload.objects.all().delete()
    assert [upload.files.get().stored.name for upload in rebuild.take_orphans()] == [key]


def test_bytes_of_the_bucket_are_lent_as_a_copy(tmp_path: Path) -> None:
    name = str(receive(parts=[Part("a", (b"game",))], via="api").files.get().stored)
    rebuild._link_bytes(name, tmp_path / name)
    with opened(tmp_path / name) as stream:
        assert stream.read() == b"game"


def test_dumps_of_the_bucket_replace_each_other() -> None:
    work_off(receive(parts=[Part("a", (text(1).encode(),))], via="api"), lambda _: None)
    month = schedule.month_of(timezone.now())
    dump_job.make(month)
    second = dump_job.make(month)
    assert storages["dumps"].listdir("")[0] == [second.directory]
    response: Any = Client().get(reverse("data-file", args=[month, "games.parquet"]))
    body = response.getvalue()
    assert body[:4] == b"PAR1" and len(body) == int(response["Content-Length"])
    Dump.objects.all().delete()
    assert Record.objects.count() == 1
