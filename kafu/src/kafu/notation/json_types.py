"""Metadata of types that are written as JSON, so that programs can derive a schema from them.

A text in `Annotated` says what a field means; `OneOf` which texts it can be; a field that is
`Internal` is not written. Types with such metadata are in modules that are not compiled: only those
have the types of fields at run time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeVar

from kafu.notation.vocabulary import GRADES, RULES, SHEET_GRADES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OneOf:
    """A closed list of texts, and its name. The values may be a view that grows."""

    name: str
    values: Collection[str] = field(hash=False)


NOT_WRITTEN: Final = object()
Internal = Annotated[T, NOT_WRITTEN]
Ruleset = Annotated[str, OneOf("Ruleset", RULES)]
Grade = Annotated[str, OneOf("Grade", GRADES)]
SheetGrade = Annotated[str, OneOf("SheetGrade", SHEET_GRADES)]
