"""Uploads: the original bytes, the chunks of the files, and the submitted games."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from kafu.notation import codes
from records.base.keys import random_key
from records.base.packed import SUFFIX
from records.models.games import Record, Status, Visibility
from records.models.jobs import Job
from records.models.packed_fields import PackedTextField

#: Skipped files of archives, which do not count as faults.
PASSED_OVER: Final = Q(fault__code=codes.PASSED_OVER.id)


class Upload(models.Model):
    """An upload of files or of a pasted text. ``via`` is page, api or command.

    ``visibility`` is the visibility of the upload's games, except games with a later decision of
    the owner. The report of a private upload is visible to the owner only, other reports to
    everybody with the address.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True)
    via = models.CharField(max_length=16)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="uploads"
    )
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    #: Whether the upload is large, and therefore waits behind the sender's small uploads.
    bulk = models.BooleanField(default=False)
    #: The id of the creating request, or ""; log lines of the upload's jobs carry it.
    request_id = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: The sender (`records.serving.senders.hashed`); "" if no quota is charged, and after a while.
    sender = models.CharField(max_length=32, default="", blank=True, editable=False)
    #: The key of the game to be replaced by the upload's game, or "" (`records.ingest.succession`).
    replaces = models.CharField(max_length=44, default="", blank=True, editable=False)
    #: Set on replacing: earlier texts of the sender were public at that moment if the primary key
    #: of their upload is greater. The primary key of the upload itself: no text was public.
    former_since = models.BigIntegerField(null=True, blank=True, editable=False)
    #: SHA-256 of the secret that proves ownership of an anonymous upload, or "".
    secret = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: The primary key of the job that transfers the games to the claiming account, until the job
    #: ends; else 0 (`records.services.claims`).
    claim = models.BigIntegerField(default=0, editable=False)
    #: The circle that gets the games (`records.privacy.circles`), or "".
    circle = models.CharField(max_length=44, default="", blank=True, editable=False)
    #: The time of withdrawal, the visibility before, and the primary key of the change.
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    visible_before = models.PositiveSmallIntegerField(default=Visibility.PUBLIC, editable=False)
    withdrawn_change = models.BigIntegerField(default=0, editable=False)
    #: The reason for stopping before the end, a fault in stored form; later faults are in the
    #: files.
    stopped = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("-id",)
        indexes = (
            models.Index(fields=("created",), name="upload_sender", condition=~models.Q(sender="")),
            models.Index(
                fields=("replaces",), name="upload_replaces", condition=~models.Q(replaces="")
            ),
            models.Index(fields=("secret",), name="upload_secret", condition=~models.Q(secret="")),
            models.Index(fields=("claim",), name="upload_claim", condition=models.Q(claim__gt=0)),
        )

    def __str__(self) -> str:
        return self.key

    def progress(self) -> dict[str, Any]:
        """Return the progress of the upload, exact at the moment of the query.

        ``state`` is ``waiting`` (no file begun), ``cutting``, ``working`` or ``done``.
        ``games.total`` is None until every file is cut, or unpacked and its files cut. ``files``
        and ``bytes`` count the sent files, ``files_unpacked`` the files in archives;
        ``files_faulty`` counts files of both kinds not read completely. Files passed over do not
        count. ``chunks.dead_lettered`` and ``files_dead_lettered`` count jobs given up after three
        attempts.

        Files are queried first. Chunks, and the files of an archive, are written in the transaction
        that marks the parent file done. Therefore the second query sees all chunks of the files cut
        in the first query.
        """
        sent = Q(parent=None)
        files = self.files.aggregate(
            count=Count("pk", filter=sent),
            bytes=Coalesce(Sum("size", filter=sent), 0),
            unpacked=Count("pk", filter=~sent & ~PASSED_OVER),
            faulty=Count("pk", filter=Q(fault__isnull=False) & ~PASSED_OVER),
            begun=Count("pk", filter=Q(job__attempts__gt=0)),
            open=Count("pk", filter=Q(job__state__in=Job.OPEN)),
            dead_lettered=Count("pk", filter=Q(job__state=Job.State.DEAD_LETTER)),
        )
        names = (*Status.values, "duplicates", "games")
        states = self.chunks.order_by().values_list("job__state")
        chunks: Counter[str] = Counter()
        # Groups take half of the time of conditional aggregates.
        for state, total, *sums in states.annotate(Count("pk"), *map(Sum, names)):
            chunks.update({state: total, "total": total, **dict(zip(names, sums, strict=True))})
        finished = {"done": chunks[Job.State.DONE], "dead_lettered": chunks[Job.State.DEAD_LETTER]}
        if files["open"]:
            state = "cutting" if files["begun"] else "waiting"
        else:
            state = "done" if sum(finished.values()) == chunks["total"] else "working"
        counts = {status: chunks[status] for status in Status.values}
        return {
            "state": state,
            "bytes": files["bytes"],
            "files": files["count"],
            "files_unpacked": files["unpacked"],
            "files_faulty": files["faulty"],
            "files_dead_lettered": files["dead_lettered"],
            "games": {
                "read": sum(counts.values()),
                "total": None if files["open"] else chunks["games"],
                **counts,
                "duplicates": chunks["duplicates"],
            },
            "chunks": {"total": chunks["total"], **finished},
        }


