"""Public comments on steps of games, and reports of comments."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.base.keys import random_key
from records.models.games import Record

#: Characters of a comment, and of the reason of a report.
COMMENT_LENGTH: Final = 1000
REASON_LENGTH: Final = 500


class Comment(models.Model):
    """A comment in plain text on a step (``deal`` from 1, ``step`` from 0).

    ``hidden`` is the time at which the staff hid the comment. Deleting the author's account deletes
    the comment.
    """

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    record = models.ForeignKey(Record, models.CASCADE, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="comments")
    deal = models.PositiveSmallIntegerField()
    step = models.PositiveIntegerField()
    text = models.TextField(_("text"), max_length=COMMENT_LENGTH)
    created = models.DateTimeField(default=timezone.now)
    hidden = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.key


class CommentReport(models.Model):
    """A report of an inappropriate comment, at most one per person."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="comment_reports"
    )
    reason = models.TextField(_("reason"), max_length=REASON_LENGTH, blank=True)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = (models.UniqueConstraint(fields=("comment", "reporter"), name="report_once"),)

    def __str__(self) -> str:
        return f"{self.comment_id} {self.pk}"
