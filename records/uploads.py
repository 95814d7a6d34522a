"""Receiving: bytes come in, are stored as they are, and become rows to work on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage
from django.db import transaction
from django.utils import timezone

from records.models import Upload, UploadFile
from records.wake import wake

#: An upload above this waits behind smaller ones: some hundred games of a year each.
BULK_BYTES: Final = 1 << 20
#: Stored bytes without a row may belong to an upload that is just coming in; after this, no more.
ORPHAN_AGE: Final = timedelta(days=1)
#: What a file is called where the sender gave no name that can be shown.
NAMELESS: Final = "unnamed"
_UNFIT = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class UploadTooLarge(Exception):
    """An upload with more bytes than ``limit``; nothing of it is kept."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"an upload may have at most {limit:,} bytes")
        self.limit = limit


class NothingUploaded(Exception):
    """An upload without any file."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file as it arrives: the name that the sender claims, and its bytes piece by piece."""

    name: str
    chunks: Iterable[bytes]


class _Intake(File):
    """What Django's storage copies from: passes the bytes on, counting and hashing them."""

    def __init__(self, part: Part, room: int, too_large: Callable[[], Exception]) -> None:
        super().__init__(None)
        self.part = part
        self.room = room
        self.too_large = too_large
        self.count = 0
        self.hash = hashlib.sha256()

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """The bytes as they come. Raises the error of ``too_large`` when there is no more room."""
        for data in self.part.chunks:
            self.count += len(data)
            if self.count > self.room:
                raise self.too_large()
            self.hash.update(data)
            yield data


def receive(*, parts: Iterable[Part], via: str, limit: int | None = None) -> Upload:
    """Store an upload byte for byte and hand it to the workers.

    ``via`` is "page", "api" or "command". ``limit`` bounds the bytes of all parts together and is
    ``settings.UPLOAD_LIMIT_BYTES`` where not given. Raises :class:`UploadTooLarge` as soon as the
    limit is passed and :class:`NothingUploaded` where there is no part; nothing is kept then.
    """
    limit = settings.UPLOAD_LIMIT_BYTES if limit is None else limit
    files: list[UploadFile] = []
    try:
        room = limit
        for number, part in enumerate(parts, start=1):
            file = UploadFile(number=number, name=shown_name(part.name))
            files.append(file)
            room -= _store(file, part, room, limit)
        if not files:
            raise NothingUploaded
        return _book(files, via, bulk=limit - room > BULK_BYTES)
    except BaseException:
        for file in files:
            if file.stored.name:
                file.stored.storage.delete(file.stored.name)
        raise


def _store(file: UploadFile, part: Part, room: int, limit: int) -> int:
    """Write the bytes of one part to the storage; returns how many there were."""
    intake = _Intake(part, room, lambda: UploadTooLarge(limit))
    # The name is settled before writing, so that what was written of a refused file can be removed.
    file.stored.name = file.stored.field.generate_filename(file, "")
    file.stored.name = file.stored.storage.save(file.stored.name, intake)
    file.size = intake.count
    file.sha256 = intake.hash.hexdigest()
    return intake.count


@transaction.atomic
def _book(files: list[UploadFile], via: str, *, bulk: bool) -> Upload:
    upload = Upload.objects.create(via=via, bulk=bulk)
    for file in files:
        file.upload = upload
        file.save(force_insert=True)
    wake(files)
    return upload


def shown_name(claimed: Any) -> str:
    """A claimed file name made fit to be shown: its last part, no control characters, not too long.

    >>> shown_name("../../etc/pass\\x00wd")
    'passwd'
    """
    last = str(claimed or "").replace("\\", "/").rsplit("/", 1)[-1]
    return _UNFIT.sub("", last).strip()[:255] or NAMELESS


def remove_orphans() -> int:
    """Remove stored bytes that no row refers to, older than ORPHAN_AGE; returns how many files.

    A process killed while it received leaves such; its sender was never told that they were taken.
    After the loss of a database they may be all there is of an upload: hence only on request.
    """
    field = UploadFile._meta.get_field("stored")
    storage: Storage = field.storage
    removed = 0
    for folder in storage.listdir("")[0]:
        names = {f"{folder}/{name}" for name in storage.listdir(folder)[1]}
        names -= set(UploadFile.objects.filter(stored__in=names).values_list("stored", flat=True))
        for name in names:
            if storage.get_modified_time(name) < timezone.now() - ORPHAN_AGE:
                storage.delete(name)
                removed += 1
    return removed
