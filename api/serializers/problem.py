"""The form of errors (RFC 9457)."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.problems import KINDS
from records.intake.quotas import NAMES

Serializer = serializers.Serializer[Any]


class FieldErrorSerializer(Serializer):
    """A fault of one parameter, part or field."""

    name = serializers.CharField(help_text="Of a nested field the whole path, `months.0.lines`.")
    pointer = serializers.CharField(
        required=False,
        help_text="Of a value in the body: its JSON pointer (RFC 6901), empty for the whole body.",
    )
    message = serializers.CharField()


class ProblemSerializer(Serializer):
    """An error. `code` is one of a closed list, which `/api/v1/problems` has."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    instance = serializers.CharField()
    code = serializers.ChoiceField(choices=list(KINDS))
    request_id = serializers.CharField(help_text="Mention it to the operators of this server.")
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    limit = serializers.IntegerField(required=False, help_text="What was exceeded.")
    quota = serializers.ChoiceField(choices=NAMES, required=False, help_text="Which is used up.")
    used = serializers.IntegerField(required=False, help_text="Of `limit`, today.")
    reset = serializers.DateTimeField(required=False, help_text="When it is free again.")
    expected = serializers.ListField(child=serializers.CharField(), required=False)


class KindSerializer(Serializer):
    """One kind of problem."""

    code = serializers.ChoiceField(choices=list(KINDS))
    status = serializers.IntegerField()
    title = serializers.CharField()


class KindsSerializer(Serializer):
    """All kinds of problems."""

    problems = KindSerializer(many=True)
