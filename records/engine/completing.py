"""What a hidden hand can hold (C9): some completion, every completion, or none. Exact, and bounded.

What a rule asks of a dealt hand is how many cards of a month it has, and how many of certain
classes (slips, brights …). So partial hands that agree in these need be followed only once: the
unseen cards are gone through month by month, and of the ways to take cards that look the same one
is kept. Each way is an int of counts, so that taking cards is an addition.

Several hands draw on the same unseen cards. They are gone through together: in each month every
card goes to one of them or to none, and only those ways are followed which, for each hand alone,
still lead to what it shows. That leaves few.

A walk of more than `LIMIT` steps is given up; then nothing is said, and nothing is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, product
from typing import Any, Final, NamedTuple

from records import cards

#: Steps after which a walk is given up.
LIMIT: Final = 60_000

_DIGIT: Final = 4
_MASK: Final = (1 << _DIGIT) - 1
#: Places of the counts in a way: cards taken, months with 1, 2, 3 or 4 cards, months of which the
#: three is one that stands (立三本); then the months of which three are known, then the classes.
_STANDS: Final = 5
_THREES: Final = 6
_CLASSES: Final = 8
_KIRI: Final = cards.mask("tuv")
_STANDING: Final = cards.MONTHS[4] | cards.MONTHS[5] | cards.MONTHS[7] | _KIRI


class Hidden(NamedTuple):
    """A dealt hand of which ``slots`` cards are unknown, each one of ``pool`` (mask).

    ``judge`` says of a whole hand what matters. It may ask for the counts of months if
    ``by_month``, which of its months stand, the counts of ``classes`` (masks), and for which of the
    ``known`` cards are there; nothing else.
    """

    known: int
    slots: int
    pool: int
    judge: Callable[[int], Hashable]
    by_month: bool = True
    classes: tuple[int, ...] = ()


#: The ways after each month, each with an example of the cards taken.
_Levels = list[dict[int, int]]


class _TooLarge(Exception):
    """A walk has more than `LIMIT` steps."""


def outcomes(hand: Hidden) -> frozenset[Hashable] | None:
    """What ``judge`` says of the completions of a hand; None where they are too many to tell."""
    try:
        ends = _walk(hand)[-1]
    except _TooLarge:
        return None
    return frozenset(hand.judge(hand.known | taken) for taken in ends.values())


def possible(hands: Sequence[tuple[Hidden, Hashable]]) -> bool | None:
    """Whether the hands can be completed at once so that each is judged as it stands beside it.

    None where that is too much to tell.
    """
    walks, alive = [], []
    for hand, wanted in hands:
        try:
            levels = _walk(hand)
        except _TooLarge:
            continue  # a hand that nobody can tell binds no other
        ends = levels[-1].items()
        good = {way for way, taken in ends if hand.judge(hand.known | taken) == wanted}
        walks.append(hand)
        alive.append(_alive(hand, levels, good))
    if all(ways[0] for ways in alive) and len(walks) > 1:
        return _together(walks, alive)
    if not all(ways[0] for ways in alive):
        return False
    return True if len(walks) == len(hands) else None


def _walk(hand: Hidden) -> _Levels:
    """The ways to take cards, after none, one … all twelve months. Raises _TooLarge."""
    levels: _Levels = [{0: 0}]
    steps, left = 0, hand.pool.bit_count()
    for month in cards.MONTHS[1:]:
        left -= (hand.pool & month).bit_count()
        least = hand.slots - left
        options = _options(hand, month)
        steps += len(options) * len(levels[-1])
        if steps > LIMIT:
            raise _TooLarge
        ways: dict[int, int] = {}
        for way, taken in levels[-1].items():
            for step, group in options:
                if least <= (way + step) & _MASK <= hand.slots:
                    ways.setdefault(way + step, taken | group)
        levels.append(ways)
    return levels


def _options(hand: Hidden, month: int) -> list[tuple[int, int]]:
    """What can be taken of a month: steps that differ, each with an example."""
    found: dict[int, int] = {}
    unseen = list(cards.bits(hand.pool & month))
    for count in range(min(len(unseen), hand.slots) + 1):
        for group in map(sum, combinations(unseen, count)):
            found.setdefault(_step(hand, month, group), group)
    return list(found.items())


def _step(hand: Hidden, month: int, group: int) -> int:
    """What taking ``group`` of a month adds to a way."""
    step = group.bit_count()
    if hand.by_month:
        held = hand.known & month | group
        count = held.bit_count()
        if count:
            step += 1 << _DIGIT * count
        if count == 3 and not held & ~_STANDING:
            step += 1 << _DIGIT * _STANDS
        if (hand.known & month).bit_count() == 3:
            later = hand.known & ~((month & -month) * 16 - 1)
            first = any((later & other).bit_count() == 3 for other in cards.MONTHS[1:])
            step += group.bit_count() << _DIGIT * (_THREES + first)
    for place, members in enumerate(hand.classes, _CLASSES):
        step += (group & members).bit_count() << _DIGIT * place
    return step


def _alive(hand: Hidden, levels: _Levels, good: set[int]) -> list[set[int]]:
    """The ways after each month that can still lead to a ``good`` end."""
    alive = [good]
    for ways, month in zip(levels[-2::-1], cards.MONTHS[:0:-1], strict=True):
        steps = [step for step, _ in _options(hand, month)]
        ahead = alive[-1]
        alive.append({way for way in ways if any(way + step in ahead for step in steps)})
    return alive[::-1]


def _together(hands: Sequence[Hidden], alive: Sequence[list[set[int]]]) -> bool | None:
    """Whether all hands can be completed at once, each by ways that are ``alive`` for it."""
    states: set[tuple[int, ...]] = {(0,) * len(hands)}
    walked = 0
    for number, month in enumerate(cards.MONTHS[1:], 1):
        options = set(_shares(hands, month))
        walked += len(options) * len(states)
        if walked > LIMIT:
            return None
        ahead = [ways[number] for ways in alive]
        further = (tuple(map(int.__add__, state, steps)) for state in states for steps in options)
        states = {
            state
            for state in further
            if all(way in ways for way, ways in zip(state, ahead, strict=True))
        }
        if not states:
            return False
    return True


def _shares(hands: Sequence[Hidden], month: int) -> Iterator[tuple[int, ...]]:
    """How the cards of a month can go to the hands: what that adds to the way of each."""
    places: list[list[Any]] = []
    for card in cards.bits(month):
        places.append([None, *(i for i, hand in enumerate(hands) if hand.pool & card)])
    for share in product(*places):
        groups = [0] * len(hands)
        for card, i in zip(cards.bits(month), share, strict=True):
            if i is not None:
                groups[i] |= card
        yield tuple(_step(hand, month, group) for hand, group in zip(hands, groups, strict=True))
