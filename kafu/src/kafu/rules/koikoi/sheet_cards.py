"""The cards of a winner of こいこい, and the turns in which they were captured (S5).

`find_turns` answers for the payments of a month: it returns turns of the winner for which the rules
pay just these, or None by proof. The winner captures the cards of a month in pairs, or all four at
once if three lay on the dealt field. A search over the months finds cards that satisfy conditions,
and adds those that they break, until there are no such cards or they are put into turns.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import islice
from operator import and_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.koikoi.machine import HAND
from kafu.rules.koikoi.sheet_captures import (
    Choice,
    Condition,
    Layers,
    Option,
    join_captures,
)
from kafu.rules.koikoi.sheet_rights import Weather, lacks_rights
from kafu.rules.koikoi.sheet_turns import Demand, Turn, arrange_turns
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import CapturedYaku, made, total

#: Cards that are drawn before a condition is added; cards without faults that are tried before the
#: search is given up.
_DRAWS: Final = 8
_ATTEMPTS: Final = 24
#: The most plans of the opponent that are tried for a winner's weather and last yaku.
_MOST_PLANS: Final = 24
#: The most captures, and those of the three cards that the dealt field has of two months.
_LIMITS: Final = (Condition(0, 2 * HAND), Condition(0, 2, size=4))
#: The yaku of a hand whose early cards are limited before they break a condition.
_MANY: Final = 4


@lru_cache(maxsize=4096)
def find_turns(demand: Demand, *, is_brief: bool = False) -> tuple[Turn, ...] | None:
    """Return turns of a winner who meets the demand, None if there are none.

    Raise `Undecided` if neither is found, which is more often the case if the search ``is_brief``.
    """
    wanted = [demand.table.find(id) for id, _ in sorted(demand.yaku)]
    if any(row.id in other.over for row in wanted for other in wanted):
        return None
    if demand.is_stopped and sum(value for _, value in demand.yaku) < demand.floor:
        return None
    free = frozenset(range(min(demand.calls) > 0, HAND + (not demand.is_stopped)))
    alone = demand._replace(calls=free, opponent_calls=0)
    if demand.calls < free and find_turns(alone, is_brief=is_brief) is None:
        return None
    reasons: list[CapturedYaku | None] = [None]
    if demand.is_stopped:
        reasons = [*wanted] if len(wanted) == 1 else [None, *wanted]
    most_attempts, most_plans = (1, 1) if is_brief else (_ATTEMPTS, _MOST_PLANS)
    plans = list(islice(_list_plans(demand), most_plans + 1))
    is_open = False
    for weather in _list_weathers(demand):
        for reason in reasons:
            search = _Search(demand, weather, reason)
            if search.is_impossible and reason is None:
                break
            if search.is_impossible or lacks_rights(demand, weather, search.barred):
                continue
            is_last = reason is not None or len(reasons) == 1
            is_open |= is_last and len(plans) > most_plans
            for plan in plans[:most_plans]:
                search = _Search(demand, weather, reason, plan) if plan else search
                turns = search.run(most_attempts)
                if turns is not None:
                    return turns
                is_open |= is_last and not search.is_impossible
            if search.is_impossible and reason is None and plans == [()]:
                break
    if is_open:
        raise Undecided(demand)
    return None


def _list_weathers(demand: Demand) -> Iterator[Weather]:
    """Yield the weathers that the yaku permit (K7, K20)."""
    house = demand.house
    if not house.voiding or not any(row.sake for row in demand.table):
        yield Weather()
        return
    yield Weather(barred=house.voiding)
    if house.crane:
        yield Weather(cards.CRANE, voiding=house.voiding)
    if not any(demand.table.find(id).sake for id, _ in demand.yaku):
        barred = cards.CRANE * house.crane
        rained = Weather(barred=barred, voiding=house.voiding, is_rained=True)
        if _Search(demand, rained, None).is_impossible:
            return
        if lacks_rights(demand, Weather()):
            common = reduce(and_, (row.cards for row in demand.table if row.sake))
            rained = rained._replace(needed=common)
        yield rained


#: A yaku and its number of cards.
Count = tuple[CapturedYaku, int]


class _Search:
    """A search for the winner's cards, with conditions that grow.

    ``plan`` are the yaku of the opponent. ``reason`` is the yaku that gives the right in the last
    turn, None for any.
    """

    def __init__(
        self,
        demand: Demand,
        weather: Weather,
        reason: CapturedYaku | None,
        plan: Sequence[Count] = (),
    ) -> None:
        self.demand, self.weather, self.plan, self.reason = demand, weather, plan, reason
        self.random = Random(0)
        self.wanted = dict(demand.yaku)
        self.needed, self.barred = weather.needed, weather.barred
        self.is_split = max(demand.calls) + demand.is_stopped < HAND
        self.is_impossible = False
        self.conditions = list(self._list_first_conditions())
        self.layers = self._lay_out()

    def _list_first_conditions(self) -> Iterator[Condition]:
        """Yield the conditions that the demand names, and note needed and barred cards."""
        demand = self.demand
        least, most = (pick(demand.calls) + demand.is_stopped for pick in (min, max))
        yield Condition(least, 2 * most, early=not self.is_split)
        if self.is_split and len(demand.yaku) > _MANY:
            yield from self._limit_early()
        if self.weather.voiding:
            yield Condition(1, self.weather.voiding.bit_count(), self.weather.voiding)
        for row, count in self.plan:
            yield Condition(0, row.cards.bit_count() - count, row.cards)
        for id, value in sorted(demand.yaku):
            row = demand.table.find(id)
            self.needed |= row.must | (row.cards if row.need == row.cards.bit_count() else 0)
            more = value - demand.find_worth(row)
            if more < 0 or (more and (not row.step or more % row.step)):
                self.is_impossible = True
                return
            count = row.base + more // row.step if row.step else row.need
            if row.step:
                least = count if more else min(row.need, count)
                yield Condition(
                    least if row.counted == row.cards or more else 0, count, row.counted
                )
            elif row.need < row.cards.bit_count():
                yield Condition(row.need, row.cards.bit_count(), row.cards)
            if row == self.reason:
                if self.is_split:
                    early = Condition(0, count - 1, row.counted, late=False)
                    yield early if more else _forbid(row, late=False)
                if count == row.need:
                    self.barred |= row.bare

    def _limit_early(self) -> Iterator[Condition]:
        """Yield the condition that early cards give no right by yaku that count cards, if any."""
        counted = double = most = 0
        for row in self.demand.table:
            limit = self._find_most_early(row) if row.step and row.cards == row.counted else None
            if limit is not None and row.cards & ~counted:
                double |= row.cards & counted
                counted |= row.cards
                most += limit
        if counted:
            yield Condition(0, most, counted, double, 2, late=False)

    def _lay_out(self) -> Layers | None:
        """Return the captures under the conditions, None if there are none."""
        if self.is_impossible or self.needed & self.barred:
            self.is_impossible = True
            return None
        has_fours = self.demand.house.again_field == 4
        choice = Choice(self.is_split, has_fours, self.needed, self.barred)
        layers = Layers(choice, self.conditions)
        self.is_impossible = not layers.is_possible
        return layers

    def run(self, most_attempts: int = _ATTEMPTS) -> tuple[Turn, ...] | None:
        """Return turns, None if there are none (`is_impossible`) or none were found."""
        attempts = 0
        while self.layers and not self.is_impossible:
            broken: Tally[Condition] = Tally()
            for _ in range(_DRAWS):
                drawn = self.layers.draw(self.random)
                faults = list(self._list_broken(drawn))
                broken.update(faults)
                if not faults:
                    attempts += 1
                    turns = self._arrange(drawn)
                    if turns is not None:
                        return turns
            new = [fault for fault, _ in broken.most_common() if fault not in self.conditions]
            if new:
                self.conditions.append(new[0])
                self.layers = self._lay_out()
            elif attempts >= most_attempts:
                break
        return None

    def _list_broken(self, drawn: Sequence[Option]) -> Iterator[Condition]:
        """Yield the conditions that captures break."""
        demand, captured = self.demand, sum(map(join_captures, drawn))
        for yaku in made(
            demand.table, captured, rained=self.weather.is_rained, called=demand.is_called
        ):
            row = demand.table.find(yaku.id)
            if row.id not in self.wanted and (demand.is_whole or set(row.over) & set(self.wanted)):
                yield _forbid(row)
        for limit in _LIMITS:
            if sum(map(limit.count, drawn)) > limit.most:
                yield limit
        early = sum(sum(option.early) for option in drawn)
        for row in demand.table if early else ():
            most = self._find_most_early(row)
            has = not row.must & ~early
            if has and most is not None and (early & row.cards).bit_count() > most:
                yield _forbid(row, most, late=False)

    def _find_most_early(self, row: CapturedYaku) -> int | None:
        """Return the most early cards that give no right by a yaku, None for any number."""
        demand = self.demand
        if row.sake and self.weather.voiding:
            return None  # rain may have voided it
        value = demand.find_worth(row)
        if value < demand.floor:
            return row.base + (demand.floor - 1 - value) // row.step if row.step else None
        for id in self.wanted if demand.is_whole else [other.id for other in demand.table]:
            better = demand.table.find(id)
            raised = better.counted if better.step else better.cards
            # Further cards of a replaced yaku raise nothing, unless they raise the better one.
            if row.id in better.over and row.cards & ~raised:
                return None
        return row.need if row.bare else row.need - 1

    def _arrange(self, drawn: Sequence[Option]) -> tuple[Turn, ...] | None:
        """Return turns with these captures, None if none were found.

        Raise `Undecided` if the yaku of the captures are not those of the demand.
        """
        self._check(sum(map(join_captures, drawn)))
        early = [capture for option in drawn for capture in option.early]
        late = [capture for option in drawn for capture in option.late]
        self.random.shuffle(early)
        self.random.shuffle(late)
        for order in ((early, late), ((), (*late, *early))):
            turns = arrange_turns(self.demand, *order)
            if turns is not None:
                return turns if self._has_opponent(sum(early) + sum(late)) else None
        return None

    def _check(self, captured: int) -> None:
        """Raise `Undecided` unless the rules pay the yaku of the demand for captured cards."""
        demand = self.demand
        rained = demand.house.rains(captured)
        yaku = made(demand.table, captured, rained=rained, called=demand.is_called)
        paid = {(item.id, item.value) for item in yaku}
        if not (paid == demand.yaku if demand.is_whole else paid >= demand.yaku):
            raise Undecided(demand)

    def _has_opponent(self, captured: int) -> bool:
        """Return whether the opponent can have the yaku of the plan, without ``captured`` cards."""
        demand = self.demand
        if not self.plan:
            return True
        opponent = demand._replace(
            calls=frozenset({demand.opponent_calls}),
            opponent_calls=0,
            is_stopped=False,
            is_whole=False,
        )
        yaku = frozenset(
            (row.id, opponent.find_worth(row) + row.step * (count - row.need))
            for row, count in self.plan
            if not any(row.id in other.over for other, _ in self.plan)
        )
        opponent = opponent._replace(yaku=yaku)
        for weather in _list_weathers(opponent):
            barred = weather.barred | captured
            turns = _Search(opponent, weather._replace(barred=barred), None).run()
            if turns is not None:
                held = sum(played | turned for played, turned in turns)
                rained = demand.house.rains(held)
                paid = total(made(demand.table, held, rained=rained, called=True))
                # Rain may void a yaku after its call.
                is_voided = demand.house.voiding and any(row.sake for row, _ in self.plan)
                if demand.is_stopped or is_voided or paid < sum(self.wanted.values()):
                    return True
        return False


def _forbid(row: CapturedYaku, most: int | None = None, *, late: bool = True) -> Condition:
    """Return the condition that a yaku is not made, or has ``most`` cards at the most.

    A card that the yaku cannot lack weighs so much that all cards are too few without it.
    """
    most = row.need - 1 if most is None else most
    weight = row.cards.bit_count() - most if row.must else 1
    return Condition(0, most + weight - 1, row.cards, row.must, weight, late=late)


def _list_plans(demand: Demand) -> Iterator[tuple[Count, ...]]:
    """Yield yaku that may give the opponent the right to declare just as often as demanded."""
    calls = demand.opponent_calls
    if not calls:
        yield ()
        return
    rows = sorted(demand.table, key=lambda row: (-row.step, -row.cards.bit_count()))
    gain = sum(value for _, value in demand.yaku)
    for number in range(calls, calls + max(1, demand.floor)):
        for plan in _list_counts(rows, number):
            if demand.is_stopped or _find_lasting(demand, plan) < gain:
                yield plan


def _find_lasting(demand: Demand, plan: Sequence[Count]) -> int:
    """Return a total that an opponent with these yaku has in the end at least."""
    lasting, replaced = 0, [0]
    for row, count in plan:
        better = [demand.find_worth(other) for other in demand.table if row.id in other.over]
        value = demand.find_worth(row) + row.step * (count - row.need)
        if row.sake and demand.house.voiding:
            continue
        if better:
            replaced.append(min(value, *better))
        else:
            lasting += value
    return lasting + max(replaced)


def _list_counts(rows: Sequence[CapturedYaku], number: int) -> Iterator[tuple[Count, ...]]:
    """Yield the yaku that are made and raised this number of times."""
    if not number:
        yield ()
    elif rows:
        row, *others = rows
        most = row.cards.bit_count() - row.need + 1 if row.step else 1
        for raised in range(min(most, number), -1, -1):
            for counts in _list_counts(others, number - raised):
                yield ((row, row.need + raised - 1), *counts) if raised else counts
