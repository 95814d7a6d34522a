"""The pack of the documents' tables: cards by kind, points, and the sets of the captured yaku."""

from __future__ import annotations

from typing import Final

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
CARDS: Final = range(48)
MONTHS: Final = range(12)
#: Willow (柳, 雨) and paulownia (桐), counted from 0.
WILLOW: Final = 10
PAULOWNIA: Final = 11


def indices(letters: str) -> tuple[int, ...]:
    """Return the numbers of cards that are given by their letters."""
    return tuple(LETTERS.index(letter) for letter in letters)


def cards_of(month: int) -> range:
    """Return the four cards of a month, counted from 0."""
    return range(4 * month, 4 * month + 4)


BRIGHTS: Final = indices("AIcos")
ANIMALS: Final = indices("EMQUYdgkp")
RIBBONS: Final = indices("BFJNRVZhlq")
CHAFF: Final = tuple(card for card in CARDS if card not in {*BRIGHTS, *ANIMALS, *RIBBONS})
WILLOWS: Final = indices("opqr")
#: Chaff where every card of willow counts as chaff.
CHAFF_AND_WILLOW: Final = tuple(sorted({*CHAFF, *WILLOWS}))
#: Points of each card in the games of 88 points.
POINTS: Final = tuple(
    20 if card in BRIGHTS else 10 if card in ANIMALS else 5 if card in RIBBONS else 1
    for card in CARDS
)
GOKO: Final = indices("AIcos")
SHIKO: Final = indices("AIcs")
AKATAN: Final = indices("BFJ")
AOTAN: Final = indices("Vhl")
