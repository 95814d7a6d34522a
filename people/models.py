"""Users' own data apart from games: tokens, collections, drafts, requests."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.base.keys import random_key
from records.models import Ownership

#: The scopes of tokens.
READ: Final = "read"
UPLOAD: Final = "upload"
ADMIN: Final = "admin"
SCOPES: Final = (READ, UPLOAD, ADMIN)


class NameSkeleton(models.Model):
    """The visual form of an account's name, reserved for that account.

    ``skeleton`` is a hash (`people.names`).
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="name_skeletons"
    )
    skeleton = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"{self.owner_id} {self.skeleton[:8]}"


class Token(models.Model):
    """An API key of a user, shown once at creation and stored as a hash.

    The owner recognises the token by the first letters, ``prefix``. ``scopes`` are words of
    `SCOPES` in their order, separated by blanks. `people.tokens` creates and finds tokens.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=80)
    prefix = models.CharField(max_length=16, editable=False)
    hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.CharField(max_length=40)
    created = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    #: Written at most once a minute.
    used = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return f"{self.prefix}… {self.name}"

    @property
    def is_valid(self) -> bool:
        """Return whether the token is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or self.expires > timezone.now())


class Collection(models.Model):
    """A named list of games of one user."""

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="collections")
    name = models.CharField(_("name"), max_length=80)
    ownerships = models.ManyToManyField(Ownership, related_name="collections", blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "id")
        constraints = (models.UniqueConstraint(fields=("owner", "name"), name="collection_name"),)

    def __str__(self) -> str:
        return self.name


class OwnName(models.Model):
    """A name under which the user plays. It is visible to the user only and proves nothing.

    ``key`` is the key of the player with the name, which all spellings share
    (`people.results` stores names).
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="own_names")
    key = models.CharField(max_length=44, editable=False)
    name = models.CharField(max_length=200)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="own_name_key"),)

    def __str__(self) -> str:
        # The name itself is left out because the admin's log would store it.
        return f"own name {self.pk}"


class FollowedPlayer(models.Model):
    """A player whom a user follows (`people.follows`). Only the user sees the row.

    ``key`` is the player's key at the time. A player who gets a pseudonym gets another key and is
    not followed any more, so that followers cannot link the two names.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="followed_players", db_index=False
    )
    key = models.CharField(max_length=44, editable=False)

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="followed_player"),)

    def __str__(self) -> str:
        return f"{self.owner_id} {self.key}"


#: Kinds of drafts: a game card by card, or a score sheet.
DRAFT_KINDS: Final = ("game", "sheet")


class Draft(models.Model):
    """An unfinished game or score sheet, stored for the browsers of the owner.

    The browser chooses ``key``; ``changed`` is the time by the browser's clock, and ``state``
    the JSON of the editor.
    `people.drafts` stores drafts within limits.
    """

    key = models.CharField(max_length=44)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    kind = models.CharField(max_length=8, choices=[(kind, kind) for kind in DRAFT_KINDS])
    title = models.CharField(max_length=300, blank=True)
    changed = models.DateTimeField()
    state = models.TextField()

    class Meta:
        ordering = ("-changed", "-id")
        constraints = (models.UniqueConstraint(fields=("owner", "key"), name="draft_key"),)

    def __str__(self) -> str:
        # The title is left out because it contains names of players.
        return f"{self.kind} {self.key}"


class PlayerRequest(models.Model):
    """A request about a name in the archive, decided by the staff in the admin."""

    class Kind(models.TextChoices):
        """The requested action."""

        PSEUDONYM = "pseudonym", _("show the player under another name")
        OPT_OUT = "opt-out", _("leave the player out of statistics by name")
        WITHDRAWAL = "withdrawal", _("take games out of the archive")

    class State(models.TextChoices):
        """The state of the request."""

        PENDING = "pending", _("not decided yet")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="player_requests"
    )
    kind = models.CharField(_("what"), max_length=12, choices=Kind)
    #: The player's name in the games.
    player = models.CharField(_("player"), max_length=200)
    pseudonym = models.CharField(_("name to be shown instead"), max_length=80, blank=True)
    words = models.TextField(_("reason, and which games"), max_length=2000, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    answer = models.TextField(max_length=2000, blank=True)
    created = models.DateTimeField(default=timezone.now)
    decided = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        # The name is left out because the admin's log would store it.
        return f"{self.kind} {self.pk}"
