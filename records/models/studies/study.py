"""Studies: collections of steps of games, with notes and branches."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone

from records.base.keys import random_key
from records.models.games import Record
from records.models.ownership import Visibility

#: Maximum characters of a title, the notes on a study, a note on a step, a step, and a branch.
TITLE, NOTES, NOTE, AT, THEN = 120, 4000, 2000, 10, 600
#: The visibilities of a study. Withdrawing does not exist: a study is deleted.
STUDY_VISIBILITIES: Final = [
    (one.value, one.label) for one in Visibility if one is not Visibility.WITHDRAWN
]


class Study(models.Model):
    """A collection of its owner, deleted with the account; the untitled study has the bookmarks."""

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
