"""Metadata for types that are serialised as JSON, in addition to `kafu.notation.json_types`.

Addresses, days, moments, and components of the API's document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Format:
    """The JSON Schema format of a text."""

    name: str


@dataclass(frozen=True, slots=True)
class Component:
    """The name of a component that another part of the API's document defines."""

    name: str


Url = Annotated[str, Format("uri")]
Day = Annotated[str, Format("date")]
Moment = Annotated[str, Format("date-time")]
