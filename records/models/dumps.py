"""Monthly dumps of open data."""

from __future__ import annotations

from django.db import models


class Dump(models.Model):
    """The dump of a month: all games that were public at its end, or now if it is not over.

    ``month`` is ``2026-10``. ``directory`` of the storage ``dumps`` has the files. ``whole``: the
    month was over. Who makes one just now, and why the last attempt failed, is with its job
    (`records.opendata.making`).
    """

    month = models.CharField(max_length=7, unique=True)
    directory = models.CharField(max_length=40)
    made = models.DateTimeField()
    whole = models.BooleanField(default=False)
    #: Its contents, with sums of every file, as in `manifest.json`.
    manifest = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("-month",)

    def __str__(self) -> str:
        return self.month
