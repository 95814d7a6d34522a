"""Serializers of comments and studies."""

from __future__ import annotations

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.me import SHOWN
from api.serializers.uploads import NameField
from records.base.release import absolute
from records.models import Comment, Study, Visibility
from records.models.studies import AT, COMMENT_LENGTH, NOTE, NOTES, REASON_LENGTH, THEN, TITLE
from records.privacy.redaction import archive_redaction
from records.services import comments
from records.services.studies import MAX_ENTRIES, ShownEntry, is_branch, query_of, step_of

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


class StudySerializer(Serializer):
    """A study without entries; `size` is the number of entries."""

    key = serializers.CharField()
    title = serializers.SerializerMethodField(help_text="Empty for the bookmarks of an account.")
    notes = serializers.SerializerMethodField(
        help_text="With pseudonyms in place of names, except for the owner."
    )
    visibility = serializers.SerializerMethodField()
    owner = serializers.CharField(source="owner.get_username")
    size = serializers.SerializerMethodField(help_text="The number of entries.")
    created = serializers.DateTimeField()
    changed = serializers.DateTimeField()
    page = serializers.SerializerMethodField()

    def get_title(self, study: Study) -> str:
        """Return the title, for other callers with pseudonyms in place of names."""
        return self._redact_for_caller(study, study.title)

    def get_notes(self, study: Study) -> str:
        """Return the notes, for other callers with pseudonyms in place of names."""
        return self._redact_for_caller(study, study.notes)

    @extend_schema_field(serializers.ChoiceField(choices=SHOWN))
    def get_visibility(self, study: Study) -> str:
        """Return the name of the study's visibility."""
        return Visibility(study.visibility).name.lower()

    def get_size(self, study: Any) -> int:
        """Return the number of entries."""
        size = getattr(study, "size", None)
        return int(study.entries.count() if size is None else size)

    @extend_schema_field(serializers.URLField())
    def get_page(self, study: Study) -> str:
        """Return the address of the study's page."""
        return absolute(reverse("study", args=[study.key]))

    def _redact_for_caller(self, study: Study, text: str) -> str:
        is_own = study.owner_id == self.context["caller"]
        return text if is_own else str(archive_redaction().redact(text))


class EntrySerializer(Serializer):
    """A step of a game in a study. `record` is null for a game that the caller may not see."""

    record = serializers.CharField(source="record.key", allow_null=True, default=None)
    at = serializers.CharField()
    then = serializers.CharField(help_text="The branch from this step on, or empty.")
    note = serializers.CharField()
    page = serializers.SerializerMethodField()

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_page(self, entry: ShownEntry) -> str | None:
        """Return the address of the game at the step, with the branch."""
        if entry.record is None:
            return None
        return absolute(reverse("game", args=[entry.record.key])) + query_of(entry.at, entry.then)


class WholeStudySerializer(StudySerializer):
    """A study with the entries in order."""

    entries = serializers.SerializerMethodField()

    @extend_schema_field(EntrySerializer(many=True))
    def get_entries(self, study: Study) -> Any:
        """Return the entries visible to the caller."""
        return EntrySerializer(self.context["entries"], many=True).data


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
    visibility = NameField(choices=SHOWN, required=False)
    entries = serializers.ListField(
        child=SentEntrySerializer(), required=False, max_length=MAX_ENTRIES
    )
