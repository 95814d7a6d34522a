"""Serializers of sent uploads, and fields with better errors or schemas than the framework's."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.openapi import schema_of
from kafu.notation.json_types import RulesetId
from kafu.notation.vocabulary import RULES
from records.shapes.shape import VISIBILITIES

Serializer = serializers.Serializer[Any]


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


class VisibilitySerializer(Serializer):
    """The visibility of an upload and its games."""

    visibility = NameField(choices=list(VISIBILITIES))
