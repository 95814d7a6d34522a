"""Which suits (months) and cards the rules of a house do not tell apart, and sets of cards in the
one form that all have which differ by such suits and cards alone.

Two cards are of one sort if they have the same kind and count the same wherever the rules ask for
cards: in every yaku of the house, for the field's grade, in points. Two months are alike if their
cards are of the same sorts: nothing but the months' names changes when they are exchanged. All of
it is read from the house's tables; no month stands here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.description import Ruleset
from kafu.rules.rulesets import ruleset

_MONTHS: Final = range(12)


class ArrangedMonths(NamedTuple):
    """Cards of months that are alike, in the common form.

    ``text`` has the set of each card, in the order of the form: its number from 1, 0 for none.
    ``cards`` are the cards in this order, ``places`` the place of each, from 0: that of the first
    of all cards that cannot be distinguished from it here.
    """

    text: bytes
    cards: tuple[int, ...]
    places: Mapping[int, int]


class Arrangement(NamedTuple):
    """Sets of cards in the common form. ``text`` is equal for sets that are alike."""

    text: bytes
    parts: Sequence[ArrangedMonths]

    def place(self, card: int) -> int:
        """Return the place of a card (mask) in the form, 0 to 47.

        It is that of the first of all cards that cannot be distinguished from it here.
        """
        first = 0
        for part in self.parts:
            if card in part.places:
                return first + part.places[card]
            first += len(part.cards)
        raise ValueError(f"not a card: {card}")

    def card(self, place: int) -> int:
        """A card (mask) at a place of the form: what `place` gives for it is this place."""
        return [card for part in self.parts for card in part.cards][place]


class _Months:
    """Months that are alike, from 0, with the sorts of all cards by index."""

    def __init__(self, sorts: Sequence[int], months: Sequence[int]) -> None:
        self.sorts, self.months = sorts, months
        self.cards = sum(15 << 4 * month for month in months)
        #: Each month alone, if they are several.
        self.single = [_Months(sorts, [month]) for month in months] if len(months) > 1 else []


class Suits:
    """The sorts of a house: ``sorts`` of the cards by index, ``classes`` the months (1 to 12) that
    are alike, every month in one of them.
    """

    def __init__(self, sorts: Sequence[int]) -> None:
        """Of 48 sorts, numbers that are equal for cards of one sort."""
        self.sorts = tuple(sorts)
        classes: dict[tuple[int, ...], list[int]] = {}
        for month in _MONTHS:
            classes.setdefault(tuple(sorted(self.sorts[4 * month :][:4])), []).append(month)
        self.classes = tuple(tuple(month + 1 for month in alike) for alike in classes.values())
        self._months = [_Months(self.sorts, alike) for alike in classes.values()]
        self._blank = [_arrange(months, ()) for months in self._months]
        #: The number of its class, by month.
        self._class = [
            number
            for month in _MONTHS
            for number, alike in enumerate(classes.values())
            if month in alike
        ]

    def arrange(self, *sets: int) -> Arrangement:
        """Return disjoint sets of cards (masks), in their order, in the common form."""
        parts = self._blank.copy()
        left = sum(sets)
        while left:
            number = self._class[left.bit_length() - 1 >> 2]
            months = self._months[number]
            parts[number] = _arrange(months, tuple([held & months.cards for held in sets]))
            left &= ~months.cards
        return Arrangement(b"".join([part.text for part in parts]), parts)


@lru_cache(maxsize=1 << 13)  # Of a single month or two there are few.
def _arrange(months: _Months, sets: tuple[int, ...]) -> ArrangedMonths:
    if not months.single:
        return _arrange_month(months, sets)
    parts = [
        _arrange(month, tuple([held & month.cards for held in sets])) for month in months.single
    ]
    parts.sort(key=_text)
    places: dict[int, int] = {}
    first, before = 0, b""
    for number, part in enumerate(parts):
        if part.text != before:  # Equal months are next to each other.
            first, before = 4 * number, part.text
        for card, place in part.places.items():
            places[card] = first + place
    return ArrangedMonths(
        b"".join([part.text for part in parts]),
        tuple([card for part in parts for card in part.cards]),
        places,
    )


def _arrange_month(months: _Months, sets: tuple[int, ...]) -> ArrangedMonths:
    [month] = months.months
    rows = sorted(
        (
            months.sorts[index],
            next((number for number, held in enumerate(sets, 1) if held >> index & 1), 0),
            1 << index,
        )
        for index in range(4 * month, 4 * month + 4)
    )
    alike = [row[:2] for row in rows]
    return ArrangedMonths(
        bytes([number for _, number, _ in rows]),
        tuple([card for _, _, card in rows]),
        {card: alike.index((sort, number)) for sort, number, card in rows},
    )


def _text(part: ArrangedMonths) -> bytes:
    return part.text


def suits_of(rules: str, options: Mapping[str, str], month: int = 0) -> Suits:
    """The suits of a house, of a game's options; of a ``month`` with its own yaku (K16). Raises
    `kafu.rules.rulesets.Unsupported`.

    >>> suits_of("koikoi", {"profile": "koikoi-ai"}).classes[3:6]
    ((4, 5), (6, 10), (7,))
    """
    return _suits(ruleset(rules), frozenset(options.items()), month)


@lru_cache(maxsize=256)
def _suits(rules: Ruleset, options: frozenset[tuple[str, str]], month: int) -> Suits:
    chosen = dict(options)
    table = rules.month_yaku(month, chosen) if month else rules.captured_yaku(chosen)
    groups = [
        group
        for row in (*table, *(rules.dealt.held if rules.dealt else ()))
        for group in (row.cards, row.must, row.counted, row.bare)
    ]
    groups += rules.dealt.alike if rules.dealt else ()
    seen: dict[Hashable, int] = {}
    return Suits([seen.setdefault(_sort(rules, groups, one), len(seen)) for one in cards.PACK])


def _sort(rules: Ruleset, groups: Sequence[int], card: cards.Card) -> Hashable:
    """All that the rules ask of a card but its month."""
    bit = card.bit
    return (
        card.kind,
        tuple(bool(group & bit) for group in groups),
        rules.card_points(bit) if rules.card_points else 0,
        rules.dealt.key(bit) if rules.dealt else None,
        tuple(rules.grades.step(bit, one) for one in rules.grades.of.values())
        if rules.grades
        else None,
    )
