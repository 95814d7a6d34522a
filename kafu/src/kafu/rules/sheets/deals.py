"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property, lru_cache, reduce
from itertools import islice
from operator import itemgetter, mul, or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way, Ways
from kafu.rules.sheets.dealt_hands import (
    Brights,
    HandSearch,
    HandStep,
    choose_apart,
    find_field_kind,
)
from kafu.rules.sheets.hand_kinds import HAND, MONTHS, HandKind, Layers
from kafu.rules.sheets.witness import Witness

FIELD_SIZE: Final = 6
#: The hands that are, with the field, the whole pack.
MOST_HANDS: Final = 6
#: The number of cards of the draw pile that each player turns.
TURNS: Final = 7
#: The deals of limited hands that are completed for the same captures.
_DEALS: Final = 4
#: The choices of like cards that are tried for hands of common kinds.
_CHANGES: Final = 8
#: The least and the largest sum of each of `Way.measures` in a deal.
_SUMS: Final = (
    *((HAND, HAND),) * 3,
    (FIELD_SIZE, FIELD_SIZE),
    *((0, TURNS),) * 3,
    *((0, HAND + TURNS),) * 3,
)
#: The bits of each of these numbers where they are one number. The highest is a guard, which is set
#: in the number from which others are subtracted.
_LANE: Final = 8
_LANE_MASK: Final = (1 << _LANE - 1) - 1
_GUARDS: Final = sum(1 << _LANE * (lane + 1) - 1 for lane in range(len(_SUMS)))
#: The numbers of cards in the hands and on the field.
_SIZES: Final = sum(_LANE_MASK << _LANE * place for place in range(4))
_SIZE_GUARDS: Final = _GUARDS & (1 << _LANE * 4) - 1
#: The cards (masks of four bits) that are some of other cards.
_PARTS: Final = tuple(
    frozenset(part for part in range(16) if part & whole == part) for whole in range(16)
)
#: The most steps of a search for one such deal, and of the search for its other cards.
_STEPS: Final = 400


#: Ways by `Way.measures`.
Groups = dict[tuple[int, ...], list[Way]]


class MonthWays:
    """The ways to deal a month, of which the cards of ``limited`` players count.

    ``common`` are other players whose hands have only cards that their kind permits.
    """

    def __init__(
        self,
        ways: Ways,
        limited: Sequence[int],
        common: Sequence[tuple[int, HandKind]],
        month: int,
    ) -> None:
        bright = cards.BRIGHTS >> 4 * month & 1
        listed = ways.ways
        for player, kind in common:
            permitted = kind.dealt[month]
            listed = [way for way in listed if way.masks[player] in permitted]
        #: The ways by the cards of the limited players and the bright on the field, in groups by
        #: the numbers of cards in each place.
        self.by_cards: dict[tuple[int, ...], Groups] = {}
        for way in listed:
            masks = way.masks
            held = (*[masks[player] for player in limited], masks[FIELD] & bright)
            self.by_cards.setdefault(held, {}).setdefault(way.measures, []).append(way)

    @cached_property
    def prefixes(self) -> Set[tuple[int, ...]]:
        """The beginnings of the cards of the limited players and the bright on the field."""
        return {held[:count] for held in self.by_cards for count in range(1, len(held) + 1)}

    def list_piles(self, *, is_all: bool) -> Mapping[tuple[int, ...], Set[int]]:
        """Return the cards that can be in hands in the pile, all of the pile if ``is_all``.

        They are grouped like the ways.
        """
        piles = {
            held: {way.pile for ways in groups.values() for way in ways}
            for held, groups in self.by_cards.items()
        }
        if is_all:
            return piles
        return {held: set().union(*map(_PARTS.__getitem__, whole)) for held, whole in piles.items()}

    def group_alike(self, held: tuple[int, ...], pile: int, *, is_all: bool) -> Groups:
        """Return the groups of ways with these cards, and with ``pile`` (a mask) in the pile.

        ``is_all``: the pile has no other cards.
        """
        groups = self.by_cards[held]
        if not pile and not is_all:
            return groups
        permitted = {
            measures: [
                way for way in ways if way.pile & pile == pile and (way.pile == pile or not is_all)
            ]
            for measures, ways in groups.items()
        }
        return {measures: ways for measures, ways in permitted.items() if ways}


