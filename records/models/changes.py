"""The order in which games changed for everybody."""

from __future__ import annotations

from django.db import models


class GameChange(models.Model):
    """One transaction that changed public games: those whose `Record.change` it is.

    ``number`` and ``made`` are given afterwards (`records.ingest.change_log`), when the change can
    be seen; None until then. A higher number was never seen before a lower one.
    """

    number = models.PositiveBigIntegerField(null=True, unique=True)
    made = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.number)
