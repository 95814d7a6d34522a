"""Serializers of uploads, files and submitted games, and serializer fields shared by the API.

The fields have better errors or schemas than the fields of the framework.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.openapi import schema_of
from api.report import SAME_DEAL_HELP, SHOWN_HELP
from kafu.notation.faults import FaultJson
from kafu.notation.json_types import RulesetId
from kafu.notation.vocabulary import RULES
from kafu.rules.verdict import Mismatch
from records.base.labels import fault
from records.base.release import absolute
from records.ingest import reports
from records.ingest.reports import HIDDEN, STATUSES
from records.models import Job, Status, Submission, Upload, UploadFile, Visibility

Serializer = serializers.Serializer[Any]
VISIBILITIES: Final = [level.name.lower() for level in Visibility]
JOB_STATES: Final = Job.State.values
SUBMISSION_STATUSES: Final = [*Status.values, HIDDEN]


class NameField(serializers.ChoiceField):
    """A name of a closed list; the refusal of a value other than text does not quote the value."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": serializers.CharField.default_error_messages["invalid"]
    }

    def to_internal_value(self, data: Any) -> Any:
        """Return the name; raise ValidationError for an invalid value."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(schema_of(RulesetId))
class RulesetField(NameField):
    """A ruleset; the choices are the rulesets registered when the serializer is created."""

    def __init__(self, **options: Any) -> None:
        """Accept the options of any field except ``choices``."""
        super().__init__(choices=list(RULES), **options)


def json_field(form: Any) -> serializers.JSONField:
    """Return a field for values in JSON of the type ``form``."""
    kind: type[serializers.JSONField] = type("JsonField", (serializers.JSONField,), {})
    return extend_schema_field(schema_of(form))(kind)()


@extend_schema_field(OpenApiTypes.BINARY)
class UploadedFileField(serializers.FileField):
    """A file sent as bytes, not as an address."""


class FormSerializer(Serializer):
    """The fields of a form: files, text, or both."""

    file = serializers.ListField(child=UploadedFileField(), required=False)
    entries = serializers.CharField(
        required=False,
        help_text=(
            "For a score sheet, before its `text`: the `months` sent to `POST sheets`, as JSON. "
            "The form shows them when the sheet is opened again."
        ),
    )
    text = serializers.CharField(required=False)


class GameCountsSerializer(Serializer):
    """Games of an upload.

    `total` is null until every file is cut; `read` is the sum of the statuses.
    """

    read = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    duplicates = serializers.IntegerField(help_text="Number of games that the archive already had.")

    def get_fields(self) -> dict[str, Any]:
        """Add one count for each status."""
        return super().get_fields() | {name: serializers.IntegerField() for name in STATUSES}


class ChunkCountsSerializer(Serializer):
    """Chunks of work. `dead_lettered`: given up after three attempts."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()
    dead_lettered = serializers.IntegerField()


class ProgressSerializer(Serializer):
    """The progress of an upload."""

    state = serializers.ChoiceField(choices=["waiting", "cutting", "working", "done"])
    bytes = serializers.IntegerField()
    files = serializers.IntegerField(help_text="Number of sent files; `bytes` is their size.")
    files_unpacked = serializers.IntegerField(help_text="Number of files found in archives.")
    files_faulty = serializers.IntegerField(
        help_text="Number of files that could not be read completely."
    )
    files_dead_lettered = serializers.IntegerField(help_text="Given up after three attempts.")
    games = GameCountsSerializer()
    chunks = ChunkCountsSerializer()


class FollowingSerializer(Serializer):
    """The progress of applying a visibility change or a claim to the games."""

    state = serializers.ChoiceField(choices=JOB_STATES)
    games = serializers.IntegerField(help_text="Number of games changed so far.")
    total = serializers.IntegerField(help_text="Number of games read.")


class VisibilitySerializer(Serializer):
    """The visibility of an upload and its games."""

    visibility = NameField(choices=VISIBILITIES)


