"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import count, product
from math import log
from operator import itemgetter, mul, or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.grades import ABSOLUTE, LARGE
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way, Ways
from kafu.rules.sheets.hand_kinds import (
    HAND,
    MONTHS,
    SCARCE,
    HandKind,
    Layers,
    build_layers,
    merge_states,
)
from kafu.rules.sheets.witness import Witness

FIELD_SIZE: Final = 6
#: The hands that are, with the field, the whole pack.
MOST_HANDS: Final = 6
#: The number of cards of the draw pile that each player turns.
TURNS: Final = 7
#: The steps after which a search for hands begins anew.
_STEPS: Final = 400
#: The deals for the same captures that are checked for hands of common kinds.
_DEALS: Final = 8
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
            FIELD_SIZE if kind & ~cards.BRIGHTS else 0,
        )
        for kind in SCARCE
    )
    for position in range(len(MONTHS))
)
#: The most of each of `Way.measures` in a deal. Hands and field have just as many cards.
_SUMS: Final = (*(HAND,) * 3, FIELD_SIZE, *(TURNS,) * 3, *(HAND + TURNS,) * 3)
_PLACES: Final = 4
#: The bits of each of these numbers where they are one number. The highest is a guard, which is set
#: in the number from which others are subtracted.
_LANE: Final = 8
_GUARDS: Final = sum(1 << _LANE * (lane + 1) - 1 for lane in range(len(_SUMS)))
_LANE_MASK: Final = (1 << _LANE - 1) - 1
#: The numbers of cards in the hands and on the field.
_SIZES: Final = sum(_LANE_MASK << _LANE * place for place in range(_PLACES))
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


@cache
def _pack(numbers: tuple[int, ...]) -> int:
    """Return numbers as one, in lanes that can be added up and compared together."""
    return sum(number << _LANE * lane for lane, number in enumerate(numbers))


class MonthWays:
    """The ways to deal a month, by the cards (masks of four bits) that hands and field have.

    ``limited`` are the players whose cards count; those of ``common`` players are only such as
    their kind permits. Of the field it is the bright. Further hands lie
    in the pile, and are all of it if ``is_all``.
    """

    def __init__(
        self,
        ways: Ways,
        limited: Sequence[int],
        common: Sequence[tuple[int, HandKind]],
        month: int,
        *,
        is_all: bool,
    ) -> None:
        bright = cards.BRIGHTS >> 4 * month & 1
        self.is_all = is_all
        self.by_cards: dict[tuple[int, ...], list[Way]] = {}
        permitted = [(player, kind.dealt[month]) for player, kind in common if not kind.is_free]
        for way in ways.ways:
            if any(way.masks[player] not in dealt for player, dealt in permitted):
                continue
            held = (*(way.masks[player] for player in limited), way.masks[FIELD] & bright)
            self.by_cards.setdefault(held, []).append(way)
        #: The least and the largest of the measures.
        self.least, self.most = (
            _pack(tuple(map(pick, zip(*ways.measures, strict=True)))) for pick in (min, max)
        )
        self._count = 1 + len(limited)
        self._fitting: dict[tuple[int, ...], list[tuple[int, Way]]] = {}

    def list_ways(self, masks: tuple[int, ...]) -> Sequence[tuple[int, Way]]:
        """Return the ways that differ in their measures, with these as one number."""
        fitting = self._fitting.get(masks)
        if fitting is None:
            pile = reduce(or_, masks[self._count :], 0)
            fitting = list(
                {
                    _pack(way.measures): way
                    for way in self.by_cards.get(masks[: self._count], ())
                    if (way.pile == pile if self.is_all else way.pile & pile == pile)
                }.items()
            )
            self._fitting[masks] = fitting
        return fitting


_find_month_ways = lru_cache(maxsize=1024)(MonthWays)


