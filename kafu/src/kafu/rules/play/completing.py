"""What a hidden hand can hold (C9): some completion, every completion, or none. Exact, and bounded.

What a rule asks of a dealt hand is how many cards of a month it has, and how many of certain
classes (slips, brights …). So partial hands that agree in these need be followed only once: the
unseen cards are gone through month by month, and of the ways to take cards that look the same one
is kept. Each way is an int of counts, so that taking cards is an addition.

Several hands draw on the same unseen cards. Each takes what it needs in turn; where one is left
without, they are gone through together: in each month every card goes to one of them or to none,
and only those ways are followed which, for each hand alone, still lead to what it must be.

Every question is asked with so much `Budget` at the most. Where that does not suffice nothing is
said, and nothing is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Final, NamedTuple

from kafu import cards

#: Work for one declaration. Hardly any needs a tenth of it.
LIMIT = 50_000
#: How often hands are completed one after the other, and how many ways of each are tried.
TRIES: Final = 24
WAYS: Final = 5

_DIGIT: Final = 4
_MASK: Final = (1 << _DIGIT) - 1
#: Places of the counts in a way: cards taken, months with 1, 2, 3 or 4 cards, months of which the
#: three is one that stands (立三本); then the months of which three are known, then the classes.
_STANDS: Final = 5
_THREES: Final = 6
_CLASSES: Final = 8
_KIRI: Final = cards.PAULOWNIA & cards.DREGS
_STANDING: Final = cards.WISTERIA | cards.IRIS | cards.CLOVER | _KIRI


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


class TooLarge(Exception):
    """A question needs more work than its budget."""


class Budget:
    """Steps that may still be made for a question; a million take some 0.3 seconds."""

    def __init__(self, steps: int) -> None:
        """A budget of so many steps."""
        self.left = steps

    def spend(self, steps: int) -> None:
        """Use up steps. Raises TooLarge if there are not so many."""
        self.left -= steps
        if self.left < 0:
            raise TooLarge


def outcomes(hand: Hidden, work: Budget) -> frozenset[Hashable]:
    """All results of ``judge`` for the completions of a hand. Raises TooLarge."""
    return frozenset(_judged(hand, taken) for taken in _walk(hand, work)[-1].values())


def complete(hands: Sequence[tuple[Hidden, Hashable]], work: Budget) -> tuple[int, ...] | None:
    """Cards (masks) that the hands can take at once so that each is judged as paired with it; None
    if there are none. Raises TooLarge.
    """
    alive = []
    for hand, wanted in hands:
        levels = _walk(hand, work)
        good = {way for way, taken in levels[-1].items() if _judged(hand, taken) == wanted}
        alive.append(_alive(hand, levels, good))
    if not all(ways[0] for ways in alive):
        return None
    order = sorted(range(len(hands)), key=lambda i: len(alive[i][-1]))
    if found := _in_turn([hands[i] for i in order], 0, [TRIES], work):
        return tuple(found[order.index(i)] for i in range(len(hands)))
    return _together([hand for hand, _ in hands], alive, work) if len(hands) > 1 else None


def _judged(hand: Hidden, taken: int) -> Hashable:
    return hand.judge(hand.known | taken)


def _in_turn(
    hands: Sequence[tuple[Hidden, Hashable]], gone: int, tries: list[int], work: Budget
) -> tuple[int, ...]:
    """Cards that each hand in turn takes of those that are not ``gone``, () if none are found.

    With each hand the first suitable ways are tried, as long as ``tries`` last.
    """
    (hand, wanted), *others = hands
    tries[0] -= 1
    ends = _walk(hand._replace(pool=hand.pool & ~gone), work)[-1].values()
    for taken in islice((one for one in ends if _judged(hand, one) == wanted), WAYS):
        if not others:
            return (taken,)
        if tries[0] > 0 and (found := _in_turn(others, gone | taken, tries, work)):
            return (taken, *found)
    return ()


def _walk(hand: Hidden, work: Budget) -> _Levels:
    """The ways to take cards, after none, one … all twelve months. Raises TooLarge."""
    levels: _Levels = [{0: 0}]
    left = hand.pool.bit_count()
    for month in cards.MONTHS[1:]:
        left -= (hand.pool & month).bit_count()
        least = hand.slots - left
        options = _options(hand, month)
        work.spend(len(options) * len(levels[-1]))
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


def _together(
    hands: Sequence[Hidden], alive: Sequence[list[set[int]]], work: Budget
) -> tuple[int, ...] | None:
    """Cards that all hands can take at once by ways that are ``alive`` for each, if there are."""
    nothing = (0,) * len(hands)
    states: dict[tuple[int, ...], tuple[int, ...]] = {nothing: nothing}
    for number, month in enumerate(cards.MONTHS[1:], 1):
        options = dict(_shares(hands, month))
        work.spend(4 * len(options) * len(states))  # each step is longer here
        ahead = [ways[number] for ways in alive]
        further: dict[tuple[int, ...], tuple[int, ...]] = {}
        for state, taken in states.items():
            for steps, groups in options.items():
                ways = tuple(map(int.__add__, state, steps))
                if all(way in good for way, good in zip(ways, ahead, strict=True)):
                    further.setdefault(ways, tuple(map(int.__or__, taken, groups)))
        states = further
    return next(iter(states.values()), None)


def _shares(
    hands: Sequence[Hidden], month: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The ways to distribute the cards of a month to the hands: what that adds to the way of each,
    and the cards that each takes.
    """
    places: list[list[int | None]] = [
        [None, *(i for i, hand in enumerate(hands) if hand.pool & card)]
        for card in cards.bits(month)
    ]
    for share in product(*places):
        groups = [0] * len(hands)
        for card, i in zip(cards.bits(month), share, strict=True):
            if i is not None:
                groups[i] |= card
        both = zip(hands, groups, strict=True)
        yield tuple(_step(hand, month, group) for hand, group in both), tuple(groups)
