"""The chance to win the game after a deal, by the sums so far, who deals next, and the months left.

How the rest of a game goes is taken from games that the policy played, a few hundred for the rules
of a house: each month of them with what it brought the seats from its dealer on, who dealt the next
one, and whether the game was over, all as the machine has it. An end of a game (`GameEnd`) is put
together of such months, each by chance from another game, and added to the sums of a state: who has
most then wins, and a tie is shared. It is thus assumed that a month does not depend on those before
it but by who deals and what is carried over, and that nobody plays by the sums, which the policy
does not. Where sums end games (K15, K18), an end stops at the first month after which they do.
docs/analysis.md says how well that agrees with games played to their end.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.verdict import placed

#: Ends of the game that are tried for a deal.
ENDS: Final = 16
#: Ends that are put together for a month, and for one into which something is carried.
_POOL: Final = 2_048
_CARRIED: Final = 512
#: Months with the same carried into them that are enough to stand for all such.
_ENOUGH: Final = 8
#: Deals of a month; where so many are dealt again the game ends.
_AGAIN: Final = 16
#: Sums so far apart that no game goes on for a tie.
_APART: Final = 1_000_000
#: Months that a tie adds to a game (K13).
_SEASON: Final = 3


class SimulatedMonth(NamedTuple):
    """A month of a simulated game: its ``sums`` a seat from its dealer on, how many seats further
    on the next dealer sits, whether the game ended with it, and what was carried into it and on
    (`State.carried`).
    """

    sums: tuple[int, ...]
    dealer: int
    over: bool
    before: Hashable
    after: Hashable


class GameEnd(NamedTuple):
    """The rest of a game: its ``sums`` a seat from its first dealer on, its first ``month``, and
    the end that was put ``later``, None after the last month.
    """

    sums: tuple[int, ...]
    month: SimulatedMonth
    later: GameEnd | None


class Winning:
    """The chances to win a game of one machine, by so many simulated ``games``."""

    def __init__(self, rules: Machine[Any], games: int) -> None:
        """Nothing is played before it is needed: the last deal of a game needs nothing."""
        self.rules, self.games = rules, games
        self.endless = rules.undecided_by_sums()
        self._ends: dict[tuple[int, Hashable], list[GameEnd]] = {}

    def chance(self, state: State, seat: int, at: int = 0, ends: int = ENDS) -> float:
        """The chance of ``seat`` after a deal that has ended, by so many ends from number ``at``
        on; where the game is over, whether it has won, and its share if it is not alone.

        The error of a mean over deals is that of these values if ``at`` differs for each.
        """
        if state.final is not None:
            first = state.result.first if state.result is not None else 0
            places = placed(state.final, first)
            return 1.0 / places.count(1) if places[seat - 1] == 1 else 0.0
        found = self.ends(state.month, state.carried)
        players = len(state.totals)
        dealer = state.dealer - 1
        totals = [state.totals[(dealer + i) % players] for i in range(players)]
        own = (seat - 1 - dealer) % players
        won, count = 0.0, len(found)
        for number in range(at, at + ends):
            won += self._share(totals, own, found[number % count])
        return won / ends

    def _share(self, totals: list[int], own: int, end: GameEnd) -> float:
        """What a seat has of the win after such an end: seats as the end has them."""
        if self.endless is not self.rules:
            sums = self._decided(totals, end)
        else:
            sums = [total + sum_ for total, sum_ in zip(totals, end.sums, strict=True)]
        mine = sums[own]
        equal = 1
        for i, other in enumerate(sums):
            if i != own:
                if other > mine:
                    return 0.0
                equal += other == mine
        return 1.0 / equal

    def _decided(self, totals: list[int], end: GameEnd) -> list[int]:
        """The sums with which a game is over: those after the first month that decides it."""
        sums, players, first = list(totals), len(totals), 0
        part: GameEnd | None = end
        while part is not None:
            for i, sum_ in enumerate(part.month.sums):
                sums[(first + i) % players] += sum_
            if self.rules.is_decided(sums):
                break
            first += part.month.dealer
            part = part.later
        return sums

    def ends(self, month: int, carried: Hashable = None) -> list[GameEnd]:
        """Ends of games in which this month is due, with so much carried into it, in no order. A
        month beyond those of the games is one that a tie added.
        """
        if not self._ends:
            self._ends = _ends(_played(self.endless, self.games))
        while (month, None) not in self._ends:
            month = max(1, month - _SEASON)
        return self._ends.get((month, carried)) or self._ends[month, None]


@lru_cache(maxsize=4)
def winning(rules: Machine[Any], games: int) -> Winning:
    """The chances of a machine: made once, whichever games are analysed."""
    return Winning(rules, games)


def _played(rules: Machine[Any], games: int) -> dict[int, list[SimulatedMonth]]:
    """The months of so many games that the policy plays, by their number."""
    policy, random = Policy(rules), Random(f"games of {rules.id}")
    apart = tuple(_APART * seat for seat in range(1, rules.players + 1))
    found: dict[int, list[SimulatedMonth]] = {}
    for _ in range(games):
        state = rules.start()
        state.totals = apart
        while state.phase is not Phase.OVER and state.month <= MAX_DEALS:
            number = state.month
            state, month = _month(policy, state, random)
            found.setdefault(number, []).append(month)
            if month.over:
                break
    return found


def _month(policy: Policy, state: State, random: Random) -> tuple[State, SimulatedMonth]:
    """A month played from the state before it, with all its deals."""
    rules, number, before, dealer = policy.rules, state.month, state.totals, 0
    carried = state.carried
    for _ in range(_AGAIN):
        state = rules.step(state, rules.deal(state, random))
        dealer = dealer or state.dealer
        state = policy.play_out(policy.begin(state, random))
        if state.month != number or state.phase is Phase.OVER:
            break
    players = rules.players
    sums = [after - sum_ for after, sum_ in zip(state.totals, before, strict=True)]
    turned = tuple(sums[(dealer - 1 + i) % players] for i in range(players))
    over = state.phase is Phase.OVER or state.month == number
    further = (state.dealer - dealer) % players
    return state, SimulatedMonth(turned, further, over, carried, state.carried)


def _ends(
    played: dict[int, list[SimulatedMonth]],
) -> dict[tuple[int, Hashable], list[GameEnd]]:
    """Ends from each month on, and what is carried into it, the last month first: each month of the
    games is in as many.
    """
    random = Random("ends")
    found: dict[tuple[int, Hashable], list[GameEnd]] = {}
    for number in sorted(played, reverse=True):
        for carried, months in _by_carried(played, number).items():
            ends = []
            for i in range(_POOL if carried is None else _CARRIED):
                month = months[i % len(months)]
                later = found.get((number + 1, month.after)) or found.get((number + 1, None))
                if later is None or month.over:
                    ends.append(GameEnd(month.sums, month, None))
                else:
                    end = later[random.randrange(len(later))]
                    ends.append(_joined(month, end))
            random.shuffle(ends)
            found[number, carried] = ends
    return found


def _by_carried(
    played: dict[int, list[SimulatedMonth]], number: int
) -> dict[Hashable, list[SimulatedMonth]]:
    """The months of a number by what is carried into them. Where that is rare those of other
    numbers are like it, and all of this one if these are few as well.
    """
    months = played[number]
    is_last = all(month.over for month in months)
    found: dict[Hashable, list[SimulatedMonth]] = {None: []}
    for month in months:
        found.setdefault(month.before, []).append(month)
    for carried, same in found.items():
        if len(same) < _ENOUGH:
            every = [one for group in played.values() for one in group if one.before == carried]
            enough = len(every) >= _ENOUGH
            found[carried] = (
                [one._replace(over=is_last) for one in every] if enough else list(months)
            )
    return found


def _joined(month: SimulatedMonth, end: GameEnd) -> GameEnd:
    """A month and the end after it, seats from the dealer of the month on."""
    players = len(month.sums)
    seats = [(i - month.dealer) % players for i in range(players)]
    sums = tuple(sum_ + end.sums[i] for sum_, i in zip(month.sums, seats, strict=True))
    return GameEnd(sums, month, end)
