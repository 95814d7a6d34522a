"""Monthly dumps of open data."""

from __future__ import annotations

from django.db import models

#: Of why a dump failed, so many characters are kept.
FAULT_CHARS = 300


class Dump(models.Model):
    """The dump of a month: all games that were public at its end, as far as it has one.

    ``month`` is ``2026-10``. ``directory`` below `settings.DUMPS_DIR` has the files, empty while
    the first is being made. ``whole``: the month was over. ``owner`` makes it just now (host,
    process and a word), until ``leased_until``; killed, it is begun anew by the next. ``fault``
    says why the last try failed, at the moment ``failed``; empty once one succeeds.
    """

    month = models.CharField(max_length=7, unique=True)
    directory = models.CharField(max_length=40, default="", blank=True)
    made = models.DateTimeField(null=True, blank=True)
    whole = models.BooleanField(default=False)
    #: What is in it, with sums of every file: as `manifest.json` has it.
    manifest = models.JSONField(default=dict, blank=True)
    owner = models.CharField(max_length=100, default="", blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    failed = models.DateTimeField(null=True, blank=True)
    fault = models.CharField(max_length=FAULT_CHARS, default="", blank=True)

    class Meta:
        ordering = ("-month",)

    def __str__(self) -> str:
        return self.month
