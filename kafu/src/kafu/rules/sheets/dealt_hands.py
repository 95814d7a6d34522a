"""Whether hands of given kinds can be dealt beside a field with given brights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import count, product
from math import log
from operator import getitem
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.grades import ABSOLUTE, LARGE
from kafu.rules.sheets.hand_kinds import (
    MONTHS,
    SCARCE,
    HandKind,
    Layers,
    build_layers,
    merge_states,
)

#: The steps after which a search for hands begins anew.
_STEPS: Final = 400
#: The searches for many hands without a result after which these count as possible, and the most
#: hands that are always decided.
_ATTEMPTS: Final = 8
_FEW: Final = 3
#: The number of each of the `SCARCE` cards in the months from each position on, and the most that
#: the field has besides brights.
_LEFT: Final = tuple(
    tuple(
        (
            sum((kind & 15 << 4 * month).bit_count() for month in MONTHS[position:]),
            6 if kind & ~cards.BRIGHTS else 0,
        )
        for kind in SCARCE
    )
    for position in range(len(MONTHS))
)
#: The numbers of absolute and of large brights on a field.
Brights = frozenset[tuple[int, int]]
ANY_BRIGHTS: Final[Brights] = frozenset(product(range(3), range(4)))


@lru_cache(maxsize=256)
def find_field_kind(brights: Brights) -> HandKind:
    """Return the possible brights on fields with these numbers of them, as an automaton."""

    def step(state: tuple[int, int], position: int, dealt: int) -> tuple[int, int] | None:
        held = dealt << 4 * MONTHS[position]
        if held & ~cards.BRIGHTS:
            return None
        return state[0] + (held & ABSOLUTE).bit_count(), state[1] + (held & LARGE).bit_count()

    layers = build_layers((0, 0), step, [range(16)] * len(MONTHS))
    return HandKind(merge_states(layers, lambda state: 0 if state in brights else None))


@lru_cache(maxsize=4096)
def find_hands(
    hands: tuple[HandKind, ...], brights: Brights, *, is_all: bool, is_proof: bool = False
) -> tuple[int, ...] | None:
    """Return hands of these kinds beside a field with these brights, None if there are none.

    ``is_all``: the hands and the field are the whole pack. The result for more than three hands is
    an empty tuple if that is soon undecided, except with ``is_proof``, with which the search may
    take long.
    """
    kinds = [find_field_kind(brights), *hands]
    if not all(kind.layers for kind in kinds):
        return None
    # The scarcest hands choose first.
    order = sorted(range(len(kinds)), key=lambda number: kinds[number].counts[0][0])

    def permits(month: int, dealt: Sequence[int]) -> bool:
        due = cards.BRIGHTS >> 4 * month & 1 if is_all and len(dealt) == len(order) else 0
        return not due & ~sum(dealt)

    kinds = [kinds[number] for number in order]
    search = HandSearch(kinds, [kind.layers for kind in kinds], permits, Random(0), is_all=is_all)
    # A bad beginning leads into a long search, so that short searches begin anew.
    for _ in count() if is_proof or len(hands) <= _FEW else range(_ATTEMPTS):
        for dealt in search.run(_STEPS):
            held = [
                sum(masks[number] << 4 * month for month, masks in dealt.items())
                for number in map(order.index, range(1, len(kinds)))
            ]
            return tuple(held)
        if search.steps_left >= 0:
            return None
    return ()


class HandSearch:
    """The search for hands, month by month, with memory of the states that failed.

    ``layers`` are the permitted transitions of the kinds. ``permits`` decides by a month and the
    cards of the first hands, of each number of them. ``is_all``: the hands and the field are the
    whole pack.
    """

    def __init__(
        self,
        kinds: Sequence[HandKind],
        layers: Sequence[Layers],
        permits: Callable[[int, Sequence[int]], bool],
        random: Random,
        *,
        is_all: bool = False,
    ) -> None:
        self._kinds, self._layers, self._permits, self._random = kinds, layers, permits, random
        self._is_all = is_all
        self._failed: set[tuple[int, tuple[int, ...]]] = set()
        self._dealt: dict[int, tuple[int, ...]] = {}
        self.steps_left = 0

    def run(self, steps: int) -> Iterator[dict[int, tuple[int, ...]]]:
        """Yield the cards of the hands by month.

        The search ends after a number of steps (``steps_left`` is negative) or without more hands.
        """
        self.steps_left = steps
        for _ in self._search(0, (0,) * len(self._kinds)):
            yield dict(self._dealt)

    def _search(self, position: int, states: tuple[int, ...]) -> Iterator[None]:
        """Yield whenever the cards of the months from a position on are found."""
        if position == len(MONTHS):
            yield None
            return
        self.steps_left -= 1
        is_possible = False
        if are_enough(self._kinds, position, states, is_all=self._is_all):
            month = MONTHS[position]
            steps = [
                layer[position].get(state, {})
                for layer, state in zip(self._layers, states, strict=True)
            ]
            orders = [
                shuffle_steps(after, kind.counts[position + 1], self._random)
                for after, kind in zip(steps, self._kinds, strict=True)
            ]
            for dealt in choose_apart(orders, partial(self._permits, month)):
                if self.steps_left < 0:
                    return
                after = tuple(map(getitem, steps, dealt))
                if (position + 1, after) not in self._failed:
                    self._dealt[month] = dealt
                    for _ in self._search(position + 1, after):
                        is_possible = True
                        yield None
        if not is_possible and self.steps_left >= 0:
            self._failed.add((position, states))


def are_enough(
    kinds: Sequence[HandKind], position: int, states: Sequence[int], *, is_all: bool
) -> bool:
    """Return whether the months from a position on may have the cards that the hands need.

    ``is_all``: the hands and six cards of the field take all of them.
    """
    needs = [kind.needs[position][state] for kind, state in zip(kinds, states, strict=True)]
    for bounds, (left, on_field) in zip(zip(*needs, strict=True), _LEFT[position], strict=True):
        if sum(least for least, _ in bounds) > left:
            return False
        if is_all and sum(most for _, most in bounds) + on_field < left:
            return False
    return True


def shuffle_steps(steps: Mapping[int, int], counts: Mapping[int, int], random: Random) -> list[int]:
    """Return cards that lead to next states, those that more hands have more often first."""
    return sorted(steps, key=lambda dealt: -log(1 - random.random()) / counts[steps[dealt]])


def choose_apart(
    choices: Sequence[Iterable[int]],
    permits: Callable[[Sequence[int]], bool] = bool,
    dealt: tuple[int, ...] = (),
) -> Iterator[tuple[int, ...]]:
    """Yield cards for each hand, no card in two hands.

    ``permits`` decides by the cards of the first hands, of each number of them.
    """
    if len(dealt) == len(choices):
        yield dealt
        return
    used = sum(dealt)
    for held in choices[len(dealt)]:
        chosen = (*dealt, held)
        if not held & used and permits(chosen):
            yield from choose_apart(choices, permits, chosen)
