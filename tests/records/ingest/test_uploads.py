import hashlib
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import OperationalError

from records.ingest import receiving
from records.ingest.receiving import (
    BULK_BYTES,
    NothingUploaded,
    Part,
    UploadTooLarge,
    receive,
    shown_name,
)
from records.models import Upload, UploadFile

pytestmark = pytest.mark.django_db


def stored_files() -> set[Path]:
    """Return the files in the storage."""
    return {path for path in Path(default_storage.path("")).rglob("*") if path.is_file()}


def test_bytes_are_stored_as_they_came() -> None:
    data = b"\xef\xbb\xbf[Kafu\r\n\x00\xff"
    upload = receive(parts=[Part("a.kafu", (data[:3], data[3:]))], via="api")
    file = upload.files.get()
    with file.stored.open("rb") as stream:
        assert stream.read() == data
    assert file.size == len(data)
    assert file.sha256 == hashlib.sha256(data).hexdigest()
    assert (file.job.state, file.job.attempts, file.number) == ("waiting", 0, 1)
    assert upload.via == "api"
    assert not upload.bulk


def test_stored_file_does_not_have_the_name_of_the_sender() -> None:
    upload = receive(parts=[Part("../../../etc/cron.d/x.kafu", (b"x",))], via="api")
    file = upload.files.get()
    assert file.name == "x.kafu"
    assert "x.kafu" not in file.stored.path
    root = Path(default_storage.path("")).resolve()
    assert Path(file.stored.path).resolve().is_relative_to(root)


def test_files_keep_their_order() -> None:
    upload = receive(parts=[Part(name, (b"x",)) for name in ("b", "a", "c")], via="page")
    assert [(file.number, file.name) for file in upload.files.all()] == [
        (1, "b"),
        (2, "a"),
        (3, "c"),
    ]


def test_stream_exceeding_the_limit_ends_early_and_leaves_nothing() -> None:
    before = stored_files()
    chunks = 0

    def endless() -> Iterator[bytes]:
        nonlocal chunks
        while True:
            chunks += 1
            yield b"x" * 100

    with pytest.raises(UploadTooLarge) as caught:
        receive(parts=[Part("a", (b"y" * 500,)), Part("b", endless())], via="api", limit=1000)
    assert caught.value.limit == 1000
    assert chunks == 6
    assert not Upload.objects.exists()
    assert stored_files() == before


def test_upload_of_exactly_the_limit_is_received() -> None:
    assert (
        receive(parts=[Part("a", (b"y" * 1000,))], via="api", limit=1000).files.get().size == 1000
    )


def test_error_of_the_sender_leaves_nothing() -> None:
    before = stored_files()

    def broken() -> Iterator[bytes]:
        yield b"x"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        receive(parts=[Part("a", broken())], via="api")
    assert not UploadFile.objects.exists()
    assert stored_files() == before


def test_full_disk_leaves_nothing() -> None:
    """The system's limit for one file acts as a full disk: the write fails half way."""
    before = stored_files()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            receive(parts=[Part("a", (b"x",)), Part("b", [os.urandom(50_000)] * 30)], via="api")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not Upload.objects.exists()
    assert stored_files() == before


def test_bytes_without_an_upload_are_removed_on_request(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("sweep", "--once", "--remove-orphans")  # remove files of other tests
    capsys.readouterr()
    stored_name = str(receive(parts=[Part("a", (b"x",))], via="api").files.get().stored)
    young = default_storage.save("aa/young", ContentFile(b"y"))
    orphan = default_storage.save("aa/orphan", ContentFile(b"z"))
    two_days_ago = Path(default_storage.path(young)).stat().st_mtime - 2 * 86400
    for name in (stored_name, orphan):
        os.utime(default_storage.path(name), (two_days_ago, two_days_ago))
    call_command("sweep", "--once", "--remove-orphans")
    assert "orphans removed: 1" in capsys.readouterr().out
    assert default_storage.exists(stored_name)
    assert default_storage.exists(young)
    assert not default_storage.exists(orphan)


def test_upload_without_files_is_refused() -> None:
    with pytest.raises(NothingUploaded):
        receive(parts=[], via="page")


def test_empty_file_is_received() -> None:
    assert receive(parts=[Part("a", ())], via="api").files.get().size == 0


def test_large_upload_is_bulk() -> None:
    assert receive(parts=[Part("a", (b"x" * (BULK_BYTES + 1),))], via="api").bulk


@pytest.mark.parametrize(
    ("claimed", "shown"),
    [
        ("games.kafu", "games.kafu"),
        ("C:\\games\\新年.kafu", "新年.kafu"),
        ("", "unnamed"),
        (None, "unnamed"),
        ("..", ".."),
        ("a\x00\n\u202eb", "ab"),
        ("\ud800x", "x"),
        ("x" * 1000, "x" * 255),
    ],
)
def test_claimed_name_is_shown_cleaned(claimed: str | None, shown: str) -> None:
    assert shown_name(claimed) == shown


def test_bytes_stay_when_the_outcome_of_the_commit_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection breaks during the response to COMMIT: the row may exist."""
    create_upload = receiving.create_upload

    def broken(*arguments: Any, **options: Any) -> Upload:
        create_upload(*arguments, **options)
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(receiving, "create_upload", broken)
    with pytest.raises(OperationalError):
        receive(parts=[Part("a.kafu", [b"game"])], via="api")
    with UploadFile.objects.get().stored.open("rb") as stored:
        assert stored.read() == b"game"
