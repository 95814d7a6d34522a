"""The base of the types of responses and bodies, and types that several subjects share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, Self

import msgspec
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

#: Annotations of a field of a body, next to limits (`msgspec.Meta`) and a function that returns the
#: checked value. A field may be omitted if it has a default; null is allowed only with `NULLABLE`.
#: Blanks at both ends are removed except from a `VERBATIM` text.
NULLABLE: Final = object()
VERBATIM: Final = object()


def check_names(names: Iterable[str], known: Iterable[str]) -> None:
    """Raise ValidationError for unknown names."""
    if unknown := set(names) - set(known):
        text = _("Unknown: %(names)s.") % {"names": ", ".join(sorted(unknown))[:100]}
        raise ValidationError(text)


def to_values(shape: Any) -> Any:
    """Return a response as values of JSON."""
    return msgspec.to_builtins(shape, enc_hook=_to_plain)


def _to_plain(value: Any) -> float | str:
    """Return a number or text of a type of its own, such as a lazy text, as plain value."""
    return float(value) if isinstance(value, float) else str(value)


def to_json_line(shape: Any) -> str:
    """Return a response as a line of NDJSON."""
    return json.dumps(to_values(shape), ensure_ascii=False, separators=(",", ":")) + "\n"


class Shape(msgspec.Struct):
    """A response, a body of a request, or a part of either."""

    @classmethod
    def build(cls, source: Any, **values: Any) -> Self:
        """Return the fields of the same names of an object, and ``values`` of the other fields."""
        names = [name for name in cls.__struct_fields__ if name not in values]
        return cls(**{name: getattr(source, name) for name in names}, **values)
