"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations, islice
from math import log
from operator import gt, itemgetter, or_
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way
from kafu.rules.sheets.dealt_hands import (
    Brights,
    choose_apart,
    find_field_kind,
    shuffle_steps,
)
from kafu.rules.sheets.hand_kinds import HAND, MONTHS, HandKind

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
#: The choices of months with three cards on the field that are tried for such a deal.
_FOURS: Final = 16
#: The cards (masks of four bits) that are some of other cards.
_PARTS: Final = tuple(
    frozenset(part for part in range(16) if part & whole == part) for whole in range(16)
)
#: The most steps of a search for one such deal, and of the search for its other cards.
_STEPS: Final = 400
#: The cards of the limited hands and the bright on the field, those of the idle hands, and the
#: states after them.
_Move = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


class CompletedDeal(NamedTuple):
    """The hands of the three players, the field, and the hands in the pile, as masks."""

    hands: tuple[int, ...]
    field: int
    idle: tuple[int, ...] = ()


def find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Sequence[Way]],
    random: Random,
    idle: Sequence[HandKind] = (),
) -> CompletedDeal | None:
    """Return a deal with one of the ``ways`` in each month; None if none was found.

    ``kinds`` are the hands of the three players, ``idle`` hands that lie in the pile. Nobody turns
    more than seven cards. Common hands are completed like those that may be any, and checked.
    """
    limited = tuple(player for player in PLAYERS if not kinds[player].is_common)
    automata = [*(kinds[player] for player in limited), find_field_kind(brights)]
    common = tuple((player, kinds[player]) for player in PLAYERS if _is_checked(kinds[player]))
    ways_by_masks = [
        _group_ways(tuple(listed), limited, common, month) for month, listed in enumerate(ways)
    ]
    for masks, piles in islice(_deal_limited(automata, idle, ways_by_masks, random), _DEALS):
        alike = [
            _group_alike(
                ways_by_masks[month][masks[month]],
                reduce(or_, piles[month], 0),
                is_all=len(idle) == MOST_HANDS - len(PLAYERS),
            )
            for month in range(len(MONTHS))
        ]
        listed = [[group[0] for group in groups.values()] for groups in alike]
        chosen = None
        for few_lying in islice(_choose_fours(listed, random), _FOURS):
            possible = _drop_impossible(few_lying)
            if all(possible):
                chosen = _complete_deal(possible, random)
                break
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
                return CompletedDeal(tuple(dealt[:FIELD]), dealt[FIELD], idle_hands)
            chosen = [
                random.choice(groups[way.measures])
                for groups, way in zip(alike, chosen, strict=True)
            ]
    return None


def _is_checked(kind: HandKind) -> bool:
    """Return whether a hand is completed like any other and then checked."""
    return kind.is_common and not kind.is_free


def _has_bright(month: int) -> bool:
    """Return whether the first card of a month, from 0 on, is a bright."""
    return bool(cards.BRIGHTS >> 4 * month & 1)


@lru_cache(maxsize=4096)
def _group_ways(
    ways: tuple[Way, ...],
    limited: tuple[int, ...],
    common: tuple[tuple[int, HandKind], ...],
    month: int,
) -> dict[tuple[int, ...], tuple[Way, ...]]:
    """Return ways by the cards of the ``limited`` players and the bright on the field.

    The ``common`` hands have cards that the kind permits.
    """
    groups: dict[tuple[int, ...], list[Way]] = {}
    for way in ways:
        if all(way.masks[player] in kind.dealt[month] for player, kind in common):
            masks = tuple(way.masks[player] for player in limited)
            bright = way.masks[FIELD] & 1 if _has_bright(month) else 0
            groups.setdefault((*masks, bright), []).append(way)
    return {masks: tuple(group) for masks, group in groups.items()}


