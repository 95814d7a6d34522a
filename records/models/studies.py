"""Comments on games with reports by readers, studies, and analyses of games."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.base.keys import random_key
from records.models.games import Record, Visibility
from records.models.packed_fields import PackedJsonField

#: Characters of a comment, and of the reason of a report.
COMMENT_LENGTH: Final = 1000
REASON_LENGTH: Final = 500
#: Maximum characters of a title, the notes on a study, a note on a step, a step, and a branch.
TITLE, NOTES, NOTE, AT, THEN = 120, 4000, 2000, 10, 600
#: The visibilities of a study. Withdrawing does not exist: a study is deleted.
STUDY_VISIBILITIES: Final = [
    (level.value, level.label) for level in Visibility if level is not Visibility.WITHDRAWN
]


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


class Study(models.Model):
    """A user's collection, deleted with the account; the untitled study has the bookmarks."""

    key = models.CharField(max_length=44, unique=True, default=random_key, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="studies")
    title = models.CharField(max_length=TITLE, blank=True)
    notes = models.TextField(max_length=NOTES, blank=True)
    visibility = models.PositiveSmallIntegerField(
        choices=STUDY_VISIBILITIES, default=Visibility.PRIVATE
    )
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.UniqueConstraint(
                fields=("owner",), condition=models.Q(title=""), name="study_bookmarks"
            ),
        )

    def __str__(self) -> str:
        return self.key


class StudyEntry(models.Model):
    """A step of a game, ``3.14``, in a study.

    ``then`` is a branch from the step (`records.services.studies`), or empty. ``number`` is the
    place in the study.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="entries")
    record = models.ForeignKey(Record, models.CASCADE, related_name="study_entries")
    number = models.PositiveSmallIntegerField()
    at = models.CharField(max_length=AT)
    then = models.CharField(max_length=THEN, blank=True)
    note = models.TextField(max_length=NOTE, blank=True)

    class Meta:
        ordering = ("number", "id")

    def __str__(self) -> str:
        return f"{self.study_id}: {self.record_id} {self.at}"


class Analysis(models.Model):
    """The analysis of a game, one per game.

    ``engine`` is the version of the analysing engine; another version ignores the row. ``found`` is
    the report (`kafu.analysis.report`) of a finished analysis, before completion the finished
    parts: ``choices`` and ``deals``. ``made`` is the time of completion.
    """

    record = models.OneToOneField(
        Record, models.CASCADE, primary_key=True, related_name="analysis", editable=False
    )
    engine = models.CharField(max_length=32)
    #: Maximum number of deals that a comparison may take, by the settings at the beginning.
    most = models.PositiveIntegerField()
    made = models.DateTimeField(null=True)
    found: models.Field[Any, Any] = PackedJsonField()
    #: The sums of each seat (`records.facts.analysed.SeatSums`); empty until it is finished.
    seats = models.JSONField(default=list)

    class Meta:
        ordering = ("record_id",)

    def __str__(self) -> str:
        return f"{self.record_id} {self.engine}"
