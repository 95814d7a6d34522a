"""The columnar copy of the facts of public games, and the sums that are kept of it."""

from __future__ import annotations

from django.db import models


class InsightPart(models.Model):
    """Some facts of a ruleset (`records.insights.blocks`): ``size`` deals of a seat."""

    ruleset = models.CharField(max_length=32)
    size = models.PositiveIntegerField()

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("ruleset",), name="insight_part_ruleset"),)

    def __str__(self) -> str:
        return f"{self.ruleset} {self.size}"


class InsightColumn(models.Model):
    """One column of a part, packed: a question reads those that it names."""

    part = models.ForeignKey(InsightPart, models.CASCADE, related_name="columns", db_index=False)
    name = models.CharField(max_length=16)
    data = models.BinaryField()

    class Meta:
        ordering = ("part_id", "name")
        constraints = (models.UniqueConstraint(fields=("part", "name"), name="insight_column"),)

    def __str__(self) -> str:
        return f"{self.part_id} {self.name}"


class InsightSums(models.Model):
    """The sums of all facts of a ruleset by its houses and two properties of facts, the first by
    name before the other (`records.insights.sums`).

    ``data`` is empty where there are too many cells to be kept: then the facts are read.
    """

    ruleset = models.CharField(max_length=32)
    one = models.CharField(max_length=16)
    other = models.CharField(max_length=16)
    data = models.BinaryField()

    class Meta:
        ordering = ("ruleset", "one", "other")
        constraints = (
            models.UniqueConstraint(fields=("ruleset", "one", "other"), name="insight_sums"),
        )

    def __str__(self) -> str:
        return f"{self.ruleset} {self.one} {self.other}"


class InsightName(models.Model):
    """What a number in a column stands for: a house, a dealt hand, a yaku, an event.

    Numbers are given in turn from 1, for each ``kind`` of names apart.
    """

    kind = models.CharField(max_length=16)
    number = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ("kind", "number")
        constraints = (models.UniqueConstraint(fields=("kind", "number"), name="insight_name"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class InsightProgress(models.Model):
    """How far the copy has followed the changes of games: up to the game ``game`` of the change
    ``number``. ``version`` says what made it; by another it is made again. There is one row.

    ``stamp`` grows with each change of the copy, ``rated`` tells the ratings that it has bands of.
    """

    version = models.CharField(max_length=32)
    number = models.BigIntegerField(default=0)
    game = models.BigIntegerField(default=0)
    stamp = models.PositiveBigIntegerField(default=0)
    rated = models.CharField(max_length=64, default="", blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.number} {self.game}"
