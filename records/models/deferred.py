"""What is to be done to all games of somebody, or of an upload, some at a time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.models.uploads import Upload


class Errand(models.Model):
    """Games of a ``holder`` whose account is closed, or of an ``upload`` that the staff takes out.

    It was said in one transaction with the closing or the taking out, and stays as a row until the
    last game has followed. `records.work.deferred` does it, whoever is killed meanwhile.
    """

    class Kind(models.TextChoices):
        """What is to be done."""

        LEAVE = "leave", _("keep games without an owner, withdraw private ones")
        WITHDRAW = "withdraw", _("withdraw the owner's games")
        TAKE_DOWN = "take-down", _("remove the upload's games")

    kind = models.CharField(max_length=10, choices=Kind)
    holder = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="errand"
    )
    upload = models.OneToOneField(
        Upload, models.CASCADE, null=True, blank=True, related_name="errand"
    )
    #: The primary key of the last game of the upload that was done.
    after = models.BigIntegerField(default=0)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.kind} {self.holder_id or self.upload_id}"
