"""The totals of each player in a ruleset, and their ratings, month by month."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils import timezone

from records.models.games import Player
from records.models.statistics import NumbersField

#: `Rating.until` if no later month has a rating: later than any month.
FOREVER: Final = 999_999


class Standing(models.Model):
    """A player's counted games of a ruleset; `records.totals.standings` keeps it exact.

    ``sums`` has the names of `records.totals.standings.NAMES`. ``games`` is one of them, and
    ``win`` is computed from them, so that lists are sorted by an index: the lower bound of Wilson's
    interval of the games won alone, in 1/10⁹.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    ruleset = models.CharField(max_length=32)
    games = models.PositiveIntegerField(default=0)
    win = models.PositiveIntegerField(default=0)
    sums: models.Field[list[int], list[int]] = NumbersField(default=list)

    class Meta:
        ordering = ("player_id", "ruleset")
        constraints = (
            models.UniqueConstraint(fields=("player", "ruleset"), name="standing_player"),
        )
        indexes = (
            models.Index(fields=("ruleset", "-games", "-id"), name="standing_games"),
            models.Index(fields=("ruleset", "-win", "-id"), name="standing_win"),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.ruleset}"


class Rating(models.Model):
    """A player's rating in a ruleset after the last rated game of a month in which they had some.

    It is valid until the month ``until`` in which they played next, `FOREVER` for the newest.
    ``day`` is the day of that last game (`date.toordinal`), ``games`` those of the month, ``rated``
    all until then. ``floor`` is the rating less two deviations, in hundredths: lists are sorted by
    it. ``streak`` rated games in a row were won alone until then, ``longest`` at most, the last of
    them ``longest_game``, a record's primary key, 0 for none.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    ruleset = models.CharField(max_length=32)
    month = models.IntegerField()
    until = models.IntegerField(default=FOREVER)
    day = models.IntegerField()
    rating = models.FloatField()
    deviation = models.FloatField()
    volatility = models.FloatField()
    games = models.PositiveIntegerField()
    rated = models.PositiveIntegerField()
    floor = models.IntegerField()
    streak = models.PositiveIntegerField(default=0)
    longest = models.PositiveIntegerField(default=0)
    longest_game = models.BigIntegerField(default=0)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("player_id", "ruleset", "until")
        constraints = (
            models.UniqueConstraint(fields=("player", "ruleset", "until"), name="rating_player"),
        )
        indexes = (
            models.Index(fields=("ruleset", "month"), name="rating_month"),
            models.Index(
                fields=("ruleset", "-floor", "-id"),
                condition=models.Q(until=FOREVER),
                name="rating_floor",
            ),
            models.Index(
                fields=("ruleset", "-longest", "-id"),
                condition=models.Q(until=FOREVER),
                name="rating_longest",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.ruleset} {self.month}"


class RatingDue(models.Model):
    """From ``month`` on, ratings of a ruleset are due to be computed.

    A transaction that changes games adds a row, so that nobody waits for a lock; the one that
    computes a month removes the rows that it had read before, and marks the next month as due.
    ``follows``: a rating before this month changed, of players who may not have played again until
    much later.
    """

    ruleset = models.CharField(max_length=32)
    month = models.IntegerField()
    follows = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.ruleset} {self.month}"
