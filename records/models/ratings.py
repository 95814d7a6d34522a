"""Ratings of players by month, and digests of the rated games."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.utils import timezone

from records.models.games import Player

#: The offset of `Rating.standing` for provisional ratings, to sort them last.
PROVISIONAL: Final = -1_000_000
#: The deviation above which a rating is provisional.
SURE: Final = 110.0
#: `Rating.until` if no later month has a rating: later than any month.
FOREVER: Final = 999_999


class Rating(models.Model):
    """A player's rating in a ruleset after the last rated game of a month with rated games.

    The rating is valid until the month ``until`` of the player's next rated game, `FOREVER` for the
    newest. ``day`` is the day of the last game (`date.toordinal`), ``games`` the number of rated
    games in the month, ``rated`` in total. Lists are sorted by ``standing``: the rating minus two
    deviations, in hundredths, plus `PROVISIONAL` for a provisional rating. ``streak`` is the number
    of latest consecutive games won alone, ``longest`` the longest streak so far, ``longest_game``
    the record (primary key) of its last game, 0 without a streak.
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
    standing = models.IntegerField()
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
                fields=("ruleset", "-standing", "-id"),
                condition=models.Q(until=FOREVER),
                name="rating_standing",
            ),
            models.Index(
                fields=("ruleset", "-longest", "-id"),
                condition=models.Q(until=FOREVER),
                name="rating_longest",
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_id} {self.ruleset} {self.month}"

    @property
    def floor(self) -> float:
        """Return the rating less two deviations."""
        return self.rating - 2 * self.deviation

    @property
    def is_provisional(self) -> bool:
        """Return whether the deviation is too large for the rating to lead a list."""
        return self.deviation > SURE


class RatedGames(models.Model):
    """A digest of the games behind the ratings of a ruleset's month.

    The row of month 0 has the key of the newest snapshot of facts that is rated completely
    (`records.statistics.ratings`).
    """

    ruleset = models.CharField(max_length=32)
    month = models.IntegerField()
    digest = models.CharField(max_length=80)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("ruleset", "month")
        constraints = (
            models.UniqueConstraint(fields=("ruleset", "month"), name="rated_games_month"),
        )

    def __str__(self) -> str:
        return f"{self.ruleset} {self.month}"
