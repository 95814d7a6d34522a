"""The chance to win the game after a deal, from the totals, the next dealer and the months left.

The rest of a game is resampled from a few hundred games, played by the policy under the rules of
the house. A `SimulatedMonth` has the scores of a month, the next dealer, and whether the game was
over. A `GameEnd` joins months from different games. Its scores are added to the current totals, and
the highest total wins (a tie is shared). The model assumes that earlier months matter only through
the dealer and `Machine.find_carried`, that months differ only in how they end a game, and that
nobody plays by the totals, as the policy does not. If totals can end a game (K15, K18), an end
stops after the first deciding month. docs/analysis.md compares the chances with games played to the
end.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any, Final, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.verdict import placed

#: Ends of the game tried for a deal.
ENDS: Final = 16
#: Ends assembled for a month with a carried value at most, and at most from a simulated month.
_POOL: Final = 2_048
_REPEATED: Final = 4
#: Sufficient number of months with the same carried value to represent it.
_ENOUGH: Final = 8
#: Deals of a month at most; after as many redeals the game ends.
_REDEALS: Final = 16
#: A distance between totals that excludes a tie.
_APART: Final = 1_000_000
#: Months that a tie adds to a game (K13).
_SEASON: Final = 3


class SimulatedMonth(NamedTuple):
    """A month of a simulated game, from its first deal or a later one.

    ``scores`` are in seat order from the dealer. ``shift`` is the distance in seats to the next
    dealer. ``is_last`` says that the game ended with the month. ``carried_in`` and ``carried_out``
    are `Machine.find_carried` before and after it.
    """

    scores: tuple[int, ...]
    shift: int
    is_last: bool
    carried_in: Hashable
    carried_out: Hashable


class GameEnd(NamedTuple):
    """A possible rest of a game.

    ``scores`` are the totals in seat order from the first dealer, ``month`` is the first month, and
    ``later`` the end after the month, or None after the last month.
    """

    scores: tuple[int, ...]
    month: SimulatedMonth
    later: GameEnd | None


class WinChances:
    """The chances to win a game under the rules of a machine, from simulated ``games``.

    The games are played on first use. The last deal of a game does not need them.
    """

    def __init__(self, machine: Machine[Any], games: int) -> None:
        self.machine, self.games = machine, games
        self.endless = machine.undecided_by_sums()
        self._ends: dict[tuple[int, Hashable], list[GameEnd]] = {}

    def chance(self, state: State, seat: int, first: int = 0, ends: int = ENDS) -> float:
        """Return the chance of a seat to win the game after a deal that has ended.

        The chance is an average over a number of ``ends``, starting with number ``first``. Use a
        different ``first`` for each deal, to make the error of a mean over deals correct. If the
        game is over, the chance is 1 or 0, or the share of a tied winner.
        """
        if state.final is not None:
            winner = state.result.first if state.result is not None else 0
            places = placed(state.final, winner)
            return 1.0 / places.count(1) if places[seat - 1] == 1 else 0.0
        pool = self.ends(state.month, self.machine.find_carried(state))
        players = len(state.totals)
        dealer = state.dealer - 1
        totals = [state.totals[(dealer + i) % players] for i in range(players)]
        place = (seat - 1 - dealer) % players
        start = first % len(pool)
        window = pool[start : start + ends]
        while len(window) < ends:
            window += pool[: ends - len(window)]
        if self.endless is not self.machine:
            finals = [self._decide(totals, end) for end in window]
            return _share([0] * players, place, finals) / ends
        return _share(totals, place, [end.scores for end in window]) / ends

    def _decide(self, totals: list[int], end: GameEnd) -> list[int]:
        """Return the totals after the first month that decides the game, or after the last."""
        finals, players, dealer = list(totals), len(totals), 0
        part: GameEnd | None = end
        while part is not None:
            for i, score in enumerate(part.month.scores):
                finals[(dealer + i) % players] += score
            if self.machine.is_decided(finals):
                break
            dealer += part.month.shift
            part = part.later
        return finals

    def ends(self, month: int, carried: Hashable = None) -> list[GameEnd]:
        """Return ends of games from a month on, in random order.

        A month after the last month of the simulated games was added by a tie.
        """
        if not self._ends:
            self._ends = _join_ends(_play_games(self.endless, self.games))
        while (month, None) not in self._ends:
            month = max(1, month - _SEASON)
        return self._ends.get((month, carried)) or self._ends[month, None]


def _share(totals: Sequence[int], place: int, scores: Sequence[Sequence[int]]) -> float:
    """Return the sum of the shares of a seat in the wins of games that end with these scores.

    ``place`` and ``totals`` count from the dealer.
    """
    leads = [(i, totals[place] - total) for i, total in enumerate(totals) if i != place]
    wins = 0.0
    for added in scores:
        own, equal = added[place], 1
        for i, lead in leads:
            distance = lead + own - added[i]
            if distance < 0:
                break
            if not distance:
                equal += 1
        else:
            wins += 1.0 / equal
    return wins


@lru_cache(maxsize=4)
def load_win_chances(machine: Machine[Any], games: int) -> WinChances:
    """Return the chances of a machine, cached between games."""
    return WinChances(machine, games)


def _play_games(machine: Machine[Any], games: int) -> dict[int, list[SimulatedMonth]]:
    """Return the months of games played by the policy, by their number."""
    policy, random = Policy(machine), Random(f"games of {machine.id}")
    apart = tuple(_APART * seat for seat in range(1, machine.players + 1))
    months_by_number: dict[int, list[SimulatedMonth]] = {}
    for _ in range(games):
        state = machine.start()
        state.totals = apart
        while state.phase is not Phase.OVER and state.month <= MAX_DEALS:
            number = state.month
            state, months = _play_month(policy, state, random)
            months_by_number.setdefault(number, []).extend(months)
            if months[0].is_last:
                break
    return months_by_number


def _play_month(policy: Policy, state: State, random: Random) -> tuple[State, list[SimulatedMonth]]:
    """Play a month from the state before it, and return the month from each of its deals on."""
    machine, number, players = policy.machine, state.month, policy.machine.players
    starts: list[tuple[int, tuple[int, ...], Hashable]] = []
    for _ in range(_REDEALS):
        totals, carried = state.totals, machine.find_carried(state)
        state = machine.step(state, machine.deal(state, random))
        starts.append((state.dealer - 1, totals, carried))
        state = policy.play_out(policy.begin(state, random))
        if state.month != number or state.phase is Phase.OVER:
            break
    is_last = state.phase is Phase.OVER or state.month == number
    carried_out = machine.find_carried(state)
    months = []
    for dealer, totals, carried in starts:
        scores = [after - before for after, before in zip(state.totals, totals, strict=True)]
        from_dealer = tuple(scores[dealer:] + scores[:dealer])
        shift = (state.dealer - 1 - dealer) % players
        months.append(SimulatedMonth(from_dealer, shift, is_last, carried, carried_out))
    return state, months


def _join_ends(
    months_by_number: dict[int, list[SimulatedMonth]],
) -> dict[tuple[int, Hashable], list[GameEnd]]:
    """Return ends by first month and carried value, built from the last month backwards."""
    random = Random("ends")
    pools: dict[tuple[int, Hashable], list[GameEnd]] = {}
    for number in sorted(months_by_number, reverse=True):
        for carried, months in _group_by_carried(months_by_number, number).items():
            ends = []
            for month in random.sample(months * _REPEATED, min(_POOL, len(months) * _REPEATED)):
                later = pools.get((number + 1, month.carried_out)) or pools.get((number + 1, None))
                if later is None or month.is_last:
                    ends.append(GameEnd(month.scores, month, None))
                else:
                    ends.append(_prepend(month, later[random.randrange(len(later))]))
            pools[number, carried] = ends
    return pools


def _group_by_carried(
    months_by_number: dict[int, list[SimulatedMonth]], number: int
) -> dict[Hashable, list[SimulatedMonth]]:
    """Return the months with a number by carried value, always including None (nothing carried).

    Months with other numbers represent these months as well, unless only some of these months end
    the game. All months represent a rare value.
    """
    months = months_by_number[number]
    groups: dict[Hashable, list[SimulatedMonth]] = {None: []}
    groups |= {month.carried_in: [] for month in months}
    if len(are_last := {month.is_last for month in months}) == 1:
        is_last = are_last.pop()
        simulated = chain.from_iterable(months_by_number.values())
        months = [month._replace(is_last=is_last) for month in simulated]
    for month in months:
        if month.carried_in in groups:
            groups[month.carried_in].append(month)
    return {
        carried: group if len(group) >= _ENOUGH else months for carried, group in groups.items()
    }


def _prepend(month: SimulatedMonth, end: GameEnd) -> GameEnd:
    """Put a month before an end, in seat order from the dealer of the month."""
    first = -month.shift % len(month.scores)
    later = end.scores[first:] + end.scores[:first]
    return GameEnd(tuple(map(int.__add__, month.scores, later)), month, end)