#: Part of the names of unpacked bytes, which can be unpacked again after a loss.
UNPACKED: Final = ".unpacked"


def stored_name(instance: UploadFile, filename: str) -> str:
    """Return the name under which the bytes of a file are stored.

    ``filename`` is a reserved name (`ObjectDraft.filename`), never the sender's.
    """
    folder = filename.partition(".")[0][-2:]
    return f"{folder}/{filename}{UNPACKED if instance.parent is not None else ''}{SUFFIX}"


class ObjectDraft(models.Model):
    """Reserved names for objects without a row yet (`records.ingest.object_drafts`).

    The names have the numbers from ``first`` to ``count``; some of the objects may be missing.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(db_index=True)
    first = models.PositiveIntegerField(default=1)
    count = models.PositiveIntegerField(default=1)
    #: Whether the names are for files of an archive.
    unpacked = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.key

    def filename(self, number: int) -> str:
        """Return the reserved name with a number, for `stored_name`."""
        return f"{self.key}.{number}"


class UploadFile(models.Model):
    """A file of an upload, with the original bytes. The file's job cuts the file into chunks.

    The job of an archive unpacks the archive: each file in the archive becomes a row with stored
    bytes and the archive as ``parent``, and is processed like any other file. An unreadable file (a
    damaged archive, or an encrypted file in an archive) has a ``fault`` in stored form, and is done
    with the readable part. A file with a name unlike a game's is passed over, with the ``fault``
    passed-over.
    """

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="file")
    upload = models.ForeignKey(Upload, models.CASCADE, related_name="files", db_index=False)
    #: From 1 within the upload.
    number = models.PositiveIntegerField()
    #: The name given by the sender, for display only; in an archive ``games.zip › 2019/a``.
    name = models.CharField(max_length=1024)
    #: Empty if unpacking failed.
    stored = models.FileField(upload_to=stored_name, max_length=100, blank=True)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    parent = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="members"
    )
    fault = models.JSONField(null=True, blank=True)
    #: The entries of a score sheet from the site's form (`records.ingest.sheet_entries`).
    entries: models.Field[str | None, str | None] = PackedTextField(null=True)

    #: The number of stored (packed) bytes; set only in the process that stored them.
    stored_size = 0

    class Meta:
        ordering = ("upload_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("upload", "number"), name="upload_file_number"),
        )

    def __str__(self) -> str:
        return self.name


class PartialUpload(models.Model):
    """An upload in parts (tus), until all bytes have arrived to make an `Upload`.

    Its parts are objects of the storage ``partial`` (`records.ingest.resumable`), of which the
    first ``offset`` bytes count.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField(db_index=True)
    #: The sender of the later upload; the length is reserved from the sender's quota.
    sender = models.CharField(max_length=100, db_index=True)
    #: The owner of the later upload.
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True)
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    name = models.CharField(max_length=255)
    #: The circle of the later upload.
    circle = models.CharField(max_length=44, default="", blank=True, editable=False)
    #: The secret of the later upload.
    secret = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: The original header Upload-Metadata, to be returned.
    metadata = models.CharField(max_length=2048, blank=True)
    length = models.BigIntegerField()
    offset = models.BigIntegerField(default=0)
    #: Name and bytes of each part, in order.
    parts = models.JSONField(default=list, blank=True)
    #: Until when a process may assemble the parts alone.
    assembling_until = models.DateTimeField(null=True, blank=True)
    upload = models.ForeignKey(Upload, models.CASCADE, null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.key


class IdempotencyKey(models.Model):
    """The Idempotency-Key of an upload, written in the same transaction."""

    sender = models.CharField(max_length=100)
    key = models.CharField(max_length=255)
    #: A hash of the received names and bytes.
    fingerprint = models.CharField(max_length=64)
    upload = models.ForeignKey(Upload, models.CASCADE)
    created = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sender", "key"), name="sent_once"),)

    def __str__(self) -> str:
        return self.key


class Usage(models.Model):
    """The part of a sender's quotas used on one day (UTC); see `records.ingest.quotas`."""

    sender = models.CharField(max_length=32)
    day = models.DateField(db_index=True)
    #: Stored (packed) bytes, of the sent and the unpacked files.
    bytes = models.BigIntegerField(default=0)
    games = models.BigIntegerField(default=0)
    malformed = models.BigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sender", "day"), name="usage_day"),)

    def __str__(self) -> str:
        return f"{self.sender} {self.day}"


class Chunk(models.Model):
    """Consecutive games of a file: the bytes from ``offset`` to ``offset + length``.

    The chunk's job reads, replays and stores the games: games, submissions, counters and ``done``
    in a single transaction. The counters count the submissions, and are 0 before the transaction.
    """

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="chunk")
    upload = models.ForeignKey(Upload, models.CASCADE, related_name="chunks")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="chunks", db_index=False)
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    #: Number and line, in the file, of the first game.
    first_game = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    #: The number of games at the time of cutting.
    games = models.PositiveIntegerField()
    #: The place of each game at the time of cutting (`records.texts.pieces`).
    extents = models.BinaryField()

    verified = models.PositiveIntegerField(default=0)
    consistent = models.PositiveIntegerField(default=0)
    mismatch = models.PositiveIntegerField(default=0)
    illegal = models.PositiveIntegerField(default=0)
    malformed = models.PositiveIntegerField(default=0)
    unfinished = models.PositiveIntegerField(default=0)
    unsupported = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    #: The last applied change of visibility, or claim (the job's primary key), 0 for none.
    follows = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("file_id", "first_game")
        constraints = (
            models.UniqueConstraint(fields=("file", "first_game"), name="chunk_first_game"),
        )

    def __str__(self) -> str:
        return f"{self.file_id}:{self.first_game}+{self.games}"


