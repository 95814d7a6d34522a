"""Whether hands of given kinds can be dealt beside a field with given brights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import count, product
from math import log
from operator import or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.grades import ABSOLUTE, LARGE
from kafu.rules.sheets.hand_kinds import MONTHS, HandKind

#: The steps after which a search for hands begins anew.
_STEPS: Final = 400
#: The searches for many hands without a result after which these count as possible, and the most
#: hands that are always decided.
_ATTEMPTS: Final = 8
_FEW: Final = 3
#: The numbers of absolute and of large brights on a field.
Brights = frozenset[tuple[int, int]]
ANY_BRIGHTS: Final[Brights] = frozenset(product(range(3), range(4)))


@lru_cache(maxsize=256)
def find_field_kind(brights: Brights) -> HandKind:
    """Return the possible brights on fields with these numbers of them, as an automaton."""

    def step(state: tuple[int, int], month: int, dealt: int) -> tuple[int, int] | None:
        absolutes, larges = state
        held = dealt << 4 * month
        if held & ~cards.BRIGHTS:
            return None
        return absolutes + (held & ABSOLUTE).bit_count(), larges + (held & LARGE).bit_count()

    return HandKind((0, 0), step, brights.__contains__)


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
    kinds = [kinds[number] for number in order]
    found: list[tuple[int, ...]] = []
    random = Random(0)
    failed: set[tuple[int, tuple[int, ...]]] = set()
    steps_left = _STEPS

    def search(position: int, states: tuple[int, ...]) -> bool:
        nonlocal steps_left
        steps_left -= 1
        if position == len(MONTHS) or steps_left < 0:
            return True
        if (position, states) in failed:
            return False
        steps = [
            shuffle_steps(kind.layers[position][state], kind.counts[position + 1], random)
            for kind, state in zip(kinds, states, strict=True)
        ]
        tried: set[tuple[int, ...]] = set()
        due = cards.BRIGHTS >> 4 * MONTHS[position] & 1 if is_all else 0
        for pairs in choose_apart(steps, 0, 0):
            after = tuple(end for _, end in pairs)
            if after not in tried and not due & ~reduce(or_, (dealt for dealt, _ in pairs), 0):
                tried.add(after)
                if search(position + 1, after):
                    found.append(tuple(dealt << 4 * MONTHS[position] for dealt, _ in pairs))
                    return True
        failed.add((position, states))
        return False

    # A bad beginning leads into a long search, so that short searches begin anew.
    for _ in count() if attempts is None else range(attempts):
        if not search(0, (0,) * len(kinds)):
            return None
        if steps_left >= 0:
            held = dict(zip(order, map(sum, zip(*found, strict=True)), strict=True))
            return tuple(held[number] for number in range(1, len(kinds)))
        steps_left = _STEPS
        found.clear()
    return ()


def shuffle_steps(
    steps: Mapping[int, int], counts: Mapping[int, int], random: Random
) -> list[tuple[int, int]]:
    """Return cards with the next states, those that more hands have more often first."""
    return sorted(steps.items(), key=lambda step: -log(1 - random.random()) / counts[step[1]])


def choose_apart(
    steps: Sequence[Sequence[tuple[int, int]]], number: int, used: int
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield cards with the next state for each hand, no card in two hands."""
    if number == len(steps):
        yield ()
        return
    for step in steps[number]:
        if not step[0] & used:
            for rest in choose_apart(steps, number + 1, used | step[0]):
                yield (step, *rest)
