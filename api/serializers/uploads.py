"""The forms of uploads and of the games in them."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.verdict import FaultSerializer, MismatchSerializer
from records.engine.verdict import localise_fault
from records.models import Status, Submission, Upload
from records.queries import STATUSES
from records.views.names import lang

Serializer = serializers.Serializer[Any]


class FormSerializer(Serializer):
    """What a form may hold: files, text, or both."""

    file = serializers.ListField(child=serializers.FileField(), required=False)
    text = serializers.CharField(required=False)


class GameCountsSerializer(Serializer):
    """Games of an upload.

    `total` is null until every file is cut; `read` is the sum of the statuses.
    """

    read = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    duplicates = serializers.IntegerField(help_text="Those that the archive had already.")

    def get_fields(self) -> dict[str, Any]:
        """One count a status besides."""
        return super().get_fields() | {name: serializers.IntegerField() for name in STATUSES}


class ChunkCountsSerializer(Serializer):
    """Pieces of work. `aside`: given up after three attempts."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()
    aside = serializers.IntegerField()


class ProgressSerializer(Serializer):
    """How far an upload is."""

    state = serializers.ChoiceField(choices=["waiting", "cutting", "working", "done"])
    bytes = serializers.IntegerField()
    files = serializers.IntegerField()
    files_aside = serializers.IntegerField()
    games = GameCountsSerializer()
    chunks = ChunkCountsSerializer()


class UploadSerializer(ProgressSerializer):
    """One upload and how far it is."""

    key = serializers.CharField()
    url = serializers.URLField()
    games_url = serializers.URLField(help_text="Each game with its verdict; `?errors=true`.")
    page = serializers.URLField(help_text="The report for people.")
    via = serializers.ChoiceField(choices=["page", "api", "command"])
    created = serializers.DateTimeField()

    def to_representation(self, upload: Upload) -> dict[str, Any]:
        """The upload with its counts as they stand."""
        absolute = self.context["request"].build_absolute_uri
        return super().to_representation(
            {
                "key": upload.key,
                "url": absolute(reverse("api:upload", args=[upload.key])),
                "games_url": absolute(reverse("api:upload-games", args=[upload.key])),
                "page": absolute(reverse("report", args=[upload.key])),
                "via": upload.via,
                "created": upload.created,
                **upload.progress(),
            }
        )


class SubmissionSerializer(Serializer):
    """One game as it was found in an upload. Lines and columns are those of the uploaded file."""

    file = serializers.IntegerField(source="file.number")
    file_name = serializers.CharField(source="file.name")
    number = serializers.IntegerField(help_text="Place in the file, from 1.")
    line = serializers.IntegerField(help_text="Its first line in the file.")
    status = serializers.ChoiceField(choices=Status.choices)
    duplicate = serializers.BooleanField(help_text="The archive had the game already.")
    record = serializers.SerializerMethodField()
    error = serializers.SerializerMethodField()
    mismatches = MismatchSerializer(many=True)
    warnings = serializers.SerializerMethodField()

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_record(self, submission: Submission) -> str | None:
        """The game in the archive; null where nothing could be read."""
        if submission.record is None:
            return None
        path = reverse("api:record", args=[submission.record.key])
        url: str = self.context["request"].build_absolute_uri(path)
        return url

    @extend_schema_field(FaultSerializer(allow_null=True))
    def get_error(self, submission: Submission) -> dict[str, Any] | None:
        """The error in words."""
        return localise_fault(submission.error, lang())

    @extend_schema_field(FaultSerializer(many=True))
    def get_warnings(self, submission: Submission) -> list[dict[str, Any] | None]:
        """What was repaired."""
        return [localise_fault(warning, lang()) for warning in submission.warnings]
