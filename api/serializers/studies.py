"""Serializers of sent comments and studies."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.uploads import NameField
from records.models.studies import AT, COMMENT_LENGTH, NOTE, NOTES, REASON_LENGTH, THEN, TITLE
from records.services.studies import MAX_ENTRIES, is_branch, step_of
from records.shapes.shape import LEVELS

Serializer = serializers.Serializer[Any]
AT_HELP: Final = "Deal and step as in a replay, `3.14`."


def check_step(at: str) -> str:
    """Return the address of a step unchanged; raise ValidationError for an invalid address."""
    try:
        step_of(at)
    except ValueError:
        raise serializers.ValidationError(_("Expected deal and step, as 3.14.")) from None
    return at


class SentCommentSerializer(Serializer):
    """A new comment."""

    at = serializers.CharField(max_length=AT, help_text=AT_HELP)
    text = serializers.CharField(max_length=COMMENT_LENGTH)

    def validate_at(self, at: str) -> str:
        """Refuse an invalid address of a step."""
        return check_step(at)


class SentReportSerializer(Serializer):
    """A report with the reason why a comment should be removed."""

    reason = serializers.CharField(
        max_length=REASON_LENGTH, required=False, allow_blank=True, default=""
    )


class SentEntrySerializer(Serializer):
    """A new entry of a study."""

    record = serializers.CharField(max_length=44, help_text="The key of a game of the archive.")
    at = serializers.CharField(max_length=AT, help_text=AT_HELP)
    then = serializers.CharField(
        max_length=THEN,
        required=False,
        allow_blank=True,
        default="",
        help_text="A branch: turns in Kafu, separated by commas, `AxD/BxC,E=koikoi/F`.",
    )
    note = serializers.CharField(max_length=NOTE, required=False, allow_blank=True, default="")

    def validate_at(self, at: str) -> str:
        """Refuse an invalid address of a step."""
        return check_step(at)

    def validate_then(self, then: str) -> str:
        """Refuse a text other than a branch."""
        if not is_branch(then):
            raise serializers.ValidationError(_("Expected turns in Kafu with commas between."))
        return then


class SentStudySerializer(Serializer):
    """A study, or changes to a study: omitted fields stay; `entries` replaces all entries."""

    title = serializers.CharField(max_length=TITLE)
    notes = serializers.CharField(max_length=NOTES, required=False, allow_blank=True)
    visibility = NameField(choices=list(LEVELS), required=False)
    entries = serializers.ListField(
        child=SentEntrySerializer(), required=False, max_length=MAX_ENTRIES
    )
