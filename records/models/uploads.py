"""Uploads: the bytes as they came, the chunks they are cut into, and the games found in them."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Count, Q, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from kafu.notation import codes
from records.base.keys import random_key
from records.base.packed import SUFFIX
from records.models.games import Record, Status
from records.models.jobs import Job
from records.models.ownership import Visibility
from records.models.packed_fields import PackedTextField

#: Files of archives that were passed over, which is no fault of them.
PASSED_OVER: Final = Q(fault__code=codes.PASSED_OVER.id)


class Upload(models.Model):
    """An upload of files or of a pasted text. ``via`` is page, api or command.

    ``visibility`` is the visibility of its games, unless their owner has decided otherwise since.
    The report of a private upload is visible to its owner only, other reports to everybody with the
    address.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True)
    via = models.CharField(max_length=16)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="uploads"
    )
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    #: Whether it is large enough to wait behind small ones of the same sender.
    bulk = models.BooleanField(default=False)
    #: The id of the request that brought it, or ""; log lines of its work carry it.
    request_id = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: Who sent it (`records.serving.senders.hashed`); "" if no quota is charged, and after a while.
    sender = models.CharField(max_length=32, default="", blank=True, editable=False)
    #: The key of the game whose place its game takes, or "" (`records.ingest.succession`).
    replaces = models.CharField(max_length=44, default="", blank=True, editable=False)
    #: Set when its game takes that place: earlier texts of the sender were visible to everybody at
    #: that moment if their upload's primary key is greater. Its own primary key: none was.
    former_since = models.BigIntegerField(null=True, blank=True, editable=False)
    #: Of who sent it without an account: SHA-256 of what proves that it is theirs, or "".
    secret = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: The primary key of the job that gives its games to the account that claimed it, until the end
    #: of that job; else 0 (`records.services.claims`).
    claim = models.BigIntegerField(default=0, editable=False)
    #: When its sender withdrew it, its visibility before, and the primary key of that change.
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    visible_before = models.PositiveSmallIntegerField(default=Visibility.PUBLIC, editable=False)
    withdrawn_change = models.BigIntegerField(default=0, editable=False)
    #: Why it was not read to its end, a fault in stored form; the files say what was left.
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
        """Its progress, exact at this moment.

        ``state`` is ``waiting`` (no file begun), ``cutting``, ``working`` or ``done``.
        ``games.total`` is None until every file is cut, or unpacked and its files cut. ``files``
        and ``bytes`` count what was sent, ``files_unpacked`` what was found in archives;
        ``files_faulty`` of both could not be read whole; files that were passed over are none of
        them. ``chunks.dead_lettered`` and
        ``files_dead_lettered`` count what was given up after three attempts. Files are queried
        first: chunks, and the files of an archive, are written with their file's ``done``, so that
        a file seen as cut has all its chunks in the second query.
        """
        sent, dead = Q(parent=None), Q(job__state=Job.State.DEAD_LETTER)
        files = self.files.aggregate(
            count=Count("pk", filter=sent),
            bytes=Coalesce(Sum("size", filter=sent), 0),
            unpacked=Count("pk", filter=~sent & ~PASSED_OVER),
            faulty=Count("pk", filter=Q(fault__isnull=False) & ~PASSED_OVER),
            begun=Count("pk", filter=Q(job__attempts__gt=0)),
            open=Count("pk", filter=Q(job__state__in=Job.OPEN)),
            dead_lettered=Count("pk", filter=dead),
        )
        sums = {name: Coalesce(Sum(name), 0) for name in (*Status.values, "duplicates", "games")}
        chunks = self.chunks.aggregate(
            total=Count("pk"),
            done=Count("pk", filter=Q(job__state=Job.State.DONE)),
            dead_lettered=Count("pk", filter=dead),
            **sums,
        )
        if files["open"]:
            state = "cutting" if files["begun"] else "waiting"
        else:
            over = chunks["done"] + chunks["dead_lettered"]
            state = "done" if over == chunks["total"] else "working"
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
            "chunks": {name: chunks[name] for name in ("done", "total", "dead_lettered")},
        }


#: In the names of stored bytes that were unpacked: they can be unpacked again.
UNPACKED: Final = ".unpacked"


def stored_name(instance: UploadFile, filename: str) -> str:
    """Return the name under which the bytes of a file are stored.

    ``filename`` is a reserved name (`ObjectDraft.filename`), never the sender's.
    """
    folder = filename.partition(".")[0][-2:]
    return f"{folder}/{filename}{UNPACKED if instance.parent is not None else ''}{SUFFIX}"