def list_limited(kinds: Sequence[HandKind], idle: Sequence[HandKind]) -> tuple[int, ...]:
    """Return the players whose hands are dealt by their kinds.

    Beside idle hands that are only some of the pile, common hands are dealt like any, and checked.
    """
    is_some = 0 < len(idle) < MOST_HANDS - len(kinds)
    return tuple(
        player
        for player, kind in enumerate(kinds)
        if not (kind.is_common if is_some else kind.is_free)
    )


def find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Ways],
    random: Random,
    idle: Sequence[HandKind] = (),
) -> Witness | None:
    """Return a deal with one of the ``ways`` in each month; None if none was found.

    ``kinds`` are the hands of the three players, ``idle`` hands that lie in the pile. Nobody turns
    more than seven cards.
    """
    for limited in dict.fromkeys((list_limited(kinds, idle), list_limited(kinds, ()))):
        if deal := _find_deal(kinds, brights, ways, random, idle, limited):
            return deal
    return None


def _find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Ways],
    random: Random,
    idle: Sequence[HandKind],
    limited: tuple[int, ...],
) -> Witness | None:
    """Return a deal in which the hands of ``limited`` players are dealt by their kinds."""
    common = tuple((player, kinds[player]) for player in PLAYERS if player not in limited)
    automata = [*(kinds[player] for player in limited), find_field_kind(brights)]
    is_all = len(kinds) + len(idle) == MOST_HANDS
    months = [
        _find_month_ways(listed, limited, common, month, is_all=is_all)
        for month, listed in enumerate(ways)
    ]
    layers = [_trim(kind, number, months) for number, kind in enumerate(automata)]
    search = DealSearch(
        [*automata, *idle], random, months, [*layers, *(kind.layers for kind in idle)]
    )
    for _ in range(_DEALS if all(search.layers) else 0):
        if not search.run(_STEPS):
            break
        *hands, field = (
            sum(way.masks[place] << 4 * month for month, way in search.ways.items())
            for place in (*PLAYERS, FIELD)
        )
        if all(kind.accepts(hand) for kind, hand in zip(kinds, hands, strict=True)):
            return Witness(tuple(hands), field, (), tuple(search.hands[1 + len(limited) :]))
    return None


def _trim(kind: HandKind, number: int, months: Sequence[MonthWays]) -> Layers:
    """Return the transitions by which a hand can be completed with cards of the ways."""
    trimmed: list[Mapping[int, Mapping[int, int]]] = []
    ends: Collection[int] = {0}
    for month, layer in zip(reversed(MONTHS), reversed(kind.layers), strict=False):
        possible = {held[number] for held in months[month].by_cards}
        steps_by_state = {
            state: {
                dealt: after
                for dealt, after in steps.items()
                if dealt in possible and after in ends
            }
            for state, steps in layer.items()
        }
        ends = {state for state, steps in steps_by_state.items() if steps}
        trimmed.append(steps_by_state)
    return tuple(trimmed[::-1]) if ends else ()


@lru_cache(maxsize=4096)
def can_deal(
    hands: tuple[HandKind, ...], brights: Brights, *, is_all: bool = False, is_proof: bool = False
) -> bool:
    """Return whether hands of these kinds can lie beside a field with these brights.

    ``is_all``: the hands and the field are the whole pack. For more than three hands the answer
    True may be wrong, except with ``is_proof``, with which the search may take long.
    """
    kinds = [find_field_kind(brights), *hands]
    if not all(kind.layers for kind in kinds):
        return False
    # The scarcest hands choose first.
    kinds.sort(key=lambda kind: kind.counts[0][0])
    search = DealSearch(kinds, Random(0), is_all=is_all)
    # A bad beginning leads into a long search, so that short searches begin anew.
    for _ in count() if is_proof or len(hands) <= _FEW else range(_ATTEMPTS):
        is_found = search.run(_STEPS)
        if is_found or search.steps_left >= 0:
            return is_found
    return True


