"""Who has a game in the archive, and who may see it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Visibility(models.IntegerChoices):
    """The visibility of a game or an upload, from nobody to everybody.

    ``name.lower()`` is the name in the API.
    """

    #: Nobody: its owner took it back.
    WITHDRAWN = 0, _("withdrawn")
    #: Its owners, and the staff.
    PRIVATE = 1, _("private")
    #: Whoever has the address; no list shows it.
    UNLISTED = 2, _("unlisted")
    PUBLIC = 3, _("public")


class Ownership(models.Model):
    """A game as one uploader has it: each has a link of their own to a game that is stored once.

    ``owner`` is None for what was handed in without an account, or left behind by one; of these a
    game has at most one. ``visibility`` is the most public of the owner's uploads of the game,
    until they decide: then it is what they said, whatever uploads up to the primary key
    ``decided_upload`` and changes of whole uploads up to ``decided_change`` say. What was withdrawn
    stays so until the game is sent again, and stays as a row, so that a rebuilt archive knows
    of it. Uploads up to ``withdrawn_upload`` were withdrawn with it, or taken down: sending the
    game again does not show their texts again. `records.ingest.ownership` writes all of this, under
    the lock of the record.
    """

    # Their indexes are the constraints' and the one below.
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
    #: When its owner withdrew it, and what it was before, so that they can undo it for a while.
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    visible_before = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    withdrawn_before = models.BigIntegerField(null=True, blank=True, editable=False)
    #: The owner's own words; nobody else sees them.
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
