"""Games of the archive, and what lists and players are shown of them as columns."""

from __future__ import annotations

from typing import Any, Final

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.models.changes import GameChange
from records.models.ownership import Visibility
from records.models.packed_fields import PackedJsonField, PackedTextField


class Status(models.TextChoices):
    """The status of a game (verdict.md). ``unsupported`` is valid Kafu without an engine."""

    VERIFIED = "verified", _("verified")
    CONSISTENT = "consistent", _("consistent")
    UNFINISHED = "unfinished", _("unfinished")
    MISMATCH = "mismatch", _("mismatch")
    UNSUPPORTED = "unsupported", _("unsupported")
    ILLEGAL = "illegal", _("illegal")
    MALFORMED = "malformed", _("malformed")


class Gone(models.TextChoices):
    """Why a game that others could see is hidden from them."""

    WITHDRAWN = "withdrawn", _("withdrawn by its sender")
    REPLACED = "replaced", _("replaced by a corrected game")
    REMOVED = "removed", _("removed by the archive")


class Record(models.Model):
    """One game, stored once by its identity, with its canonical text and the verdict on it.

    ``verdict`` is in stored form (``kafu.rules.verdict.localise`` turns it into verdict.md's) and
    refers to ``text``: its lines are lines of ``text``. Columns cut short (event, site …) are for
    filters; ``tags`` holds them whole. ``first_chunk`` is the chunk that first brought the game.
    """

    key = models.CharField(max_length=44, unique=True, editable=False)
    identity = models.CharField(max_length=64, editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True)
    changed = models.DateTimeField(default=timezone.now)
    first_chunk = models.ForeignKey(
        "records.Chunk", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    #: The most public of its ownerships; `records.ingest.ownership` maintains it.
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    #: Since when it is hidden from those who could see it before, and why; None and "" otherwise.
    gone = models.DateTimeField(null=True, blank=True, editable=False)
    gone_why = models.CharField(max_length=12, choices=Gone, default="", blank=True, editable=False)
    #: The last change of what everybody may see of it; None if it never was public.
    change = models.ForeignKey(
        GameChange,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="records",
        db_index=False,
    )
    ruleset = models.CharField(max_length=32)
    #: The house rules' name: the option ``profile``, or the ruleset's id if none is given.
    profile = models.CharField(max_length=32)
    #: Options as in the canonical text: ``months=8 profile=koikoi-ai``.
    options = models.TextField(default="", blank=True)
    sheet = models.BooleanField(default=False)
    event = models.CharField(max_length=200, default="", blank=True)
    site = models.CharField(max_length=200, default="", blank=True)
    #: The Date tag as written, and the first and last day it can mean (None: unknown).
    date = models.CharField(max_length=32, default="", blank=True)
    date_from = models.DateField(null=True, blank=True)
    date_to = models.DateField(null=True, blank=True)
    round = models.CharField(max_length=200, default="", blank=True)
    source = models.CharField(max_length=200, default="", blank=True)
    termination = models.CharField(max_length=12, default="normal")
    tags = models.JSONField(default=dict, blank=True)
    text: models.Field[str, str] = PackedTextField()

    status = models.CharField(max_length=12, choices=Status)
    error_code = models.CharField(max_length=64, default="", blank=True)
    verdict: models.Field[Any, Any] = PackedJsonField()
    engine_version = models.CharField(max_length=32)
    #: How many deals and turns the verdict covers.
    deals_played = models.PositiveSmallIntegerField(default=0)
    turns_played = models.PositiveIntegerField(default=0)
    #: Facts (`records.facts`): ``revision`` grows whenever the rows of the game are to be written
    #: again. ``facts`` is the revision whose rows are in a part, -1 for none. Rows of a revision
    #: before ``valid_from`` are wrong and do not count; other old rows count until they are
    #: replaced.
    revision = models.PositiveIntegerField(default=0)
    facts = models.IntegerField(default=-1)
    valid_from = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-id",)
        # `Listing` has what lists filter and sort by. An index for the beginnings of a column,
        # as PostgreSQL would get for ``unique``, is only of use for keys (the admin searches them).
        constraints = (models.UniqueConstraint(fields=("identity",), name="record_identity"),)
        indexes = (
            # Asked where the names change that events may contain (`records.services.pseudonyms`).
            models.Index(fields=("event",), condition=~models.Q(event=""), name="record_event"),
            # Read by mirrors, in the order of the changes.
            models.Index(
                fields=("change", "id"),
                condition=models.Q(change__isnull=False),
                name="record_change",
            ),
            models.Index(
                fields=("id",),
                condition=models.Q(visibility=Visibility.PUBLIC)
                & ~models.Q(facts=models.F("revision")),
                name="record_facts_due",
            ),
            models.Index(
                fields=("id",),
                condition=models.Q(facts__gte=0)
                & (
                    ~models.Q(visibility=Visibility.PUBLIC)
                    | models.Q(facts__lt=models.F("valid_from"))
                ),
                name="record_facts_void",
            ),
        )

    def __str__(self) -> str:
        return self.key

    @property
    def players(self) -> list[str]:
        """Names by seat; prefetch ``seats`` where many records are shown."""
        return [seat.name for seat in self.seats.all()]


#: `Listing.best` of a game without an end: below every sum.
NO_SCORE: Final = -(1 << 62)


class Listing(models.Model):
    """The columns that lists filter and sort by, all in one narrow row: no other table is read.

    A row of `Record` holds text and verdict, so a scan of those would read gigabytes; a scan of all
    listings reads some megabytes, whatever the query and the database's plan. ``event`` is redacted
    and folded (`Redaction.event_key`). Days are `date.toordinal`, 0 if the date is unknown;
    ``time`` is the second of the day at which the game began, from 1, 0 if it is unknown. ``unwon``
    deals were won by nobody. ``best`` is the highest final sum of a seat, in the small unit also in
    hachihachi. ``yaku`` and ``grades`` are those that occurred, each word between spaces:
    `` goko tan ``.
    """

    record = models.OneToOneField(Record, models.CASCADE, primary_key=True, related_name="listing")
    #: As the record's.
    visibility = models.PositiveSmallIntegerField(default=Visibility.PUBLIC)
    ruleset = models.CharField(max_length=32)
    profile = models.CharField(max_length=32)
    status = models.CharField(max_length=12)
    sheet = models.BooleanField(default=False)
    event = models.CharField(max_length=100, default="", blank=True)
    day_from = models.IntegerField(default=0)
    day_to = models.IntegerField(default=0)
    time = models.PositiveIntegerField(default=0)
    deals = models.PositiveSmallIntegerField(default=0)
    unwon = models.PositiveSmallIntegerField(default=0)
    turns = models.PositiveIntegerField(default=0)
    best = models.BigIntegerField(default=NO_SCORE)
    yaku = models.TextField(default="", blank=True)
    grades = models.CharField(max_length=40, default="", blank=True)

    class Meta:
        ordering = ("-record_id",)
        indexes = (
            # All lists are of one visibility, so that none scans games that it may not show.
            models.Index(fields=("visibility", "-record"), name="listing_newest"),
            models.Index(
                fields=("visibility", "-day_from", "-record", "day_to"), name="listing_played"
            ),
            models.Index(fields=("visibility", "-turns", "-record"), name="listing_longest"),
            models.Index(fields=("visibility", "-best", "-record"), name="listing_score"),
            # Scores and lengths of one ruleset are not those of another.
            models.Index(
                fields=("visibility", "ruleset", "-best", "-record"), name="listing_ruleset_score"
            ),
            models.Index(
                fields=("visibility", "ruleset", "-turns", "-record"),
                name="listing_ruleset_longest",
            ),
            # For values that few games have (`records.search.selection`).
            models.Index(fields=("visibility", "profile"), name="listing_profile"),
            models.Index(fields=("visibility", "status"), name="listing_status"),
            models.Index(fields=("visibility", "sheet"), name="listing_sheet"),
            models.Index(fields=("visibility", "deals"), name="listing_deals"),
            models.Index(
                fields=("visibility", "event"),
                # PostgreSQL finds the beginning of a text by no other index, whatever the locale.
                opclasses=("int2_ops", "varchar_pattern_ops"),
                name="listing_event",
            ),
        )

    def __str__(self) -> str:
        return str(self.pk)


class ListedFeature(models.Model):
    """A yaku or a field grade of a listed game, with its ruleset: ``goko koikoi``.

    The index of `Listing.yaku` and `Listing.grades`, written with them and deleted with their row.
    """

    pk = models.CompositePrimaryKey("feature", "listing")
    feature = models.CharField(max_length=100)
    listing = models.ForeignKey(Listing, models.CASCADE, related_name="features")

    class Meta:
        ordering = ("feature", "listing_id")

    def __str__(self) -> str:
        return self.feature


class Player(models.Model):
    """A name of players in games; ``key`` is made from it.

    All spellings of a name (`records.base.spelling.normalized`) are one player, shown in the first
    spelling uploaded. ``folded`` is the search key of the name (`records.base.keys.searched`),
    ``games`` how many public games have it at a seat. For a player with a pseudonym, ``name`` is
    the pseudonym, and ``key`` and ``folded`` are made from it; ``real_name`` is then the name in
    games, empty otherwise, and ``origin`` the key made from that (`records.services.pseudonyms`).
    ``statistics``: whether figures may name the player.
    """

    # Unique by key, not by name: a name may have 4,096 bytes, more than an index entry may hold.
    key = models.CharField(max_length=44, unique=True, editable=False)
    name = models.TextField()
    folded = models.CharField(max_length=100, default="", blank=True, editable=False)
    games = models.PositiveIntegerField(default=0, editable=False)
    origin = models.CharField(max_length=44, unique=True, editable=False)
    real_name = models.TextField(default="", blank=True, editable=False)
    statistics = models.BooleanField(default=True)

    class Meta:
        ordering = ("id",)
        indexes = (
            models.Index(fields=("-games", "-id"), name="player_games"),
            # Read with every game that is shown.
            models.Index(
                fields=("id",), condition=~models.Q(real_name=""), name="player_pseudonym"
            ),
        )

    def __str__(self) -> str:
        return self.name


class FormerKey(models.Model):
    """A former key of a player, whose address redirects to `Player.key`.

    It comes from the time when different spellings of a name were different players.
    """

    key = models.CharField(max_length=44, primary_key=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="former_keys")

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


class Seat(models.Model):
    """One seat of a game: its player, the name in the game, and the result.

    (Where a constraint or another index begins with a foreign key, here and below, it needs no
    index of its own: most of the cost of storing is indexes.)

    ``final`` and ``rank`` (1 is the best, equals share a rank) are None if the game has no end.
    ``yaku`` lists what the seat made, each as often as it did: ``kasu tane*2``.
    """

    record = models.ForeignKey(Record, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", db_index=False)
    name = models.TextField()
    final = models.BigIntegerField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    yaku = models.TextField(default="", blank=True)

    class Meta:
        ordering = ("record_id", "number")
        constraints = (models.UniqueConstraint(fields=("record", "number"), name="seat_number"),)
        indexes = (models.Index(fields=("player", "record"), name="seat_player_record"),)

    def __str__(self) -> str:
        return f"{self.number} {self.name}"
