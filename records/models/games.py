"""Games of the archive: records, owners, visibility, public changes, lists, seats and players."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.models.packed_fields import PackedJsonField, PackedTextField

#: `Listing.best` of a game without an end: below every sum.
NO_SCORE: Final = -(1 << 62)


class GameChange(models.Model):
    """A transaction that changed public games; `Record.change` refers to the last change of a game.

    ``number`` and ``made`` are None until other transactions can see the change
    (`records.privacy.change_log`). Numbers become visible in ascending order.
    """

    number = models.PositiveBigIntegerField(null=True, unique=True)
    made = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.number)


class Visibility(models.IntegerChoices):
    """The visibility of a game or an upload, from nobody to everybody."""

    #: Visible to nobody: the owner withdrew the game.
    WITHDRAWN = 0, _("withdrawn")
    #: Visible to the owners and the staff.
    PRIVATE = 1, _("private")
    #: Visible to everybody with the address; no list shows it.
    UNLISTED = 2, _("unlisted")
    PUBLIC = 3, _("public")

    @property
    def id(self) -> str:
        """The name in the API."""
        return self.name.lower()


class Ownership(models.Model):
    """The ownership of a game by an uploader: the game is stored once, with a link per uploader.

    ``owner`` is None for uploads without an account, or of a deleted account; a game has at most
    one ownership without ``owner``. ``visibility`` is the highest visibility of the owner's uploads
    of the game until the owner decides about the game. Afterwards the decision prevails over
    uploads up to the primary key ``decided_upload`` and changes of whole uploads up to
    ``decided_change``.

    A withdrawn ownership stays withdrawn until the game is sent again. The row remains, to keep a
    rebuilt archive correct. Uploads up to ``withdrawn_upload`` were withdrawn with the ownership,
    or taken down: sending the game again does not show the earlier texts again.
    `records.ingest.ownership` writes all columns, under the lock of the record.
    """

    # The constraints and the index below suffice, so this field has none.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="ownerships",
        db_index=False,
    )
    record = models.ForeignKey(
        "records.Record", models.CASCADE, related_name="ownerships", db_index=False
    )
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    decided_upload = models.BigIntegerField(default=0, editable=False)
    decided_change = models.BigIntegerField(default=0, editable=False)
    withdrawn_upload = models.BigIntegerField(default=0, editable=False)
    #: The time of withdrawal and the earlier values, used if the owner undoes the withdrawal.
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    visible_before = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    withdrawn_before = models.BigIntegerField(null=True, blank=True, editable=False)
    #: A private note; visible to the owner only.
    note = models.TextField(default="", blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-record_id",)
        constraints = (
            models.UniqueConstraint(fields=("record", "owner"), name="holding_record_owner"),
            models.UniqueConstraint(
                fields=("record",), condition=models.Q(owner=None), name="holding_nobodys"
            ),
        )
        indexes = (
            models.Index(
                fields=("owner", "-record"),
                condition=models.Q(owner__isnull=False),
                name="holding_owner",
            ),
        )

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.record_id}"


class Status(models.TextChoices):
    """The status of a game (verdict.md). ``unsupported`` is valid Kafu without an engine."""

    VERIFIED = "verified", _("verified")
    CONSISTENT = "consistent", _("consistent")
    UNFINISHED = "unfinished", _("unfinished")
    MISMATCH = "mismatch", _("mismatch")
    UNSUPPORTED = "unsupported", _("unsupported")
    ILLEGAL = "illegal", _("illegal")
    MALFORMED = "malformed", _("unreadable")


class Gone(models.TextChoices):
    """The reason for hiding a game formerly visible to other users."""

    WITHDRAWN = "withdrawn", _("withdrawn by its sender")
    REPLACED = "replaced", _("replaced by a corrected game")
    REMOVED = "removed", _("removed by the archive")


class Record(models.Model):
    """A game, stored once by identity, with the canonical text and the verdict.

    ``verdict`` is in stored form (``kafu.rules.verdict.localise`` turns it into verdict.md's) and
    refers to lines of ``text``. Truncated columns (event, site …) are for filters; ``tags`` has the
    whole values. ``first_chunk`` is the chunk with the first submission of the game.
    """

    key = models.CharField(max_length=44, unique=True, editable=False)
    identity = models.CharField(max_length=64, editable=False)
    created = models.DateTimeField(default=timezone.now, db_index=True)
    changed = models.DateTimeField(default=timezone.now)
    first_chunk = models.ForeignKey(
        "records.Chunk", models.SET_NULL, null=True, blank=True, related_name="+"
    )

    #: The highest visibility of the game's ownerships, maintained by `records.ingest.ownership`.
    visibility = models.PositiveSmallIntegerField(choices=Visibility, default=Visibility.PUBLIC)
    #: The time of hiding from users who could see the game, and the reason; otherwise None and "".
    gone = models.DateTimeField(null=True, blank=True, editable=False)
    gone_why = models.CharField(max_length=12, choices=Gone, default="", blank=True, editable=False)
    #: The last change of the game's public content; None if it was never public.
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
    #: The Date tag as written, and the first and last possible day (None: unknown).
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
    #: Facts (`records.facts`): ``revision`` grows whenever the rows of the game must be rewritten.
    #: ``facts`` is the revision of the rows in a part, -1 for no rows. Rows of a revision before
    #: ``valid_from`` are wrong and do not count; further old rows count until replaced.
    revision = models.PositiveIntegerField(default=0)
    facts = models.IntegerField(default=-1)
    valid_from = models.PositiveIntegerField(default=0)
    #: Copies (`records.ingest.copies`): the fingerprint of the first deal, None without cards; and
    #: the game counted in place of this copy, None if this game counts.
    first_deal = models.BigIntegerField(null=True, editable=False)
    copy_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, editable=False, related_name="+", db_index=False
    )

    class Meta:
        ordering = ("-id",)
        # `Listing` has the columns for filters and sorting. PostgreSQL's additional prefix index
        # for ``unique`` is useful only for keys (searched by the admin).
        constraints = (models.UniqueConstraint(fields=("identity",), name="record_identity"),)
        indexes = (
            # Queried when the redaction of event names changes (`records.services.pseudonyms`).
            models.Index(fields=("event",), condition=~models.Q(event=""), name="record_event"),
            # Read by mirrors, in the order of the changes.
            models.Index(
                fields=("change", "id"),
                condition=models.Q(change__isnull=False),
                name="record_change",
            ),
            models.Index(
                fields=("id",),
                condition=models.Q(visibility=Visibility.PUBLIC, copy_of=None)
                & ~models.Q(facts=models.F("revision")),
                name="record_facts_due",
            ),
            models.Index(
                fields=("id",),
                condition=models.Q(facts__gte=0)
                & (
                    ~models.Q(visibility=Visibility.PUBLIC)
                    | models.Q(copy_of__isnull=False)
                    | models.Q(facts__lt=models.F("valid_from"))
                ),
                name="record_facts_void",
            ),
            # Read without the games themselves, which are large.
            models.Index(
                fields=("id", "copy_of"),
                condition=models.Q(copy_of__isnull=False),
                name="record_copy",
            ),
            models.Index(
                fields=("first_deal",),
                condition=models.Q(first_deal__isnull=False),
                name="record_first_deal",
            ),
        )

    def __str__(self) -> str:
        return self.key

    @property
    def players(self) -> list[str]:
        """The names by seat; prefetch ``seats`` for many records."""
        return [seat.name for seat in self.seats.all()]


class Listing(models.Model):
    """The columns by which lists are filtered and sorted, in one narrow row.

    A row of `Record` has text and verdict, so a scan of records would read gigabytes; a scan of all
    listings reads some megabytes, for any query and query plan. ``event`` is redacted and folded
    (`Redaction.event_key`). Days are `date.toordinal`, 0 if the date is unknown; ``time`` is the
    second of the day at the beginning of the game, from 1, 0 if unknown. ``unwon`` deals had no
    winner. ``best`` is the highest final sum of a seat, in the small unit also in hachihachi.
    ``yaku`` and ``grades`` are the ids in the game, each between spaces: `` goko tan ``.
    """

    record = models.OneToOneField(Record, models.CASCADE, primary_key=True, related_name="listing")
    #: Copied from the record.
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
            # All lists filter by visibility: the index lets them skip hidden games.
            models.Index(fields=("visibility", "-record"), name="listing_newest"),
            models.Index(
                fields=("visibility", "-day_from", "-record", "day_to"), name="listing_played"
            ),
            models.Index(fields=("visibility", "-turns", "-record"), name="listing_longest"),
            models.Index(fields=("visibility", "-best", "-record"), name="listing_score"),
            # Scores and lengths of different rulesets are not comparable.
            models.Index(
                fields=("visibility", "ruleset", "-best", "-record"), name="listing_ruleset_score"
            ),
            models.Index(
                fields=("visibility", "ruleset", "-turns", "-record"),
                name="listing_ruleset_longest",
            ),
            # For rare values (`records.search.selection`).
            models.Index(fields=("visibility", "profile"), name="listing_profile"),
            models.Index(fields=("visibility", "status"), name="listing_status"),
            models.Index(fields=("visibility", "sheet"), name="listing_sheet"),
            models.Index(fields=("visibility", "deals"), name="listing_deals"),
            models.Index(
                fields=("visibility", "event"),
                # Whatever the locale, PostgreSQL finds prefixes with this operator class only.
                opclasses=("int2_ops", "varchar_pattern_ops"),
                name="listing_event",
            ),
        )

    def __str__(self) -> str:
        return str(self.pk)


class ListedFeature(models.Model):
    """A yaku or a field grade of a listed game, with the ruleset: ``goko koikoi``.

    The index of `Listing.yaku` and `Listing.grades`, written and deleted together with the listing.
    """

    pk = models.CompositePrimaryKey("feature", "listing")
    feature = models.CharField(max_length=100)
    listing = models.ForeignKey(Listing, models.CASCADE, related_name="features")

    class Meta:
        ordering = ("feature", "listing_id")

    def __str__(self) -> str:
        return self.feature


class Player(models.Model):
    """A player: a name in games, identified by ``key``, which is derived from the name.

    All spellings of a name (`records.base.spelling.normalized`) are one player, shown in the
    spelling of the first upload. ``folded`` is the search key of the name
    (`records.base.keys.searched`), ``games`` the number of public games with the player at a seat.
    For a player with a pseudonym, ``name`` is the pseudonym, with ``key`` and ``folded`` derived
    from it; ``real_name`` is then the name in games, otherwise empty, and ``origin`` the key of the
    name in games (`records.services.pseudonyms`). ``statistics`` tells whether figures may name the
    player.
    """

    # Unique by key instead of name: a name of up to 4,096 bytes could exceed an index entry.
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
            # Read for every displayed game.
            models.Index(
                fields=("id",), condition=~models.Q(real_name=""), name="player_pseudonym"
            ),
        )

    def __str__(self) -> str:
        return self.name


class FormerKey(models.Model):
    """A former key of a player; the former address redirects to `Player.key`.

    Former keys date from the time when different spellings of a name were different players.
    """

    key = models.CharField(max_length=44, primary_key=True)
    player = models.ForeignKey(Player, models.CASCADE, related_name="former_keys")

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


class Seat(models.Model):
    """One seat of a game: the player, the name in the game, and the result.

    ``final`` and ``rank`` (1 is the best, equal seats share a rank) are None for an unfinished
    game. ``yaku`` lists the yaku of the seat with their numbers: ``kasu tane*2``. ``best`` is the
    highest sum of a month, in the small unit, ``won`` the number of months won; both are None in
    rows of earlier releases until the game is verified again.

    (If a constraint or another index begins with a foreign key, here and below, the key has no
    separate index: indexes are most of the cost of storing.)
    """

    record = models.ForeignKey(Record, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", db_index=False)
    name = models.TextField()
    final = models.BigIntegerField(null=True, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    yaku = models.TextField(default="", blank=True)
    best = models.BigIntegerField(null=True, editable=False)
    won = models.PositiveSmallIntegerField(null=True, editable=False)

    class Meta:
        ordering = ("record_id", "number")
        constraints = (models.UniqueConstraint(fields=("record", "number"), name="seat_number"),)
        indexes = (models.Index(fields=("player", "record"), name="seat_player_record"),)

    def __str__(self) -> str:
        return f"{self.number} {self.name}"
