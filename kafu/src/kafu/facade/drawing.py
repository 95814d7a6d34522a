"""Drawings of a table as SVG, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kafu import cards

#: Width and height of a card, in pixels, and the distance from one card to the next.
CARD_SIZE: Final = (26, 38)
STEP_X: Final = 29
STEP_Y: Final = 44
#: Pixels left of the cards.
LABEL_WIDTH: Final = 84
#: Maximum number of cards in a row; more cards continue in the next row.
ROW: Final = 16
_MARGIN: Final = 8
_HEAD: Final = 26
#: Name and colour of each kind of card.
_KINDS: Final = {
    cards.Kind.BRIGHT: ("bright", "#b58900"),
    cards.Kind.ANIMAL: ("animal", "#2f7d4f"),
    cards.Kind.RIBBON: ("ribbon", "#b3324a"),
    cards.Kind.CHAFF: ("chaff", "#7a7a7a"),
}


def draw(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return an SVG of rows of cards, each with a label; cards are letters, ``?`` unknown.

    >>> image = draw("koikoi", [("field", "AB"), ("hand 1", "??")])
    >>> image.startswith("<svg"), image.count("<title>")
    (True, 4)
    """
    parts: list[str] = []
    y = _HEAD
    for label, letters in rows:
        parts.append(f'<text x="{_MARGIN}" y="{y + 23}">{label}</text>')
        for number, letter in enumerate(letters):
            down, across = divmod(number, ROW)
            parts += _card(letter, LABEL_WIDTH + across * STEP_X, y + down * STEP_Y)
        y += max(1, -(-len(letters) // ROW)) * STEP_Y
    width = LABEL_WIDTH + ROW * STEP_X + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y}"'
        f' viewBox="0 0 {width} {y}" font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{y}" fill="#fff"/>'
        f'<text x="{_MARGIN}" y="17" font-weight="bold">{title}</text>{"".join(parts)}</svg>'
    )


def _card(letter: str, x: int, y: int) -> Iterator[str]:
    """Yield the elements of one card: its month and letter in the colour of its kind."""
    width, height = CARD_SIZE
    card = cards.CARD.get(letter)
    if card is None:
        name, colour, fill = "unknown card", "#555", "#777"
    else:
        kind, colour = _KINDS[card.kind]
        name, fill = f"{letter}: {card.plant.en}, {kind}", "#fffdf5"
    if letter == cards.BLANK:
        name, fill = "blank card", "#fffdf5"
    yield f'<g transform="translate({x} {y})"><title>{name}</title>'
    yield f'<rect width="{width}" height="{height}" rx="3" fill="{fill}" stroke="{colour}"/>'
    if card is not None:
        yield f'<rect x="1" y="1" width="{width - 2}" height="5" fill="{colour}"/>'
        yield f'<text x="13" y="20" text-anchor="middle" fill="{colour}">{card.month}</text>'
        yield f'<text x="13" y="33" text-anchor="middle" font-size="10">{letter}</text>'
    yield "</g>"
