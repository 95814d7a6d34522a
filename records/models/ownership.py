"""The owners and the visibility of games."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Visibility(models.IntegerChoices):
    """The visibility of a game or an upload, from nobody to everybody.

    ``name.lower()`` is the name in the API.
    """

    #: Visible to nobody: the owner withdrew the game.
    WITHDRAWN = 0, _("withdrawn")
    #: Visible to the owners and the staff.
    PRIVATE = 1, _("private")
    #: Visible to everybody with the address; no list shows it.
    UNLISTED = 2, _("unlisted")
    PUBLIC = 3, _("public")


class Ownership(models.Model):
    """The ownership of a game by one uploader: each uploader has a link to the game, stored once.

    ``owner`` is None for uploads without an account, or of a deleted account; a game has at most
    one such ownership. ``visibility`` is the highest visibility of the owner's uploads of the game
    until the owner decides about the game. Afterwards the decision prevails over uploads up to the
    primary key ``decided_upload`` and changes of whole uploads up to ``decided_change``.

    A withdrawn ownership stays withdrawn until the game is sent again. Its row remains, so that a
    rebuilt archive remains correct. Uploads up to ``withdrawn_upload`` were withdrawn with it, or
    taken down: sending the game again does not show the earlier texts again.
    `records.ingest.ownership` writes all columns, under the lock of the record.
    """

    # The indexes are those of the constraints and the index below.
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
    #: The time of withdrawal and the values before it, so that the owner can undo it for a while.
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
