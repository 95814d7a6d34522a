"""The base of the types of responses, and types that several subjects share."""

from __future__ import annotations

from typing import Annotated, Any, Final, Self

import msgspec

from kafu.notation.json_types import OneOf
from records.models import Visibility

#: The visibilities by name: all, and those that an owner can choose.
VISIBILITIES: Final = {level.id: level for level in Visibility}
LEVELS: Final = {name: level for name, level in VISIBILITIES.items() if level}
UploadVisibility = Annotated[str, OneOf("UploadVisibility", VISIBILITIES)]
OwnVisibility = Annotated[str, OneOf("HoldingVisibility", LEVELS)]


class Shape(msgspec.Struct):
    """A response, or a part of a response."""

    @classmethod
    def build(cls, source: Any, **values: Any) -> Self:
        """Return the fields of the same names of an object, and ``values`` of the other fields."""
        names = [name for name in cls.__struct_fields__ if name not in values]
        return cls(**{name: getattr(source, name) for name in names}, **values)
