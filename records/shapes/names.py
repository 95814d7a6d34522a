"""Cards by their names, and the names of the game's things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from kafu.cards import Kind, Plant
from kafu.notation.json_types import OneOf
from kafu.rules.names import Name
from records.shapes.shape import Shape


class CardJson(Shape):
    """One of the 48 cards."""

    letter: str
    month: int
    kind: Annotated[str, OneOf("CardKind", [kind.value for kind in Kind])]
    points: int
    ja: str
    romaji: str
    en: str


class AllNames(Shape):
    """All names."""

    cards: list[CardJson]
    plants: Sequence[Plant]
    yaku: list[Name]
    rulesets: list[Name]
    ends: list[Name]


class Letters(Shape):
    """The letters of cards."""

    letters: Annotated[str, "`?` for an unknown card."]
