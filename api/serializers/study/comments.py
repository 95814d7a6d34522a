"""Comments at steps of games, and reports of them."""

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


def valid_step(at: str) -> str:
    """A step's address. Raises ValidationError."""
    try:
        step_of(at)
    except ValueError:
        raise serializers.ValidationError(_("Expected deal and step, as 3.14.")) from None
    return at


class CommentSerializer(Serializer):
    """A comment at a step: plain text."""

    key = serializers.CharField()
    at = serializers.SerializerMethodField()
    author = serializers.CharField(source="author.get_username")
    own = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()
    created = serializers.DateTimeField()

    def get_at(self, comment: Comment) -> str:
        """Deal and step."""
        return f"{comment.deal}.{comment.step}"

    def get_own(self, comment: Comment) -> bool:
        """Whether the caller wrote it."""
        return bool(comment.author_id == self.context["caller"])

    def get_text(self, comment: Comment) -> str:
        """With pseudonyms in the place of names."""
        return comments.redacted_text(comment)


class SentCommentSerializer(Serializer):
    """A new comment."""

    at = serializers.CharField(max_length=AT, help_text=AT_HELP)
    text = serializers.CharField(max_length=COMMENT_LENGTH)

    def validate_at(self, at: str) -> str:
        """A step's address."""
        return valid_step(at)


class SentReportSerializer(Serializer):
    """Why a comment should not be there."""

    reason = serializers.CharField(
        max_length=REASON_LENGTH, required=False, allow_blank=True, default=""
    )
