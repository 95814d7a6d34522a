"""Objects of a bucket, on a server that speaks S3."""

from __future__ import annotations

import errno
import io
import os
import socket
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.core.files.base import ContentFile, File

from hanaarchive.environment import parse_bucket
from lengths import part
from records.base import bucket, packed
from records.base.bucket import Bucket, PackedBucket
from records.base.transient import is_transient
from tests import services

MIB = 1 << 20


def options_of(url: str) -> dict[str, Any]:
    """Return the options of HANA_STORAGE_URL."""
    options = parse_bucket(url)
    assert options is not None
    return options


@pytest.fixture
def storage(bucket_server: services.BucketServer) -> PackedBucket:
    """Return the storage of an empty bucket."""
    return PackedBucket(**options_of(bucket_server.create()))


class Stream(File):
    """Content that comes in chunks, and may break."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__(None)
        self.pieces = pieces

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the pieces."""
        return self.pieces


@pytest.mark.parametrize(
    ("name", "size"),
    part(
        [("ab/x.zst", packed.SEGMENT + 1), ("ab/x.zst", 0), ("ab/x", bucket.PART + 1), ("ab/x", 1)],
        one_of=4,
    ),
)
def test_object_reads_as_it_was_saved(storage: PackedBucket, name: str, size: int) -> None:
    data = Random(size).randbytes(size)
    content = ContentFile(data)
    assert storage.save(name, content) == name
    assert storage.size(name) == size
    if packed.is_packed(name):
        assert content.stored_size == storage.stored_size(name)  # type: ignore[attr-defined]
    with storage.open(name) as stream, io.BytesIO(data) as plain:
        for offset in (0, size // 2, size - 1, size // 3, size + 5):
            stream.seek(max(0, offset))
            plain.seek(max(0, offset))
            assert stream.read(100_000) == plain.read(100_000)
        stream.seek(0)
        assert stream.read() == data
        with pytest.raises(OSError):
            stream.seek(-1)
    stream.open()
    assert stream.read() == data
    assert storage.listdir("") == (["ab"], [])
    assert storage.listdir("ab") == ([], [name[3:]])
    stored = storage.open_stored(name).read()
    assert b"".join(storage.stream(name, 0, len(stored) - 1)) == stored
    if stored:
        assert b"".join(storage.stream(name, 0, 0)) == stored[:1]


def test_reader_requests_only_what_it_needs(
    storage: PackedBucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Random(1).randbytes(15 * MIB)
    storage.save("ab/x.zst", ContentFile(data))
    sizes: list[int] = []
    real = Bucket._get

    def count(storage: Bucket, name: str, byte_range: str) -> tuple[bytes, str]:
        answer = real(storage, name, byte_range)
        sizes.append(len(answer[0]))
        return answer

    monkeypatch.setattr(Bucket, "_get", count)
    with storage.open("ab/x.zst") as stream:
        stream.seek(12_345_678)
        assert stream.read(1000) == data[12_345_678:12_346_678]
    assert sizes == [bucket.TAIL, bucket.LEAST]
    sizes.clear()
    with storage.open("ab/x.zst") as stream:
        while stream.read(MIB):
            pass
    assert len(sizes) < 10 and max(sizes) == bucket.MOST


def test_content_that_breaks_leaves_nothing(storage: PackedBucket) -> None:
    def break_off() -> Iterator[bytes]:
        yield Random(1).randbytes(2 * bucket.PART)
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        storage.save("ab/x.zst", Stream(break_off()))
    assert not storage.exists("ab/x.zst")
    assert storage.abort_unfinished(timedelta(0)) == 0


def test_object_of_a_killed_writer_is_removed(storage: PackedBucket) -> None:
    key = {"Bucket": storage.bucket_name, "Key": f"{storage.location}ab/x"}
    storage.client.create_multipart_upload(**key)
    assert storage.abort_unfinished(timedelta(days=1)) == 1, "moto says it began in 2010"
    assert storage.abort_unfinished(timedelta(days=1)) == 0


def test_missing_object_is_a_missing_file(storage: PackedBucket) -> None:
    for read in (storage.open, storage.size, storage.get_modified_time):
        with pytest.raises(FileNotFoundError):
            read("ab/none")
    with pytest.raises(FileNotFoundError):
        Bucket.stream(storage, "ab/none", 0, 1)
    storage.delete("ab/none")


def test_error_of_the_bucket_is_transient(bucket_server: services.BucketServer) -> None:
    options = options_of(bucket_server.create())
    away = Bucket(**options | {"endpoint_url": f"http://127.0.0.1:{services.free_port()}"})
    missing_bucket = Bucket(**options | {"bucket_name": "another"})
    for storage in (away, missing_bucket):
        assert not storage.is_available()
        with pytest.raises(OSError) as raised:
            storage.save("x", ContentFile(b"x"))
        assert is_transient(raised.value)
        assert "secret" not in str(raised.value)


def test_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket, "READ_SECONDS", 0.2)
    monkeypatch.setattr(bucket, "PROBE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"s3+http://key:secret@127.0.0.1:{silent.getsockname()[1]}/hana"
        storage = Bucket(**options_of(url))
        began = time.monotonic()
        with pytest.raises(OSError) as raised:
            storage.exists("x")
        assert raised.value.errno == errno.EIO
        assert not storage.is_available()
        assert time.monotonic() - began < 30


def test_full_bucket_is_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"s3+http://key:secret@127.0.0.1:{server.getsockname()[1]}/hana"
        storage = Bucket(**options_of(url))

        def refuse() -> None:
            connection, _address = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(b"HTTP/1.1 507 Full\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=refuse, daemon=True).start()
        with pytest.raises(OSError, match="bucket") as raised:
            storage.save("x", ContentFile(b"x"))
        assert raised.value.errno == errno.ENOSPC


def test_forked_process_has_a_connection_of_its_own(storage: PackedBucket) -> None:
    storage.save("x", ContentFile(b"x"))
    before = storage.connection
    assert storage.connection is before
    pid = os.fork()
    if pid == 0:
        os._exit(0 if storage.connection is not before and storage.exists("x") else 1)
    assert os.waitpid(pid, 0)[1] == 0
