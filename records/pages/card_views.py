"""Cards to draw, in the language of the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kafu import cards
from records.base import labels

#: The kinds of cards by the names that pages and the sprite's marks have for them.
KINDS: Final[Mapping[cards.Kind, str]] = {
    cards.Kind.BRIGHT: "bright",
    cards.Kind.ANIMAL: "animal",
    cards.Kind.SLIP: "ribbon",
    cards.Kind.DREGS: "plain",
}
_SYMBOLS: Final = {cards.UNKNOWN: "unknown", cards.BLANK: "blank"}


@dataclass(frozen=True, slots=True)
class CardView:
    """A card to draw: its letter, its symbol in the sprite, its name, kind (see `KINDS`) and month.

    Of ``?`` and the blank card kind is empty and month 0.
    """

    letter: str
    symbol: str
    name: str
    kind: str
    month: int


def card_views(letters: str) -> list[CardView]:
    """Cards to draw."""
    return [_card_view(letter) for letter in letters]


def _card_view(letter: str) -> CardView:
    known = cards.CARD.get(letter)
    return CardView(
        letter,
        _SYMBOLS.get(letter, letter),
        labels.card(letter),
        KINDS[known.kind] if known else "",
        known.month if known else 0,
    )