_find_month_ways = lru_cache(maxsize=1024)(MonthWays)


def find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Ways],
    random: Random,
    idle: Sequence[HandKind] = (),
) -> Witness | None:
    """Return a deal with one of the ``ways`` in each month; None if none was found.

    ``kinds`` are the hands of the three players, ``idle`` hands that lie in the pile. Nobody turns
    more than seven cards. Common hands are completed like those that may be any, and checked.
    """
    limited = tuple(player for player in PLAYERS if not kinds[player].is_common)
    automata = [*(kinds[player] for player in limited), find_field_kind(brights)]
    common = tuple((player, kinds[player]) for player in PLAYERS if _is_checked(kinds[player]))
    months = [_find_month_ways(listed, limited, common, month) for month, listed in enumerate(ways)]
    for dealt_cards in islice(_deal_limited(automata, idle, months, random), _DEALS):
        masks = {month: dealt[: len(automata)] for month, dealt in dealt_cards.items()}
        piles = {month: dealt[len(automata) :] for month, dealt in dealt_cards.items()}
        alike = [
            of_month.group_alike(
                masks[month],
                reduce(or_, piles[month], 0),
                is_all=len(idle) == MOST_HANDS - len(PLAYERS),
            )
            for month, of_month in enumerate(months)
        ]
        listed = [[group[0] for group in groups.values()] for groups in alike]
        chosen = _complete_deal(listed, random) if all(listed) else None
        if chosen is None:
            continue
        for _ in range(_CHANGES):
            dealt = [
                sum(way.masks[place] << 4 * month for month, way in enumerate(chosen))
                for place in (*PLAYERS, FIELD)
            ]
            if all(kind.accepts(dealt[player]) for player, kind in common):
                idle_hands = tuple(
                    sum(piles[month][number] << 4 * month for month in range(len(MONTHS)))
                    for number in range(len(idle))
                )
                return Witness(tuple(dealt[:FIELD]), dealt[FIELD], (), idle_hands)
            chosen = [
                random.choice(groups[way.measures])
                for groups, way in zip(alike, chosen, strict=True)
            ]
    return None


def _is_checked(kind: HandKind) -> bool:
    """Return whether a hand is completed like any other and then checked."""
    return kind.is_common and not kind.is_free


