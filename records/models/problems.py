"""Daily problems, and the answers of accounts."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from records.models.games import Record
from records.models.packed_fields import PackedJsonField


class Problem(models.Model):
    """A choice of an analysed game with one clearly best action (`kafu.analysis.problems`).

    ``deal`` counts from 1, ``step`` from 0. ``day`` is the day of the problem, None before it is
    chosen. ``rank`` is a hash of the place: the problem of a day is the next in this order.
    """

    record = models.ForeignKey(Record, models.CASCADE, related_name="problems")
    ruleset = models.CharField(max_length=32)
    deal = models.PositiveSmallIntegerField()
    step = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8)
    #: The best action, its advantage over the nearest other action, and the standard error.
    best = models.CharField(max_length=20)
    advantage = models.FloatField()
    error = models.FloatField()
    #: The choice as in the report of the analysis, for another version of the engine too.
    choice: models.Field[Any, Any] = PackedJsonField()
    rank = models.BigIntegerField()
    day = models.DateField(null=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("ruleset", "day"), name="problem_day"),
            models.UniqueConstraint(
                fields=("record", "deal", "step", "kind", "seat"), name="problem_place"
            ),
        )
        indexes = (
            models.Index(
                fields=("ruleset", "rank"), condition=models.Q(day=None), name="problem_unused"
            ),
        )

    def __str__(self) -> str:
        return f"{self.record_id}: {self.deal}.{self.step}"


class ProblemAnswer(models.Model):
    """The first answer of an account to the problem of a day, which may be replaced later."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="problem_answers"
    )
    ruleset = models.CharField(max_length=32)
    day = models.DateField()
    move = models.CharField(max_length=20)
    is_best = models.BooleanField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-day",)
        constraints = (
            models.UniqueConstraint(
                fields=("account", "ruleset", "day"), name="problem_answer_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.account_id}: {self.ruleset} {self.day}"
