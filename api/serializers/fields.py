"""Serializer fields with better errors or schemas than those of the framework."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.schemas import schema_of
from kafu.notation.json_types import Ruleset
from kafu.notation.vocabulary import RULES


class NameField(serializers.ChoiceField):
    """A name of a closed list; a value that is not text is refused without quoting it."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": serializers.CharField.default_error_messages["invalid"]
    }

    def to_internal_value(self, data: Any) -> Any:
        """Return the name; raise ValidationError for an invalid value."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(schema_of(Ruleset))
class RulesetField(NameField):
    """A ruleset; the choices are the rulesets registered when the serializer is created."""

    def __init__(self, **options: Any) -> None:
        """Accept the options of any field except ``choices``."""
        super().__init__(choices=list(RULES), **options)


def json_field(form: Any) -> serializers.JSONField:
    """Return a field whose value is already JSON of the type ``form``."""
    kind: type[serializers.JSONField] = type("JsonField", (serializers.JSONField,), {})
    return extend_schema_field(schema_of(form))(kind)()
