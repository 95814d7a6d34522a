"""The index of situations that public games share: where each occurred, and what became of it."""

from __future__ import annotations

from django.db import models


class SituationPart(models.Model):
    """Some places of games where situations occurred, packed (`records.explorer.parts`).

    ``shelf`` is the first byte of the keys of its situations. Of each shelf one part, at most, has
    room for more places than the ``size`` that it has.
    """

    shelf = models.PositiveSmallIntegerField()
    size = models.PositiveSmallIntegerField()
    places = models.BinaryField()

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("shelf",), name="situation_shelf"),)

    def __str__(self) -> str:
        return f"{self.shelf} {self.size}"


class SituationGames(models.Model):
    """Which games are in the index: a bit each, by primary key, of as many consecutive keys as
    `records.explorer.following.BLOCK` says. A game stays there when it is hidden: what is answered
    is of public games only.
    """

    block = models.PositiveBigIntegerField(primary_key=True)
    bits = models.BinaryField()

    class Meta:
        ordering = ("block",)

    def __str__(self) -> str:
        return str(self.block)


class SituationProgress(models.Model):
    """How far the index has followed the changes of games: up to the game ``game`` of the change
    ``number``. ``version`` says what made it; by another it is made again. There is one row.
    """

    version = models.CharField(max_length=32)
    number = models.BigIntegerField(default=0)
    game = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.number} {self.game}"
