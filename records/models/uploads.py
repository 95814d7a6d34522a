"""Uploads: the bytes as they came, the chunks they are cut into, and the games found in them."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from records.keys import random_key
from records.models.games import Record, Status
from records.models.work import Work


class Upload(models.Model):
    """One act of handing something in: files or a pasted text. ``via``: page, api, command …"""

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True)
    via = models.CharField(max_length=16)
    #: Whether it is large enough to wait behind small ones (the ``bulk`` queue).
    bulk = models.BooleanField(default=False)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.key

    def progress(self) -> dict[str, Any]:
        """The counts as they stand at this moment; see :func:`records.queries.progress`."""
        from records.queries import progress

        return progress(self)


def stored_name(instance: UploadFile, filename: str) -> str:
    """Where the bytes of a file go: a name of our own making, never the one that was claimed."""
    key = random_key()
    return f"{key[-2:]}/{key}"


class UploadFile(Work):
    """One file of an upload, stored byte for byte. Its work is to be cut into chunks."""

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="files")
    #: From 1 within the upload.
    number = models.PositiveIntegerField()
    #: The name the sender gave, for display only.
    name = models.CharField(max_length=255)
    stored = models.FileField(upload_to=stored_name, max_length=100)
    size = models.BigIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)

    class Meta:
        ordering = ("upload_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("upload", "number"), name="upload_file_number"),
        )
        indexes = (models.Index(fields=("state", "ready_at"), name="upload_file_work"),)

    def __str__(self) -> str:
        return self.name


class Chunk(Work):
    """Some consecutive games of a file: its bytes ``offset`` to ``offset + length``.

    Its work is to be read, replayed and stored: games, submissions, counters and ``done`` in one
    transaction. The counters are of its submissions and are 0 until then.
    """

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="chunks")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="chunks")
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    #: Number in the file, and line in the file, of its first game.
    first_game = models.PositiveIntegerField()
    first_line = models.PositiveIntegerField()
    #: How many games it was found to hold when it was cut.
    games = models.PositiveIntegerField()
    #: The encoding of its first game, which tells how the chunk is to be cut again.
    encoding = models.CharField(max_length=20)

    verified = models.PositiveIntegerField(default=0)
    consistent = models.PositiveIntegerField(default=0)
    mismatch = models.PositiveIntegerField(default=0)
    illegal = models.PositiveIntegerField(default=0)
    malformed = models.PositiveIntegerField(default=0)
    unfinished = models.PositiveIntegerField(default=0)
    unsupported = models.PositiveIntegerField(default=0)
    duplicates = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("file_id", "first_game")
        constraints = (
            models.UniqueConstraint(fields=("file", "first_game"), name="chunk_first_game"),
        )
        indexes = (
            models.Index(fields=("state", "ready_at"), name="chunk_work"),
            models.Index(fields=("upload", "state"), name="chunk_upload_state"),
        )

    def __str__(self) -> str:
        return f"{self.file_id}:{self.first_game}+{self.games}"


class Submission(models.Model):
    """One game as it was seen in an upload; every piece of every file has one, malformed ones too.

    ``status`` and what follows are of this very text. ``record`` is the game in the archive (None
    where nothing could be read); ``duplicate`` says that the archive had the game already.
    ``error``, ``mismatches`` and ``warnings`` are in the stored form of a verdict (codes and
    values, no language), with lines and columns of the uploaded file.
    """

    upload = models.ForeignKey(Upload, models.CASCADE, related_name="submissions")
    chunk = models.ForeignKey(Chunk, models.CASCADE, related_name="submissions")
    file = models.ForeignKey(UploadFile, models.CASCADE, related_name="submissions")
    #: Place in the file: number and line from 1, bytes from 0.
    number = models.PositiveIntegerField()
    line = models.PositiveIntegerField()
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    encoding = models.CharField(max_length=20)
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

    def source_text(self, limit: int = 1 << 16) -> str:
        """Its text as it was uploaded, at most ``limit`` bytes of it, read from the stored file."""
        from records.queries import source_text

        return source_text(self, limit)