class DealSearch:
    """The search for a deal, month by month, with memory of the states that failed.

    ``kinds`` are those of hands and of the brights on the field, ``layers`` their permitted
    transitions. Without ``months`` other cards lie anywhere. If ``is_all`` the hands and the field
    are then the whole pack.
    """

    def __init__(
        self,
        kinds: Sequence[HandKind],
        random: Random,
        months: Sequence[MonthWays] = (),
        layers: Sequence[Layers] = (),
        *,
        is_all: bool = False,
    ) -> None:
        self._kinds, self._random, self._months = kinds, random, months
        self.layers = layers or [kind.layers for kind in kinds]
        self._is_all = is_all
        self._failed: set[tuple[int, tuple[int, ...], int]] = set()
        self.steps_left = 0
        #: The ways of the months, and the hands.
        self.ways: dict[int, Way] = {}
        self.hands: list[int] = []
        #: The least and the largest measures of the months from each position on.
        self._bounds = [(0, _GUARDS)]
        for month in reversed(MONTHS) if months else ():
            fewest, most = self._bounds[-1]
            self._bounds.append((fewest + months[month].least, most + months[month].most))
        self._bounds.reverse()

    def run(self, steps: int) -> bool:
        """Return whether a deal is found; ``steps_left`` is negative after this number of steps."""
        self.steps_left = steps
        self.ways, self.hands = {}, [0] * len(self._kinds)
        start = _GUARDS | _pack(_SUMS) if self._months else 0
        return self._search(0, (0,) * len(self._kinds), start)

    def _search(self, position: int, states: tuple[int, ...], left: int) -> bool:
        """Deal the months from a position on; ``left`` are the `_SUMS`, with `_GUARDS` set."""
        if position == len(MONTHS):
            return not left & _SIZES
        self.steps_left -= 1
        if self.steps_left < 0 or (position, states, left) in self._failed:
            return False
        if are_enough(self._kinds, position, states, is_all=self._is_all):
            steps = [
                shuffle_steps(
                    layer[position].get(state, {}), kind.counts[position + 1], self._random
                )
                for layer, kind, state in zip(self.layers, self._kinds, states, strict=True)
            ]
            for chosen in choose_apart(steps, 0, 0):
                masks = tuple(dealt for dealt, _ in chosen)
                for way, after in self._list_ways(position, masks, left):
                    if self._search(position + 1, tuple(end for _, end in chosen), after):
                        shift = 4 * MONTHS[position]
                        self.hands = [
                            held | dealt << shift
                            for held, dealt in zip(self.hands, masks, strict=True)
                        ]
                        if way is not None:
                            self.ways[MONTHS[position]] = way
                        return True
                if self.steps_left < 0:
                    return False
        self._failed.add((position, states, left))
        return False

    def _list_ways(
        self, position: int, masks: tuple[int, ...], left: int
    ) -> list[tuple[Way | None, int]]:
        """Return the ways of a month with these cards, each with what it leaves of the sums."""
        month = MONTHS[position]
        if not self._months:
            due = cards.BRIGHTS >> 4 * month & self._is_all
            return [] if due & ~reduce(or_, masks) else [(None, left)]
        listed = self._months[month].list_ways(masks)
        if not listed:
            return []
        numbers = [left >> _LANE * lane & _LANE_MASK for lane in range(_PLACES + len(PLAYERS))]
        weights = [-2 * number / (len(MONTHS) - position) for number in numbers[:_PLACES]]
        weights += [6 / (turn + 1) for turn in numbers[_PLACES:]]
        fewest, most = self._bounds[position + 1]
        choices = []
        for measures, way in listed:
            after = left - measures
            # A guard is lost where the first number is less than the second.
            is_enough = (after - fewest) & _GUARDS == _GUARDS
            if is_enough and (most - (after & _SIZES)) & _GUARDS == _GUARDS:
                # Hands that fill evenly come first, and ways that need few turned cards.
                square = sum(number * number for number in way.measures[:_PLACES])
                cost = square + sum(map(mul, weights, way.measures)) + self._random.random()
                choices.append((cost, way, after))
        choices.sort(key=itemgetter(0))
        return [(way, after) for _, way, after in choices]


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