def _deal_limited(
    automata: Sequence[HandKind],
    idle: Sequence[HandKind],
    months: Sequence[MonthWays],
    random: Random,
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Yield deals of the limited hands with the brights on the field, and of the ``idle`` hands.

    They are the cards by month. The search ends after `_STEPS` steps, sooner with idle hands, of
    which a month has many.
    """
    if not all(kind.layers for kind in automata):
        return
    is_all = len(idle) == MOST_HANDS - len(PLAYERS)
    piles = [of_month.list_piles(is_all=is_all) for of_month in months] if idle else []

    def choose(month: int, steps: Sequence[Sequence[HandStep]]) -> Iterator[tuple[HandStep, ...]]:
        for limited in _choose_masks(steps[: len(automata)], months[month].prefixes):
            masks = tuple(dealt for dealt, _ in limited)
            for in_piles in choose_apart(steps[len(automata) :], 0, 0):
                if not idle or reduce(or_, (dealt for dealt, _ in in_piles)) in piles[month][masks]:
                    yield *limited, *in_piles

    layers = [
        *(_trim(kind, number, months) for number, kind in enumerate(automata)),
        *(kind.layers for kind in idle),
    ]
    search = HandSearch([*automata, *idle], layers, choose, random)
    yield from search.run(_STEPS // (1 + 4 * len(idle)))


def _choose_masks(
    steps: Sequence[Sequence[HandStep]],
    prefixes: Set[tuple[int, ...]],
    masks: tuple[int, ...] = (),
) -> Iterator[tuple[HandStep, ...]]:
    """Yield cards with the next state for each hand, of which all beginnings are ``prefixes``."""
    if len(masks) == len(steps):
        yield ()
        return
    for step in steps[len(masks)]:
        chosen = (*masks, step[0])
        if chosen in prefixes:
            for rest in _choose_masks(steps, prefixes, chosen):
                yield (step, *rest)


def _trim(kind: HandKind, number: int, months: Sequence[MonthWays]) -> Layers:
    """Return the transitions by which a hand can be completed with cards of the ways."""
    trimmed: list[dict[int, dict[int, int]]] = []
    states: Collection[int] | None = None
    for month, layer in zip(reversed(MONTHS), reversed(kind.layers), strict=True):
        possible = {held[number] for held in months[month].by_cards}
        steps_by_state = {
            state: {
                dealt: after
                for dealt, after in steps.items()
                if dealt in possible and (states is None or after in states)
            }
            for state, steps in layer.items()
        }
        states = {state for state, steps in steps_by_state.items() if steps}
        trimmed.append(steps_by_state)
    return tuple(trimmed[::-1])


def _find_bounds(ways: Sequence[Way]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the least and the largest of each of `Way.measures`."""
    measures = list(zip(*(way.measures for way in ways), strict=True))
    return tuple(map(min, measures)), tuple(map(max, measures))


def _add_up(rows: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the sum of each column."""
    return tuple(map(sum, zip(*rows, strict=True)))


@cache
def _pack(measures: tuple[int, ...]) -> int:
    """Return numbers as one, in lanes that can be added up and compared together."""
    return sum(number << _LANE * lane for lane, number in enumerate(measures))


def _complete_deal(ways: Sequence[Sequence[Way]], random: Random) -> list[Way] | None:
    """Return a way for each month with which all hands and the field are full.

    The ways of a month have the same cards in the hands that are not free. Return None if there is
    no such choice, or none was found within `_STEPS` steps.
    """
    count = len(ways)
    order = sorted(range(count), key=lambda month: len(ways[month]))
    months = [
        [
            (way, _pack(way.measures), sum(map(mul, way.measures[:4], way.measures)))
            for way in listed
        ]
        for listed in map(ways.__getitem__, order)
    ]
    #: The least and the largest measures of the months from each position on.
    fewest, most = [0], [(0,) * len(_SUMS)]
    for month in reversed(order):
        least, largest = _find_bounds(ways[month])
        fewest.insert(0, fewest[0] + _pack(least))
        most.insert(0, _add_up((largest, most[0])))
    most_sizes = [_SIZE_GUARDS | _pack(largest[:4]) for largest in most]
    steps_left = _STEPS
    failed: set[tuple[int, ...]] = set()
    chosen: list[Way] = [ways[0][0]] * count

    def search(position: int, left: int) -> bool:
        """Choose the ways from a position on; ``left`` are the `_SUMS`, with `_GUARDS` set."""
        nonlocal steps_left
        numbers = [left >> _LANE * lane & _LANE_MASK for lane in range(4 + len(PLAYERS))]
        if position == count:
            return not any(numbers[:4])
        steps_left -= 1
        if steps_left < 0:
            return False
        key = (position, *numbers[:4], *map(min, numbers[4:], most[position][4:]))
        if key in failed:
            return False
        weights = [-2 * number / (count - position) for number in numbers[:4]]
        weights += [6 / (turn + 1) for turn in numbers[4:]]
        fewest_after, most_after = fewest[position + 1], most_sizes[position + 1]
        choices = []
        for way, packed, square in months[position]:
            after = left - packed
            # A guard is lost where the first number is less than the second.
            is_enough = (after - fewest_after) & _GUARDS == _GUARDS
            if is_enough and (most_after - (after & _SIZES)) & _SIZE_GUARDS == _SIZE_GUARDS:
                # Hands that fill evenly come first, and ways that need few turned cards.
                cost = square + sum(map(mul, weights, way.measures)) + random.random()
                choices.append((cost, way, after))
        choices.sort(key=itemgetter(0))
        for _, way, after in choices:
            chosen[order[position]] = way
            if search(position + 1, after):
                return True
        failed.add(key)
        return False

    is_found = search(0, _GUARDS | _pack(tuple(most for _, most in _SUMS)))
    return chosen if is_found else None
