"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import lru_cache, reduce
from itertools import combinations, islice
from operator import gt, itemgetter, or_
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way
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
#: The choices of months with three cards on the field that are tried for such a deal.
_FOURS: Final = 16
#: The cards (masks of four bits) that are some of other cards.
_PARTS: Final = tuple(
    frozenset(part for part in range(16) if part & whole == part) for whole in range(16)
)
#: The most steps of a search for one such deal, and of the search for its other cards.
_STEPS: Final = 400


class MonthWays(NamedTuple):
    """The ways to deal a month, of which the cards of ``limited`` players count.

    ``bright`` is 1 if the first card is a bright, 0 if not.
    """

    ways: tuple[Way, ...]
    limited: tuple[int, ...]
    bright: int

    def read(self, way: Way) -> tuple[int, ...]:
        """Return the cards of the limited players and the bright on the field."""
        masks = way.masks
        return (*[masks[player] for player in self.limited], masks[FIELD] & self.bright)


def find_deal(
    kinds: Sequence[HandKind],
    brights: Brights,
    ways: Sequence[Sequence[Way]],
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
    months = [
        MonthWays(
            _list_permitted(tuple(listed), common, month), limited, cards.BRIGHTS >> 4 * month & 1
        )
        for month, listed in enumerate(ways)
    ]
    for dealt_cards in islice(_deal_limited(automata, idle, months, random), _DEALS):
        masks = {month: dealt[: len(automata)] for month, dealt in dealt_cards.items()}
        piles = {month: dealt[len(automata) :] for month, dealt in dealt_cards.items()}
        alike = [
            _group_alike(
                of_month,
                masks[month],
                reduce(or_, piles[month], 0),
                is_all=len(idle) == MOST_HANDS - len(PLAYERS),
            )
            for month, of_month in enumerate(months)
        ]
        listed = [[group[0] for group in groups.values()] for groups in alike]
        chosen = None
        for few_lying in islice(_choose_fours(listed, random), _FOURS):
            if _may_be_full(few_lying):
                chosen = _complete_deal(few_lying, random)
                if chosen is not None:
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
                return Witness(tuple(dealt[:FIELD]), dealt[FIELD], (), idle_hands)
            chosen = [
                random.choice(groups[way.measures])
                for groups, way in zip(alike, chosen, strict=True)
            ]
    return None


def _is_checked(kind: HandKind) -> bool:
    """Return whether a hand is completed like any other and then checked."""
    return kind.is_common and not kind.is_free


@lru_cache(maxsize=4096)
def _list_permitted(
    ways: tuple[Way, ...], common: tuple[tuple[int, HandKind], ...], month: int
) -> tuple[Way, ...]:
    """Return the ways in which the ``common`` hands have cards that their kind permits."""
    for player, kind in common:
        ways = tuple(way for way in ways if way.masks[player] in kind.dealt[month])
    return ways


@lru_cache(maxsize=4096)
def _list_prefixes(of_month: MonthWays) -> Set[tuple[int, ...]]:
    """Return the beginnings of the cards of the limited players and the bright on the field."""
    read = set(map(of_month.read, of_month.ways))
    return {masks[:count] for masks in read for count in range(1, len(of_month.limited) + 2)}


@lru_cache(maxsize=4096)
def _list_dealt(of_month: MonthWays, number: int) -> Set[int]:
    """Return the possible cards of a limited player, or bright on the field, by its number."""
    return {masks[number] for masks in _list_prefixes(of_month) if len(masks) > number}


@lru_cache(maxsize=1024)
def _group_alike(
    of_month: MonthWays, masks: tuple[int, ...], pile: int, *, is_all: bool
) -> dict[tuple[int, ...], list[Way]]:
    """Return the ways with these cards of the limited players and ``pile`` (a mask) in the pile.

    The ways are in groups by the numbers of cards in each place. ``is_all``: the pile has no other
    cards.
    """
    groups: dict[tuple[int, ...], list[Way]] = {}
    for way in of_month.ways:
        is_in_pile = way.pile == pile or (not is_all and way.pile & pile == pile)
        if is_in_pile and of_month.read(way) == masks:
            groups.setdefault(way.measures, []).append(way)
    return groups


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
    piles = [_list_piles(of_month, is_all=is_all) for of_month in months] if idle else []
    prefixes = [_list_prefixes(of_month) for of_month in months]

    def choose(month: int, steps: Sequence[Sequence[HandStep]]) -> Iterator[tuple[HandStep, ...]]:
        for limited in _choose_masks(steps[: len(automata)], prefixes[month]):
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


@lru_cache(maxsize=256)
def _list_piles(of_month: MonthWays, *, is_all: bool) -> Mapping[tuple[int, ...], Set[int]]:
    """Return the cards of a month that can be in hands in the pile, all of it if ``is_all``.

    They are grouped by the cards of the limited players and the bright on the field.
    """
    piles: dict[tuple[int, ...], set[int]] = {}
    for way in of_month.ways:
        piles.setdefault(of_month.read(way), set()).add(way.pile)
    if is_all:
        return piles
    return {masks: set().union(*map(_PARTS.__getitem__, whole)) for masks, whole in piles.items()}


def _trim(kind: HandKind, number: int, months: Sequence[MonthWays]) -> Layers:
    """Return the transitions by which a hand can be completed with cards of the ways."""
    trimmed: list[dict[int, dict[int, int]]] = []
    states: Collection[int] | None = None
    for month, layer in zip(reversed(MONTHS), reversed(kind.layers), strict=True):
        possible = _list_dealt(months[month], number)
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


def _may_be_full(ways: Sequence[Sequence[Way]]) -> bool:
    """Return whether some ways, with each of the `_SUMS` in its limits, may be chosen."""
    if not all(ways):
        return False
    for number, (least, most) in enumerate(_SUMS):
        values = [[way.measures[number] for way in listed] for listed in ways]
        if sum(map(min, values)) > most or sum(map(max, values)) < least:
            return False
    return True


def _choose_fours(
    ways: Sequence[Sequence[Way]], random: Random
) -> Iterator[Sequence[Sequence[Way]]]:
    """Yield the ways with none, one or two of the months that have three cards on the field.

    Only where the captures need too many cards of a player are such months tried.
    """
    others = [[way for way in listed if way.masks[FIELD].bit_count() < 3] for listed in ways]
    fours = [[way for way in listed if way.masks[FIELD].bit_count() >= 3] for listed in ways]
    yield others
    if _may_be_full(others):
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
