"""The question of a score sheet: whether a deal of 48 cards and captures make a month.

`find_witness` returns the cards, or None by proof. It relaxes the question and adds the conditions
that a solution breaks, until there is no solution or a whole one.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from random import Random
from typing import Final

from kafu import cards
from kafu.rules.sheets.capture_rules import (
    CaptureRules,
    Counter,
    DealtHand,
    Solution,
    WholeSet,
    list_excessive_efforts,
    weigh,
    weigh_points,
)
from kafu.rules.sheets.capture_ways import FIELD
from kafu.rules.sheets.captures import Captures
from kafu.rules.sheets.deals import MOST_HANDS, find_deal
from kafu.rules.sheets.dealt_hands import find_field_kind, find_hands
from kafu.rules.sheets.demand import Demand, DemandedPlayer
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.yaku import CapturedYaku, made

#: The solutions that are drawn before a condition that they break is added, and the most that are
#: drawn when some of them break none.
_DRAWS: Final = 30
_MOST_DRAWS: Final = 100
#: The solutions without faults that are completed before the hands of more players are known.
_ATTEMPTS: Final = 16
#: Sets that are broken at least this part as often as the most common fault are added with it.
_COMMON: Final = 3
_EVEN: Final = 88


@lru_cache(maxsize=4096)
def find_witness(*demands: Demand) -> Witness | None:
    """Return cards that meet one of the demands, None if there are none.

    Raise `Undecided` if neither is found. The searches take turns, because the cards of one demand
    may be found much faster than the proof that another has none.
    """
    searches = [_search(demand) for demand in demands]
    undecided: Undecided | None = None
    while searches:
        for search in tuple(searches):
            try:
                witness = next(search)
            except StopIteration:
                searches.remove(search)
            except Undecided as error:
                searches.remove(search)
                undecided = error
            else:
                if witness is not None:
                    return witness
    if undecided is not None:
        raise undecided
    return None


def _search(demand: Demand) -> Iterator[Witness | None]:
    """Search for cards that meet a demand, and yield the result of each round.

    The search ends when there are no cards. Raise `Undecided` if that is not proved.
    """
    for player in demand.players:
        ids = {id for id, _ in player.yaku}
        if any(ids & set(demand.table.find(id).over) for id in ids):
            return
    kinds = (*(player.hand for player in demand.players), *demand.idle)
    is_all = len(kinds) == MOST_HANDS
    if is_all and not demand.is_played:
        hands = find_hands(kinds, demand.brights, is_all=True, is_proof=True)
        if hands is None:
            return
        field = cards.ALL & ~sum(hands)
        if max((field & month).bit_count() for month in cards.MONTHS[1:]) <= demand.most_alike:
            players = len(demand.players)
            # Four cards on the field belong to the first player.
            whole = sum(month for month in cards.MONTHS[1:] if field & month == month)
            captured = (whole, *(0,) * (players - 1))
            deal = Witness(hands[:players], field, captured, hands[players:])
            deal.check(is_played_out=False)
            yield deal
            return
    scarce = tuple(kind for kind in kinds if is_all or not kind.is_common)
    if find_hands(scarce, demand.brights, is_all=is_all) is None:
        return
    rules = [
        _make_rules(demand, precise, tells_fours=bool(number))
        for number, precise in enumerate(_list_precise_players(demand))
    ]
    for number, conditions in enumerate(rules, start=1):
        search = _Search(demand, conditions, _ATTEMPTS if number < len(rules) else _DRAWS)
        for witness in search.run():
            if witness is not None:
                witness.check(is_played_out=demand.is_played_out)
            yield witness
        if search.is_impossible:
            return
    if find_hands(kinds, demand.brights, is_all=is_all, is_proof=True) is None:
        return
    raise Undecided(demand)


def _list_precise_players(demand: Demand) -> Iterator[tuple[int, ...]]:
    """Yield the players whose hands the search knows: none, each of the scarce hands, and all."""
    kinds = [player.hand for player in demand.players]
    scarce = tuple(number for number, kind in enumerate(kinds) if not kind.is_common)
    limited = tuple(number for number, kind in enumerate(kinds) if not kind.is_free)
    yield ()
    if len(scarce) > 1:
        yield from ((number,) for number in scarce)
    yield scarce
    if len(limited) > len(scarce):
        yield limited


def _make_rules(demand: Demand, precise: tuple[int, ...], *, tells_fours: bool) -> CaptureRules:
    """Return the conditions for the captures, with these hands; of the others threes and fours."""
    hands = []
    for number, player in enumerate(demand.players):
        kind = player.hand
        if number in precise:
            hands.append(DealtHand(number, kind, player.can_jump, is_precise=True))
        elif kind.needs_groups:
            hands.append(DealtHand(number, kind.groups, player.can_jump, is_precise=False))
    field = find_field_kind(demand.brights)
    hands.append(DealtHand(FIELD, field, jumps=False, is_precise=True))
    rows = [[demand.table.find(id) for id, _ in player.yaku] for player in demand.players]
    return CaptureRules(
        demand.is_played_out,
        tuple(reduce(or_, (row.required for row in made_rows), 0) for made_rows in rows),
        reduce(or_, (row.cards for made_rows in rows for row in made_rows), 0),
        tuple(hands) if demand.is_played else (),
        tuple(player.jumps for player in demand.players),
        demand.has_more_jumps,
        demand.helps,
        tells_fours=tells_fours,
        most_alike=demand.most_alike,
    )


def drop_implied(counters: Iterable[Counter], demand: Demand) -> list[Counter]:
    """Return the counters without those that follow from the same numbers of two other players.

    All cards are captured in a month that is played out.
    """
    ordered = sorted(set(counters))
    kept = list(ordered)
    if demand.is_played_out:
        for weights in {counter.weights for counter in ordered}:
            alike = [counter for counter in ordered if counter.weights == weights]
            exact = [counter for counter in alike if counter.least == counter.limit]
            if len({counter.player for counter in exact}) == len(demand.players):
                kept.remove(max(exact, key=lambda counter: counter.limit))
    return kept


class _Search:
    """The search for one demand, with conditions that grow.

    ``attempts`` are the solutions without faults that are completed before the conditions count as
    too wide.
    """

    def __init__(self, demand: Demand, rules: CaptureRules, attempts: int) -> None:
        self.demand = demand
        self.attempts = attempts
        self.rules = rules
        self.random = Random(0)
        self.counters = drop_implied(self._list_first_counters(), demand)
        self.sets: list[WholeSet] = []
        self.is_impossible = False
        self.kinds = [player.hand for player in demand.players]

    def _list_first_counters(self) -> Iterator[Counter]:
        """Yield the counters that the demand names."""
        points = weigh_points(self.demand.count)
        for number, player in enumerate(self.demand.players):
            if player.points is not None:
                yield Counter(number, points, *player.points)
            for weights, count in player.counts:
                yield Counter(number, weights, count, count)
            if player.chaff is not None:
                yield Counter(number, weigh(self.demand.chaff), player.chaff, player.chaff)
            for id, value in player.yaku:
                row = self.demand.table.find(id)
                if row.need < row.cards.bit_count() or row.step:
                    most = min(
                        (
                            better.need - 1
                            for better in self.demand.table
                            if id in better.over and better.cards == row.cards
                        ),
                        default=row.cards.bit_count(),
                    )
                    least = row.need
                    if row.step:
                        least = row.base + (value - row.value) // row.step
                        most = least
                    yield Counter(number, weigh(row.cards), least, most)

    def run(self) -> Iterator[Witness | None]:
        """Yield the witness of each round, None without any.

        The rounds end when there is none (`is_impossible`), or when no condition is left to add.
        """
        if self.rules.helps and not Captures(self.rules, (), ()).ends:
            self.is_impossible = True
            return
        while True:
            captures = Captures(self.rules, self.counters, self.sets)
            if not captures.ends:
                self.is_impossible = True
                return
            broken: Tally[Counter | WholeSet | None] = Tally()
            attempts = 0
            for number in range(_MOST_DRAWS):
                if attempts == self.attempts or (number >= _DRAWS and not attempts):
                    break  # a deal, or a solution without faults, is rare
                solution = captures.draw(self.random)
                faults = [
                    *self._list_broken(solution.captured),
                    *list_excessive_efforts(self.rules, solution),
                ]
                broken.update(faults)
                if not faults:
                    attempts += 1
                    witness = self._complete(solution)
                    if witness is not None:
                        yield witness
                        return
            new = [(fault, count) for fault, count in broken.most_common() if not self._has(fault)]
            if not new or attempts == self.attempts:
                return
            # Several sets cost little more than one.
            sets = [
                fault
                for fault, count in new
                if isinstance(fault, WholeSet) and count > new[0][1] // _COMMON
            ]
            self.sets += sets
            if not sets and isinstance(new[0][0], Counter):
                self.counters.append(new[0][0])
            yield None

    def _has(self, fault: Counter | WholeSet | None) -> bool:
        return fault is None or fault in self.sets or fault in self.counters

    def _list_broken(self, captured: Sequence[int]) -> Iterator[Counter | WholeSet | None]:
        """Yield the conditions that captured cards break; None for equal points."""
        demand = self.demand
        for number, (player, held) in enumerate(zip(demand.players, captured, strict=True)):
            for yaku in made(demand.table, held, rained=False, called=False):
                row = demand.table.find(yaku.id)
                if not self._may_make(player, row):
                    yield from self._forbid(row, number)
            most = demand.most_points
            if player.points is None and most is not None and demand.count(held) > most:
                yield Counter(number, weigh_points(demand.count), 0, most)
            most = demand.most_chaff
            chaff = (held & demand.chaff).bit_count()
            if player.chaff is None and most is not None and chaff > most:
                yield Counter(number, weigh(demand.chaff), 0, most)
        if demand.is_uneven and all(demand.count(held) == _EVEN for held in captured):
            yield None

    def _may_make(self, player: DemandedPlayer, row: CapturedYaku) -> bool:
        """Return whether a player may have the cards of a yaku."""
        ids = {id for id, _ in player.yaku}
        if row.id in player.unpaid:
            return True
        if self.demand.is_whole and not player.has_more_yaku:
            return any(id == row.id or row.id in self.demand.table.find(id).over for id in ids)
        return not ids & set(row.over)

    def _forbid(self, row: CapturedYaku, number: int) -> Iterator[Counter | WholeSet]:
        """Yield the conditions for a player who does not make a yaku."""
        if not row.required:
            yield Counter(number, weigh(row.cards), 0, row.need - 1)
            return
        allowed = frozenset(
            other for other, player in enumerate(self.demand.players) if self._may_make(player, row)
        )
        others = list(cards.bits(row.cards & ~row.must))
        for chosen in combinations(others, row.need - row.must.bit_count()):
            yield WholeSet(row.must | sum(chosen), allowed)

    def _complete(self, solution: Solution) -> Witness | None:
        """Return a deal for the captures of a solution, None if there is none."""
        demand, ways = self.demand, [option.ways for option in solution.options]
        deal = find_deal(self.kinds, demand.brights, ways, self.random, demand.idle)
        return deal and deal._replace(captured=solution.captured)
