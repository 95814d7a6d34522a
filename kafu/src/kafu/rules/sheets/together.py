"""Whether one player can have captured just these yaku, with these values (S4).

A sheet says what was paid, and all yaku of the month's winner are paid: so the cards for those that
are written must not make another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.yaku import Yaku, YakuTable

#: Steps of a search after which yaku are taken for possible.
_STEPS: Final = 3_000
#: Ways to divide a sum among yaku that are tried.
WAYS: Final = 100


class Rain(NamedTuple):
    """What voids the sake yaku, and what lifts that (K7); masks, 0 where there is no such rule."""

    willow: int = 0
    crane: int = 0


NO_RAIN: Final = Rain()


class _Rule(NamedTuple):
    """A row of the table as it must come out: ``made`` or not, its grown cards ``exactly`` so many
    (None: any number that adds nothing).
    """

    row: Yaku
    made: bool
    exactly: int | None


@lru_cache(maxsize=4096)
def possible(
    table: YakuTable,
    claimed: frozenset[tuple[str, int]],
    *,
    called: bool = False,
    rain: Rain = NO_RAIN,
    without: int = 0,
) -> bool:
    """Return whether some cards make the ``claimed`` yaku (id and value), and no other.

    ``table`` has all yaku of the house, ``called`` is as in `kafu.rules.yaku.made`, and ``without``
    is a mask of cards that other players have.
    """
    values = dict(claimed)
    if any(replaced in values for row in table if row.id in values for replaced in row.over):
        return False
    barred = {replaced for row in table if row.id in values for replaced in row.over}
    rules = []
    for row in table:
        if row.id in values:
            worth = row.value
            if called and row.called_value is not None:
                worth = row.called_value
            extra = values[row.id] - worth
            if extra < 0 or (extra and (not row.step or extra % row.step)):
                return False
            exactly = row.base + extra // row.step if extra else None
            rules.append(_Rule(row, True, exactly))
        elif row.id not in barred:
            rules.append(_Rule(row, False, None))
    search = _Search(rules, rain, without)
    return not search.start & without and search.found()


class _Search:
    """A search through numbers of cards by class: cards that all rules treat alike."""

    def __init__(self, rules: Sequence[_Rule], rain: Rain, without: int) -> None:
        self.rules, self.rain = rules, rain
        self.left = _STEPS
        #: A yaku that rain would void is made.
        self.dry = any(one.made and one.row.sake for one in rules)
        groups = [
            group for one in rules for group in (one.row.cards, one.row.counted, one.row.must)
        ]
        #: What the yaku need in any case.
        self.start = 0
        for one in rules:
            self.start |= need_of(one.row) if one.made else 0
        # Other cards can only make what must not be made, but rain voids some of that.
        wanted = 0 if self.dry else rain.willow
        for one in rules:
            wanted |= one.row.cards | one.row.counted if one.made else 0
        wanted |= rain.crane if self.dry and (wanted | self.start) & rain.willow else 0
        classes: dict[tuple[bool, ...], int] = {}
        for card in cards.bits(wanted & ~self.start & ~without):
            key = tuple(bool(card & group) for group in (*groups, *rain))
            classes[key] = classes.get(key, 0) | card
        self.classes = [mask for _, mask in sorted(classes.items(), key=lambda one: -sum(one[0]))]

    def found(self) -> bool:
        """Whether there are such cards; True as well where the search is given up."""
        return self._try(0, self.start)

    def _try(self, number: int, taken: int) -> bool:
        self.left -= 1
        if self.left < 0:
            return True
        rest = 0
        for mask in self.classes[number:]:
            rest |= mask
        if not self._may_fit(taken, rest):
            return False
        if not rest:
            return True
        chosen = 0
        if self._try(number + 1, taken):
            return True
        for card in cards.bits(self.classes[number]):
            chosen |= card
            if self._try(number + 1, taken | chosen):
                return True
        return False

    def _may_fit(self, taken: int, rest: int) -> bool:
        """Whether no rule is broken whatever of the ``rest`` is taken too."""
        wet, lifted = taken & self.rain.willow, taken & self.rain.crane
        rained = bool(wet) and not (lifted or rest & self.rain.crane)
        may_rain = not lifted and bool((taken | rest) & self.rain.willow)
        return all(self._holds(one, taken, rest, rained, may_rain) for one in self.rules)

    def _holds(self, one: _Rule, taken: int, rest: int, rained: bool, may_rain: bool) -> bool:
        row = one.row
        if not one.made:
            sure = (taken & row.cards).bit_count() >= row.need and not row.must & ~taken
            return not sure or (row.sake and may_rain and not self.dry)
        if row.sake and rained:
            return False
        if ((taken | rest) & row.cards).bit_count() < row.need or row.must & ~(taken | rest):
            return False
        if not row.step:
            return True
        least = (taken & row.counted).bit_count()
        most = least + (rest & row.counted).bit_count()
        if one.exactly is None:
            return least <= row.base
        return least <= one.exactly <= most


def sums(choices: Sequence[Sequence[int]]) -> set[int]:
    """All sums of one number out of each of the ``choices``."""
    found = {0}
    for numbers in choices:
        found = {so_far + number for so_far in found for number in numbers}
    return found


def ways(choices: Sequence[Sequence[int]], sum_: int) -> Iterator[tuple[int, ...]]:
    """The ways to take one number out of each of the ``choices`` that make the sum, a hundred at
    the most.
    """
    return islice(_ways(choices, sum_), WAYS)


def _ways(choices: Sequence[Sequence[int]], sum_: int) -> Iterator[tuple[int, ...]]:
    if not choices:
        if not sum_:
            yield ()
        return
    reach = sums(choices[1:])
    for number in choices[0]:
        if sum_ - number in reach:
            for rest in _ways(choices[1:], sum_ - number):
                yield (number, *rest)


def needed(rows: Mapping[str, Yaku], line: PaymentLine) -> int:
    """The cards that the yaku of a line need in any case."""
    mask = 0
    for id in line.yaku:
        row = rows.get(id)
        if row is not None:
            mask |= need_of(row)
    return mask


def need_of(row: Yaku) -> int:
    """The cards that a yaku needs in any case."""
    return row.must | (row.cards if row.need == row.cards.bit_count() else 0)


def shared_card(
    table: YakuTable, lines: Sequence[PaymentLine]
) -> tuple[PaymentLine, PaymentLine] | None:
    """Two lines of different players with yaku that need the same card; None if there are none."""
    rows: Mapping[str, Yaku] = {row.id: row for row in table}
    before: list[tuple[PaymentLine, int]] = []
    for line in lines:
        mask = needed(rows, line)
        for other, theirs in before:
            if other.seat != line.seat and mask & theirs:
                return line, other
        before.append((line, mask))
    return None
