"""A counter of changes of public content."""

from __future__ import annotations

from django.db import models


class Revision(models.Model):
    """A count of transactions that changed public content; see `records.privacy.revisions`."""

    count = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.count)
