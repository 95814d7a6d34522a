"""The hands of seven that satisfy a condition, as an automaton over the months of the pack.

An automaton reads the cards of a hand month by month, in the order of `MONTHS`. Cards of a month
are masks of four bits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any, Final

from kafu.cards import BRIGHTS

#: The months from 0 on, those with the scarcest cards first: willow, paulownia, pampas.
MONTHS: Final = (10, 11, 7, 0, 2, 1, 8, 3, 4, 6, 5, 9)
HAND: Final = 7
#: The cards of each month.
_CARDS: Final = (range(16),) * len(MONTHS)
Step = Callable[[Any, int, Any], Hashable | None]
#: The transitions of an automaton for each month: the next state by state and symbol.
Layers = tuple[Mapping[int, Mapping[Any, int]], ...]


def build_layers(
    start: Hashable,
    step: Step,
    classify: Callable[[Any], int | None],
    symbols: Sequence[Iterable[Hashable]],
) -> Layers:
    """Return the smallest automaton that reads one of the ``symbols`` at each position.

    ``step`` returns the next state after a position and a symbol, None for an impossible one.
    ``classify`` returns the class of a last state, which replaces the state, None if it is not
    accepted. Only the transitions from which an accepted state can be reached are kept, and states
    with the same continuations are one. There are no layers if no state is accepted.
    """
    reached: list[dict[Hashable, dict[Hashable, Hashable]]] = []
    states = {start}
    for position, listed in enumerate(symbols):
        layer: dict[Hashable, dict[Hashable, Hashable]] = {}
        for state in states:
            tried = ((symbol, step(state, position, symbol)) for symbol in listed)
            layer[state] = {symbol: after for symbol, after in tried if after is not None}
        reached.append(layer)
        states = {after for steps in layer.values() for after in steps.values()}
    classified = {state: classify(state) for state in states}
    number: Mapping[Hashable, int] = {
        state: last for state, last in classified.items() if last is not None
    }
    layers: list[Mapping[int, Mapping[Hashable, int]]] = []
    for layer in reversed(reached):
        classes: dict[tuple[tuple[Hashable, int], ...], int] = {}
        numbers: dict[Hashable, int] = {}
        for state, steps in layer.items():
            kept = tuple(
                (symbol, number[after]) for symbol, after in steps.items() if after in number
            )
            if kept:
                numbers[state] = classes.setdefault(kept, len(classes))
        layers.append({position: dict(kept) for kept, position in classes.items()})
        number = numbers
    return tuple(reversed(layers)) if number else ()


class HandClasses:
    """The hands of all classes, as one automaton: finding the hands of a class takes little time.

    ``classify`` returns the class of a last state, None for the hands of no class.
    """

    def __init__(self, start: Hashable, step: Step, classify: Callable[[Any], int | None]) -> None:
        def read(state: Any, position: int, cards: Any) -> Hashable | None:
            return step(state, MONTHS[position], cards)

        self._layers = build_layers(start, read, classify, _CARDS)

    def find(self, number: int) -> HandKind:
        """Return the hands of a class."""

        def step(state: int, month: int, cards: int) -> int | None:
            return self._layers[MONTHS.index(month)][state].get(cards)

        return HandKind(0, step, lambda last: last == number)


class HandKind:
    """All hands of a kind.

    ``layers`` has for each month, in the order of `MONTHS`, the next state by state and cards.
    There are no layers if no hand is of the kind. ``is_free`` is true if any seven cards are.
    """

    def __init__(
        self,
        start: Hashable,
        step: Step,
        accepts: Callable[[Any], bool],
        *,
        is_free: bool = False,
    ) -> None:
        """Build the automaton. ``step`` returns the next state, None for impossible cards."""
        self.is_free = is_free

        def read(state: Any, position: int, cards: Any) -> Hashable | None:
            return step(state, MONTHS[position], cards)

        self.layers: Layers = build_layers(
            start, read, lambda state: 0 if accepts(state) else None, _CARDS
        )

    def accepts(self, hand: int) -> bool:
        """Return whether a hand (a mask) is of the kind."""
        state = 0
        for month, layer in zip(MONTHS, self.layers, strict=False):
            dealt = hand >> 4 * month & 15
            if dealt not in layer[state]:
                return False
            state = layer[state][dealt]
        return bool(self.layers)

    @cached_property
    def counts(self) -> tuple[Mapping[int, int], ...]:
        """The number of hands by state, before each month and at the end."""
        counts: list[dict[int, int]] = [{0: 1}]
        for layer in reversed(self.layers):
            after = counts[-1]
            counts.append(
                {
                    state: sum(map(after.__getitem__, steps.values()))
                    for state, steps in layer.items()
                }
            )
        return tuple(reversed(counts))

    @cached_property
    def dealt(self) -> Mapping[int, frozenset[int]]:
        """The possible cards of each month."""
        return {
            month: frozenset(dealt for steps in layer.values() for dealt in steps)
            for month, layer in zip(MONTHS, self.layers, strict=False)
        }

    @cached_property
    def brights(self) -> frozenset[int]:
        """The brights (masks) that hands of the kind can have."""
        reached: dict[int, set[int]] = {0: {0}} if self.layers else {}
        for month, layer in zip(MONTHS, self.layers, strict=False):
            after: dict[int, set[int]] = {}
            for state, masks in reached.items():
                for dealt, number in layer[state].items():
                    bright = dealt << 4 * month & BRIGHTS
                    after.setdefault(number, set()).update(held | bright for held in masks)
            reached = after
        return frozenset(held for masks in reached.values() for held in masks)

    @cached_property
    def is_common(self) -> bool:
        """Whether more than half of all hands are of the kind."""
        return bool(self.layers) and 2 * self.counts[0][0] > comb(4 * len(MONTHS), HAND)

    @cached_property
    def groups(self) -> HandKind:
        """The threes and fours of these hands: of a month with fewer cards no card is read."""

        def step(state: frozenset[int], month: int, cards: int) -> Hashable | None:
            if 0 < cards.bit_count() < 3:
                return None
            layer = self.layers[MONTHS.index(month)]
            after = frozenset(
                layer[number][dealt]
                for number in state
                for dealt in layer[number]
                if dealt == cards or (not cards and dealt.bit_count() < 3)
            )
            return after or None

        return HandKind(frozenset({0}), step, bool)

    @cached_property
    def needs_groups(self) -> bool:
        """Whether each hand of the kind has a three or four of a month."""
        states = {0}
        for layer in self.groups.layers:
            states = {layer[state][0] for state in states if 0 in layer[state]}
        return not states


def _add(state: int, month: int, cards: int) -> int | None:
    """Return the number of cards with some more of a month, None for too many."""
    count = state + cards.bit_count()
    return count if count <= HAND else None


#: Any seven cards.
ANY: Final = HandKind(0, _add, lambda state: state == HAND, is_free=True)
