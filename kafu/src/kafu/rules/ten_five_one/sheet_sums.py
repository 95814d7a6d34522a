"""The months that a sum on a score sheet of the 10/5/1 game can stand for (S2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import Final

from kafu import cards
from kafu.rules.sheets.capture_rules import (
    MOST_CARDS,
    CaptureRules,
    Counter,
    WholeSet,
    weigh_points,
)
from kafu.rules.sheets.captures import Captures
from kafu.rules.ten_five_one.machine import PAR, TenFiveOne, points
from kafu.rules.ten_five_one.payments import BIKI, NASAKE, SANBON, TOBIKOMI
from kafu.rules.ten_five_one.sheet_cards import (
    BIKI_PLACE,
    DONI_PLACE,
    PaidMonth,
    PaidPlayer,
)
from kafu.rules.yaku import YakuTable

_WEIGHTS: Final = weigh_points(points)
#: The most points that a player can capture.
_MOST: Final = sum(sorted(_WEIGHTS)[-MOST_CARDS:])
#: Months whose players differ by more points are tried later, because many of them have no cards.
_PLAUSIBLE: Final = 130


def list_months(
    scores: Sequence[int], machine: TenFiveOne, *, is_forced: bool
) -> Iterator[PaidMonth]:
    """Yield the months with these scores by place in play order.

    Months are missing if captures alone, of any hands, do not give the points and yaku.
    """
    choices = [_list_payments(machine, number, is_forced=is_forced) for number in range(3)]
    months = []
    for values in product(*choices):
        captured = [
            score + par - 3 * value + sum(values)
            for score, par, value in zip(scores, PAR, values, strict=True)
        ]
        if min(captured) >= 0 and max(captured) <= _MOST:
            spread = max(_PLAUSIBLE, max(captured) - min(captured))
            months.append((spread, sum(values), values, captured))
    for _, _, values, captured in sorted(months):
        for players in product(*(paid[value] for paid, value in zip(choices, values, strict=True))):
            captures = _find_captures(
                tuple(player.captured for player in players), machine.captured_yaku
            )
            if captures and captures.reaches(captured[:2]):
                pairs = zip(players, captured, strict=True)
                yield PaidMonth(tuple(player._replace(points=number) for player, number in pairs))


def _list_payments(
    machine: TenFiveOne, number: int, *, is_forced: bool
) -> dict[int, list[PaidPlayer]]:
    """Return the possible payments to a player by what each of the others pays."""
    doni = number == DONI_PLACE
    house = machine.house
    hands = [(0, PaidPlayer())]
    for row in house.count_rows(doni=doni):
        if row.id == "shiso" and machine.shiso_ends:
            continue
        hands.append((row.value, PaidPlayer(frozenset({row.id}))))
        if row.id == SANBON and machine.tobikomi:
            hands.append((row.value + TOBIKOMI, PaidPlayer(frozenset({row.id}), dives=True)))
    if house.may_show_nasake(doni=doni, chosen=is_forced):
        hands += [
            (value + NASAKE, hand._replace(dealt=hand.dealt | {"nasake"})) for value, hand in hands
        ]
    table = machine.table_of(biki=number == BIKI_PLACE)
    payments: dict[int, list[PaidPlayer]] = {}
    for count in range(3):
        for rows in combinations(table, count):
            if any(row.cards & other.cards for row, other in combinations(rows, 2)):
                continue
            captured = frozenset(row.id for row in rows)
            for value, hand in hands:
                total = value + sum(row.value for row in rows)
                payments.setdefault(total, []).append(hand._replace(captured=captured))
    return payments


@lru_cache(maxsize=64)
def _find_captures(captured: tuple[frozenset[str], ...], table: YakuTable) -> Captures | None:
    """Return the captures of a month by the points of the first two players.

    The players have just these captured yaku. Return None if two of them need the same card.
    """
    owners = tuple(reduce(or_, (table.find(id).cards for id in ids), 0) for ids in captured)
    if any(mask & other for mask, other in combinations(owners, 2)):
        return None
    sets = []
    for row in table:
        replacing = {row.id, *(other.id for other in table if row.id in other.over)}
        allowed = {
            number
            for number, ids in enumerate(captured)
            if replacing & ids or (row.id in BIKI and number != BIKI_PLACE)
        }
        sets.append(WholeSet(row.cards, frozenset(allowed)))
    counters = [Counter(number, _WEIGHTS, 0, points(cards.ALL)) for number in range(2)]
    return Captures(CaptureRules(True, owners), counters, sets)
