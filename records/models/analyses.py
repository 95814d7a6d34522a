"""Analyses of games: what their choices were worth, kept until the engine is another one."""

from __future__ import annotations

from typing import Any

from django.db import models

from records.models.games import Record
from records.models.packed_fields import PackedJsonField


class Analysis(models.Model):
    """The analysis of a game, which is stored once by its identity.

    ``engine`` is the version that made it; one by another is as good as none. ``found`` is the
    report (`kafu.analysis.report`) once it is ``made``, until then its parts so far: ``choices``
    and ``deals``.
    """

    record = models.OneToOneField(
        Record, models.CASCADE, primary_key=True, related_name="analysis", editable=False
    )
    engine = models.CharField(max_length=32)
    #: Deals that a comparison may take, by the settings when it was begun.
    most = models.PositiveIntegerField()
    made = models.DateTimeField(null=True)
    found: models.Field[Any, Any] = PackedJsonField()
    #: What statistics add up, a list each of seat, kind, choices, costly ones, the sum of losses in
    #: thousandths of the small unit, and that of their squares; empty until it is made.
    losses = models.JSONField(default=list)

    class Meta:
        ordering = ("record_id",)

    def __str__(self) -> str:
        return f"{self.record_id} {self.engine}"