@lru_cache(maxsize=4096)
def _group_alike(
    ways: tuple[Way, ...], pile: int, *, is_all: bool
) -> dict[tuple[int, ...], list[Way]]:
    """Return the ways with cards (a mask) in the pile, by the numbers of cards in each place.

    ``is_all``: the pile has no other cards.
    """
    groups: dict[tuple[int, ...], list[Way]] = {}
    for way in ways:
        if way.pile == pile or (not is_all and way.pile & pile == pile):
            groups.setdefault(way.measures, []).append(way)
    return groups


def _deal_limited(
    automata: Sequence[HandKind],
    idle: Sequence[HandKind],
    ways: Sequence[Mapping[tuple[int, ...], tuple[Way, ...]]],
    random: Random,
) -> Iterator[tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]]:
    """Yield deals of the limited hands with the brights on the field, and of the ``idle`` hands.

    Both are the cards by month. The search ends after `_STEPS` steps, sooner with idle hands, of
    which a month has many.
    """
    if not all(kind.layers for kind in automata):
        return
    layers: list[Sequence[Mapping[int, Mapping[int, int]]]] = [
        _trim(kind, number, ways) for number, kind in enumerate(automata)
    ]
    layers += [kind.layers for kind in idle]
    counts = [kind.counts for kind in (*automata, *idle)]
    piles = (
        [
            {
                masks: _list_piles(listed, is_all=len(idle) == MOST_HANDS - len(PLAYERS))
                for masks, listed in groups.items()
            }
            for groups in ways
        ]
        if idle
        else []
    )
    failed: set[tuple[int, tuple[int, ...]]] = set()
    chosen: dict[int, tuple[int, ...]] = {}
    in_pile: dict[int, tuple[int, ...]] = {}
    steps_left = _STEPS // (1 + 4 * len(idle))
    limited = len(automata)

    def list_moves(position: int, states: tuple[int, ...]) -> Iterator[_Move]:
        month = MONTHS[position]
        steps = [
            layer[position].get(state, {}) for layer, state in zip(layers, states, strict=True)
        ]
        moves = []
        for masks in ways[month]:
            after = []
            weight = 1.0
            for step, dealt, count in zip(steps, masks, counts, strict=False):
                state = step.get(dealt)
                if state is None:
                    break
                after.append(state)
                weight *= count[position + 1][state]
            else:
                moves.append((-log(1 - random.random()) / weight, masks, tuple(after)))
        moves.sort(key=itemgetter(0))
        shuffled = [
            shuffle_steps(step, count[position + 1], random)
            for step, count in zip(steps[limited:], counts[limited:], strict=True)
        ]
        for _, masks, ends in moves:
            for pairs in choose_apart(shuffled, 0, 0):
                dealt_idle = tuple(dealt for dealt, _ in pairs)
                if not idle or reduce(or_, dealt_idle) in piles[month][masks]:
                    yield masks, dealt_idle, (*ends, *(end for _, end in pairs))

    def search(position: int, states: tuple[int, ...]) -> Iterator[None]:
        nonlocal steps_left
        if position == len(MONTHS):
            yield None
            return
        steps_left -= 1
        if (position, states) in failed:
            return
        month = MONTHS[position]
        is_possible = False
        for masks, dealt_idle, after in list_moves(position, states):
            if steps_left < 0:
                return
            chosen[month], in_pile[month] = masks, dealt_idle
            for _ in search(position + 1, after):
                is_possible = True
                yield None
        if not is_possible:
            failed.add((position, states))

    for _ in search(0, (0,) * len(layers)):
        yield dict(chosen), dict(in_pile)


@lru_cache(maxsize=1 << 16)
def _list_piles(ways: tuple[Way, ...], *, is_all: bool) -> frozenset[int]:
    """Return the cards of a month that can be in hands in the pile, all of it if ``is_all``."""
    piles = {way.pile for way in ways}
    if is_all:
        return frozenset(piles)
    return frozenset().union(*map(_PARTS.__getitem__, piles))


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
