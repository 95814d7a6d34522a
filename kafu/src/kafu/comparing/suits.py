"""Suits (months) and cards that the rules of a house do not distinguish, and a common form.

Two cards are of the same sort if they have the same kind and count equally in every yaku of the
house, for the field grade, and in points. Two months are alike if their cards are of the same
sorts: the rules do not notice an exchange. Sets of cards that differ only by exchanges of alike
months and cards have the same common form. Everything is derived from the tables of the house.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.description import Ruleset
from kafu.rules.rulesets import find_ruleset

_MONTHS: Final = range(12)


class ArrangedMonths(NamedTuple):
    """The cards of months that are alike, in the common form.

    ``cards`` are in the order of the form. ``text`` has for each card the number of its set from 1,
    or 0 for no set. ``places`` has the place of each card from 0; indistinguishable cards share the
    place of the first.
    """

    text: bytes
    cards: tuple[int, ...]
    places: Mapping[int, int]


class Arrangement(NamedTuple):
    """Sets of cards in the common form; ``text`` is equal for equal forms."""

    text: bytes
    parts: Sequence[ArrangedMonths]

    def place(self, card: int) -> int:
        """Return the place of a card (a mask) in the form, 0 to 47.

        Indistinguishable cards share the place of the first. Raises ValueError for a mask with
        another number of cards.
        """
        first = 0
        for part in self.parts:
            if card in part.places:
                return first + part.places[card]
            first += len(part.cards)
        raise ValueError(f"not a card: {card}")

    def card(self, place: int) -> int:
        """Return a card (a mask) with a given place in the form."""
        return [card for part in self.parts for card in part.cards][place]


class Suits:
    """The sorts of a house.

    ``sorts`` are numbers by card index, equal for cards of the same sort. ``classes`` groups the
    months (1 to 12) by likeness.
    """

    def __init__(self, sorts: Sequence[int]) -> None:
        self.sorts = bytes(sorts)
        classes: dict[tuple[int, ...], list[int]] = {}
        for month in _MONTHS:
            classes.setdefault(tuple(sorted(self.sorts[4 * month :][:4])), []).append(month)
        self.classes = tuple(tuple(month + 1 for month in alike) for alike in classes.values())
        #: The cards of the months that are like a month (a mask), by month.
        self._alike = dict.fromkeys(_MONTHS, 0)
        for months in classes.values():
            self._alike |= dict.fromkeys(months, sum(15 << 4 * month for month in months))
        self._blank = {alike: _arrange(self.sorts, alike, ()) for alike in self._alike.values()}

    def arrange(self, *sets: int) -> Arrangement:
        """Return the common form of disjoint sets of cards (masks), which keep their order."""
        parts = self._blank.copy()
        unplaced = sum(sets)
        while unplaced:
            alike = self._alike[unplaced.bit_length() - 1 >> 2]
            parts[alike] = _arrange(self.sorts, alike, tuple([group & alike for group in sets]))
            unplaced &= ~alike
        return Arrangement(b"".join([part.text for part in parts.values()]), [*parts.values()])


@lru_cache(maxsize=1 << 13)  # Classes of one or two months have few arrangements.
def _arrange(sorts: bytes, alike: int, sets: tuple[int, ...]) -> ArrangedMonths:
    """Return the common form of ``sets`` in the months ``alike``; all are masks."""
    months = [alike & 15 << 4 * month for month in _MONTHS if alike >> 4 * month & 15]
    if len(months) == 1:
        return _arrange_month(sorts, alike, sets)
    parts = [_arrange(sorts, month, tuple([group & month for group in sets])) for month in months]
    parts.sort(key=attrgetter("text"))
    places: dict[int, int] = {}
    first, before = 0, b""
    for number, part in enumerate(parts):
        if part.text != before:  # Equal months are adjacent after sorting.
            first, before = 4 * number, part.text
        for card, place in part.places.items():
            places[card] = first + place
    return ArrangedMonths(
        b"".join([part.text for part in parts]),
        tuple([card for part in parts for card in part.cards]),
        places,
    )


def _arrange_month(sorts: bytes, month: int, sets: tuple[int, ...]) -> ArrangedMonths:
    rows = sorted(
        (
            sorts[index],
            next((number for number, group in enumerate(sets, 1) if group >> index & 1), 0),
            1 << index,
        )
        for index in range(month.bit_length() - 4, month.bit_length())
    )
    alike = [row[:2] for row in rows]
    return ArrangedMonths(
        bytes([number for _, number, _ in rows]),
        tuple([card for _, _, card in rows]),
        {card: alike.index((sort, number)) for sort, number, card in rows},
    )


def suits_of(ruleset: str, options: Mapping[str, str], month: int = 0) -> Suits:
    """Return the suits of a house, from the options of a game.

    ``month`` (1 to 12) selects a month with its own yaku (K16). Raises
    `kafu.rules.rulesets.Unsupported`.

    >>> suits_of("koikoi", {"profile": "koikoi-ai"}).classes[3:6]
    ((4, 5), (6, 10), (7,))
    """
    return _suits(find_ruleset(ruleset), frozenset(options.items()), month)


@lru_cache(maxsize=256)
def _suits(description: Ruleset, options: frozenset[tuple[str, str]], month: int) -> Suits:
    chosen = dict(options)
    table = description.month_yaku(month, chosen) if month else description.captured_yaku(chosen)
    groups = [
        group
        for row in (*table, *(description.dealt.held if description.dealt else ()))
        for group in (row.cards, row.must, row.counted, row.bare)
    ]
    groups += description.dealt.alike if description.dealt else ()
    numbers: dict[Hashable, int] = {}
    return Suits(
        [numbers.setdefault(_sort(description, groups, card), len(numbers)) for card in cards.PACK]
    )


def _sort(description: Ruleset, groups: Sequence[int], card: cards.Card) -> Hashable:
    """Return all properties of a card that the rules use, except its month."""
    bit = card.bit
    return (
        card.kind,
        tuple(bool(group & bit) for group in groups),
        description.card_points(bit) if description.card_points else 0,
        description.dealt.key(bit) if description.dealt else None,
        tuple(description.grades.step(bit, grade) for grade in description.grades.of.values())
        if description.grades
        else None,
    )
