"""The turns of a winner of こいこい, and the demand of a month on them (K8–K10, S5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.koikoi.machine import HAND, gives_right
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.yaku import CapturedYaku, Made, YakuTable, grown, made, total

#: The captures of a turn: with the hand card, and with the turned card (masks, 0 for none).
Turn = tuple[int, int]
#: The most turns that are tried for the same captures.
_STEPS: Final = 10_000


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

    @property
    def is_called(self) -> bool:
        """Whether the winner called."""
        return min(self.calls) > 0

    def find_worth(self, row: CapturedYaku) -> int:
        """Return the value of a yaku without further cards."""
        called = row.called_value if self.is_called else None
        return row.value if called is None else called


def arrange_turns(
    demand: Demand, early: Sequence[int], late: Sequence[int]
) -> tuple[Turn, ...] | None:
    """Return turns with these captures that meet the demand, None if none were found.

    The ``early`` captures come first, in this order. Each turn that gives the right before the last
    one has a call. All orders of the ``late`` captures are tried, unless that takes too long.
    """
    house, table = demand.house, demand.table
    kinds = [_list_effects(demand, capture) for capture in late]
    failed: set[tuple[int, ...]] = set()
    steps_left = _STEPS

    @cache
    def find_yaku(held: int, called: bool) -> tuple[Made, ...]:
        return made(table, held, rained=house.rains(held), called=called)

    def has_right(before: int, turn: Turn, calls: int) -> bool:
        held = before | sum(turn)
        new = find_yaku(held, calls > 0)
        return total(new) >= demand.floor and any(
            gives_right(house, table.find(yaku.id), yaku, held, *turn)
            for yaku in new
            if grown(yaku, find_yaku(before, calls > 0))
        )

    def list_next(count: int, left: int) -> Iterator[tuple[int, int, int]]:
        """Yield a next capture with the early and late ones that are left; like ones once."""
        if count < len(early):
            yield early[count], count + 1, left
            return
        seen = set()
        for number, capture in enumerate(late):
            if left >> number & 1 and kinds[number] not in seen:
                seen.add(kinds[number])
                yield capture, count, left & ~(1 << number)

    def divide(held: int, count: int, left: int, turns: int, calls: int) -> tuple[Turn, ...] | None:
        nonlocal steps_left
        captures = len(early) - count + left.bit_count()
        if not captures:
            return () if calls in demand.calls and not demand.is_stopped else None
        key = (count, left, turns, calls)
        reach = calls + min(turns, captures) - demand.is_stopped
        if captures > 2 * turns or reach < min(demand.calls) or key in failed:
            return None
        for played, first, others in list_next(count, left):
            after = [(0, first, others), *list_next(first, others)]
            for turned, second, rest in after if demand.is_called else after[::-1]:
                steps_left -= 1
                if steps_left < 0:
                    return None
                turn = played, turned
                right = has_right(held, turn, calls)
                if demand.is_stopped and second == len(early) and not rest:
                    if right and calls in demand.calls:
                        return (turn,)
                elif calls + right <= max(demand.calls):
                    more = divide(held | sum(turn), second, rest, turns - 1, calls + right)
                    if more is not None:
                        return (turn, *more)
        failed.add(key)
        return None

    return divide(0, 0, (1 << len(late)) - 1, HAND, 0)


def _list_effects(demand: Demand, capture: int) -> tuple[int, ...]:
    """Return numbers that are equal for captures with the same effect on all yaku."""
    weather = (demand.house.voiding, cards.CRANE)
    effects = [int(capture & mask > 0) for mask in weather]
    for row in demand.table:
        masks = row.cards, row.counted, row.must, row.bare
        effects += [(capture & mask).bit_count() for mask in masks]
    return tuple(effects)
