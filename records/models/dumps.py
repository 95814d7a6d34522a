"""Monthly dumps of open data."""

from __future__ import annotations

from django.db import models


class Dump(models.Model):
    """The dump of a month: all public games at its end, or now for the current month.

    ``month`` is ``2026-10``. ``directory`` of the storage ``dumps`` has the files. ``whole``: the
    month was over. The job of the dump (`records.opendata.dump_job`) records the process that makes
    it, and the error of the last attempt.
    """

    month = models.CharField(max_length=7, unique=True)
    directory = models.CharField(max_length=40)
    made = models.DateTimeField()
    whole = models.BooleanField(default=False)
    #: The contents, with checksums of all files, as in `manifest.json`.
    manifest = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("-month",)

    def __str__(self) -> str:
        return self.month
