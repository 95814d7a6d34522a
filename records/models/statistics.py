"""The tables of statistics: what each game adds, and the sums over many games."""

from __future__ import annotations

import json
from typing import Any, Final

from django.db import models
from django.utils import timezone

from records.base.packed_values import SUMS
from records.base.sums import Tally, dumps, loads
from records.models.games import Player, Record
from records.models.packed_fields import PackedField

#: `Rollup.month` of sums over all months, and of games whose month is unknown.
TOTAL: Final = -1
UNKNOWN: Final = 0


def year_of(month: int) -> int:
    """`Rollup.month` of the sums over the year of a month.

    >>> year_of(202611)
    -202600
    """
    return -(month // 100 * 100)


class SumsField(PackedField):
    """A `records.base.sums.Tally`, stored as packed text: of large ones only the parts in use are
    read (`records.base.sums.LazySums`).
    """

    dictionary = SUMS
    empty_strings_allowed = False

    def encode(self, value: Tally) -> bytes:
        """The text, in UTF-8."""
        return dumps(value).encode()

    def decode(self, data: bytes) -> Tally:
        """The tally."""
        return loads(data.decode())


#: What a row's sums are stored as, for those who insert and update rows in SQL.
packed_sums: Final = SumsField().get_prep_value


class NumbersField(models.TextField):
    """Some whole numbers, stored as JSON."""

    def from_db_value(self, value: str | None, *_: object) -> Any:
        """The list; None if a join finds no row."""
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str:
        """The text."""
        return json.dumps(value)


class GameTally(models.Model):
    """What one game adds to the sums, ``counted`` while it does: while the game is public.

    Every game has a row that could count, if it were public, and of which a deal ended. ``month``
    is YYYYMM of its date, YYYY00 if only the year is known, `UNKNOWN` if none is, ``event`` as
    `Listing.event`.
    """

    record = models.OneToOneField(Record, models.CASCADE, primary_key=True, related_name="tallied")
    sums: models.Field[Tally, Tally] = SumsField()
    month = models.IntegerField(default=UNKNOWN)
    event = models.CharField(max_length=100, default="", blank=True)
    counted = models.BooleanField(default=False)

    class Meta:
        ordering = ("-record_id",)

    def __str__(self) -> str:
        return str(self.pk)


class Rollup(models.Model):
    """Sums over all counted games of one scope; `records.totals.sums_of_games` keeps them exact.

    A scope has a ruleset, its house's ``profile`` and ``options`` as `Record` has them, and a
    month, and is the whole archive's, a player's or an event's. A player's sums are of their seats,
    and of their tables. ``key`` is made of all this; ``version`` grows with every change. ``games``
    and their ``deals`` are among the sums too: here for who needs no more of these.

    The archive has sums over each year (`year_of`) and over all months (`TOTAL`) too, as exact as
    the others. A player or an event of many months has sums over all that may be out of date
    (`records.totals.compaction`).
    """

    key = models.CharField(max_length=33)
    player = models.ForeignKey(
        Player, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    event = models.CharField(max_length=100, default="", blank=True)
    ruleset = models.CharField(max_length=32)
    profile = models.CharField(max_length=32)
    options = models.TextField(default="", blank=True)
    month = models.IntegerField()
    sums: models.Field[Tally, Tally] = SumsField(default=dict)
    games = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    version = models.PositiveBigIntegerField(default=0)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("key",)
        constraints = (models.UniqueConstraint(fields=("key",), name="rollup_key"),)
        indexes = (
            models.Index(fields=("player", "ruleset", "month"), name="rollup_player"),
            models.Index(
                fields=("event", "ruleset", "month"),
                condition=~models.Q(event=""),
                name="rollup_event",
            ),
        )

    def __str__(self) -> str:
        return self.key
