"""The captures of one player in each month of the pack, under conditions.

The player captures the cards of a month in pairs, or all four at once if three lay on the dealt
field. `Layers` has all captures that satisfy the conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple


class Option(NamedTuple):
    """Captures of a month (masks). Only the turns of ``late`` captures may give a right."""

    early: tuple[int, ...]
    late: tuple[int, ...]


class Condition(NamedTuple):
    """The least and the most cards, or captures if there are no cards.

    A card of ``heavy`` counts ``weight`` times. Captures count if they have ``size`` cards, and
    ``early`` and ``late`` ones if these are true.
    """

    least: int
    most: int
    cards: int = 0
    heavy: int = 0
    weight: int = 1
    early: bool = True
    late: bool = True
    size: int = 2

    def count(self, option: Option) -> int:
        """Return the number for the captures of a month."""
        captures = self.early * option.early + self.late * option.late
        if not self.cards:
            return sum(capture.bit_count() >= self.size for capture in captures)
        held = sum(captures) & self.cards
        return held.bit_count() + (self.weight - 1) * (held & self.heavy).bit_count()


def join_captures(option: Option) -> int:
    """Return the captured cards of an option."""
    return sum(option.early) + sum(option.late)


class Choice(NamedTuple):
    """The captures that a player may choose from.

    ``is_split``: some are early. ``has_fours``: three cards of a month may lie on the dealt field.
    All ``needed`` cards are captured, and no ``barred`` ones (masks).
    """

    is_split: bool
    has_fours: bool
    needed: int = 0
    barred: int = 0


@lru_cache(maxsize=256)
def list_options(choice: Choice) -> tuple[tuple[Option, ...], ...]:
    """Return the captures of each month."""
    listed = []
    for month in range(12):
        top, *others = (1 << 4 * month + card for card in range(4))
        whole = 0b1111 << 4 * month
        pairs = [top | other for other in others]
        groups = [(), *((pair,) for pair in pairs), *((whole ^ pair,) for pair in pairs)]
        groups += [(pair, whole ^ pair) for pair in pairs] + [(whole,)] * choice.has_fours
        options = (
            Option(
                tuple(capture for capture, is_early in zip(group, parts, strict=True) if is_early),
                tuple(
                    capture for capture, is_early in zip(group, parts, strict=True) if not is_early
                ),
            )
            for group in groups
            for parts in product((False, True) if choice.is_split else (False,), repeat=len(group))
            if not (choice.needed & whole & ~sum(group) or choice.barred & sum(group))
        )
        listed.append(tuple(options))
    return tuple(listed)


@lru_cache(maxsize=4096)
def _count_options(choice: Choice, condition: Condition) -> Sequence[Sequence[int]]:
    """Return the number of a condition for each option of each month."""
    return [[condition.count(option) for option in listed] for listed in list_options(choice)]


class Layers:
    """The reachable numbers of the conditions after each month.

    The numbers of all conditions are the fields of one integer. The top bit of a field is set if
    the number is too large, and stays clear otherwise.
    """

    def __init__(self, choice: Choice, conditions: Sequence[Condition]) -> None:
        options = list_options(choice)
        numbers = [_count_options(choice, condition) for condition in conditions]
        counts = [list(zip(*columns, strict=True)) for columns in zip(*numbers, strict=True)]
        self.effects: list[dict[int, list[Option]]] = []
        self.layers: list[set[int]] = []
        self.is_possible = False
        if not all(counts):
            return
        most = [[max(column) for column in zip(*listed, strict=True)] for listed in counts]
        left = [sum(column) for column in zip(*most, strict=True)]
        places, start, guard, place = [], 0, 0, 0
        for condition, reach in zip(conditions, left, strict=True):
            width = (condition.most + reach + 1).bit_length()
            places.append(place)
            start += (1 << width) - 1 - condition.most << place
            guard += 1 << width + place
            place += width + 1
        self.layers.append({start})
        for listed, columns, more in zip(options, counts, most, strict=True):
            effects: dict[int, list[Option]] = {}
            for option, column in zip(listed, columns, strict=True):
                effect = sum(number << place for number, place in zip(column, places, strict=True))
                effects.setdefault(effect, []).append(option)
            self.effects.append(effects)
            left = [number - most_ for number, most_ in zip(left, more, strict=True)]
            # With this the top bit is set unless a number stays too small.
            reserve = sum(
                1 + condition.most - condition.least + reach << place
                for condition, reach, place in zip(conditions, left, places, strict=True)
            )
            self.layers.append(
                {
                    after
                    for state in self.layers[-1]
                    for effect in effects
                    if not (after := state + effect) & guard and (after + reserve) & guard == guard
                }
            )
            if not self.layers[-1]:
                return
        self.is_possible = True

    def draw(self, random: Random, rank: Callable[[Option], int] | None = None) -> list[Option]:
        """Return captures of all months that satisfy the conditions.

        Few captures are preferred, and those of low ``rank``.
        """
        state = random.choice(tuple(self.layers[-1]))
        drawn: list[Option] = []
        for before, effects in zip(self.layers[-2::-1], reversed(self.effects), strict=True):
            choices = [
                (option, state - effect)
                for effect, options in effects.items()
                if state - effect in before
                for option in options
            ]
            option, state = min(
                choices,
                key=lambda choice: (
                    len(choice[0].early + choice[0].late)
                    + (rank(choice[0]) if rank else 0)
                    + 2 * random.random()
                ),
            )
            drawn.append(option)
        return drawn[::-1]
