"""Monthly dumps of open data."""

from __future__ import annotations

from django.db import models

#: Maximum length of the reason of a failed dump.
FAULT_CHARS = 300


class Dump(models.Model):
    """The dump of a month: all games that were public at its end, or now if it is not over.

    ``month`` is ``2026-10``. ``directory`` is the one below `settings.DUMPS_DIR` with the files,
    empty while the first is being made. ``whole``: the month was over. ``owner`` is making it now
    (host, process and a word), until ``leased_until``; if it dies, the next one starts again.
    ``fault`` says why the last try failed, at the time ``failed``; empty once one succeeds.
    """

    month = models.CharField(max_length=7, unique=True)
    directory = models.CharField(max_length=40, default="", blank=True)
    made = models.DateTimeField(null=True, blank=True)
    whole = models.BooleanField(default=False)
    #: Its contents, with sums of every file, as in `manifest.json`.
    manifest = models.JSONField(default=dict, blank=True)
    owner = models.CharField(max_length=100, default="", blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    failed = models.DateTimeField(null=True, blank=True)
    fault = models.CharField(max_length=FAULT_CHARS, default="", blank=True)

    class Meta:
        ordering = ("-month",)

    def __str__(self) -> str:
        return self.month
