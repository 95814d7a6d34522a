"""The cards of a winner of こいこい, and the turns in which they were captured (S5).

`find_cards` answers for the payments of a month: it returns cards of the winner for which the rules
pay just these, or None by proof. The winner captures the cards of a month in pairs, or all four at
once if three lay on the dealt field. A search over the months finds cards that satisfy conditions,
and adds those that they break, until there are no such cards or they are put into turns. Where many
turns give the right to declare, the conditions name the yaku that are made or raised in them.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, islice
from operator import or_
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.koikoi.machine import HAND
from kafu.rules.koikoi.sheet_captures import (
    Choice,
    Condition,
    Layers,
    Option,
    join_captures,
)
from kafu.rules.koikoi.sheet_turns import Demand, can_arrange, count_raises, count_rights
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import CapturedYaku, made, total

#: Cards that are drawn before a condition is added; cards without faults that are tried before the
#: search is given up.
_DRAWS: Final = 8
_ATTEMPTS: Final = 24
#: The most plans of the opponent that are tried for what the winner has or lacks in the end.
_MOST_PLANS: Final = 24
#: The most captures of the three cards that the dealt field has of two months.
_FOURS: Final = Condition(0, 2, size=4)
#: A yaku and its number of cards.
Count = tuple[CapturedYaku, int]


class EndCards(NamedTuple):
    """Cards that the winner has or lacks in the end (masks), and whether rain voids yaku then.

    ``voiding``: the winner has some of these cards.
    """

    needed: int = 0
    barred: int = 0
    voiding: int = 0
    is_rained: bool = False


@lru_cache(maxsize=4096)
def find_cards(demand: Demand, *, is_brief: bool = False) -> int | None:
    """Return the captured cards of a winner who meets the demand, None if there are none.

    Raise `Undecided` if neither is found, which is more often the case if the search ``is_brief``.
    """
    wanted = [demand.table.find(id) for id, _ in sorted(demand.yaku)]
    if any(row.id in other.over for row in wanted for other in wanted):
        return None
    if demand.is_stopped and sum(value for _, value in demand.yaku) < demand.floor:
        return None
    free = frozenset(range(min(demand.calls) > 0, HAND + (not demand.is_stopped)))
    alone = demand._replace(calls=free, opponent_calls=0, opponent_turns=HAND)
    if demand.calls < free and find_cards(alone, is_brief=is_brief) is None:
        return None
    most_attempts, most_plans = (1, 1) if is_brief else (_ATTEMPTS, _MOST_PLANS)
    plans = list(islice(_list_plans(demand), most_plans + 1))
    is_open = False
    for end in _list_ends(demand):
        for further in _list_further(demand, end):
            search = _Search(demand, end, further)
            if search.is_impossible:
                continue
            is_open |= len(plans) > most_plans
            for plan in plans[:most_plans]:
                search = _Search(demand, end, further, plan) if plan else search
                captured = search.run(most_attempts)
                if captured is not None:
                    return captured
                is_open |= not search.is_impossible
    if is_open:
        raise Undecided(demand)
    return None


def _list_ends(demand: Demand) -> Iterator[EndCards]:
    """Yield what the winner has or lacks in the end, by rain (K7, K20) and bare yaku (K6)."""
    house, wanted = demand.house, [demand.table.find(id) for id, _ in demand.yaku]
    ends = [EndCards()]
    if house.voiding and any(row.sake for row in demand.table):
        ends = [EndCards(barred=house.voiding)]
        if house.crane:
            ends.append(EndCards(cards.CRANE, voiding=house.voiding))
        if not any(row.sake for row in wanted):
            barred = cards.CRANE * house.crane
            ends.append(EndCards(barred=barred, voiding=house.voiding, is_rained=True))
    bare = reduce(or_, (row.bare for row in wanted), 0)
    for end in ends:
        yield end._replace(barred=end.barred | bare)
        if bare:
            yield end._replace(needed=end.needed | bare)


def _list_further(demand: Demand, end: EndCards) -> Iterator[tuple[Count, ...]]:
    """Yield further yaku that the winner needs for the least number of turns with the right.

    They come with the least number of cards. Rain may have voided them after such a turn.
    """
    rights, values = min(demand.calls) + demand.is_stopped, dict(demand.yaku)
    replaced = {id for other in values for id in demand.table.find(other).over}
    needed = reduce(or_, (demand.table.find(id).required for id in values), 0)
    counts: list[Count] = []
    further: list[CapturedYaku] = []
    for row in demand.table:
        if row.id in values:
            more = values[row.id] - demand.find_worth(row)
            if more or not row.bare & end.needed:  # otherwise the yaku never gives the right
                counts.append((row, row.base + more // row.step if row.step else row.need))
        elif row.id in replaced:
            yaku = made(demand.table, needed | row.required, rained=True, called=False)
            if not demand.is_whole or {item.id for item in yaku} <= values.keys() | replaced:
                counts.append((row, max(row.need, row.counted.bit_count())))
        elif (row.sake and end.is_rained) or not (demand.is_whole or set(row.over) & set(values)):
            further.append(row)
    if demand.is_stopped and demand.is_whole and not any(row.id in values for row, _ in counts):
        return  # of the yaku at the end none gives the right in the last turn
    missing = rights - _count_most_rights(demand, counts)
    for chosen in _list_counts(_sort(further), max(0, missing)):
        if _count_most_rights(demand, [*counts, *chosen]) >= rights:
            yield chosen


def _count_most_rights(demand: Demand, counts: Iterable[Count]) -> int:
    """Return a number of turns that make or raise these yaku, at the most.

    Yaku of the same cards are counted together, because each such turn brings one of the cards.
    """
    wanted = {id for id, _ in demand.yaku}
    groups: list[tuple[int, int, list[Count]]] = []
    for row, count in sorted(counts, key=_count_cards, reverse=True):
        for counted, _, group in groups:
            if not row.cards & ~counted:
                group.append((row, count))
                break
        else:
            counted = row.cards | row.counted
            number = count if row.step and row.id in wanted else counted.bit_count()
            groups.append((counted, number, [(row, count)]))
    most = 0
    for _, number, group in groups:
        needed = reduce(or_, (row.required for row, _ in group if row.id in wanted), 0)
        if needed.bit_count() == number:
            most += count_rights(demand, needed)
        else:
            least = min(row.need for row, _ in group)
            most += min(number - least + 1, sum(count_raises(*item) for item in group))
    return most


def _count_cards(item: Count) -> int:
    """Return how many cards make or raise a yaku."""
    return (item[0].cards | item[0].counted).bit_count()


class _Search:
    """A search for the winner's cards, with conditions that grow.

    ``further`` are yaku without which too few turns give the right, with the least number of cards.
    ``plan`` are those of the opponent.
    """

    def __init__(
        self,
        demand: Demand,
        end: EndCards,
        further: Sequence[Count] = (),
        plan: Sequence[Count] = (),
    ) -> None:
        self.demand, self.end, self.further, self.plan = demand, end, further, plan
        self.random = Random(0)
        self.rows = [demand.table.find(id) for id, _ in demand.yaku] + [row for row, _ in further]
        self.counted = reduce(or_, (row.cards for row in self.rows), 0)
        self.wanted = dict(demand.yaku)
        #: The ids of the yaku in the end, and of those that they may have replaced.
        self.possible = {id for paid in self.wanted for id in (paid, *demand.table.find(paid).over)}
        self.needed, self.barred = end.needed, end.barred
        self.is_split = max(demand.calls) + demand.is_stopped < demand.turns
        self.limits = (Condition(0, 2 * demand.turns), _FOURS)
        self.is_impossible = False
        self.conditions = list(self._list_first_conditions())
        self.layers = self._lay_out()

    def _list_first_conditions(self) -> Iterator[Condition]:
        """Yield the conditions that the demand names, and note needed and barred cards."""
        demand = self.demand
        least, most = (pick(demand.calls) + demand.is_stopped for pick in (min, max))
        yield Condition(least, 2 * most, early=not self.is_split)
        if self.end.voiding:
            yield Condition(1, self.end.voiding.bit_count(), self.end.voiding)
        for row, count in self.plan:
            yield Condition(0, row.cards.bit_count() - count, row.cards)
        for id, value in sorted(demand.yaku):
            row = demand.table.find(id)
            self.needed |= row.required
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
        for row, count in self.further:
            self.needed |= row.required
            yield Condition(row.need, row.cards.bit_count(), row.cards)
            if row.step:
                yield Condition(count, row.counted.bit_count(), row.counted)

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

    def run(self, most_attempts: int = _ATTEMPTS) -> int | None:
        """Return captured cards, None if there are none (`is_impossible`) or none were found."""
        attempts = 0
        while self.layers and not self.is_impossible:
            broken: Tally[Condition] = Tally()
            for number in range(_DRAWS):
                # Captures for one yaku each let more turns give the right.
                are_apart = bool(self.further) or number % 2 == 1
                drawn = self.layers.draw(self.random, self._count_joined if are_apart else None)
                faults = list(self._list_broken(drawn))
                broken.update(faults)
                if not faults:
                    attempts += 1
                    captured = self._arrange(drawn, most_attempts)
                    if captured is not None:
                        return captured
            new = [fault for fault, _ in broken.most_common() if fault not in self.conditions]
            if new:
                self.conditions.append(new[0])
                self.layers = self._lay_out()
            elif attempts >= most_attempts:
                break
        return None

    def _count_joined(self, option: Option) -> int:
        """Return the number of cards captured with a card of another yaku."""
        return sum(
            (capture & self.counted).bit_count() - 1
            for capture in (*option.early, *option.late)
            if sum(capture & row.cards > 0 for row in self.rows) > 1
        )

    def _list_broken(self, drawn: Sequence[Option]) -> Iterator[Condition]:
        """Yield the conditions that captures break."""
        demand, captured = self.demand, sum(map(join_captures, drawn))
        for yaku in made(
            demand.table, captured, rained=self.end.is_rained, called=demand.is_called
        ):
            row = demand.table.find(yaku.id)
            if row.id not in self.wanted and (demand.is_whole or set(row.over) & set(self.wanted)):
                yield _forbid(row)
        for limit in self.limits:
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
        if row.sake and self.end.voiding:
            return None  # rain may have voided it
        value = demand.find_worth(row)
        if value < demand.floor:
            return row.base + (demand.floor - 1 - value) // row.step if row.step else None
        for better in demand.table:
            if demand.is_whole and better.id not in self.possible:
                continue
            raised = better.counted if better.step else better.cards
            # Further cards of a replaced yaku raise nothing, unless they raise the better one.
            if row.id in better.over and row.cards & ~raised:
                return None
        return row.need if row.bare else row.need - 1

    def _arrange(self, drawn: Sequence[Option], most_attempts: int) -> int | None:
        """Return the cards of these captures if turns with them meet the demand, else None.

        Raise `Undecided` if the yaku of the captures are not those of the demand.
        """
        self._check(sum(map(join_captures, drawn)))
        captures = [capture for option in drawn for capture in (*option.early, *option.late)]
        if can_arrange(self.demand, captures) and self._has_opponent(sum(captures), most_attempts):
            return sum(captures)
        return None

    def _check(self, captured: int) -> None:
        """Raise `Undecided` unless the rules pay the yaku of the demand for captured cards."""
        demand = self.demand
        rained = demand.house.rains(captured)
        yaku = made(demand.table, captured, rained=rained, called=demand.is_called)
        paid = {(item.id, item.value) for item in yaku}
        if not (paid == demand.yaku if demand.is_whole else paid >= demand.yaku):
            raise Undecided(demand)

    def _has_opponent(self, captured: int, most_attempts: int) -> bool:
        """Return whether the opponent can have the yaku of the plan, without ``captured`` cards."""
        demand = self.demand
        if not self.plan:
            return True
        calls = frozenset({demand.opponent_calls})
        opponent = Demand(
            *(demand.house, demand.table, frozenset(), calls),
            floor=demand.floor,
            is_stopped=False,
            is_whole=False,
            turns=demand.opponent_turns,
        )
        for end in _list_ends(opponent):
            barred = end.barred | captured
            held = _Search(opponent, end._replace(barred=barred), self.plan).run(most_attempts)
            if held is not None:
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
    rows = _sort(demand.table)
    gain = sum(value for _, value in demand.yaku)
    for number in range(calls, calls + max(1, demand.floor)):
        for plan in _list_counts(rows, number):
            turns = min(_count_turns(row) for row, _ in plan) + calls - 1
            is_lower = demand.is_stopped or _find_lasting(demand, plan) < gain
            if turns <= demand.opponent_turns and is_lower:
                yield plan


@lru_cache(maxsize=256)
def _count_turns(row: CapturedYaku) -> int:
    """Return a number of turns that a yaku needs at least, with two captures each."""
    held = sorted(((row.cards & month).bit_count() for month in cards.MONTHS[1:]), reverse=True)
    reached = accumulate(held)
    captures = next(number for number, count in enumerate(reached, 1) if count >= row.need)
    return (captures + 1) // 2


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


def _sort(rows: Iterable[CapturedYaku]) -> list[CapturedYaku]:
    """Return yaku with those first that many cards raise."""
    return sorted(rows, key=lambda row: (-row.step, -row.cards.bit_count()))


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
