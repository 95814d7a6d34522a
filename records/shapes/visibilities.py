"""The names of visibilities in responses and bodies."""

from __future__ import annotations

from typing import Annotated, Final

from kafu.notation.json_types import OneOf
from records.models import Visibility

#: The visibilities by name: all, and those that an owner can choose.
VISIBILITIES: Final = {level.id: level for level in Visibility}
LEVELS: Final = {
    name: level for name, level in VISIBILITIES.items() if level is not Visibility.WITHDRAWN
}
UploadVisibility = Annotated[str, OneOf("UploadVisibility", VISIBILITIES)]
OwnVisibility = Annotated[str, OneOf("HoldingVisibility", LEVELS)]
