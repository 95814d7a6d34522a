"""The hands of seven that satisfy a condition, as an automaton over the months of the pack.

An automaton reads the cards of a hand month by month, in the order of `MONTHS`. Cards of a month
are masks of four bits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from math import comb
from operator import add
from typing import Any, Final, cast

from kafu.cards import ALL, BLUE_RIBBONS, BRIGHTS, CHAFF, RED_POEMS

#: The months from 0 on, those with the scarcest cards first: willow, paulownia, pampas.
MONTHS: Final = (10, 11, 7, 0, 2, 1, 8, 3, 4, 6, 5, 9)
HAND: Final = 7
#: Cards (masks) that are scarce if many hands need them.
SCARCE: Final = (ALL, CHAFF, BRIGHTS, BRIGHTS | RED_POEMS | BLUE_RIBBONS)
#: No card, and the threes and fours of a month.
_GROUPS: Final = (0, *(dealt for dealt in range(16) if dealt.bit_count() > 2))
#: Return what counts of the cards of a month (from 0 on; a mask of four bits).
Read = Callable[[int, int], Any]
#: Return what counts of cards with those of another month.
Join = Callable[[Any, Any], Any]
#: The transitions of an automaton for each month: the next state by state and symbol.
Layers = tuple[Mapping[int, Mapping[Any, int]], ...]


def build_layers(
    start: Hashable,
    step: Callable[[Any, int, Any], Hashable | None],
    symbols: Sequence[Iterable[Hashable]],
) -> list[dict[Hashable, dict[Hashable, Hashable]]]:
    """Return the transitions of an automaton that reads one of the ``symbols`` at each position.

    ``step`` returns the next state after a position and a symbol, None for an impossible one.
    """
    layers = []
    states = {start}
    for position, listed in enumerate(symbols):
        layer: dict[Hashable, dict[Hashable, Hashable]] = {}
        for state in states:
            tried = ((symbol, step(state, position, symbol)) for symbol in listed)
            layer[state] = {symbol: after for symbol, after in tried if after is not None}
        layers.append(layer)
        states = {after for steps in layer.values() for after in steps.values()}
    return layers


def merge_states(
    reached: Sequence[Mapping[Any, Mapping[Any, Any]]], classify: Callable[[Any], Hashable | None]
) -> Layers:
    """Return the smallest automaton that tells the class of the last state.

    ``classify`` returns the class, which replaces the state, None if the state is not accepted.
    Only the transitions from which an accepted state can be reached are kept, and states with the
    same continuations are one. There are no layers if no state is accepted.
    """
    if not reached:
        return ()
    ends = {after for steps in reached[-1].values() for after in steps.values()}
    classified = {state: classify(state) for state in ends}
    number: dict[Any, Any] = {state: last for state, last in classified.items() if last is not None}
    layers: list[Mapping[int, Mapping[Any, int]]] = []
    for layer in reversed(reached):
        classes: dict[tuple[tuple[Any, int], ...], int] = {}
        numbers: dict[Any, int] = {}
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
    """All hands of seven by class, as one automaton, which finds those of some classes soon."""

    def __init__(
        self, start: Any, read: Read, join: Join, classify: Callable[[int], Hashable]
    ) -> None:
        """Build the automaton.

        A state has the number of cards and what counts of them, from ``start`` on. Hands of the
        same state are of one class, which ``classify`` returns for any of them (a mask).
        """
        self._readings: list[dict[tuple[int, Any], list[int]]] = []
        for month in MONTHS:
            readings: dict[tuple[int, Any], list[int]] = {}
            for dealt in range(16):
                readings.setdefault((dealt.bit_count(), read(month, dealt)), []).append(dealt)
            self._readings.append(readings)

        def step(state: Any, _: int, added: Any) -> Hashable | None:
            size = state[0] + added[0]
            return (size, join(state[1], added[1])) if size <= HAND else None

        reached = build_layers((0, start), step, self._readings)
        #: A hand of each state.
        hands: dict[Any, int] = {(0, start): 0}
        for month, layer, readings in zip(MONTHS, reached, self._readings, strict=True):
            hands = {
                after: hands[state] | readings[added][0] << 4 * month
                for state, steps in layer.items()
                for added, after in cast("Mapping[Any, Any]", steps).items()
            }
        self._layers = merge_states(
            reached, lambda state: classify(hands[state]) if state[0] == HAND else None
        )

    def find(self, accepts: Callable[[Any], bool], *, is_free: bool = False) -> HandKind:
        """Return the hands of the accepted classes."""
        merged = merge_states(self._layers, lambda last: 0 if accepts(last) else None)
        layers = tuple(
            {
                state: {dealt: after for added, after in steps.items() for dealt in cards[added]}
                for state, steps in layer.items()
            }
            for layer, cards in zip(merged, self._readings, strict=False)
        )
        return HandKind(layers, is_free=is_free)


class HandKind:
    """All hands of a kind.

    ``layers`` has for each month, in the order of `MONTHS`, the next state by state and cards.
    There are no layers if no hand is of the kind. ``is_free`` is true if any seven cards are.
    """

    def __init__(self, layers: Layers, *, is_free: bool = False) -> None:
        self.layers = layers
        self.is_free = is_free

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
    def needs(self) -> tuple[Mapping[int, Sequence[tuple[int, int]]], ...]:
        """The least and most of each of the `SCARCE` cards to come, by state as in `counts`."""
        needs: list[Mapping[int, Sequence[tuple[int, int]]]] = [{0: ((0, 0),) * len(SCARCE)}]
        for month, layer in zip(reversed(MONTHS), reversed(self.layers), strict=False):
            after = needs[-1]
            held = [
                [(dealt << 4 * month & kind).bit_count() for kind in SCARCE] for dealt in range(16)
            ]
            needs.append(
                {
                    state: [
                        (
                            min(after[end][i][0] + held[dealt][i] for dealt, end in steps.items()),
                            max(after[end][i][1] + held[dealt][i] for dealt, end in steps.items()),
                        )
                        for i in range(len(SCARCE))
                    ]
                    for state, steps in layer.items()
                }
            )
        return tuple(reversed(needs))

    @cached_property
    def dealt(self) -> Mapping[int, frozenset[int]]:
        """The possible cards of each month."""
        return {
            month: frozenset(dealt for steps in layer.values() for dealt in steps)
            for month, layer in zip(MONTHS, self.layers, strict=False)
        }

    @cached_property
    def is_common(self) -> bool:
        """Whether more than half of all hands are of the kind."""
        return bool(self.layers) and 2 * self.counts[0][0] > comb(4 * len(MONTHS), HAND)

    @cached_property
    def groups(self) -> HandKind:
        """The threes and fours of these hands: of a month with fewer cards no card is read."""

        def step(state: frozenset[int], position: int, cards: int) -> Hashable | None:
            layer = self.layers[position]
            after = frozenset(
                layer[number][dealt]
                for number in state
                for dealt in layer[number]
                if dealt == cards or (not cards and dealt.bit_count() < 3)
            )
            return after or None

        layers = build_layers(frozenset({0}), step, [_GROUPS] * len(self.layers))
        return HandKind(merge_states(layers, lambda state: 0))

    @cached_property
    def needs_groups(self) -> bool:
        """Whether each hand of the kind has a three or four of a month."""
        states = {0}
        for layer in self.groups.layers:
            states = {layer[state][0] for state in states if 0 in layer[state]}
        return not states


#: Any seven cards.
ANY: Final = HandClasses(0, lambda month, dealt: 0, add, lambda hand: 0).find(
    lambda _: True, is_free=True
)
