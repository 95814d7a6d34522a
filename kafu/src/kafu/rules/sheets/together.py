"""The search for captured cards that make given yaku of one player, and no other (S4).

All yaku of the month's winner are paid. Therefore the cards of the yaku on a sheet must not make
another yaku.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.yaku import CapturedYaku, YakuTable

#: The most steps of a search. When they are used up, yaku count as possible.
_STEPS: Final = 3_000
#: The most ways to divide a sum among yaku.
WAYS: Final = 100


class Rain(NamedTuple):
    """Rain and mist (K7, K20): ``voiding`` cards void the sake yaku, ``crane`` brings them back.

    Masks; 0 in houses without the rule.
    """

    voiding: int = 0
    crane: int = 0


NO_RAIN: Final = Rain()


class _Rule(NamedTuple):
    """The required result for a row of the table.

    ``made`` is true for a yaku of the player. ``exactly`` is the number of the grown cards; None:
    any number without effect on the value.
    """

    row: CapturedYaku
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
    """Return whether some cards make the ``claimed`` yaku (id and value) and no other.

    ``table`` has all yaku of the house, ``called`` is as in `kafu.rules.yaku.made`, and ``without``
    is a mask of cards of other players.
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
    return not search.start & without and search.succeeds()


class _Search:
    """A search through numbers of cards of each class; cards in a class are alike for all rules."""

    def __init__(self, rules: Sequence[_Rule], rain: Rain, without: int) -> None:
        self.rules, self.rain = rules, rain
        self.steps_left = _STEPS
        #: Whether the player has a sake yaku, which rain would void.
        self.dry = any(rule.made and rule.row.sake for rule in rules)
        groups = [
            group for rule in rules for group in (rule.row.cards, rule.row.counted, rule.row.must)
        ]
        #: The cards that the yaku need in any case.
        self.start = 0
        for rule in rules:
            self.start |= need_of(rule.row) if rule.made else 0
        # Further cards can only make forbidden yaku, but rain voids some of these.
        useful = 0 if self.dry else rain.voiding
        for rule in rules:
            useful |= rule.row.cards | rule.row.counted if rule.made else 0
        useful |= rain.crane if self.dry and (useful | self.start) & rain.voiding else 0
        classes: dict[tuple[bool, ...], int] = {}
        for card in cards.bits(useful & ~self.start & ~without):
            key = tuple(bool(card & group) for group in (*groups, *rain))
            classes[key] = classes.get(key, 0) | card
        # Classes that concern most rules come first.
        self.classes = [mask for _, mask in sorted(classes.items(), key=lambda pair: -sum(pair[0]))]

    def succeeds(self) -> bool:
        """Return whether suitable cards exist; True as well if the search is given up."""
        return self._try(0, self.start)

    def _try(self, number: int, held: int) -> bool:
        """Return whether cards of the classes from ``number`` on complete the cards ``held``."""
        self.steps_left -= 1
        if self.steps_left < 0:
            return True
        open_cards = 0
        for mask in self.classes[number:]:
            open_cards |= mask
        if not self._may_fit(held, open_cards):
            return False
        if not open_cards:
            return True
        chosen = 0
        if self._try(number + 1, held):
            return True
        for card in cards.bits(self.classes[number]):
            chosen |= card
            if self._try(number + 1, held | chosen):
                return True
        return False

    def _may_fit(self, held: int, open_cards: int) -> bool:
        """Return whether some choice among ``open_cards`` may still satisfy every rule.

        ``held`` are the cards chosen so far.
        """
        wet, lifted = held & self.rain.voiding, held & self.rain.crane
        rained = bool(wet) and not (lifted or open_cards & self.rain.crane)
        may_rain = not lifted and bool((held | open_cards) & self.rain.voiding)
        return all(self._may_hold(rule, held, open_cards, rained, may_rain) for rule in self.rules)

    def _may_hold(
        self, rule: _Rule, held: int, open_cards: int, rained: bool, may_rain: bool
    ) -> bool:
        """Return whether some choice among ``open_cards`` may still satisfy a rule.

        ``rained``: rain voids sake yaku. ``may_rain``: further cards may bring rain.
        """
        row = rule.row
        if not rule.made:
            sure = (held & row.cards).bit_count() >= row.need and not row.must & ~held
            return not sure or (row.sake and may_rain and not self.dry)
        if row.sake and rained:
            return False
        reach = held | open_cards
        if (reach & row.cards).bit_count() < row.need or row.must & ~reach:
            return False
        if not row.step:
            return True
        least = (held & row.counted).bit_count()
        most = least + (open_cards & row.counted).bit_count()
        if rule.exactly is None:
            return least <= row.base
        return least <= rule.exactly <= most


def sums(choices: Sequence[Sequence[int]]) -> set[int]:
    """Return all sums of one number out of each of the ``choices``."""
    totals = {0}
    for numbers in choices:
        totals = {total + number for total in totals for number in numbers}
    return totals


def ways(choices: Sequence[Sequence[int]], sum_: int) -> Iterator[tuple[int, ...]]:
    """Generate the ways to take a number out of each of the ``choices`` with the given sum.

    There are at most `WAYS` of them.
    """
    return islice(_ways(choices, sum_), WAYS)


def _ways(choices: Sequence[Sequence[int]], sum_: int) -> Iterator[tuple[int, ...]]:
    """Generate the ways of `ways`, without a limit."""
    if not choices:
        if not sum_:
            yield ()
        return
    reach = sums(choices[1:])
    for number in choices[0]:
        if sum_ - number in reach:
            for numbers in _ways(choices[1:], sum_ - number):
                yield (number, *numbers)


def needed(rows: Mapping[str, CapturedYaku], line: PaymentLine) -> int:
    """Return the cards needed in any case for the yaku of a line."""
    mask = 0
    for id in line.yaku:
        row = rows.get(id)
        if row is not None:
            mask |= need_of(row)
    return mask


def need_of(row: CapturedYaku) -> int:
    """Return the cards needed in any case for a yaku."""
    return row.must | (row.cards if row.need == row.cards.bit_count() else 0)


def shared_card(
    table: YakuTable, lines: Sequence[PaymentLine]
) -> tuple[PaymentLine, PaymentLine] | None:
    """Return two lines of different players with yaku that need the same card, None without any."""
    rows: Mapping[str, CapturedYaku] = {row.id: row for row in table}
    before: list[tuple[PaymentLine, int]] = []
    for line in lines:
        mask = needed(rows, line)
        for earlier, earlier_mask in before:
            if earlier.seat != line.seat and mask & earlier_mask:
                return line, earlier
        before.append((line, mask))
    return None
