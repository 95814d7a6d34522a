"""Whether hands of given kinds can be dealt beside a field with given brights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import count, product
from math import log
from operator import or_
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
#: Cards of a month in a hand (a mask), and the next state.
HandStep = tuple[int, int]
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
def can_place_brights(hands: tuple[HandKind, ...], brights: Brights, *, is_all: bool) -> bool:
    """Return whether hands of these kinds and the field can have different brights.

    ``is_all``: the hands and the field have all brights.
    """
    taken = {0}
    for kind in (*hands, find_field_kind(brights)):
        taken = {used | held for used in taken for held in kind.brights if not used & held}
    return cards.BRIGHTS in taken if is_all else bool(taken)


@lru_cache(maxsize=4096)
def can_deal(
    hands: tuple[HandKind, ...], brights: Brights, *, is_all: bool = False, is_proof: bool = False
) -> bool:
    """Return whether hands of these kinds can lie beside a field with these brights.

    See `find_hands`. For more than three hands the answer True may be wrong, except with
    ``is_proof``, with which the search may take long.
    """
    attempts = None if is_proof or len(hands) <= _FEW else _ATTEMPTS
    return find_hands(hands, brights, is_all=is_all, attempts=attempts) is not None


def find_hands(
    hands: tuple[HandKind, ...], brights: Brights, *, is_all: bool, attempts: int | None = None
) -> tuple[int, ...] | None:
    """Return hands of these kinds beside a field with these brights, None if there are none.

    ``is_all``: the hands and the field are the whole pack. The result is an empty tuple if
    ``attempts`` searches ended undecided; by default the search goes on.
    """
    kinds = [find_field_kind(brights), *hands]
    if not all(kind.layers for kind in kinds):
        return None
    # The scarcest hands choose first.
    order = sorted(range(len(kinds)), key=lambda number: kinds[number].counts[0][0])

    def choose(month: int, steps: Sequence[Sequence[HandStep]]) -> Iterator[tuple[HandStep, ...]]:
        due = cards.BRIGHTS >> 4 * month & 1 if is_all else 0
        for chosen in choose_apart(steps, 0, 0):
            if not due & ~reduce(or_, (dealt for dealt, _ in chosen), 0):
                yield chosen

    kinds = [kinds[number] for number in order]
    search = HandSearch(kinds, [kind.layers for kind in kinds], choose, Random(0), is_all=is_all)
    # A bad beginning leads into a long search, so that short searches begin anew.
    for _ in count() if attempts is None else range(attempts):
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

    ``layers`` are the permitted transitions of the kinds. ``choose`` yields cards and the next
    state for each hand, by a month and the possible ones of each hand. ``is_all``: the hands and
    the field are the whole pack.
    """

    def __init__(
        self,
        kinds: Sequence[HandKind],
        layers: Sequence[Layers],
        choose: Callable[[int, Sequence[Sequence[HandStep]]], Iterator[tuple[HandStep, ...]]],
        random: Random,
        *,
        is_all: bool = False,
    ) -> None:
        self._kinds, self._layers, self._choose, self._random = kinds, layers, choose, random
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
                shuffle_steps(
                    layer[position].get(state, {}), kind.counts[position + 1], self._random
                )
                for layer, kind, state in zip(self._layers, self._kinds, states, strict=True)
            ]
            for chosen in self._choose(month, steps):
                if self.steps_left < 0:
                    return
                after = tuple(end for _, end in chosen)
                if (position + 1, after) not in self._failed:
                    self._dealt[month] = tuple(dealt for dealt, _ in chosen)
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


def shuffle_steps(
    steps: Mapping[int, int], counts: Mapping[int, int], random: Random
) -> list[HandStep]:
    """Return cards with the next states, those that more hands have more often first."""
    return sorted(steps.items(), key=lambda step: -log(1 - random.random()) / counts[step[1]])


def choose_apart(
    steps: Sequence[Sequence[HandStep]], number: int, used: int
) -> Iterator[tuple[HandStep, ...]]:
    """Yield cards with the next state for each hand, no card in two hands."""
    if number == len(steps):
        yield ()
        return
    for step in steps[number]:
        if not step[0] & used:
            for rest in choose_apart(steps, number + 1, used | step[0]):
                yield (step, *rest)
