"""Metadata of types that are written as JSON, beyond that of the library
(`kafu.notation.json_types`): addresses and moments, and components of the API's document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Format:
    """The format of a text, as JSON Schema has it."""

    name: str


@dataclass(frozen=True, slots=True)
class Component:
    """The name of a component that is made elsewhere."""

    name: str


Url = Annotated[str, Format("uri")]
Moment = Annotated[str, Format("date-time")]
