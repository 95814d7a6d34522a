"""Annotations for types of JSON responses, from which programs derive a schema.

A string in `Annotated` describes a field, and `OneOf` lists its allowed strings. An `Internal`
field is not written. Modules with annotated types are not compiled, because only uncompiled classes
have field types at run time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeVar

from kafu.notation.vocabulary import GRADES, RULES, SHEET_GRADES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OneOf:
    """A closed list of strings and the list's name. The values may be a view that grows."""

    name: str
    values: Collection[str] = field(hash=False)


NOT_WRITTEN: Final = object()
Internal = Annotated[T, NOT_WRITTEN]
RulesetId = Annotated[str, OneOf("Ruleset", RULES)]
Grade = Annotated[str, OneOf("Grade", GRADES)]
SheetGrade = Annotated[str, OneOf("SheetGrade", SHEET_GRADES)]
