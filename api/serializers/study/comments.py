"""Serializers of comments at steps of games, and of reports of comments."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from records.models import Comment
from records.models.studies import AT, COMMENT_LENGTH, REASON_LENGTH
from records.services import comments
from records.services.studies import step_of

Serializer = serializers.Serializer[Any]
AT_HELP: Final = "Deal and step as in a replay, `3.14`."


def check_step(at: str) -> str:
    """Return the address of a step unchanged; raise ValidationError for an invalid address."""
    try:
        step_of(at)
    except ValueError:
        raise serializers.ValidationError(_("Expected deal and step, as 3.14.")) from None
    return at


class CommentSerializer(Serializer):
    """A plain-text comment at a step."""

    key = serializers.CharField()
    at = serializers.SerializerMethodField(help_text="Deal and step.")
    author = serializers.CharField(source="author.get_username")
    own = serializers.SerializerMethodField(help_text="Whether the caller wrote the comment.")
    text = serializers.SerializerMethodField(help_text="With pseudonyms in place of names.")
    created = serializers.DateTimeField()

    def get_at(self, comment: Comment) -> str:
        """Return deal and step."""
        return f"{comment.deal}.{comment.step}"

    def get_own(self, comment: Comment) -> bool:
        """Return whether the caller wrote the comment."""
        return bool(comment.author_id == self.context["caller"])

    def get_text(self, comment: Comment) -> str:
        """Return the text with pseudonyms in place of names."""
        return comments.redacted_text(comment)


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
