"""The turns of a winner of こいこい, and the demand of a month on them (K8–K10, S5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kafu.rules.koikoi.machine import HAND, gives_right
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.yaku import Made, YakuTable, grown, made, total

#: The captures of a turn: with the hand card, and with the turned card (masks, 0 for none).
Turn = tuple[int, int]


class Demand(NamedTuple):
    """The demand of a month on the winner's cards.

    - ``yaku``: the winner's captured yaku with their values, of the month's ``table``.
    - ``calls``: the possible numbers of the winner's calls. ``opponent_calls``: the number of the
      opponent's.
    - ``floor``: the least total that gives the right to declare (K9).
    - ``is_stopped``: the winner stopped; otherwise the hands ran out (K19).
    - ``is_whole``: the winner has no further yaku.
    """

    house: Profile
    table: YakuTable
    yaku: frozenset[tuple[str, int]]
    calls: frozenset[int]
    opponent_calls: int = 0
    floor: int = 0
    is_stopped: bool = True
    is_whole: bool = True


def arrange_turns(demand: Demand, captures: Sequence[int]) -> tuple[Turn, ...] | None:
    """Return turns with the captures in this order that meet the demand, None if there are none.

    Each turn that gives the right before the last one has a call.
    """
    house, table, count = demand.house, demand.table, len(captures)
    held = [0]
    for capture in captures:
        held.append(held[-1] | capture)

    @cache
    def find_yaku(end: int, called: bool) -> tuple[Made, ...]:
        return made(table, held[end], rained=house.rains(held[end]), called=called)

    @cache
    def has_right(start: int, end: int, called: bool) -> bool:
        old, new = find_yaku(start, called), find_yaku(end, called)
        turned = captures[start + 1] if end - start == 2 else 0
        return total(new) >= demand.floor and any(
            gives_right(house, table.find(yaku.id), yaku, held[end], captures[start], turned)
            for yaku in new
            if grown(yaku, old)
        )

    most = max(demand.calls)
    sizes = (1, 2) if min(demand.calls) else (2, 1)

    @cache
    def divide(start: int, left: int, calls: int) -> tuple[Turn, ...] | None:
        if start == count:
            return () if calls in demand.calls and not demand.is_stopped else None
        if count - start > 2 * left:
            return None
        for end in (start + size for size in sizes if start + size <= count):
            right = has_right(start, end, calls > 0)
            turn = captures[start], captures[start + 1] if end - start == 2 else 0
            if demand.is_stopped and end == count:
                if right and calls in demand.calls:
                    return (turn,)
            elif calls + right <= most:
                rest = divide(end, left - 1, calls + right)
                if rest is not None:
                    return (turn, *rest)
        return None

    return divide(0, HAND, 0)
