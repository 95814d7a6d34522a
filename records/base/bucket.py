"""Storage in an S3 bucket, based on django-storages.

Additions: objects are read by ranges, so that a reader downloads only the needed bytes and stores
nothing on disk; and every error of the bucket is an OSError, transient unless the object does not
exist (`records.base.transient`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from io import BufferedReader
from itertools import islice
from threading import Lock
from typing import Any, Final

from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from django.core.files import File
from django.utils import timezone
from storages.backends.s3 import S3Storage

from records.base.packed import Packed, Reopenable, SeekableReader

#: Bytes of the first request for an object: a small object whole, or the end of a larger one, where
#: packed objects have their table.
TAIL: Final = 64 << 10
#: Bytes of one request: at first, and after many consecutive requests.
LEAST: Final = 512 << 10
MOST: Final = 4 << 20
#: Bytes of one part of an object being written; the memory of a writer.
PART: Final = 8 << 20
#: Bytes of a chunk in a streamed response.
PIECE: Final = 64 << 10
#: Maximum number of objects in one delete request.
DELETED: Final = 1000
CONNECT_SECONDS: Final = 3
READ_SECONDS: Final = 20
PROBE_SECONDS: Final = 2
#: Maximum number of attempts of a request.
TRIES: Final = 3


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn errors of the bucket into OSError.

    Raises FileNotFoundError if the object does not exist, ENOSPC if the bucket is full, and
    otherwise EIO, which is transient.
    """
    try:
        yield
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "")
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if code in ("NoSuchKey", "404"):
            raise FileNotFoundError(errno.ENOENT, f"no such object: {error}") from error
        number = errno.ENOSPC if status == 507 or code == "QuotaExceeded" else errno.EIO
        raise OSError(number, f"the bucket: {error}") from error
    except (BotoCoreError, HTTPClientError) as error:
        raise OSError(errno.EIO, f"the bucket: {error}") from error


class RangeReader(SeekableReader):
    """A reader of an object by ranges, with the bytes of the last request in memory.

    Consecutive requests become larger, up to `MOST` bytes.
    """

    def __init__(self, storage: Bucket, name: str) -> None:
        """Open an object. Raise FileNotFoundError, or OSError if the bucket does not respond."""
        self.storage, self.name = storage, name
        self.window = LEAST
        self.buffer, self.start, self.length = storage.read_tail(name, TAIL)

    def _read_at(self, place: int, count: int) -> bytes:
        end = self.start + len(self.buffer)
        if not self.start <= place < end:
            self.window = min(2 * self.window, MOST) if place == end else LEAST
            last = min(place + max(self.window, count), self.length) - 1
            self.buffer = b""  # at most one buffer in memory
            self.buffer = self.storage.read_range(self.name, place, last)
            self.start = place
        first = place - self.start
        return self.buffer[first : first + count]


