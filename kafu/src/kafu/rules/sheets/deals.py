"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice, product
from operator import gt, itemgetter
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.grades import ABSOLUTE, LARGE
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way
from kafu.rules.sheets.hand_kinds import HAND, MONTHS, HandKind

FIELD_SIZE: Final = 6
#: The number of cards of the draw pile that each player turns.
TURNS: Final = 7
#: The deals of limited hands that are completed for the same captures.
_DEALS: Final = 4
#: The least and the largest sum of each of `Way.measures` in a deal.
_SUMS: Final = (
    *((HAND, HAND),) * 3,
    (FIELD_SIZE, FIELD_SIZE),
    *((0, TURNS),) * 3,
    *((0, HAND + TURNS),) * 3,
)
#: The choices of months with three cards on the field that are tried for such a deal.
_FOURS: Final = 16
#: The most steps of a search for one such deal, and of the search for its other cards.
_STEPS: Final = 400
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
def can_deal(hands: tuple[HandKind, ...], brights: Brights) -> bool:
    """Return whether hands of these kinds can lie beside a field with these brights."""
    kinds = (*hands, find_field_kind(brights))
    if not all(kind.layers for kind in kinds):
        return False
    failed: set[tuple[int, tuple[int, ...]]] = set()

    def search(position: int, states: tuple[int, ...]) -> bool:
        if position == len(MONTHS):
            return True
        if (position, states) in failed:
            return False
        # Most cards first: hands that are full early leave the search few ways to fail.
        steps = [
            sorted(kind.layers[position][state].items(), key=lambda step: -step[0].bit_count())
            for kind, state in zip(kinds, states, strict=True)
        ]
        tried: set[tuple[int, ...]] = set()
        for after in _choose_apart(steps, 0, 0):
            if after not in tried:
                tried.add(after)
                if search(position + 1, after):
                    return True
        failed.add((position, states))
        return False

    return search(0, (0,) * len(kinds))


def _choose_apart(
    steps: Sequence[Sequence[tuple[int, int]]], number: int, used: int
) -> Iterator[tuple[int, ...]]:
    """Yield the next states of all hands for choices of cards that no two hands share."""
    if number == len(steps):
        yield ()
        return
    for dealt, after in steps[number]:
        if not dealt & used:
            for rest in _choose_apart(steps, number + 1, used | dealt):
                yield (after, *rest)


class CompletedDeal(NamedTuple):
    """The hands of the three players and the field, as masks."""

    hands: tuple[int, ...]
    field: int


def find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Sequence[Way]],
    random: Random,
) -> CompletedDeal | None:
    """Return a deal with one of the ``ways`` in each month; None if none was found.

    ``kinds`` are the hands of the three players. Nobody turns more than seven cards.
    """
    limited = tuple(player for player in PLAYERS if not kinds[player].is_free)
    automata = [*(kinds[player] for player in limited)]
    automata.append(find_field_kind(brights))
    ways_by_masks = [
        _group_ways(tuple(listed), limited, _has_bright(month)) for month, listed in enumerate(ways)
    ]
    for masks in islice(_deal_limited(automata, ways_by_masks, random), _DEALS):
        listed = [ways_by_masks[month][masks[month]] for month in range(len(MONTHS))]
        chosen = None
        for few_lying in islice(_choose_fours(listed, random), _FOURS):
            possible = _drop_impossible(few_lying)
            if all(possible):
                chosen = _complete_deal(possible, random)
                break
        if chosen is not None:
            dealt = [
                sum(way.masks[place] << 4 * month for month, way in enumerate(chosen))
                for place in (*PLAYERS, FIELD)
            ]
            return CompletedDeal(tuple(dealt[:FIELD]), dealt[FIELD])
    return None


def _has_bright(month: int) -> bool:
    """Return whether the first card of a month, from 0 on, is a bright."""
    return bool(cards.BRIGHTS >> 4 * month & 1)


