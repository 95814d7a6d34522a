"""The search for captured cards: dynamic programming over the months of the pack.

A state after some months is a key and a set of counters. The key has the states of the dealt hands,
the 飛込み, and the owners of the sets of cards that are still whole. The counters that a state can
have are the bits of one big integer, so that a capture is a shift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from kafu.rules.sheets.capture_rules import (
    CaptureOption,
    CaptureRules,
    Counter,
    Solution,
    WholeSet,
    find_least_effort,
    list_options,
)
from kafu.rules.sheets.capture_ways import NOBODY, WHOLE
from kafu.rules.sheets.hand_kinds import MONTHS

_BROKEN: Final = 3
Key = tuple[int, ...]
#: The player of a 飛込み, the helps as a mask, and the owners in sets, of an `Effect`.
EffectOfRules = tuple[int, int, tuple[int, ...]]


class Effect(NamedTuple):
    """The change of a state by an option.

    ``jump`` is the player of a 飛込み or -1, ``helps`` are those of the rules as a mask, ``sets``
    the owners of the month's cards of each set, and ``shift`` the change of the counters.
    """

    dealt: tuple[int, ...]
    jump: int
    helps: int
    sets: tuple[int, ...]
    shift: int


class Captures:
    """All captures that satisfy the rules, counters and sets."""

    def __init__(
        self, rules: CaptureRules, counters: Sequence[Counter], sets: Sequence[WholeSet]
    ) -> None:
        """Compute the reachable states, month by month."""
        self.rules = rules
        self.counters = tuple(sorted(counters, key=lambda counter: counter.limit))
        self.sets = sets
        self._hands = len(rules.hands)
        self._fixed = self._hands + 4
        self._strides, self._mask, self._goal = _lay_out(
            tuple(
                (counter.least, counter.limit, _most_of_month(counter)) for counter in self.counters
            )
        )
        #: The months of each set, and the last of them by its position.
        self._months = [
            {month for month in MONTHS if whole.cards >> 4 * month & WHOLE} for whole in sets
        ]
        self._last = [max(map(MONTHS.index, months)) for months in self._months]
        #: The states before each month, and the options of each month by their effect.
        self.layers: list[dict[Key, int]] = [{(0,) * (self._fixed + len(sets)): 1}]
        self.effects: list[dict[Effect, list[CaptureOption]]] = []
        self._moves: dict[tuple[int, Key], dict[Key, list[Effect]]] = {}
        for position in range(len(MONTHS)):
            self._advance(position)
        self.ends = [
            (key, bits & self._goal)
            for key, bits in self.layers[-1].items()
            if key[self._hands : self._hands + 3] == rules.jumps
            and key[self._hands + 3] == (1 << len(rules.helps)) - 1
            and bits & self._goal
        ]

    def _advance(self, position: int) -> None:
        """Compute the states after the month at a position."""
        effects = self._group_options(position)
        self.effects.append(effects)
        by_dealt = _group_effects(effects)
        changes: dict[Key, dict[EffectOfRules, Key | None]] = {}
        states: dict[Key, int] = {}
        for key, bits in self.layers[-1].items():
            for after, effect in self._move(key, position, by_dealt, changes):
                states[after] = states.get(after, 0) | bits << effect.shift
        self.layers.append(self._drop_dominated(states))

    def _move(
        self,
        key: Key,
        position: int,
        by_dealt: Mapping[tuple[int, ...], Sequence[tuple[EffectOfRules, Effect]]],
        changes: dict[Key, dict[EffectOfRules, Key | None]],
    ) -> Iterator[tuple[Key, Effect]]:
        """Yield the keys after a month, each with its effect. ``changes`` is a cache."""
        rest = key[self._hands :]
        known = changes.setdefault(rest, {})
        steps = [
            hand.kind.layers[position].get(state, {})
            for hand, state in zip(self.rules.hands, key, strict=False)
        ]
        for dealt, effects in by_dealt.items():
            hands = []
            for step, held in zip(steps, dealt, strict=True):
                state = step.get(held)
                if state is None:
                    break
                hands.append(state)
            else:
                prefix = tuple(hands)
                for change, effect in effects:
                    if change not in known:
                        known[change] = self._change(rest, change, position)
                    after = known[change]
                    if after is not None:
                        yield prefix + after, effect

    def _drop_dominated(self, states: dict[Key, int]) -> dict[Key, int]:
        """Return the states in range without those that another state makes superfluous.

        A set that is not whole any more leaves all choices that a set still whole leaves.
        """
        kept: dict[Key, int] = {}
        opened = {
            key: [place for place in range(self._fixed, len(key)) if 0 < key[place] <= _BROKEN]
            for key in states
        }
        for key in sorted(states, key=lambda key: len(opened[key])):
            bits = states[key] & self._mask
            for place in opened[key]:
                better = states.get((*key[:place], _BROKEN + 1, *key[place + 1 :]))
                if better is not None:
                    bits &= ~better
            if bits:
                kept[key] = bits
        return kept

    def _group_options(self, position: int) -> dict[Effect, list[CaptureOption]]:
        """Return the options of a month by their effect."""
        shift = 4 * MONTHS[position]
        effects: dict[Effect, list[CaptureOption]] = {}
        weights = [
            (counter.player, counter.weights[shift : shift + 4], stride)
            for counter, stride in zip(self.counters, self._strides, strict=True)
            if not counter.effort
        ]
        members = [
            [card for card in range(4) if whole.cards >> shift + card & 1] for whole in self.sets
        ]
        has_efforts = any(counter.effort for counter in self.counters)
        amounts: dict[object, tuple[tuple[int, ...], int]] = {}
        for option, jump, helps in list_options(self.rules, position):
            owners = option.owners
            known = amounts.get(option if has_efforts else owners)
            if known is None:
                amount = sum(
                    stride * find_least_effort(counter.effort, counter.player, option)
                    for counter, stride in zip(self.counters, self._strides, strict=True)
                    if counter.effort
                )
                for player, numbers, stride in weights:
                    for card in range(4):
                        if owners[card] == player:
                            amount += numbers[card] * stride
                in_sets = tuple(
                    _join_owners([owners[card] for card in held]) if held else NOBODY
                    for held in members
                )
                known = in_sets, amount
                amounts[option if has_efforts else owners] = known
            effects.setdefault(Effect(option.dealt, jump, helps, *known), []).append(option)
        return effects

    def _change(self, rest: Key, change: EffectOfRules, position: int) -> Key | None:
        """Return the key without the hands after a month, None if it leads to no solution."""
        jump, helps, owners = change
        after = list(rest)
        if jump >= 0:
            if rest[jump] < self.rules.jumps[jump]:
                after[jump] += 1
            elif not self.rules.has_more_jumps:
                return None
        after[3] |= helps
        month = MONTHS[position]
        for number, owner in enumerate(owners):
            if month not in self._months[number]:
                continue
            place = 4 + number
            if owner == NOBODY or rest[place] not in (0, owner + 1):
                owner = _BROKEN
            if owner != _BROKEN and position == self._last[number]:
                if owner not in self.sets[number].allowed:
                    return None
                owner = _BROKEN
            after[place] = owner + 1
        return tuple(after)

    def reaches(self, numbers: Sequence[int]) -> bool:
        """Return whether a solution has these numbers of counters, which have equal limits."""
        bit = sum(number * stride for number, stride in zip(numbers, self._strides, strict=True))
        return any(bits >> bit & 1 for _, bits in self.ends)

    def draw(self, random: Random) -> Solution:
        """Return any of the solutions."""
        key, bits = random.choice(self.ends)
        bit = _draw_bit(bits, random)
        chosen: dict[int, CaptureOption] = {}
        for position in reversed(range(len(MONTHS))):
            key, effect = self._draw_move(position, key, bit, random)
            bit -= effect.shift
            chosen[MONTHS[position]] = random.choice(self.effects[position][effect])
        return Solution(tuple(chosen[month] for month in range(len(MONTHS))))

    def _draw_move(self, position: int, key: Key, bit: int, random: Random) -> tuple[Key, Effect]:
        """Return a key before a month and an effect that lead to a state after the month."""
        before = self.layers[position]
        keys = list(before)
        random.shuffle(keys)
        for key_before in keys:
            moves = self._moves.get((position, key_before))
            if moves is None:
                moves = self._moves[position, key_before] = {}
                by_dealt = _group_effects(self.effects[position])
                for after, effect in self._move(key_before, position, by_dealt, {}):
                    moves.setdefault(after, []).append(effect)
            choices = [
                effect
                for effect in moves.get(key, ())
                if bit >= effect.shift and before[key_before] >> bit - effect.shift & 1
            ]
            if choices:
                return key_before, random.choice(choices)
        raise AssertionError("no state leads to a state that was reached")


def _group_effects(
    effects: Iterable[Effect],
) -> dict[tuple[int, ...], list[tuple[EffectOfRules, Effect]]]:
    """Return effects by the cards in the hands."""
    groups: dict[tuple[int, ...], list[tuple[EffectOfRules, Effect]]] = {}
    for effect in effects:
        change = (effect.jump, effect.helps, effect.sets)
        groups.setdefault(effect.dealt, []).append((change, effect))
    return groups


def _join_owners(owners: Sequence[int]) -> int:
    """Return the only owner of cards, `_BROKEN` if there are several."""
    return owners[0] if all(owner == owners[0] for owner in owners) else _BROKEN


def _draw_bit(bits: int, random: Random) -> int:
    """Return the position of a random bit of a number."""
    start = random.randrange(bits.bit_length())
    upper = bits >> start
    return start + (upper & -upper).bit_length() - 1


@lru_cache(maxsize=512)
def _most_of_month(counter: Counter) -> int:
    """Return the most that a counter grows in a month."""
    if counter.effort:
        return 4 * (counter.effort.by_card + counter.effort.by_field)
    return max(sum(counter.weights[4 * month : 4 * month + 4]) for month in range(len(MONTHS)))


@lru_cache(maxsize=512)
def _lay_out(limits: tuple[tuple[int, int, int], ...]) -> tuple[tuple[int, ...], int, int]:
    """Return the strides of counters, the mask of counters in range, and that of a solution.

    ``limits`` are the least and the largest number of each counter, and the most that a month
    adds. Thus no counter in range gets into the place of another within a month.
    """
    strides = []
    mask, goal, stride = 1, 1, 1
    for least, limit, most in limits:
        strides.append(stride)
        mask = sum(mask << count * stride for count in range(limit + 1))
        goal = sum(goal << count * stride for count in range(least, limit + 1))
        stride *= limit + most + 1
    return tuple(strides), mask, goal
