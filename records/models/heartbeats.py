"""Heartbeats of the processes without an address for health checks."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Heartbeat(models.Model):
    """A worker, a sweep or a sender of webhooks that runs, or ran until it was killed.

    An orderly exit removes the row. ``seen`` is the time of the last heartbeat.
    """

    class Kind(models.TextChoices):
        """The task of a process; names for operators, not for readers."""

        WORKER = "worker"
        SWEEP = "sweep"
        WEBHOOKS = "webhooks"

    kind = models.CharField(max_length=8, choices=Kind)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    #: Names of the consumed queues, separated by commas; empty for a worker on the ledger.
    queues = models.CharField(max_length=200, default="", blank=True)
    started = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("kind", "host", "pid")
        constraints = (
            models.UniqueConstraint(fields=("kind", "host", "pid"), name="heartbeat_process"),
        )
        indexes = (models.Index(fields=("kind", "seen"), name="heartbeat_seen"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.host}:{self.pid}"
