"""The turns of a winner of こいこい, and the demand of a month on them (K8–K10, S5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.koikoi.machine import HAND, gives_right
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.yaku import CapturedYaku, Made, YakuTable, grown, made, total

#: The states without a solution after which the search of the orders of captures is given up.
_STATES: Final = 5_000


class Demand(NamedTuple):
    """The demand of a month on the winner's cards.

    - ``yaku``: the winner's captured yaku with their values, of the month's ``table``.
    - ``calls``: the possible numbers of the winner's calls. ``opponent_calls``: the number of the
      opponent's.
    - ``floor``: the least total that gives the right to declare (K9).
    - ``is_stopped``: the winner stopped; otherwise the hands ran out (K19).
    - ``is_whole``: the winner has no further yaku.
    - ``turns`` and ``opponent_turns``: the most turns of the winner, and of the opponent.
    """

    house: Profile
    table: YakuTable
    yaku: frozenset[tuple[str, int]]
    calls: frozenset[int]
    opponent_calls: int = 0
    floor: int = 0
    is_stopped: bool = True
    is_whole: bool = True
    turns: int = HAND
    opponent_turns: int = HAND

    @property
    def is_called(self) -> bool:
        """Whether the winner called."""
        return min(self.calls) > 0

    def find_worth(self, row: CapturedYaku) -> int:
        """Return the value of a yaku without further cards."""
        called = row.called_value if self.is_called else None
        return row.value if called is None else called


def can_arrange(demand: Demand, captures: Sequence[int]) -> bool:
    """Return whether turns with these captures, in some order, meet the demand.

    The result is False too if that takes too long, so that it is no proof.
    """
    order = _Order(demand, captures, _STATES)
    if len(demand.calls) == HAND + (not demand.is_stopped):
        return not demand.is_stopped or order.can_end()
    return any(
        order.can_give(calls + demand.is_stopped, demand.turns) for calls in sorted(demand.calls)
    )


def count_rights(demand: Demand, held: int) -> int:
    """Return the most turns that give the right by these cards alone, at any total."""
    order = _Order(demand._replace(floor=0, is_stopped=False), [*cards.bits(held)])
    turns = held.bit_count()
    return max(
        (rights for rights in range(1, turns + 1) if order.can_give(rights, turns)), default=0
    )


#: The numbers of captures of each kind.
Counts = tuple[int, ...]


class _Order:
    """The orders of captures, searched from the last turn to the first.

    Captures that matter to no yaku are left out, because all captures fit into the turns. Captures
    with the same effect on all yaku are of one kind.
    """

    def __init__(self, demand: Demand, captures: Sequence[int], most_states: float = inf) -> None:
        self.demand, self.house, self.most_states = demand, demand.house, most_states
        held = sum(captures)
        #: The yaku that the cards make, or made before rain or a better yaku.
        self.table = YakuTable(
            row
            for row in demand.table
            if not row.must & ~held and (row.cards & held).bit_count() >= row.need
        )
        masks = [
            mask for row in self.table for mask in (row.cards, row.counted, row.must, row.bare)
        ]
        if any(row.sake for row in self.table):
            masks += [self.house.voiding, cards.CRANE]
        kinds: dict[tuple[int, ...], list[int]] = {}
        for capture in captures:
            effects = tuple((capture & mask).bit_count() for mask in masks)
            if any(effects):
                kinds.setdefault(effects, []).append(capture)
        self.kinds = list(kinds.values())
        self.all = tuple(map(len, self.kinds))
        self.find_yaku = cache(self._find_yaku)
        self.failed: set[tuple[Counts, int, int]] = set()

    def can_end(self) -> bool:
        """Return whether a last turn gives the right."""
        held, called = self._join(self.all), self.demand.is_called
        return any(
            self._has_right(held, played, turned, called=called)
            for played, turned, _ in self._list_turns(self.all)
        )

    def can_give(self, rights: int, turns: int) -> bool:
        """Return whether this number of turns gives the right, the last one if a stop needs it."""
        return self._can_give(self.all, turns, rights, ends=self.demand.is_stopped)

    def _can_give(self, left: Counts, turns: int, rights: int, *, ends: bool = False) -> bool:
        captures, held = sum(left), self._join(left)
        if captures > 2 * turns or rights > min(turns, captures):
            return False
        if not rights:
            return self._is_quiet(held)
        if rights > self._count_raises(held) or (left, turns, rights) in self.failed:
            return False
        if len(self.failed) >= self.most_states:
            return False
        for played, turned, before in self._list_turns(left):
            if (
                self._has_right(held, played, turned, called=rights > 1)
                and self._can_give(before, turns - 1, rights - 1)
            ) or (
                not ends
                and not self._has_right(held, played, turned, called=True)
                and self._can_give(before, turns - 1, rights)
            ):
                return True
        self.failed.add((left, turns, rights))
        return False

    def _list_turns(self, left: Counts) -> Iterator[tuple[int, int, Counts]]:
        """Yield the captures of a turn, with the numbers of captures before it."""
        for place, group in enumerate(self.kinds):
            if left[place]:
                played, before = group[left[place] - 1], _take(left, place)
                yield played, 0, before
                for place_, group_ in enumerate(self.kinds):
                    if before[place_]:
                        yield played, group_[before[place_] - 1], _take(before, place_)

    def _join(self, left: Counts) -> int:
        """Return the cards of captures."""
        return sum(sum(group[:count]) for group, count in zip(self.kinds, left, strict=True))

    def _find_yaku(self, held: int, called: bool) -> tuple[Made, ...]:
        return made(self.table, held, rained=self.house.rains(held), called=called)

    def _has_right(self, held: int, played: int, turned: int, *, called: bool) -> bool:
        """Return whether a turn, after which cards are ``held``, gives the right to declare."""
        new, old = self.find_yaku(held, called), self.find_yaku(held & ~(played | turned), called)
        return total(new) >= self.demand.floor and any(
            gives_right(self.house, self.table.find(yaku.id), yaku, held, played, turned)
            for yaku in new
            if grown(yaku, old)
        )

    def _is_quiet(self, held: int) -> bool:
        """Return whether in some order no turn gives the right; rain comes first in it."""
        yaku = made(self.table, held, rained=bool(held & self.house.voiding), called=False)
        rows = [(self.table.find(item.id), item.held) for item in yaku]
        is_bare = all(row.bare & held and count == row.need for row, count in rows)
        return is_bare or total(yaku) < self.demand.floor

    def _count_raises(self, held: int) -> int:
        """Return the most turns that make or raise a yaku of these cards."""
        return sum(
            count_raises(row, (row.counted & held).bit_count())
            for row in self.table
            if (row.cards & held).bit_count() >= row.need
        )


def count_raises(row: CapturedYaku, count: int) -> int:
    """Return how many of the counted cards of a yaku make or raise it."""
    return 1 + max(0, count - max(row.base, row.need)) if row.step else 1


def _take(counts: Counts, place: int) -> Counts:
    """Return the numbers of captures without one of a kind."""
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])