class UploadSerializer(ProgressSerializer):
    """An upload and its progress."""

    key = serializers.CharField()
    url = serializers.URLField()
    games_url = serializers.URLField(help_text="Each game with its verdict; `?errors=true`.")
    files_url = serializers.URLField(help_text="Each file, including files in archives.")
    report_url = serializers.URLField(help_text="All games and faults in one file.")
    page = serializers.URLField(help_text="The report for people.")
    via = serializers.ChoiceField(choices=["page", "api", "command"])
    created = serializers.DateTimeField()
    visibility = serializers.ChoiceField(
        choices=VISIBILITIES, help_text="The sender's choice for the upload and its games."
    )
    replaces = serializers.CharField(help_text="The key of the replaced game, or empty.")
    stopped = json_field(
        Annotated[
            FaultJson | None,
            "Why the upload was not read completely; `files_url` names the unread files.",
        ]
    )
    change = FollowingSerializer(
        allow_null=True,
        help_text="The work on its games after the last change of `visibility`, or after a claim.",
    )

    def to_representation(self, upload: Upload) -> dict[str, Any]:
        """Return the upload with the current counts."""
        return super().to_representation(
            {
                "key": upload.key,
                "url": absolute(reverse("api:upload", args=[upload.key])),
                "games_url": absolute(reverse("api:upload-games", args=[upload.key])),
                "files_url": absolute(reverse("api:upload-files", args=[upload.key])),
                "report_url": absolute(reverse("api:upload-report", args=[upload.key])),
                "page": absolute(reverse("report", args=[upload.key])),
                "via": upload.via,
                "created": upload.created,
                "visibility": Visibility(upload.visibility).name.lower(),
                "replaces": upload.replaces,
                "stopped": fault(upload.stopped),
                "change": reports.progress_of_change(upload),
                **upload.progress(),
            }
        )


class FileSerializer(Serializer):
    """A file of an upload; a file with a `parent` was found in an archive."""

    number = serializers.IntegerField()
    parent = serializers.IntegerField(  # type: ignore[assignment]
        source="parent.number", allow_null=True, default=None, help_text="Number of the archive."
    )
    name = serializers.SerializerMethodField(
        help_text="For display; `games.zip › 2019/march.kafu`."
    )
    size = serializers.IntegerField(help_text="Size in bytes; 0 for an unreadable file.")
    sha256 = serializers.CharField(help_text="Empty for an unreadable file.")
    state = serializers.ChoiceField(choices=JOB_STATES, source="job.state")
    fault = serializers.SerializerMethodField()

    def get_name(self, file: UploadFile) -> str:
        """Return the file name as sent, with pseudonyms in place of names."""
        return str(self.context["redaction"].redact_report(file.name))

    @extend_schema_field(schema_of(FaultJson | None))
    def get_fault(self, file: UploadFile) -> dict[str, Any] | None:
        """Return in words why the file could not be read completely, or was skipped."""
        return fault(self.context["redaction"].redact_fault(file.fault))


class SubmissionSerializer(Serializer):
    """A game found in an upload. Lines and columns are those of the uploaded file."""

    file = serializers.IntegerField(source="file.number")
    file_name = serializers.SerializerMethodField(
        help_text="As sent, with pseudonyms in place of names."
    )
    number = serializers.IntegerField(help_text="Place in the file, from 1.")
    line = serializers.IntegerField(help_text="First line of the game in the file.")
    status = serializers.ChoiceField(choices=SUBMISSION_STATUSES, help_text=SHOWN_HELP)
    duplicate = serializers.BooleanField(help_text="The archive already had the game.")
    record = serializers.SerializerMethodField()
    same_deal = serializers.SerializerMethodField(help_text=SAME_DEAL_HELP)
    error = serializers.SerializerMethodField()
    mismatches = json_field(list[Mismatch])
    warnings = serializers.SerializerMethodField()

    def to_representation(self, submission: Any) -> dict[str, Any]:
        """Return the game, without results hidden from the caller."""
        if not submission.is_shown:
            submission.status, submission.duplicate = HIDDEN, False
            submission.record = submission.error = None
            submission.mismatches, submission.warnings = [], []
        return super().to_representation(submission)

    def get_file_name(self, submission: Submission) -> str:
        """Return the file name as sent, with pseudonyms in place of names."""
        return str(self.context["redaction"].redact_report(submission.file.name))

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_record(self, submission: Submission) -> str | None:
        """Return the address of the game in the archive, or None for an unread game."""
        if submission.record is None:
            return None
        return _record_url(submission.record.key)

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_same_deal(self, submission: Any) -> str | None:
        """Return the address of a copy of the game, or None without a copy."""
        return submission.same_deal and _record_url(submission.same_deal)

    @extend_schema_field(schema_of(FaultJson | None))
    def get_error(self, submission: Submission) -> dict[str, Any] | None:
        """Return the error in words."""
        redaction = self.context["redaction"]
        return fault(
            redaction.redact_fault(submission.error),
            redaction.redact_report(_list_players(submission)),
        )

    @extend_schema_field(schema_of(list[FaultJson]))
    def get_warnings(self, submission: Submission) -> list[dict[str, Any] | None]:
        """Return the repairs in words."""
        redaction = self.context["redaction"]
        players = redaction.redact_report(_list_players(submission))
        return [fault(redaction.redact_fault(warning), players) for warning in submission.warnings]


def _record_url(key: str) -> str:
    return absolute(reverse("api:record", args=[key]))


def _list_players(submission: Submission) -> list[str]:
    """Return the unredacted player names by seat, or no names for an unread game."""
    if submission.record is None:
        return []
    return [seat.player.real_name or seat.name for seat in submission.record.seats.all()]
