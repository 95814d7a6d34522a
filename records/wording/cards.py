"""Views of cards for templates, in the language of the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from kafu import cards
from records.base import labels

#: The names of the kinds of cards in pages and in the marks of the sprite.
KINDS: Final[Mapping[cards.Kind, str]] = {
    cards.Kind.BRIGHT: "bright",
    cards.Kind.ANIMAL: "animal",
    cards.Kind.RIBBON: "ribbon",
    cards.Kind.CHAFF: "plain",
}
_SYMBOLS: Final = {cards.UNKNOWN: "unknown", cards.BLANK: "blank"}


@dataclass(frozen=True, slots=True)
class CardView:
    """A card for a template: letter, symbol of the sprite, name, kind (see `KINDS`) and month.

    The kind is "" and the month 0 for ``?`` and the blank card.
    """

    letter: str
    symbol: str
    name: str
    kind: str
    month: int


def card_data() -> dict[str, Any]:
    """Return the names, kinds and months of cards by letter, for the modules that draw cards."""
    return {
        "cards": {
            letter: labels.card(letter) for letter in cards.LETTERS + cards.BLANK + cards.UNKNOWN
        },
        "kinds": {card.letter: KINDS[card.kind] for card in cards.PACK},
        "months": {card.letter: card.month for card in cards.PACK},
    }


def card_views(letters: str) -> list[CardView]:
    """Return the views of cards by their letters."""
    return [_card_view(letter) for letter in letters]


def _card_view(letter: str) -> CardView:
    card = cards.CARD.get(letter)
    return CardView(
        letter,
        _SYMBOLS.get(letter, letter),
        labels.card(letter),
        KINDS[card.kind] if card else "",
        card.month if card else 0,
    )
