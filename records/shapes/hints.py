"""The fields of bodies with their annotations, and bodies from values of JSON."""

from __future__ import annotations

from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from records.shapes.shape import VERBATIM, Shape


@cache
def read_hints(shape: type[Shape]) -> dict[str, Any]:
    """Return the types of the fields, with their annotations."""
    return get_type_hints(shape, include_extras=True)


def unwrap(kind: Any) -> tuple[Any, list[Any]]:
    """Return a type without annotations and null, and the annotations, the outermost first."""
    if get_origin(kind) is Annotated:
        inner, notes = unwrap(kind.__origin__)
        return inner, [*kind.__metadata__, *notes]
    if NoneType in get_args(kind):
        return unwrap(get_args(kind)[0])
    return kind, []


def from_values(kind: Any, value: Any) -> Any:
    """Return a body, or a part of one, from values of JSON whose limits need no check.

    ``kind`` is the type. Raise ValidationError of the functions among the annotations.
    """
    kind, notes = unwrap(kind)
    if isinstance(value, list):
        value = [from_values(get_args(kind)[-1], part) for part in value]
    elif isinstance(value, str) and VERBATIM not in notes:
        value = value.strip()
    elif isinstance(value, dict) and isinstance(kind, type) and issubclass(kind, Shape):
        hints = read_hints(kind)
        value = kind(**{name: from_values(hints[name], part) for name, part in value.items()})
    for check in filter(callable, notes):
        value = check(value)
    return value
