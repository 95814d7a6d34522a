"""The list of fact parts in storage, and of their rows that do not count."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class FactPart(models.Model):
    """Immutable Parquet files with the facts of some games of one ruleset.

    ``name`` is the folder in the storage ``facts``; it has a file for each table in ``rows``, which
    maps tables to numbers of rows. ``digests`` are the SHA-256 of the files. The primary keys of
    the ``games`` lie between ``first_game`` and ``last_game``. ``engine`` and ``form`` are the
    versions that wrote the part (`records.facts.tables`); ``outdated``: the games are due again.

    A merged part has the primary key of the new part in ``merged_into`` and the time in
    ``dropped``; a lost part has only the time. The files are removed some minutes later, when no
    query reads them.
    """

    ruleset = models.CharField(max_length=32)
    name = models.CharField(max_length=100, unique=True)
    engine = models.CharField(max_length=32)
    form = models.PositiveIntegerField()
    outdated = models.BooleanField(default=False)
    games = models.PositiveIntegerField()
    first_game = models.BigIntegerField()
    last_game = models.BigIntegerField()
    rows = models.JSONField(default=dict)
    digests = models.JSONField(default=dict)
    size = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)
    merged_into = models.BigIntegerField(null=True, blank=True)
    dropped = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.name


class StaleFacts(models.Model):
    """Rows of a game that do not count and are still in a part.

    With ``replaced_by``, the primary key of a part with newer rows, the old rows count until the
    newer part counts. ``dropped`` is the time of their removal by compaction; the row remains until
    the parts with the stale rows are removed.
    """

    game = models.BigIntegerField()
    revision = models.PositiveIntegerField()
    replaced_by = models.BigIntegerField(null=True, blank=True)
    dropped = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("game", "revision"), name="stale_facts"),)

    def __str__(self) -> str:
        return f"{self.game} {self.revision}"


class EventName(models.Model):
    """The name of an event in games; facts refer to its primary key."""

    text = models.CharField(max_length=200, unique=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.text
