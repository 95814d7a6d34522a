"""The tables of clubs: clubs, members, invitations, seasons, evenings, games, entries and changes.

Standings are not stored: they are computed from the games and entries of a season. Officers can
undo every change (`clubs.changes`).
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.base.keys import random_key
from records.models import Record, Visibility

#: Maximum characters: the address of a club, a name of a club, season or place, a name of a member,
#: the description of a club, and a line of text.
ADDRESS, NAME, MEMBER_NAME, WORDS, LINE = 40, 80, 200, 2000, 300
#: The visibilities of a club.
LEVELS: Final = [
    (level.value, level.label) for level in Visibility if level is not Visibility.WITHDRAWN
]


class Club(models.Model):
    """A club. ``key`` is the chosen part of the address; `clubs.clubs` checks it.

    ``circle`` names the club in uploads; a later club with the same address has another one.
    ``houses`` are the options of the house rules, by ruleset, as in Kafu: ``months=6``.
    """

    key = models.CharField(max_length=ADDRESS, unique=True)
    circle = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    name = models.CharField(_("name"), max_length=NAME)
    words = models.TextField(_("description"), max_length=WORDS, blank=True)
    visibility = models.PositiveSmallIntegerField(
        _("visibility"), choices=LEVELS, default=Visibility.PUBLIC
    )
    houses = models.JSONField(default=dict, blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.key


class Role(models.IntegerChoices):
    """What a member may do, from guests to the founder."""

    #: A known name that is not a member: listed in standings as a guest.
    GUEST = 0, _("guest")
    MEMBER = 1, _("member")
    #: Changes the club: members, seasons, evenings, games of others.
    OFFICER = 2, _("officer")
    #: Names the officers, and can delete the club. A club has one.
    FOUNDER = 3, _("founder")

    @property
    def id(self) -> str:
        """The name in the API."""
        return self.name.lower()


class Member(models.Model):
    """A member of a club, with or without an account.

    ``claims`` is the member without an account whom this member claims to be, until an officer
    decides. ``left`` is the time of leaving; the games of a former member stay.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="members")
    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    name = models.CharField(_("name"), max_length=MEMBER_NAME)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="memberships",
    )
    role = models.PositiveSmallIntegerField(choices=Role, default=Role.MEMBER)
    claims = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    joined = models.DateTimeField(default=timezone.now)
    left = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("club", "account"), name="club_account"),
            models.UniqueConstraint(
                fields=("club",), condition=models.Q(role=Role.FOUNDER), name="club_founder"
            ),
        )

    def __str__(self) -> str:
        # The name is left out because the admin's log would store it.
        return f"member {self.pk}"


class Follower(models.Model):
    """An account that follows a club (`clubs.follows`). Only the account sees the row."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="followers")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("account", "club"), name="club_follower"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.account_id}"


class MemberName(models.Model):
    """A name of a member in games; all spellings of it have the key (`records.base.keys`)."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="names", db_index=False)
    member = models.ForeignKey(Member, models.CASCADE, related_name="names")
    key = models.CharField(max_length=44)
    name = models.CharField(max_length=MEMBER_NAME)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("club", "key"), name="club_name"),)

    def __str__(self) -> str:
        return f"name {self.pk}"


class Invite(models.Model):
    """An invitation to a club by a link, whose secret is derived from ``key`` (`clubs.invites`)."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invites")
    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)
    #: The maximum number of accounts that may join, and the number that joined.
    most = models.PositiveSmallIntegerField()
    used = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.pk}"


class Measure(models.TextChoices):
    """What the rank in a season depends on (`clubs.scoring`)."""

    SUM = "sum", _("sum of final scores")
    MEAN = "mean", _("mean of final scores")
    POINTS = "points", _("points by rank")
    WINS = "wins", _("number of wins")
    RATING = "rating", _("rating within the club")


class Season(models.Model):
    """The games of a ruleset from the ``first`` to the ``last`` day (inclusive), and their scoring.

    ``least`` is the number of games below which a player has no rank. ``points`` are lists of
    points by rank, by the number of players: ``{"3": [30, 0, -30]}``. The worst ``drop`` games of a
    player do not count. ``ties`` is the order of figures that decides equal scores, ``titles`` the
    ids of the season's titles.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    name = models.CharField(_("name"), max_length=NAME)
    ruleset = models.CharField(_("ruleset"), max_length=32)
    first = models.DateField(_("first day"))
    last = models.DateField(_("last day"))
    scoring = models.CharField(_("scoring"), max_length=8, choices=Measure, default=Measure.SUM)
    least = models.PositiveSmallIntegerField(default=0)
    points = models.JSONField(default=dict, blank=True)
    drop = models.PositiveSmallIntegerField(default=0)
    ties = models.JSONField(default=list, blank=True)
    titles = models.JSONField(default=list, blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-last", "-id")
        constraints = (models.UniqueConstraint(fields=("club", "name"), name="season_name"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.pk}"


class Evening(models.Model):
    """A day on which a club plays: place, time and a line of text.

    ``tables`` are the drawn tables, lists of names; ``byes`` the names of those without one.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="evenings")
    day = models.DateField()
    time = models.TimeField(null=True, blank=True)
    place = models.CharField(max_length=NAME, blank=True)
    line = models.CharField(max_length=LINE, blank=True)
    tables = models.JSONField(default=list, blank=True)
    byes = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ("-day",)
        constraints = (models.UniqueConstraint(fields=("club", "day"), name="evening_day"),)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.day}"


class ClubGame(models.Model):
    """A game of a club. A game belongs to at most one club.

    ``sender`` is the account that shared the game with the club, None if anybody may see the game.
    ``day`` is the evening of the game. A game taken out of the club stays as a row with ``out``, so
    that reading its upload again does not bring it back.
    """

    record = models.OneToOneField(Record, models.CASCADE, related_name="club_game")
    club = models.ForeignKey(Club, models.CASCADE, related_name="games", db_index=False)
    sender = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    ruleset = models.CharField(max_length=32)
    day = models.DateField()
    out = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-day", "-record_id")
        indexes = (
            models.Index(fields=("club", "ruleset", "day"), name="club_game_day"),
            models.Index(fields=("club", "-record"), name="club_game_newest"),
        )

    def __str__(self) -> str:
        return f"{self.club_id}: {self.record_id}"


class Entry(models.Model):
    """A visible addition to a season: a penalty, a correction, or totals without games.

    ``amount`` is in the unit of the scoring, for a total in the small unit of the ruleset. A total
    stands for ``games`` games of the evening ``day``.
    """

    class Kind(models.TextChoices):
        """The kind of an entry."""

        PENALTY = "penalty", _("penalty")
        CORRECTION = "correction", _("correction")
        TOTAL = "total", _("total")

    season = models.ForeignKey(Season, models.CASCADE, related_name="entries")
    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    kind = models.CharField(max_length=12, choices=Kind)
    #: The name as in games: members are found by their names.
    name = models.CharField(max_length=MEMBER_NAME)
    day = models.DateField()
    amount = models.BigIntegerField()
    games = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=LINE, blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("day", "id")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.kind}"


class Change(models.Model):
    """A change of a club (`clubs.changes`), newest first in the log of the club.

    ``what`` is the id of a sentence, ``values`` its values. ``rows`` are the changed rows with
    their values before and after. ``undoes`` is the change that this change took back.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="changes")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made = models.DateTimeField(default=timezone.now)
    what = models.CharField(max_length=40)
    values: models.Field[Any, Any] = models.JSONField(default=dict)
    rows: models.Field[Any, Any] = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    undoes = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.club_id}: {self.what}"
