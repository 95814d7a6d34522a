"""The search for captured cards: dynamic programming over the months of the pack.

A state after some months is a key and a set of counters. The key has the states of the dealt hands,
and the state of the sets of cards that are still whole. The counters are the digits of one number,
and the numbers that a state can have are the bits of one big integer. A capture shifts those bits
whose digits have room for it. 飛込み and helps are counters too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
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
from kafu.rules.sheets.capture_ways import NOBODY, PLAYERS, WHOLE
from kafu.rules.sheets.hand_kinds import MONTHS, Layers, build_layers, merge_states

#: The state of a set of which no player can have all cards, or one who may.
_BROKEN: Final = 4
#: The most threes of a hand.
_MOST_JUMPS: Final = 2
Key = tuple[int, ...]


class Effect(NamedTuple):
    """The change of a state by an option.

    ``symbols`` are the month's cards of each hand, and the owners of those of each set; ``shift``
    is the change of the counters.
    """

    symbols: tuple[object, ...]
    shift: int


class Captures:
    """All captures that satisfy the rules, counters and sets."""

    def __init__(
        self, rules: CaptureRules, counters: Sequence[Counter], sets: Sequence[WholeSet]
    ) -> None:
        """Compute the reachable states, month by month."""
        self.rules = rules
        self.counters = sorted(counters, key=lambda counter: counter.limit)
        self.sets = sets
        jumps = [(jump, _MOST_JUMPS if rules.has_more_jumps else jump) for jump in rules.jumps]
        self._places, self._size, self._goal = _lay_out(
            (
                *jumps,
                *[(1, 1)] * len(rules.helps),
                *((counter.least, counter.limit) for counter in self.counters),
            )
        )
        #: The options of each month by their effect, and the states before each month.
        self.effects = [self._group_options(position) for position in range(len(MONTHS))]
        self._automata: list[Layers] = [hand.kind.layers for hand in rules.hands]
        if sets:
            symbols = tuple(
                frozenset(effect.symbols[-1] for effect in effects) for effects in self.effects
            )
            self._automata.append(_read_sets(tuple(sets), symbols))
        self.layers: list[dict[Key, int]] = [{(0,) * len(self._automata): 1}]
        self._moves: dict[tuple[int, Key], dict[Key, list[Effect]]] = {}
        #: The counters of a state as bytes, of which a single bit is read in constant time.
        self._bytes: dict[tuple[int, Key], bytes] = {}
        self.ends: list[tuple[Key, int]] = []
        if all(self._automata):
            for position in range(len(MONTHS)):
                self._advance(position)
            self.ends = [
                (key, bits & self._goal)
                for key, bits in self.layers[-1].items()
                if bits & self._goal
            ]

    def _advance(self, position: int) -> None:
        """Compute the states after the month at a position."""
        #: The counters before the month, by the shift and the state after it.
        unshifted: dict[int, dict[Key, int]] = {}
        for key, bits in self.layers[-1].items():
            for after, effect in self._move(key, position):
                before = unshifted.setdefault(effect.shift, {})
                before[after] = before.get(after, 0) | bits
        states: dict[Key, int] = {}
        for shift, before in unshifted.items():
            room = self._find_room(shift)
            for after, bits in before.items():
                states[after] = states.get(after, 0) | (bits & room) << shift
        self.layers.append({key: bits for key, bits in states.items() if bits})

    def _find_room(self, shift: int) -> int:
        """Return the counters that a shift leaves within their limits."""
        room = (1 << self._size) - 1
        for stride, base in self._places:
            if amount := shift // stride % base:
                room &= _list_room(stride, base, amount, self._size)
        return room

    def _has_room(self, counters: int, shift: int) -> bool:
        """Return whether a shift leaves these counters within their limits."""
        return all(
            counters // stride % base + shift // stride % base < base
            for stride, base in self._places
        )

    def _move(self, key: Key, position: int) -> Iterator[tuple[Key, Effect]]:
        """Yield the keys after a month, each with its effect."""
        steps = [
            layers[position].get(state, {})
            for layers, state in zip(self._automata, key, strict=True)
        ]
        after_symbols: dict[tuple[object, ...], Key | None] = {}
        for effect in self.effects[position]:
            symbols = effect.symbols
            if symbols not in after_symbols:
                states = tuple(
                    step[symbol]
                    for step, symbol in zip(steps, symbols, strict=True)
                    if symbol in step
                )
                after_symbols[symbols] = states if len(states) == len(steps) else None
            after = after_symbols[symbols]
            if after is not None:
                yield after, effect

    def _group_options(self, position: int) -> dict[Effect, list[CaptureOption]]:
        """Return the options of a month by their effect."""
        shift = 4 * MONTHS[position]
        effects: dict[Effect, list[CaptureOption]] = {}
        weights = [counter.weights[shift : shift + 4] for counter in self.counters]
        members = [
            [card for card in range(4) if whole.cards >> shift + card & 1] for whole in self.sets
        ]
        for option in list_options(self.rules, position):
            growth = self._grow(option, weights)
            if growth is not None:
                in_sets = tuple(
                    _join_owners([option.owners[card] for card in held]) for held in members
                )
                symbols = (*option.dealt, in_sets) if members else option.dealt
                effects.setdefault(Effect(symbols, growth), []).append(option)
        return effects

    def _grow(self, option: CaptureOption, weights: Sequence[Sequence[int]]) -> int | None:
        """Return the change of the counters by an option, None if it exceeds a limit alone.

        ``weights`` are the numbers of the month's cards of each counter.
        """
        amounts = [int(option.jump == player) for player in PLAYERS]
        amounts += [option.helps >> number & 1 for number in range(len(self.rules.helps))]
        for counter, numbers in zip(self.counters, weights, strict=True):
            if counter.effort:
                amounts.append(find_least_effort(counter.effort, counter.player, option.ways))
            else:
                amounts.append(sum(compress(numbers, map(counter.player.__eq__, option.owners))))
        growth = 0
        for amount, (stride, base) in zip(amounts, self._places, strict=True):
            if amount >= base:
                return None
            growth += amount * stride
        return growth

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
                for after, effect in self._move(key_before, position):
                    moves.setdefault(after, []).append(effect)
            if key not in moves:
                continue
            counters = self._bytes.get((position, key_before))
            if counters is None:
                bits = before[key_before]
                counters = bits.to_bytes(bits.bit_length() // 8 + 1, "little")
                self._bytes[position, key_before] = counters
            choices = [
                effect
                for effect in moves[key]
                if has_bit(counters, bit - effect.shift)
                and self._has_room(bit - effect.shift, effect.shift)
            ]
            if choices:
                return key_before, random.choice(choices)
        raise AssertionError("no state leads to a state that was reached")


@lru_cache(maxsize=64)
def _read_sets(
    sets: tuple[WholeSet, ...], symbols: tuple[frozenset[tuple[int, ...]], ...]
) -> Layers:
    """Return the captures in which each set is whole with an allowed player only, or with nobody.

    ``symbols`` are the owners of each month's cards in the sets. A state has the owner of each set
    from 1 on, 0 for a set without cards so far, and `_BROKEN` for a set that needs no more care.
    """
    months = [
        [position for position, month in enumerate(MONTHS) if whole.cards >> 4 * month & WHOLE]
        for whole in sets
    ]

    def step(state: tuple[int, ...], position: int, owners: Sequence[int]) -> Hashable | None:
        after = list(state)
        for number, owner in enumerate(owners):
            if position not in months[number]:
                continue
            is_other = state[number] not in (0, owner + 1)
            if is_other or owner == NOBODY or owner in sets[number].allowed:
                after[number] = _BROKEN
            elif position == months[number][-1]:
                return None
            else:
                after[number] = owner + 1
        return tuple(after)

    layers = build_layers((0,) * len(sets), step, symbols)
    return merge_states(layers, lambda state: 0)


def _join_owners(owners: Sequence[int]) -> int:
    """Return the only owner of cards, `NOBODY` if there are several or none."""
    return owners[0] if len(set(owners)) == 1 else NOBODY


def has_bit(counters: bytes, bit: int) -> bool:
    """Return whether a bit is set, False for one out of range."""
    return 0 <= bit < 8 * len(counters) and bool(counters[bit >> 3] >> (bit & 7) & 1)


def _draw_bit(bits: int, random: Random) -> int:
    """Return the position of a random bit of a number."""
    start = random.randrange(bits.bit_length())
    upper = bits >> start
    return start + (upper & -upper).bit_length() - 1


@lru_cache(maxsize=64)
def _lay_out(limits: tuple[tuple[int, int], ...]) -> tuple[list[tuple[int, int]], int, int]:
    """Return stride and base of each counter's digit, the count of numbers, and those of solutions.

    ``limits`` are the least and the largest number of each counter.
    """
    places = []
    goal, stride = 1, 1
    for least, limit in limits:
        base = max(limit, 0) + 1
        places.append((stride, base))
        goal = sum(goal << count * stride for count in range(least, limit + 1))
        stride *= base
    return places, stride, goal


@lru_cache(maxsize=256)
def _list_room(stride: int, base: int, amount: int, size: int) -> int:
    """Return the numbers below ``size`` whose digit at a stride can grow by an amount."""
    room, period = (1 << stride * (base - amount)) - 1, stride * base
    while period < size:
        room |= room << period
        period *= 2
    return room & (1 << size) - 1