class ObjectDraft(models.Model):
    """Names that are reserved for objects which no row names yet (`records.ingest.object_drafts`).

    They are those of the numbers from ``first`` to ``count``; some of the objects may be missing.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(db_index=True)
    first = models.PositiveIntegerField(default=1)
    count = models.PositiveIntegerField(default=1)
    #: Whether they are for files of an archive.
    unpacked = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.key

    def filename(self, number: int) -> str:
        """Return the reserved name with a number, for `stored_name`."""
        return f"{self.key}.{number}"


class UploadFile(models.Model):
    """One file of an upload; its bytes are read as they came. Its job is to be cut into chunks.

    The job of an archive is to be unpacked: each file in it becomes a row and stored bytes of its
    own, with the archive as ``parent``, and is processed like any other. A file that cannot be read
    (a damaged archive, or an encrypted file in one) has a ``fault`` in stored form, and is done
    with what could be read. What is no game by its name is passed over, with a ``fault`` that says
    so.
    """

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="file")
    upload = models.ForeignKey(Upload, models.CASCADE, related_name="files", db_index=False)
    #: From 1 within the upload.
    number = models.PositiveIntegerField()
    #: The name the sender gave, for display only; of a file in an archive ``games.zip › 2019/a``.
    name = models.CharField(max_length=1024)
    #: Empty if nothing could be unpacked.
    stored = models.FileField(upload_to=stored_name, max_length=100, blank=True)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    parent = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="members"
    )
    fault = models.JSONField(null=True, blank=True)
    #: The entries of a score sheet that was written in its form (`records.ingest.sheet_entries`).
    entries: models.Field[str | None, str | None] = PackedTextField(null=True)

    #: Bytes as they are stored, packed; known to the process that has just stored them.
    stored_size = 0

    class Meta:
        ordering = ("upload_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("upload", "number"), name="upload_file_number"),
        )

    def __str__(self) -> str:
        return self.name


class PartialUpload(models.Model):
    """An upload that comes in parts (tus), until all bytes are there and it becomes an upload.

    Its parts are objects of the storage ``partial`` (`records.ingest.resumable`); their first
    ``offset`` bytes are those of the upload.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField(db_index=True)
    #: As the later upload's, whose quota its length is reserved of.
    sender = models.CharField(max_length=100, db_index=True)
    #: Of the later upload.
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True)
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    name = models.CharField(max_length=255)
    #: As the later upload's.
    secret = models.CharField(max_length=64, default="", blank=True, editable=False)
    #: The header Upload-Metadata as it came, to be returned.
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
    """An upload with an Idempotency-Key; written with the upload itself."""

    sender = models.CharField(max_length=100)
    key = models.CharField(max_length=255)
    #: Of the names and bytes that came.
    fingerprint = models.CharField(max_length=64)
    upload = models.ForeignKey(Upload, models.CASCADE)
    created = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sender", "key"), name="sent_once"),)

    def __str__(self) -> str:
        return self.key


class Usage(models.Model):
    """What a sender has used of the quotas on one day (UTC); `records.ingest.quotas`."""

    sender = models.CharField(max_length=32)
    day = models.DateField(db_index=True)
    #: On our disk, packed: of the files that were sent and of those unpacked.
    bytes = models.BigIntegerField(default=0)
    games = models.BigIntegerField(default=0)
    malformed = models.BigIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("sender", "day"), name="usage_day"),)

    def __str__(self) -> str:
        return f"{self.sender} {self.day}"


class Chunk(models.Model):
    """Some consecutive games of a file: its bytes ``offset`` to ``offset + length``.

    Its job is to be read, replayed and stored: games, submissions, counters and ``done`` in one
    transaction. The counters are of its submissions and are 0 until then.
    """

    job = models.OneToOneField(Job, models.CASCADE, primary_key=True, related_name="chunk")
    upload = models.ForeignKey(Upload, models.CASCADE, related_name="chunks")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="chunks", db_index=False)
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    #: Number in the file, and line in the file, of its first game.
    first_game = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    #: How many games it had when it was cut.
    games = models.PositiveIntegerField()
    #: The place of each game when it was cut (`records.ingest.pieces`).
    extents = models.BinaryField()

    verified = models.PositiveIntegerField(default=0)
    consistent = models.PositiveIntegerField(default=0)
    mismatch = models.PositiveIntegerField(default=0)
    illegal = models.PositiveIntegerField(default=0)
    malformed = models.PositiveIntegerField(default=0)
    unfinished = models.PositiveIntegerField(default=0)
    unsupported = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)
    #: The last change of visibility, or claim, that its games follow (the job's primary key), 0 for
    #: none.
    follows = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("file_id", "first_game")
        constraints = (
            models.UniqueConstraint(fields=("file", "first_game"), name="chunk_first_game"),
        )

    def __str__(self) -> str:
        return f"{self.file_id}:{self.first_game}+{self.games}"


class Submission(models.Model):
    """One game as sent in an upload; every piece of every file has one, malformed ones too.

    ``status`` and what follows are of this very text. ``record`` is the game in the archive (None
    if nothing could be read); ``duplicate`` says that the archive had the game already. ``error``,
    ``mismatches`` and ``warnings`` are in the stored form of a verdict (codes and values, no
    language), with lines and columns of the uploaded file.
    """

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="submissions", db_index=False)
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="submissions")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="submissions", db_index=False)
    #: Place in the file, from 1; its bytes are those of `Chunk.extents`.
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
