"""The cards of a winner of こいこい, and the turns in which they were captured (S5).

`find_turns` answers for the payments of a month: it returns turns of the winner for which the rules
pay just these, or None by proof. The winner captures the cards of a month in pairs, or all four at
once if three lay on the dealt field. A search over the months finds cards that satisfy conditions,
and adds those that they break, until there are no such cards or they are put into turns.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from random import Random
from typing import Final, NamedTuple

from kafu import cards
from kafu.rules.koikoi.machine import HAND, gives_right
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.sheets.witness import Undecided
from kafu.rules.yaku import CapturedYaku, Made, YakuTable, grown, made, total

#: The captures of a turn: with the hand card, and with the turned card (masks, 0 for none).
Turn = tuple[int, int]
#: Cards that are drawn before a condition is added; cards without faults that are tried before the
#: search is given up; and orders of their captures that are tried.
_DRAWS: Final = 8
_ATTEMPTS: Final = 24
_ORDERS: Final = 16


class Demand(NamedTuple):
    """The demand of a month on the winner's cards.

    - ``yaku``: the winner's captured yaku with their values, of the month's ``table``.
    - ``calls``: the possible numbers of the winner's calls. ``opponent_calls``: the number of the
      opponent's, in ``opponent_turns`` turns at the most.
    - ``floor``: the least total that gives the right to declare (K9).
    - ``is_stopped``: the winner stopped; otherwise the hands ran out (K19).
    - ``is_whole``: the winner has no further yaku.
    """

    house: Profile
    table: YakuTable
    yaku: frozenset[tuple[str, int]]
    calls: frozenset[int]
    opponent_calls: int = 0
    opponent_turns: int = HAND
    floor: int = 0
    is_stopped: bool = True
    is_whole: bool = True


class Option(NamedTuple):
    """Captures of a month (masks). Only the turns of ``late`` captures may give a right."""

    early: tuple[int, ...]
    late: tuple[int, ...]


class Condition(NamedTuple):
    """The least and the most cards, or captures if there are no cards.

    A card of ``heavy`` counts ``weight`` times. Captures count if they have ``size`` cards, and
    ``early`` and ``late`` ones if these are true.
    """

    least: int
    most: int
    cards: int = 0
    heavy: int = 0
    weight: int = 1
    early: bool = True
    late: bool = True
    size: int = 2

    def count(self, option: Option) -> int:
        """Return the number for the captures of a month."""
        captures = self.early * option.early + self.late * option.late
        if not self.cards:
            return sum(capture.bit_count() >= self.size for capture in captures)
        held = sum(captures) & self.cards
        return held.bit_count() + (self.weight - 1) * (held & self.heavy).bit_count()


#: The most captures, and those of the three cards that the dealt field has of two months.
_LIMITS: Final = (Condition(0, 2 * HAND), Condition(0, 2, size=4))


@lru_cache(maxsize=4096)
def find_turns(demand: Demand) -> tuple[Turn, ...] | None:
    """Return turns of a winner who meets the demand, None if there are none.

    Raise `Undecided` if neither is found.
    """
    wanted = [demand.table.find(id) for id, _ in demand.yaku]
    if any(row.id in other.over for row in wanted for other in wanted):
        return None
    free = frozenset(range(min(demand.calls) > 0, HAND + (not demand.is_stopped)))
    if demand.calls < free and find_turns(demand._replace(calls=free, opponent_calls=0)) is None:
        return None
    least = min(demand.calls) + demand.is_stopped
    reasons = [None, *wanted] if demand.is_stopped else [None]
    is_open = False
    for weather in _list_weathers(demand):
        if demand.is_whole and _count_rights(demand, weather) < least:
            continue
        for reason in reasons:
            search = _Search(demand, weather, reason)
            turns = search.run()
            if turns is None:
                is_open |= not search.is_impossible and reason == reasons[-1]
                if reason is None and search.is_impossible:
                    break
                continue
            for plan in _list_plans(demand):
                search = _Search(demand, weather, reason, plan)
                turns = search.run()
                if turns is not None:
                    return turns
                is_open |= not search.is_impossible
    if is_open:
        raise Undecided(demand)
    return None


class Weather(NamedTuple):
    """Rain at the end: cards that the winner has or lacks (masks), and whether rain voids yaku.

    ``voiding``: the winner has some of these cards.
    """

    needed: int = 0
    barred: int = 0
    voiding: int = 0
    is_rained: bool = False


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
        yield Weather(barred=barred, voiding=house.voiding, is_rained=True)


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
        if self.weather.voiding:
            yield Condition(1, len(cards.letters(self.weather.voiding)), self.weather.voiding)
        for row, count in self.plan:
            yield Condition(0, row.cards.bit_count() - count, row.cards)
        for id, value in demand.yaku:
            row = demand.table.find(id)
            self.needed |= row.must | (row.cards if row.need == row.cards.bit_count() else 0)
            more = value - _worth(demand, row)
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
                if more:
                    yield Condition(0, count - 1, row.counted, late=not self.is_split)
                elif self.is_split:
                    yield _forbid(row, late=False)
                if count == row.need:
                    self.barred |= row.bare

    def _lay_out(self) -> _Layers | None:
        """Return the captures under the conditions, None if there are none."""
        if self.is_impossible or self.needed & self.barred:
            self.is_impossible = True
            return None
        options = [
            [
                option
                for option in listed
                if not (self.needed & 0b1111 << 4 * month) & ~_captured(option)
                and not _captured(option) & self.barred
            ]
            for month, listed in enumerate(
                _list_options(is_split=self.is_split, has_fours=self.demand.house.again_field == 4)
            )
        ]
        layers = _Layers(options, self.conditions)
        self.is_impossible = not layers.is_possible
        return layers

    def run(self) -> tuple[Turn, ...] | None:
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
            elif attempts >= _ATTEMPTS:
                break
        return None

    def _list_broken(self, drawn: Sequence[Option]) -> Iterator[Condition]:
        """Yield the conditions that captures break."""
        demand, captured = self.demand, sum(map(_captured, drawn))
        called = min(demand.calls) > 0
        for yaku in made(demand.table, captured, rained=self.weather.is_rained, called=called):
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
        value = _worth(demand, row)
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
        """Return turns with these captures, None if none were found."""
        early = [capture for option in drawn for capture in option.early]
        late = [capture for option in drawn for capture in option.late]
        last = self.reason.cards if self.reason else 0
        for number in range(_ORDERS):
            self.random.shuffle(early)
            self.random.shuffle(late)
            if number % 2:  # rain before the crane
                early.sort(key=lambda capture: _rank_weather(self.demand.house, capture))
            late.sort(key=lambda capture: bool(capture & last))
            turns = _divide(self.demand, (*early, *late), HAND)
            if turns is not None:
                captured = sum(early) + sum(late)
                return turns if self._has_opponent(cards.ALL & ~captured) else None
        return None

    def _has_opponent(self, free: int) -> bool:
        """Return whether the opponent can have the yaku of the plan, of the ``free`` cards."""
        demand = self.demand
        if not self.plan:
            return True
        opponent = demand._replace(calls=frozenset({demand.opponent_calls}), is_stopped=False)
        for _ in range(_ORDERS):
            captures = self._draw_opponent(free)
            captured = sum(captures)
            rained = demand.house.rains(captured)
            yaku = made(demand.table, captured, rained=rained, called=True)
            loses = demand.is_stopped or total(yaku) < sum(self.wanted.values())
            if captures and loses and _divide(opponent, captures, demand.opponent_turns):
                return True
        return False

    def _rank_length(self, captures: tuple[int, ...]) -> tuple[int, float]:
        """Return the rank of captures: few ones first, and those in any order."""
        return len(captures), self.random.random()

    def _draw_opponent(self, free: int) -> list[int]:
        """Return captures of the opponent with the yaku of the plan, none if there are none."""
        held = 0
        for row, count in self.plan:
            missing = list(cards.bits(row.cards & free & ~held))
            self.random.shuffle(missing)
            missing.sort(key=lambda card: not card & row.must)
            held |= sum(missing[: max(0, count - (held & row.cards).bit_count())])
        captures: list[int] = []
        for month in range(12):
            options: list[tuple[int, ...]] = [
                option.late
                for option in _list_options(is_split=False, has_fours=False)[month]
                if not _captured(option) & ~free
                and not held & 0b1111 << 4 * month & ~_captured(option)
            ]
            if not options:
                return []
            captures.extend(min(options, key=self._rank_length))
        self.random.shuffle(captures)
        return captures


def _captured(option: Option) -> int:
    """Return the captured cards of an option."""
    return sum(option.early) + sum(option.late)


def _rank_weather(house: Profile, capture: int) -> int:
    """Return the rank of a capture: rain first, the crane last."""
    return bool(capture & cards.CRANE) - bool(capture & house.voiding)


def _worth(demand: Demand, row: CapturedYaku) -> int:
    """Return the value of a yaku without further cards."""
    called = min(demand.calls) > 0 and row.called_value is not None
    return row.called_value if called else row.value  # type: ignore[return-value]


def _forbid(row: CapturedYaku, most: int | None = None, *, late: bool = True) -> Condition:
    """Return the condition that a yaku is not made, or has ``most`` cards at the most.

    A card that the yaku cannot lack weighs so much that all cards are too few without it.
    """
    most = row.need - 1 if most is None else most
    weight = row.cards.bit_count() - most if row.must else 1
    return Condition(0, most + weight - 1, row.cards, row.must, weight, late=late)


@cache
def _list_options(*, is_split: bool, has_fours: bool) -> tuple[tuple[Option, ...], ...]:
    """Return the captures of each month.

    ``is_split``: some are early. ``has_fours``: three cards of a month may lie on the dealt field.
    """
    listed = []
    for month in range(12):
        top, *others = (1 << 4 * month + card for card in range(4))
        whole = 0b1111 << 4 * month
        pairs = [top | other for other in others]
        groups = [(), *((pair,) for pair in pairs), *((whole ^ pair,) for pair in pairs)]
        groups += [(pair, whole ^ pair) for pair in pairs] + [(whole,)] * has_fours
        listed.append(
            tuple(
                Option(
                    tuple(
                        capture for capture, is_early in zip(group, parts, strict=True) if is_early
                    ),
                    tuple(
                        capture
                        for capture, is_early in zip(group, parts, strict=True)
                        if not is_early
                    ),
                )
                for group in groups
                for parts in product((False, True) if is_split else (False,), repeat=len(group))
            )
        )
    return tuple(listed)


class _Layers:
    """The reachable numbers of the conditions after each month.

    The numbers of all conditions are the fields of one integer. The top bit of a field is set if
    the number is too large, and stays clear otherwise.
    """

    def __init__(
        self, options: Sequence[Sequence[Option]], conditions: Sequence[Condition]
    ) -> None:
        counts = [
            [tuple(condition.count(option) for condition in conditions) for option in listed]
            for listed in options
        ]
        self.effects: list[dict[int, list[Option]]] = []
        self.layers: list[set[int]] = []
        self.is_possible = all(counts)
        if not self.is_possible:
            return
        most = [[max(column) for column in zip(*listed, strict=True)] for listed in counts]
        left = [sum(column) for column in zip(*most, strict=True)]
        places, start, guard, place = [], 0, 0, 0
        for condition, reach in zip(conditions, left, strict=True):
            width = (condition.most + reach + 1).bit_length()
            places.append(place)
            start += (1 << width) - 1 - condition.most << place
            guard += 1 << width + place
            place += width + 1
        self.layers.append({start})
        for listed, columns, more in zip(options, counts, most, strict=True):
            effects: dict[int, list[Option]] = {}
            for option, numbers in zip(listed, columns, strict=True):
                effect = sum(number << place for number, place in zip(numbers, places, strict=True))
                effects.setdefault(effect, []).append(option)
            self.effects.append(effects)
            left = [number - most_ for number, most_ in zip(left, more, strict=True)]
            # With this the top bit is set unless a number stays too small.
            reserve = sum(
                1 + condition.most - condition.least + reach << place
                for condition, reach, place in zip(conditions, left, places, strict=True)
            )
            self.layers.append(
                {
                    after
                    for state in self.layers[-1]
                    for effect in effects
                    if not (after := state + effect) & guard and (after + reserve) & guard == guard
                }
            )
        self.is_possible = bool(self.layers[-1])

    def draw(self, random: Random) -> list[Option]:
        """Return captures of all months that satisfy the conditions, few of them by preference."""
        state = random.choice(tuple(self.layers[-1]))
        drawn: list[Option] = []
        for before, effects in zip(self.layers[-2::-1], reversed(self.effects), strict=True):
            choices = [
                (option, state - effect)
                for effect, options in effects.items()
                if state - effect in before
                for option in options
            ]
            option, state = min(
                choices,
                key=lambda choice: len(choice[0].early + choice[0].late) + 2 * random.random(),
            )
            drawn.append(option)
        return drawn[::-1]


def _divide(demand: Demand, captures: Sequence[int], turns: int) -> tuple[Turn, ...] | None:
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

    return divide(0, turns, 0)


def _count_rights(demand: Demand, weather: Weather) -> int:
    """Return a number of turns with the right that the yaku of a winner cannot exceed.

    Yaku that were voided by rain may have given it before.
    """
    table, wanted = demand.table, dict(demand.yaku)
    replaced = {id for other in wanted for id in table.find(other).over}
    rows = [
        row
        for row in table
        if row.id in wanted or row.id in replaced or (row.sake and weather.is_rained)
    ]
    groups: list[list[CapturedYaku]] = []
    for row in rows:
        related = [
            group
            for group in groups
            if any(row.id in other.over or other.id in row.over for other in group)
        ]
        groups = [group for group in groups if group not in related]
        groups.append([row, *(other for group in related for other in group)])
    most = min(HAND, sum(_count_group_rights(demand, group) for group in groups))
    is_steady = not weather.is_rained and not (weather.voiding and any(row.sake for row in rows))
    if demand.floor and is_steady and not any(row.over for row in rows):
        # Each right comes with a higher total.
        most = min(most, sum(wanted.values()) - demand.floor + 1)
    return max(0, most)


def _count_group_rights(demand: Demand, rows: Sequence[CapturedYaku]) -> int:
    """Return the most turns that make or raise a yaku of rows that replace one another."""
    wanted = dict(demand.yaku)
    raises, cards_, most = 0, 0, 48
    for row in rows:
        cards_ |= row.cards
        more = 0
        if row.step:
            more = row.counted.bit_count() - row.base
            if row.id in wanted:
                more = (wanted[row.id] - _worth(demand, row)) // row.step
            cards_ |= row.counted
        raises += 1 + more
    for row in rows:
        if row.step and row.id in wanted and not cards_ & ~row.counted:
            most = row.base + (wanted[row.id] - _worth(demand, row)) // row.step
    least = min(row.need for row in rows)
    return min(raises, min(most, cards_.bit_count()) - least + 1)


def _list_plans(demand: Demand) -> Iterator[tuple[Count, ...]]:
    """Yield yaku that may give the opponent the right to declare just as often as demanded."""
    calls = demand.opponent_calls
    if not calls:
        yield ()
        return
    rows = sorted(demand.table, key=lambda row: -row.step)
    for number in range(calls, calls + max(1, demand.floor)):
        yield from _list_counts(rows, number)


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
