"""Rebuild of the archive from its stored uploads, and a check that the result is the same.

A rebuild in place removes submissions and chunks and makes every sent file due again, in the order
of arrival. Records keep their addresses and everything attached to them, and remain visible
meanwhile. The first text of a game that is read again replaces the text of its record
(`records.ingest.storing`). A record without a submission at the end has lost its upload.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files.storage import default_storage
from django.db import connections, transaction
from django.db.models import QuerySet

from records.base import clock
from records.base.packed import Damaged, Directory, Packed
from records.facts.parts import PartUnavailable
from records.ingest.leftovers import temporary
from records.ingest.receiving import create_upload
from records.jobs import ledger
from records.jobs.executor import work_off
from records.models import (
    Job,
    Player,
    Record,
    Submission,
    Upload,
    UploadFile,
    Visibility,
)
from records.models.jobs import CHUNK, FILE
from records.models.uploads import UNPACKED
from records.operations import consistency, facts_check
from records.operations.comparison import differences, miscounted
from records.statistics import ratings

#: The alias of the second database, while it exists.
REBUILT: Final = "anew"
BATCH: Final = 500
#: The fields of a sent file before it is read.
SENT: Final = ("number", "name", "stored", "size", "sha256", "entries")
#: The fields of an upload in the copy.
UPLOAD: Final = (
    *("key", "created", "via", "bulk", "owner_id", "visibility", "replaces", "secret", "circle"),
)
#: The name shown for a file without a row.
NAMELESS: Final = "(name lost)"

Report = Callable[[dict[str, Any]], object]


class CheckFailed(Exception):
    """The rebuild in a temporary database did not finish."""


def begin() -> None:
    """Remove all submissions and chunks, and make every sent file due again.

    Busy workers can no longer write, because they lose their leases.
    """
    with transaction.atomic():
        Submission.objects.all().delete()
        Record.objects.filter(first_chunk__isnull=False).update(first_chunk=None)
        Job.objects.filter(kind=CHUNK).delete()
        members = UploadFile.objects.filter(parent__isnull=False)
        unpacked = list(members.exclude(stored="").values_list("stored", flat=True))
        Job.objects.filter(file__parent__isnull=False).delete()
        # Read the whole text by rebuilding without a sender: quotas do not apply.
        Upload.objects.update(sender="", stopped=None)
        UploadFile.objects.update(fault=None)
        Job.objects.filter(kind=FILE).update(
            state=Job.State.WAITING,
            attempts=0,
            turn=ledger.current() + 1,
            due_at=clock.now(),
            lease="",
            lease_until=None,
            reason="",
            done_at=None,
        )
        ledger.forget()
    cast(Directory, default_storage).delete_all(unpacked)


def work(report: Report) -> None:
    """Process every open upload in the order of arrival; ``report`` is called with the progress."""
    jobs = Job.objects.filter(kind__in=(FILE, CHUNK), state__in=Job.OPEN)
    for pk in sorted(jobs.order_by().values_list("upload", flat=True).distinct()):
        upload = Upload.objects.filter(pk=pk).first()
        if upload is not None:
            work_off(upload, report)


def recount() -> int:
    """Correct the counts of games of players; return the number of wrong counts."""
    wrong = [player.pk for player in miscounted()]
    for pk in wrong:
        with transaction.atomic():
            # Concurrent transactions with new games update the players last and wait for this lock:
            # their games are not visible yet.
            player = Player.objects.select_for_update(no_key=True).get(pk=pk)
            public = player.seats.filter(record__visibility=Visibility.PUBLIC)
            player.games = public.order_by().values("record").distinct().count()
            player.save(update_fields=["games"])
    return len(wrong)


def find_left_over() -> QuerySet[Record]:
    """Return the records without a submission, whose upload was lost or removed."""
    return Record.objects.filter(first_chunk=None, submissions=None).order_by("pk")


def check(say: Callable[[str], object]) -> Iterator[str]:
    """Rebuild into a temporary SQLite database and yield each difference as a text.

    Changes nothing. Stored bytes are read in place; bytes in a bucket are copied to the temporary
    directory. Raises :class:`CheckFailed`.
    """
    with temporary("hana-rebuild-") as var:
        environment = os.environ | {"HANA_ENV": "development", "HANA_VAR": var}
        for name in ("DATABASE_URL", "REDIS_URL", "HANA_STORAGE_URL"):
            environment.pop(name, None)
        _run_command(environment, "migrate", "--verbosity=0")
        default = connections.settings["default"]
        connections.settings[REBUILT] = {
            **default,
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(Path(var) / "hana.sqlite3"),
            "OPTIONS": settings.SQLITE_OPTIONS,
        }
        try:
            say(f"uploads: {_copy_rows(Path(var) / 'uploads')}")
            connections[REBUILT].close()
            _run_command(environment, "rebuild", "--from-uploads")
            yield from differences("default", REBUILT)
            yield from consistency.find_faults()
            yield from facts_check.check(lambda games: None).differences
            try:
                yield from ratings.differences()
            except PartUnavailable as error:
                yield f"the ratings are not compared: {error}"
        finally:
            connections[REBUILT].close()
            del connections[REBUILT]
            del connections.settings[REBUILT]


def _run_command(environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
    status = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode
    if status:
        raise CheckFailed(f"manage.py {' '.join(arguments)} ended with status {status}")


def _copy_rows(uploads: Path) -> int:
    """Copy the rows of uploads, without results, into the second database; return their number."""
    count = 0
    owners = Upload.objects.order_by().exclude(owner=None).values_list("owner", flat=True)
    User = get_user_model()
    User._default_manager.using(REBUILT).bulk_create(
        [User(pk=pk, **{User.USERNAME_FIELD: str(pk)}) for pk in owners.distinct()]
    )
    for upload in Upload.objects.order_by("pk").iterator(chunk_size=BATCH):
        copy = Upload(**{name: getattr(upload, name) for name in UPLOAD})
        copy.save(using=REBUILT, force_insert=True)
        rows = []
        for file in upload.files.filter(parent=None):
            _link_bytes(str(file.stored), uploads / str(file.stored))
            values = {name: getattr(file, name) for name in SENT}
            rows.append(UploadFile(job=Job(kind=FILE, upload=copy), upload=copy, **values))
        Job.objects.using(REBUILT).bulk_create([row.job for row in rows], batch_size=BATCH)
        for row in rows:
            row.job_id = row.job.pk
        UploadFile.objects.using(REBUILT).bulk_create(rows, batch_size=BATCH)
        count += 1
    return count


def _link_bytes(name: str, target: Path) -> None:
    """Make an upload's stored file available at a local path: link it, or copy it from a bucket.

    Raise OSError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.symlink_to(default_storage.path(name))
    except NotImplementedError:  # A bucket has no local paths.
        uploads = cast(Packed, default_storage)
        with uploads.open_stored(name) as stored, target.open("wb") as copy:
            shutil.copyfileobj(stored, copy)


def take_orphans() -> Iterator[Upload]:
    """Register stored files without a row as uploads of one file each, oldest first.

    Used if only the directory of uploads is left. No web process may run, because files being
    received have no row yet. Names are lost; archives are unpacked again.
    """
    orphans: list[tuple[datetime, str]] = []
    for folder in default_storage.listdir("")[0]:
        names = {f"{folder}/{name}" for name in default_storage.listdir(folder)[1]}
        rows = UploadFile.objects.filter(stored__in=names)
        names -= set(rows.values_list("stored", flat=True))
        orphans += [
            (default_storage.get_modified_time(name).astimezone(UTC), name)
            for name in names
            if UNPACKED not in name
        ]
    for _, name in sorted(orphans):
        try:
            with default_storage.open(name, "rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                size = stream.tell()
        except Damaged:
            continue  # An incomplete file; the sender never got a confirmation.
        row = UploadFile(number=1, name=NAMELESS, stored=name, sha256=digest, size=size)
        yield create_upload([row], "command")