class Bucket(S3Storage):
    """A storage of the objects in a bucket whose keys begin with ``location``."""

    def __init__(self, **options: Any) -> None:
        style = options.pop("addressing_style")
        options["client_config"] = Config(
            s3={"addressing_style": style},
            signature_version="s3v4",
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            retries={"mode": "standard", "total_max_attempts": TRIES},
            tcp_keepalive=True,
            # Not every server supports these options; our objects have separate checksums.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        # In the thread of the writer: else a writer had ten parts in memory.
        options["transfer_config"] = TransferConfig(
            use_threads=False, multipart_threshold=PART, multipart_chunksize=PART
        )
        super().__init__(**options)
        self._lock = Lock()
        #: The process id and its connection; a second connection for probes, with short timeouts.
        self._made: tuple[int, Any] | None = None
        self._probe: tuple[int, Any] | None = None

    @property
    def connection(self) -> Any:
        """The connection of this process, shared by its threads (clients allow sharing).

        With a connection per thread, every thread would parse the description of S3 again. A forked
        process makes a new connection.
        """
        with self._lock:
            if self._made is None or self._made[0] != os.getpid():
                self._made, self._bucket = (os.getpid(), self._connect(self.client_config)), None
            return self._made[1]

    def _connect(self, config: Config) -> Any:
        return self._create_session().resource(
            "s3", region_name=self.region_name, endpoint_url=self.endpoint_url, config=config
        )

    @property
    def client(self) -> Any:
        """The S3 client of this process."""
        return self.connection.meta.client

    def is_available(self) -> bool:
        """Return whether the bucket answers within some seconds, and accepts the key."""
        once = Config(
            connect_timeout=1, read_timeout=PROBE_SECONDS, retries={"total_max_attempts": 1}
        )
        try:
            with self._lock:
                if self._probe is None or self._probe[0] != os.getpid():
                    self._probe = os.getpid(), self._connect(self.client_config.merge(once))
            self._probe[1].meta.client.head_bucket(Bucket=self.bucket_name)
        except (BotoCoreError, ClientError, HTTPClientError):
            return False
        return True

    def abort_unfinished(self, age: timedelta) -> int:
        """Abort unfinished multipart uploads that are older than ``age``; return their number.

        Killed processes leave unfinished uploads. Raises OSError.
        """
        client, aborted = self.client, 0
        with translate_errors():
            pages = client.get_paginator("list_multipart_uploads").paginate(
                Bucket=self.bucket_name, Prefix=self.location
            )
            for page in pages:
                for upload in page.get("Uploads", ()):
                    if upload["Initiated"] < timezone.now() - age:
                        client.abort_multipart_upload(
                            Bucket=self.bucket_name, Key=upload["Key"], UploadId=upload["UploadId"]
                        )
                        aborted += 1
        return aborted

    def read_range(self, name: str, first: int, last: int) -> bytes:
        """Return the bytes ``first`` to ``last`` of an object, both included. Raises OSError."""
        return self._get(name, f"bytes={first}-{last}")[0]

    def read_tail(self, name: str, count: int) -> tuple[bytes, int, int]:
        """Return the last bytes of an object, their offset, and its length. Raises OSError."""
        try:
            data, content_range = self._get(name, f"bytes=-{count}")
        except OSError as error:
            if "InvalidRange" in str(error):  # an empty object
                return b"", 0, 0
            raise
        length = int(content_range.rpartition("/")[2] or len(data))
        return data, length - len(data), length

    def stream(self, name: str, first: int, last: int) -> Iterator[bytes]:
        """Request the bytes ``first`` to ``last`` of an object and return them in chunks.

        Raises OSError, also while the chunks are read.
        """
        if last < first:
            return iter(())  # an empty object
        key = self._normalize_name(name)
        with translate_errors():
            byte_range = f"bytes={first}-{last}"
            response = self.client.get_object(Bucket=self.bucket_name, Key=key, Range=byte_range)
        return self._read_pieces(response["Body"])

    @staticmethod
    def _read_pieces(body: Any) -> Iterator[bytes]:
        with closing(body), translate_errors():
            yield from body.iter_chunks(PIECE)

    def _get(self, name: str, byte_range: str) -> tuple[bytes, str]:
        key = self._normalize_name(name)
        with translate_errors():
            response = self.client.get_object(Bucket=self.bucket_name, Key=key, Range=byte_range)
            return response["Body"].read(), response.get("ContentRange", "")

    def _open(self, name: str, mode: str = "rb") -> File:
        return Reopenable(lambda: BufferedReader(RangeReader(self, name)), name)

    def _save(self, name: str, content: File) -> str:
        with translate_errors():
            return super()._save(name, content)

    def delete(self, name: str) -> None:
        """Delete an object if it exists. Raises OSError."""
        with translate_errors():
            super().delete(name)

    def delete_all(self, names: Iterable[str]) -> None:
        """Delete the existing objects among ``names``, up to `DELETED` in one request.

        Raises OSError.
        """
        keys = iter([{"Key": self._normalize_name(name)} for name in names])
        while batch := list(islice(keys, DELETED)):
            with translate_errors():
                response = self.client.delete_objects(
                    Bucket=self.bucket_name, Delete={"Objects": batch, "Quiet": True}
                )
            if response.get("Errors"):
                raise OSError(errno.EIO, f"the bucket: not deleted: {response['Errors'][0]}")

    def exists(self, name: str) -> bool:
        """Return whether an object exists. Raises OSError."""
        with translate_errors():
            return super().exists(name)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        """Return the folders and the objects below a name. Raises OSError."""
        with translate_errors():
            return super().listdir(name)

    def size(self, name: str) -> int:
        """Return the size of an object in bytes. Raises OSError."""
        with translate_errors():
            return super().size(name)

    def get_modified_time(self, name: str) -> datetime:
        """Return the time at which an object was written. Raises OSError."""
        with translate_errors():
            return super().get_modified_time(name)


class PackedBucket(Packed, Bucket):
    """A storage of objects in a bucket, packed if the suffix of the name says so.

    Reading returns the saved bytes.
    """
