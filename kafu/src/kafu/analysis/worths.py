"""The value of a card for captured yaku, in tables that fill as positions occur.

The value depends on a few counts: the captured cards of each yaku of the card, of a player and of
all players, and the turns left. A *position* is an int with these counts for all yaku, the sum of
parts. Few values occur for each card, so a value is usually found and not computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu import cards
from kafu.rules.weights import PolicyWeights
from kafu.rules.yaku import CapturedYaku, YakuTable

#: The bits of the turns left in a position. Higher bits have the number of payers, 0 for an
#: opponent.
_TURN_BITS: Final = 4
_TURNS: Final = (1 << _TURN_BITS) - 1
_PAYER_BITS: Final = 3
#: Captured cards are counted in parts of the pack with this number of cards.
_PART: Final = 12
_PART_CARDS: Final = (1 << _PART) - 1


class RowGains(dict[int, float]):
    """The gains from one more card of a yaku, by the ``bits`` of a position that matter."""

    def __init__(
        self,
        row: CapturedYaku,
        shifts: Mapping[int, int],
        width: int,
        weights: PolicyWeights,
        unit: int,
    ) -> None:
        super().__init__()
        self.need, self.size, self.width = row.need, row.cards.bit_count(), width
        self.value, self.step = (row.value + weights.bonus) * unit, float(row.step * unit)
        self.weights = weights
        self.shift, self.most = shifts[row.cards], _find_most(row.cards)
        #: The bits of the indispensable cards.
        self.musts = _find_most(row.must) << shifts[row.must] if row.must else 0
        counts = self.most << self.shift | self.musts
        lead = (1 << _TURN_BITS + _PAYER_BITS) - 1
        self.bits = counts | (counts | lead << width) << width

    def __missing__(self, position: int) -> float:
        """Compute and store a gain."""
        total, weights = position >> self.width, self.weights
        lead = total >> self.width
        turns, payers = lead & _TURNS, lead >> _TURN_BITS
        lacking = self.need - (position >> self.shift & self.most)
        free = self.size - (total >> self.shift & self.most)
        if lacking <= 0:
            gain = self.step
        elif free < lacking or self.musts & (total ^ position):
            gain = 0.0
        else:
            chance = weights.chance if lacking > 1 else weights.near
            odds = (chance if payers else weights.threat) * turns * free / lacking
            odds = min(odds, weights.ceiling)
            gain = self.value * odds ** (lacking - 1) * (1.0 - odds)
        if payers > 1:
            gain *= payers
        self[position] = gain
        return gain


class CardWorth(dict[int, float]):
    """The values of a card for yaku, by the ``bits`` of a position that matter."""

    def __init__(self, rows: list[RowGains]) -> None:
        super().__init__()
        self.rows, self.bits = rows, 0
        for row in rows:
            self.bits |= row.bits

    def __missing__(self, position: int) -> float:
        """Add up and store a value."""
        worth = 0.0
        for row in self.rows:
            worth += row[position & row.bits]
        self[position] = worth
        return worth


class YakuWorths:
    """The values of all cards for the yaku of a table, by the weights of a policy."""

    def __init__(self, table: YakuTable, weights: PolicyWeights, unit: int) -> None:
        #: The place of the count of a group of cards in a position, with a spare bit above it.
        shifts: dict[int, int] = {}
        width = 0
        for row in table:
            for group in (row.cards, row.must):
                if group and group not in shifts:
                    shifts[group] = width
                    width += group.bit_count().bit_length() + 1
        #: The bits of the counts of a player.
        self.width = width
        rows = [RowGains(row, shifts, width, weights, unit) for row in table]
        #: By card. Cards of the same yaku have the same values.
        self.by_card: dict[int, CardWorth] = {}
        shared: dict[tuple[int, ...], CardWorth] = {}
        for card in cards.bits(cards.ALL):
            numbers = tuple(number for number, row in enumerate(table) if row.cards & card)
            if numbers not in shared:
                shared[numbers] = CardWorth([rows[number] for number in numbers])
            self.by_card[card] = shared[numbers]
        self._parts: list[list[int]] = []
        for first in range(0, len(cards.LETTERS), _PART):
            counts = [0]
            for index in range(first, first + _PART):
                unit = sum(1 << shift for group, shift in shifts.items() if group >> index & 1)
                counts += [count + unit for count in counts]
            self._parts.append(counts)
        needs: dict[int, int] = {}
        for row in table:
            needs[row.cards] = min(row.need, needs.get(row.cards, row.need))
        spare = {group: 1 << shifts[group] + group.bit_count().bit_length() for group in needs}
        #: Added to the counts of a player, this sets the spare bits of all yaku with enough cards.
        self.reach = sum(spare[group] - (need << shifts[group]) for group, need in needs.items())
        #: By captured cards of a month: their counts as those of a player and as those of all
        #: players, and the spare bits of the yaku that they may change.
        self.gains: dict[int, tuple[int, int, int]] = {}
        for month in cards.MONTHS[1:]:
            gained = month
            while gained:
                changed = sum({spare[group] for group, _ in table.changed_by(gained)})
                count = self.count(gained)
                self.gains[gained] = count, count << width, changed
                gained = gained - 1 & month

    def count(self, captured: int) -> int:
        """Return the counts of captured cards (a mask)."""
        first, second, third, fourth = self._parts
        return (
            first[captured & _PART_CARDS]
            + second[captured >> _PART & _PART_CARDS]
            + third[captured >> 2 * _PART & _PART_CARDS]
            + fourth[captured >> 3 * _PART]
        )

    def mark(self, payers: int) -> int:
        """Return the part of the position of the seat in turn with a number of ``payers``."""
        return payers << _TURN_BITS << 2 * self.width

    def worth(self, group: int, position: int) -> float:
        """Return the value of cards (a mask) for yaku."""
        worth = 0.0
        for card in cards.bits(group):
            worths = self.by_card[card]
            worth += worths[position & worths.bits]
        return worth


def _find_most(group: int) -> int:
    """Return the bits of the count of a group of cards."""
    return (1 << group.bit_count().bit_length()) - 1
