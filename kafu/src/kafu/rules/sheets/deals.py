"""The search for a deal: hands of given kinds and a field, with or without given captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from functools import cached_property, lru_cache
from itertools import islice
from operator import add, ge, itemgetter, le, mul, sub
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.sheets.capture_ways import FIELD, PLAYERS, Way, Ways
from kafu.rules.sheets.dealt_hands import Brights, HandSearch, find_field_kind
from kafu.rules.sheets.hand_kinds import HAND, MONTHS, HandKind, Layers
from kafu.rules.sheets.witness import FIELD_SIZE, TURNS, Witness

#: The hands that are, with the field, the whole pack.
MOST_HANDS: Final = 6
#: The deals of limited hands that are completed for the same captures.
_DEALS: Final = 4
#: The choices of like cards that are tried for hands of common kinds.
_CHANGES: Final = 8
#: The sums of `Way.measures` in a deal: those of the first places are exact, the others the most.
_SUMS: Final = (*(HAND,) * 3, FIELD_SIZE, *(TURNS,) * 3, *(HAND + TURNS,) * 3)
_PLACES: Final = 4
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


_find_month_ways = lru_cache(maxsize=1024)(MonthWays)


@lru_cache(maxsize=16384)
def _group_alike(of_month: MonthWays, held: tuple[int, ...], pile: int, *, is_all: bool) -> Groups:
    """Return the groups of ways with these cards, and with ``pile`` (a mask) in the pile.

    ``is_all``: the pile has no other cards.
    """
    permitted = {
        measures: [
            way for way in ways if way.pile & pile == pile and (way.pile == pile or not is_all)
        ]
        for measures, ways in of_month.by_cards.get(held, {}).items()
    }
    return {measures: ways for measures, ways in permitted.items() if ways}


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
    common = tuple(
        (player, kinds[player])
        for player in PLAYERS
        if player not in limited and not kinds[player].is_free
    )
    months = [_find_month_ways(listed, limited, common, month) for month, listed in enumerate(ways)]
    for dealt_cards in islice(_deal_limited(automata, idle, months, random), _DEALS):
        masks = {month: dealt[: len(automata)] for month, dealt in dealt_cards.items()}
        piles = {month: dealt[len(automata) :] for month, dealt in dealt_cards.items()}
        alike = [
            _group_alike(
                *(of_month, masks[month], sum(piles[month])),
                is_all=len(idle) == MOST_HANDS - len(PLAYERS),
            )
            for month, of_month in enumerate(months)
        ]
        chosen = _complete_deal([[way for way, *_ in groups.values()] for groups in alike], random)
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
            chosen = [random.choice(alike[i][way.measures]) for i, way in enumerate(chosen)]
    return None


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
    count, is_all = len(automata), len(idle) == MOST_HANDS - len(PLAYERS)

    def permits(month: int, dealt: Sequence[int]) -> bool:
        if len(dealt) <= count:
            return dealt in months[month].prefixes
        pile = sum(dealt[count:])
        is_whole = is_all and len(dealt) == len(kinds)
        return bool(_group_alike(months[month], dealt[:count], pile, is_all=is_whole))

    kinds = [*automata, *idle]
    layers = [
        *(_trim(kind, number, months) for number, kind in enumerate(automata)),
        *(kind.layers for kind in idle),
    ]
    search = HandSearch(kinds, layers, permits, random)
    yield from search.run(_STEPS // (1 + 4 * len(idle)))


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


def _complete_deal(ways: Sequence[Sequence[Way]], random: Random) -> list[Way] | None:
    """Return a way for each month with which all hands and the field are full.

    The ways of a month have the same cards in the hands that are not free. Return None if there is
    no such choice, or none was found within `_STEPS` steps.
    """
    count = len(ways)
    order = sorted(range(count), key=lambda month: len(ways[month]))
    #: The least and the largest measures of the months from each position on.
    fewest, most = [(0,) * len(_SUMS)], [(0,) * len(_SUMS)]
    for month in reversed(order):
        columns = list(zip(*(way.measures for way in ways[month]), strict=True))
        fewest.insert(0, tuple(map(add, fewest[0], map(min, columns))))
        most.insert(0, tuple(map(add, most[0], map(max, columns))))
    steps_left = _STEPS
    failed: set[tuple[int, ...]] = set()
    chosen: list[Way] = [ways[0][0]] * count

    def search(position: int, left: tuple[int, ...]) -> bool:
        """Choose the ways from a position on; ``left`` are the `_SUMS` without earlier ways."""
        nonlocal steps_left
        if position == count:
            return not any(left[:_PLACES])
        steps_left -= 1
        key = (position, *left[:_PLACES], *map(min, left[_PLACES:], most[position][_PLACES:]))
        if steps_left < 0 or key in failed:
            return False
        weights = [-2 * number / (count - position) for number in left[:_PLACES]]
        weights += [6 / (turn + 1) for turn in left[_PLACES : _PLACES + len(PLAYERS)]]
        choices = []
        for way in ways[order[position]]:
            sizes = way.measures[:_PLACES]
            after = tuple(map(sub, left, way.measures))
            if all(map(le, fewest[position + 1], after)) and all(
                map(ge, most[position + 1][:_PLACES], after)
            ):
                # Hands that fill evenly come first, and ways that need few turned cards.
                cost = sum(map(mul, sizes, sizes)) + sum(map(mul, weights, way.measures))
                choices.append((cost + random.random(), way, after))
        choices.sort(key=itemgetter(0))
        for _, way, after in choices:
            chosen[order[position]] = way
            if search(position + 1, after):
                return True
        failed.add(key)
        return False

    return chosen if search(0, _SUMS) else None
