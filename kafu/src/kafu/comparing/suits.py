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

#: A card's place in the form: the number of the set that it is in, from 1; 0 in none of them.
_Cells = tuple[int, ...]
_MONTHS: Final = range(12)


class ArrangedMonth(NamedTuple):
    """A month of sets: its cards in the order of the form (by place, 0 to 3), and the sort and the
    set of each.
    """

    order: tuple[int, ...]
    sorts: tuple[int, ...]
    cells: _Cells


class Arrangement(NamedTuple):
    """Sets of cards in the common form. ``text`` is equal for sets that are alike.

    ``months`` are the real months (from 0) by their place in the form, ``within`` each as the form
    has it.
    """

    text: bytes
    months: tuple[int, ...]
    within: tuple[ArrangedMonth, ...]

    def place(self, card: int) -> int:
        """Return the place of a card (mask) in the form, 0 to 47.

        It is that of the first of all cards that cannot be distinguished from it here.
        """
        index = card.bit_length() - 1
        slot = self.months.index(index >> 2)
        month = self.within[slot]
        at = month.order.index(index & 3)
        alike = month.sorts[at], month.cells[at]
        first = next(i for i in range(4) if (month.sorts[i], month.cells[i]) == alike)
        # Equal months are next to each other.
        while slot and self.within[slot - 1][1:] == month[1:]:
            slot -= 1
        return 4 * slot + first

    def card(self, place: int) -> int:
        """A card (mask) at a place of the form: what `place` gives for it is this place."""
        slot, at = divmod(place, 4)
        return 1 << 4 * self.months[slot] + self.within[slot].order[at]


class Suits:
    """The sorts of a house: ``sorts`` of the cards by index, ``classes`` the months (1 to 12) that
    are alike, every month in one of them.
    """

    def __init__(self, sorts: Sequence[int]) -> None:
        """Of 48 sorts, numbers that are equal for cards of one sort."""
        self.sorts = tuple(sorts)
        classes: dict[tuple[int, ...], list[int]] = {}
        for month in _MONTHS:
            classes.setdefault(tuple(sorted(self.sorts[4 * month :][:4])), []).append(month + 1)
        self.classes = tuple(tuple(months) for months in classes.values())
        self._known: dict[tuple[int, ...], ArrangedMonth] = {}
        #: For each class its cards, and its months without any card of a set.
        self._untouched = [
            (
                sum(15 << 4 * month - 4 for month in alike),
                [(self._month(month - 1, ()), month - 1) for month in alike],
            )
            for alike in self.classes
        ]

    def arrange(self, *sets: int) -> Arrangement:
        """Return disjoint sets of cards (masks), in their order, in the common form."""
        arranged: list[tuple[ArrangedMonth, int]] = []
        every = sum(sets)
        for group, months in self._untouched:
            if every & group:
                months = [(self._month(month, sets), month) for _, month in months]
                months.sort(key=_cells)
            arranged += months
        within, order = zip(*arranged, strict=True)
        text = bytes([cell for month in within for cell in month.cells])
        return Arrangement(text, order, within)

    def _month(self, month: int, sets: tuple[int, ...]) -> ArrangedMonth:
        held = (month, *[cards >> 4 * month & 15 for cards in sets])
        found = self._known.get(held)
        if found is None:
            found = self._known[held] = self._arranged(held)
        return found

    def _arranged(self, held: tuple[int, ...]) -> ArrangedMonth:
        month, *sets = held
        rows = sorted(
            (
                self.sorts[4 * month + at],
                next((i for i, one in enumerate(sets, 1) if one >> at & 1), 0),
                at,
            )
            for at in range(4)
        )
        sorts, cells, order = zip(*rows, strict=True)
        return ArrangedMonth(order, sorts, cells)


def _cells(found: tuple[ArrangedMonth, int]) -> _Cells:
    return found[0].cells


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
