"""The search for completions of hidden hands (C9): some completion, all of them, or none.

The search is exact and bounded. Rules depend only on the count of cards of each month in a dealt
hand, and on the counts of certain classes (ribbons, brights …). Partial hands with equal counts are
followed only once: the search adds the unseen cards month by month, and keeps one example of equal
ways to take cards. A way is an int of counts, so taking cards is an addition.

Several hands share the same unseen cards. First each hand takes its cards in turn. If a hand finds
none, the hands are searched together: in each month every card goes to one hand or to none, and the
search follows only ways with a successful end for each hand alone.

Every search has a `Budget`. A search over budget gives no result, and no claim is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Final, NamedTuple

from kafu import cards

#: The budget of one declaration. Hardly any declaration needs a tenth of this limit.
LIMIT = 50_000
#: The most hands completed in turn, and the most ways tried for each.
TRIES: Final = 24
WAYS: Final = 5

_DIGIT: Final = 4
_MASK: Final = (1 << _DIGIT) - 1
#: Places of the counts in a way: cards taken; months with 1, 2, 3 or 4 cards; threes that are
#: 立三本; cards added to a month with three known cards, two places; then the classes.
_STANDS: Final = 5
_THREES: Final = 6
_CLASSES: Final = 8
#: Cards that make a three a 立三本.
_STANDING: Final = cards.WISTERIA | cards.IRIS | cards.CLOVER | (cards.PAULOWNIA & cards.CHAFF)


class Hidden(NamedTuple):
    """A dealt hand with ``slots`` unknown cards, each of ``pool`` (mask).

    ``judge`` evaluates a whole hand. Its result may depend on the counts of months if ``by_month``,
    on the kinds of threes (立三本), on the counts of ``classes`` (masks), and on the ``known``
    cards; nothing else.
    """

    known: int
    slots: int
    pool: int
    judge: Callable[[int], Hashable]
    by_month: bool = True
    classes: tuple[int, ...] = ()


#: The ways after each month, each with an example of its cards.
_Levels = list[dict[int, int]]


class TooLarge(Exception):
    """A search needs more work than its budget."""


class Budget:
    """The remaining steps of a search; a million steps take some 0.3 seconds."""

    def __init__(self, steps: int) -> None:
        """Begin with a number of steps."""
        self.left = steps

    def spend(self, steps: int) -> None:
        """Use up steps. Raise TooLarge if fewer are left."""
        self.left -= steps
        if self.left < 0:
            raise TooLarge


def outcomes(hand: Hidden, work: Budget) -> frozenset[Hashable]:
    """Return all results of ``judge`` for the completions of a hand.

    Raise TooLarge if the budget does not suffice.
    """
    return frozenset(_judge(hand, group) for group in _list_ways(hand, work)[-1].values())


def complete(hands: Sequence[tuple[Hidden, Hashable]], work: Budget) -> tuple[int, ...] | None:
    """Return cards (masks) for all hands together that give each hand its paired result.

    Return None if there are none. Raise TooLarge if the budget does not suffice.
    """
    alive = []
    for hand, result in hands:
        levels = _list_ways(hand, work)
        good = {way for way, group in levels[-1].items() if _judge(hand, group) == result}
        alive.append(_trace_back(hand, levels, good))
    if not all(ways[0] for ways in alive):
        return None
    order = sorted(range(len(hands)), key=lambda i: len(alive[i][-1]))
    if groups := _complete_in_turn([hands[i] for i in order], 0, [TRIES], work):
        return tuple(groups[order.index(i)] for i in range(len(hands)))
    return _complete_together([hand for hand, _ in hands], alive, work) if len(hands) > 1 else None


def _judge(hand: Hidden, group: int) -> Hashable:
    """Return the result of a hand with the cards ``group`` taken."""
    return hand.judge(hand.known | group)


def _complete_in_turn(
    hands: Sequence[tuple[Hidden, Hashable]], gone: int, tries: list[int], work: Budget
) -> tuple[int, ...]:
    """Return cards taken by each hand in turn, none of the ``gone`` cards; () without success.

    Each hand tries the first suitable ways, until ``tries`` are used up.
    """
    (hand, result), *later_hands = hands
    tries[0] -= 1
    ends = _list_ways(hand._replace(pool=hand.pool & ~gone), work)[-1].values()
    for group in islice((end for end in ends if _judge(hand, end) == result), WAYS):
        if not later_hands:
            return (group,)
        if tries[0] > 0 and (groups := _complete_in_turn(later_hands, gone | group, tries, work)):
            return (group, *groups)
    return ()


def _list_ways(hand: Hidden, work: Budget) -> _Levels:
    """Return the ways to take cards, after none, one … all twelve months.

    Raise TooLarge if the budget does not suffice.
    """
    levels: _Levels = [{0: 0}]
    later = hand.pool.bit_count()
    for month in cards.MONTHS[1:]:
        later -= (hand.pool & month).bit_count()
        least = hand.slots - later
        steps = _list_steps(hand, month)
        work.spend(len(steps) * len(levels[-1]))
        ways: dict[int, int] = {}
        for way, example in levels[-1].items():
            for step, group in steps:
                if least <= (way + step) & _MASK <= hand.slots:
                    ways.setdefault(way + step, example | group)
        levels.append(ways)
    return levels


def _list_steps(hand: Hidden, month: int) -> list[tuple[int, int]]:
    """Return the different steps of a month, each with an example of the cards taken."""
    examples: dict[int, int] = {}
    unseen = list(cards.bits(hand.pool & month))
    for count in range(min(len(unseen), hand.slots) + 1):
        for group in map(sum, combinations(unseen, count)):
            examples.setdefault(_step(hand, month, group), group)
    return list(examples.items())


def _step(hand: Hidden, month: int, group: int) -> int:
    """Return the counts that ``group``, cards of a month, adds to a way."""
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
            first = any((later & further).bit_count() == 3 for further in cards.MONTHS[1:])
            step += group.bit_count() << _DIGIT * (_THREES + first)
    for place, members in enumerate(hand.classes, _CLASSES):
        step += (group & members).bit_count() << _DIGIT * place
    return step


def _trace_back(hand: Hidden, levels: _Levels, good: set[int]) -> list[set[int]]:
    """Return the ways after each month that can still lead to a ``good`` end."""
    alive = [good]
    for ways, month in zip(levels[-2::-1], cards.MONTHS[:0:-1], strict=True):
        steps = [step for step, _ in _list_steps(hand, month)]
        ahead = alive[-1]
        alive.append({way for way in ways if any(way + step in ahead for step in steps)})
    return alive[::-1]


def _complete_together(
    hands: Sequence[Hidden], alive: Sequence[list[set[int]]], work: Budget
) -> tuple[int, ...] | None:
    """Return cards for all hands by ways ``alive`` for each of them; None if there are none."""
    nothing = (0,) * len(hands)
    states: dict[tuple[int, ...], tuple[int, ...]] = {nothing: nothing}
    for number, month in enumerate(cards.MONTHS[1:], 1):
        shares = dict(_list_shares(hands, month))
        # A step costs four times as much as in the searches above.
        work.spend(4 * len(shares) * len(states))
        ahead = [ways[number] for ways in alive]
        following: dict[tuple[int, ...], tuple[int, ...]] = {}
        for state, examples in states.items():
            for steps, groups in shares.items():
                ways = tuple(map(int.__add__, state, steps))
                if all(way in good for way, good in zip(ways, ahead, strict=True)):
                    following.setdefault(ways, tuple(map(int.__or__, examples, groups)))
        states = following
    return next(iter(states.values()), None)


def _list_shares(
    hands: Sequence[Hidden], month: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Generate the distributions of the cards of a month among the hands.

    Each is the step of every hand, and the cards of every hand.
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
        pairs = zip(hands, groups, strict=True)
        yield tuple(_step(hand, month, group) for hand, group in pairs), tuple(groups)