@lru_cache(maxsize=512)
def _group_ways(
    ways: tuple[Way, ...], limited: tuple[int, ...], has_bright: bool
) -> dict[tuple[int, ...], tuple[Way, ...]]:
    """Return ways by the cards of the ``limited`` players and the bright on the field.

    Of ways that differ in the cards of the same numbers only, one is returned.
    """
    groups: dict[tuple[int, ...], dict[object, Way]] = {}
    for way in ways:
        masks = tuple(way.masks[player] for player in limited)
        bright = way.masks[FIELD] & 1 if has_bright else 0
        sizes = tuple(dealt.bit_count() for dealt in way.masks)
        groups.setdefault((*masks, bright), {})[sizes, way.turned] = way
    return {masks: tuple(group.values()) for masks, group in groups.items()}


def _deal_limited(
    automata: Sequence[HandKind],
    ways: Sequence[Mapping[tuple[int, ...], Sequence[Way]]],
    random: Random,
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Yield deals of the limited hands and of the brights on the field: their cards by month.

    The search ends after `_STEPS` steps.
    """
    if not all(kind.layers for kind in automata):
        return
    layers = [_trim(kind, number, ways) for number, kind in enumerate(automata)]
    failed: set[tuple[int, tuple[int, ...]]] = set()
    chosen: dict[int, tuple[int, ...]] = {}
    steps_left = _STEPS

    def search(position: int, states: tuple[int, ...]) -> Iterator[dict[int, tuple[int, ...]]]:
        nonlocal steps_left
        if position == len(MONTHS):
            yield dict(chosen)
            return
        steps_left -= 1
        if steps_left < 0 or (position, states) in failed:
            return
        month = MONTHS[position]
        steps = [
            layer[position].get(state, {}) for layer, state in zip(layers, states, strict=True)
        ]
        is_possible = False
        listed = list(ways[month])
        random.shuffle(listed)
        for masks in listed:
            after = []
            for step, dealt in zip(steps, masks, strict=True):
                state = step.get(dealt)
                if state is None:
                    break
                after.append(state)
            else:
                chosen[month] = masks
                for deal in search(position + 1, tuple(after)):
                    is_possible = True
                    yield deal
        if not is_possible:
            failed.add((position, states))

    yield from search(0, (0,) * len(automata))


def _trim(
    kind: HandKind, number: int, ways: Sequence[Mapping[tuple[int, ...], Sequence[Way]]]
) -> list[dict[int, dict[int, int]]]:
    """Return the transitions by which a hand can be completed with cards of the ways."""
    trimmed: list[dict[int, dict[int, int]]] = []
    states: Collection[int] | None = None
    for month, layer in zip(reversed(MONTHS), reversed(kind.layers), strict=True):
        possible = {masks[number] for masks in ways[month]}
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
    return trimmed[::-1]


def _choose_fours(
    ways: Sequence[Sequence[Way]], random: Random
) -> Iterator[Sequence[Sequence[Way]]]:
    """Yield the ways with none, one or two of the months that have three cards on the field.

    Only where the captures need too many cards of a player are such months tried.
    """
    others = [[way for way in listed if way.masks[FIELD].bit_count() < 3] for listed in ways]
    fours = [[way for way in listed if way.masks[FIELD].bit_count() >= 3] for listed in ways]
    yield others
    if all(others) and all(
        sum(min(way.measures[number] for way in listed) for listed in others) <= most
        for number, (_, most) in enumerate(_SUMS)
    ):
        return
    months = [month for month, listed in enumerate(fours) if listed]
    random.shuffle(months)
    for count in (1, 2):
        for chosen in combinations(months, count):
            yield [
                fours[month] if month in chosen else listed for month, listed in enumerate(others)
            ]


def _complete_deal(ways: Sequence[Sequence[Way]], random: Random) -> list[Way] | None:
    """Return a way for each month with which all hands and the field are full.

    The ways of a month have the same cards in the hands that are not free. Return None if there is
    no such choice, or none was found within `_STEPS` steps.
    """
    count = len(ways)
    sizes = [[[dealt.bit_count() for dealt in way.masks] for way in listed] for listed in ways]
    order = sorted(range(count), key=lambda month: len(ways[month]))
    most = [[0] * 4 for _ in range(count + 1)]
    fewest_turned = [[0] * 3 for _ in range(count + 1)]
    most_turned = [[0] * 3 for _ in range(count + 1)]
    #: The fewest cards of a player in the hand, and turned for captures, taken together.
    fewest_used = [[0] * 3 for _ in range(count + 1)]
    steps_left = _STEPS
    for position in reversed(range(count)):
        month = order[position]
        for place in range(4):
            most[position][place] = most[position + 1][place] + max(
                size[place] for size in sizes[month]
            )
        for player in PLAYERS:
            turned = [way.turned[player] for way in ways[month]]
            fewest_turned[position][player] = fewest_turned[position + 1][player] + min(turned)
            most_turned[position][player] = most_turned[position + 1][player] + max(turned)
            used = [size[player] + turn for size, turn in zip(sizes[month], turned, strict=True)]
            fewest_used[position][player] = fewest_used[position + 1][player] + min(used)
    failed: set[tuple[int, ...]] = set()
    chosen: list[Way] = [ways[0][0]] * count

    def search(position: int, left: Sequence[int], turns: Sequence[int]) -> bool:
        nonlocal steps_left
        if position == count:
            return not any(left)
        steps_left -= 1
        if steps_left < 0:
            return False
        key = (position, *left, *map(min, turns, most_turned[position]))
        if key in failed:
            return False
        month = order[position]
        quota = [number / (count - position) for number in left]
        choices = []
        for way, used in zip(ways[month], sizes[month], strict=True):
            after = [number - size for number, size in zip(left, used, strict=True)]
            turns_after = [turn - turned for turn, turned in zip(turns, way.turned, strict=True)]
            if (
                min(after) < 0
                or any(map(gt, after, most[position + 1]))
                or any(map(gt, fewest_turned[position + 1], turns_after))
                or any(
                    fewest > number + turn
                    for fewest, number, turn in zip(
                        fewest_used[position + 1], after, turns_after, strict=False
                    )
                )
            ):
                continue
            cost = random.random()
            for size, due in zip(used, quota, strict=True):
                cost += (size - due) * (size - due)
            for turned, turn in zip(way.turned, turns, strict=True):
                cost += turned * 6 / (turn + 1)
            choices.append((cost, way, after, turns_after))
        choices.sort(key=itemgetter(0))
        for _, way, after, turns_after in choices:
            chosen[month] = way
            if search(position + 1, after, turns_after):
                return True
        failed.add(key)
        return False

    is_found = search(0, (HAND, HAND, HAND, FIELD_SIZE), (TURNS,) * 3)
    return chosen if is_found else None


def _drop_impossible(ways: Sequence[Sequence[Way]]) -> list[list[Way]]:
    """Return the ways without those for which the other months leave too many or too few cards.

    The result has a month without ways if there is no deal.
    """
    left = [list(listed) for listed in ways]
    is_changed = True
    while is_changed and all(left):
        is_changed = False
        for number, (least, most) in enumerate(_SUMS):
            values = [[way.measures[number] for way in listed] for listed in left]
            spare_above = most - sum(map(min, values))
            spare_below = sum(map(max, values)) - least
            for month, numbers in enumerate(values):
                lowest, highest = min(numbers), max(numbers)
                if highest - lowest <= min(spare_above, spare_below):
                    continue
                is_changed = True
                left[month] = [
                    way
                    for way, value in zip(left[month], numbers, strict=True)
                    if value - lowest <= spare_above and highest - value <= spare_below
                ]
                if not left[month]:
                    return left
            if is_changed:
                break
    return left
