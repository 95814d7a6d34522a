"""The order of the public changes of games."""

from __future__ import annotations

from django.db import models


class GameChange(models.Model):
    """One transaction that changed public games, to which `Record.change` refers.

    ``number`` and ``made`` are set later (`records.ingest.change_log`), when other transactions can
    see the change; None until then. Numbers become visible in ascending order.
    """

    number = models.PositiveBigIntegerField(null=True, unique=True)
    made = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.number)
