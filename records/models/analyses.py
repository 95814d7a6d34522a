"""Analyses of games: the value of each choice, stored until the engine changes."""

from __future__ import annotations

from typing import Any

from django.db import models

from records.models.games import Record
from records.models.packed_fields import PackedJsonField


class Analysis(models.Model):
    """The analysis of a game, one per game.

    ``engine`` is the version that made the analysis; another version ignores it. ``found`` is the
    report (`kafu.analysis.report`) of a finished analysis, until then the parts so far: ``choices``
    and ``deals``. ``made`` is the time of completion.
    """

    record = models.OneToOneField(
        Record, models.CASCADE, primary_key=True, related_name="analysis", editable=False
    )
    engine = models.CharField(max_length=32)
    #: Maximum number of deals that a comparison may take, by the settings at the beginning.
    most = models.PositiveIntegerField()
    made = models.DateTimeField(null=True)
    found: models.Field[Any, Any] = PackedJsonField()
    #: Input of statistics: lists of seat, kind, number of choices, of costly choices, sum of losses
    #: in thousandths of the small unit, and sum of squares; empty until the analysis is finished.
    losses = models.JSONField(default=list)

    class Meta:
        ordering = ("record_id",)

    def __str__(self) -> str:
        return f"{self.record_id} {self.engine}"