class Submission(models.Model):
    """One game as sent in an upload; also for every malformed piece of a file.

    ``status`` and the columns below refer to the submitted text. ``record`` is the game in the
    archive (None for an unreadable text); ``duplicate``: the archive had the game already.
    ``error``, ``mismatches`` and ``warnings`` are in the stored form of a verdict (codes and
    values, without language), with lines and columns of the uploaded file.
    """

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="submissions", db_index=False)
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="submissions")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="submissions", db_index=False)
    #: Place in the file, from 1; `Chunk.extents` has the place of its bytes.
    number = models.PositiveIntegerField()
    line = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=Status)
    error = models.JSONField(null=True, blank=True)
    mismatches = models.JSONField(default=list, blank=True)
    warnings = models.JSONField(default=list, blank=True)
    record = models.ForeignKey(
        Record, models.SET_NULL, null=True, blank=True, related_name="submissions"
    )
    duplicate = models.BooleanField(default=False)

    class Meta:
        ordering = ("file_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("file", "number"), name="submission_number"),
        )
        indexes = (
            models.Index(fields=("upload", "file", "number"), name="submission_place"),
            models.Index(fields=("upload", "status", "file", "number"), name="submission_status"),
        )

    def __str__(self) -> str:
        return f"{self.file_id}:{self.number}"
