"""Fields of bodies that the framework's own ones do not describe well."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.schemas import schema_of


class NameField(serializers.ChoiceField):
    """A name of a closed list. A value that is no text is refused without quoting it."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": serializers.CharField.default_error_messages["invalid"]
    }

    def to_internal_value(self, data: Any) -> Any:
        """Return the name. Raises ValidationError."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


def json_field(form: Any) -> serializers.JSONField:
    """Return a field whose value is the JSON of a type already."""
    kind: type[serializers.JSONField] = type("JsonField", (serializers.JSONField,), {})
    return extend_schema_field(schema_of(form))(kind)()
