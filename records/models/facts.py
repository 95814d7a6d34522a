"""Tables derived from games: fact parts with stale rows, dumps of open data, ratings of players.

Also the names of events and the families of yaku in facts, and the counter of changes of public
content.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.db import models
from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kafu.notation.vocabulary import SHOWS
from kafu.rules.play.ledger import OTHER
from kafu.rules.rulesets import RULESETS
from records.models.games import Player

#: The offset of `Rating.standing` for provisional ratings, to sort them last.
PROVISIONAL: Final = -1_000_000
#: The deviation above which a rating is provisional.
SURE: Final = 110.0
#: `Rating.until` if no later month has a rating: later than any month.
FOREVER: Final = 999_999


class FactPart(models.Model):
    """Immutable Parquet files with the facts of some games of one ruleset.

    ``year`` is the year in which all games were played; 0: several years, or unknown. ``name`` is
    the folder in the storage ``facts``, with a file for each table in ``rows`` (numbers of rows by
    table). ``digests`` are the SHA-256 of the files. The primary keys of the ``games``
    lie between ``first_game`` and ``last_game``. ``engine`` and ``form`` are the versions at the
    time of writing (`records.facts.tables`); ``outdated``: the games are due again.

    A merged part has the primary key of the new part in ``merged_into`` (0 if no row is left) and
    the time in ``dropped``; a lost part has only the time. The files are removed some minutes
    later, when no query reads them.
    """

    ruleset = models.CharField(max_length=32)
    year = models.PositiveSmallIntegerField(default=0, db_default=0)
    name = models.CharField(max_length=100, unique=True)
    engine = models.CharField(max_length=32)
    form = models.PositiveIntegerField()
    outdated = models.BooleanField(default=False)
    games = models.PositiveIntegerField()
    first_game = models.BigIntegerField()
    last_game = models.BigIntegerField()
    rows = models.JSONField(default=dict)
    digests = models.JSONField(default=dict)
    size = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)
    merged_into = models.BigIntegerField(null=True, blank=True)
    dropped = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.name


class StaleFacts(models.Model):
    """Rows of a game, still in a part but not counted.

    With ``replaced_by``, the primary key of a part with newer rows, the old rows count until the
    newer part counts. ``dropped`` is the time of removal by compaction; the row of this table
    remains until the parts with the stale rows are removed.
    """

    game = models.BigIntegerField()
    revision = models.PositiveIntegerField()
    replaced_by = models.BigIntegerField(null=True, blank=True)
    dropped = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("game", "revision"), name="stale_facts"),)

    def __str__(self) -> str:
        return f"{self.game} {self.revision}"


class EventName(models.Model):
    """The name of an event in games; facts refer to the primary key."""

    text = models.CharField(max_length=200, unique=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.text


class Family(TextChoices):
    """Families of yaku ids (rulings.md)."""

    DEALT = "dealt", _("dealt-hand yaku")
    CAPTURED = "captured", _("captured yaku")
    SPECIAL = "special", _("special yaku")
    OTHER = "other", _("other payment")


@lru_cache(1024)  # a score sheet may contain any label
def family_of(label: str) -> Family:
    """Return the family of a yaku id, ``other`` for other labels (card points, fees, prizes).

    >>> family_of("aotan").value, family_of("kobiki").value
    ('captured', 'other')
    """
    if label in SHOWS:
        return Family.DEALT
    if any(label in description.special for description in RULESETS.values()):
        return Family.SPECIAL
    return Family.OTHER if label in OTHER else Family.CAPTURED


class Revision(models.Model):
    """A count of transactions that changed public content; see `records.privacy.revisions`.

    An empty ``ruleset`` stands for all rulesets.
    """

    ruleset = models.CharField(max_length=32, default="", db_default="")
    count = models.PositiveBigIntegerField(default=1)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.count)


class Dump(models.Model):
    """The dump of a month: all public games at the end of the month, or now.

    ``month`` is ``2026-10``. ``directory`` of the storage ``dumps`` has the files. ``whole``: the
    month was over. The job of the dump (`records.opendata.dump_job`) records the working process
    and the error of the last attempt.
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


class Rating(models.Model):
    """A player's rating in a ruleset after the last rated game of a month with rated games.

    The rating is valid until the month ``until`` of the player's next rated game, `FOREVER` for the
    newest. ``day`` is the day of the last game (`date.toordinal`), ``games`` the number of rated
    games in the month, ``rated`` in total. Lists are sorted by ``standing``: the rating minus two
    deviations, in hundredths, plus `PROVISIONAL` for a provisional rating. ``streak`` is the number
    of latest consecutive games won alone, ``longest`` the longest streak so far, ``longest_game``
    the record (primary key) of the last game of the longest streak, 0 without a streak.
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

    The row of month 0 has the ruleset's key of the newest snapshot that is rated completely
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
