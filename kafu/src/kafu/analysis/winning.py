"""The chance to win the game after a deal, by the sums so far, who deals next, and the months left.

How the rest of a game goes is taken from games that the policy played, a few hundred for the rules
of a house: each month of them with what it brought the seats from its dealer on, who dealt the next
one, and whether the game was over, all as the machine has it. An end of a game (`GameEnd`) is put
together of such months, each by chance from another game, and added to the sums of a state: who has
most then wins, and a tie is shared. It is thus assumed that a month does not depend on those before
it but by who deals, and that nobody plays by the sums, which the policy does not. docs/analysis.md
says how well that agrees with games played to their end.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from kafu.analysis.policy import Policy
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.play.machine import Machine, Phase, State
from kafu.rules.verdict import placed

#: Ends of the game that are tried for a deal.
ENDS: Final = 16
#: Ends that are put together for a month.
_POOL: Final = 1_024
#: Deals of a month; where so many are dealt again the game ends.
_AGAIN: Final = 16
#: Sums so far apart that no game ends by a seat that is bust, and none goes on for a tie.
_APART: Final = 1_000_000
#: Months that a tie adds to a game (K13).
_SEASON: Final = 3


class SimulatedMonth(NamedTuple):
    """A month of a simulated game: its ``sums`` a seat from its dealer on, how many seats further
    on the next dealer sits, and whether the game ended with it.
    """

    sums: tuple[int, ...]
    dealer: int
    over: bool


class GameEnd(NamedTuple):
    """The rest of a game: its ``sums`` a seat from its first dealer on, and the ``lowest`` that
    each had after a month of it.
    """

    sums: tuple[int, ...]
    lowest: tuple[int, ...]


class Winning:
    """The chances to win a game of one machine, by so many simulated ``games``."""

    def __init__(self, rules: Machine[Any], games: int) -> None:
        """Nothing is played before it is needed: the last deal of a game needs nothing."""
        self.rules, self.games = rules, games
        self._ends: dict[int, list[GameEnd]] = {}

    def chance(self, state: State, seat: int, at: int = 0, ends: int = ENDS) -> float:
        """The chance of ``seat`` after a deal that has ended, by so many ends from number ``at``
        on; where the game is over, whether it has won, and its share if it is not alone.

        The error of a mean over deals is that of these values if ``at`` differs for each.
        """
        if state.final is not None:
            first = state.result.first if state.result is not None else 0
            places = placed(state.final, first)
            return 1.0 / places.count(1) if places[seat - 1] == 1 else 0.0
        found = self.ends(state.month)
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
        sums = end.sums
        mine = totals[own] + sums[own]
        out_at = self.rules.out_at
        if out_at is not None:
            lasts = [total + end.lowest[i] > out_at for i, total in enumerate(totals)]
            if not any(lasts):  # who was bust first is not known: hardly ever both will be
                return 1.0 / len(lasts)
            if not all(lasts):
                return lasts[own] / sum(lasts)
        equal = 1
        for i, total in enumerate(totals):
            if i != own:
                other = total + sums[i]
                if other > mine:
                    return 0.0
                equal += other == mine
        return 1.0 / equal

    def ends(self, month: int) -> list[GameEnd]:
        """Ends of games in which this month is due, in no order. A month beyond those of the games
        is one that a tie added.
        """
        if not self._ends:
            self._ends = _ends(_played(self.rules, self.games))
        while month not in self._ends:
            month = max(1, month - _SEASON)
        return self._ends[month]


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
    return state, SimulatedMonth(turned, (state.dealer - dealer) % players, over)


def _ends(played: dict[int, list[SimulatedMonth]]) -> dict[int, list[GameEnd]]:
    """Ends from each month on, the last month first: each month of the games is in as many."""
    random = Random("ends")
    found: dict[int, list[GameEnd]] = {}
    for number in sorted(played, reverse=True):
        months, later = played[number], found.get(number + 1)
        ends = []
        for i in range(_POOL):
            month = months[i % len(months)]
            sums, players = month.sums, len(month.sums)
            lowest = sums
            if later is not None and not month.over:
                end = later[random.randrange(len(later))]
                turn = -month.dealer
                lowest = tuple(
                    sum_ + min(0, end.lowest[(i + turn) % players]) for i, sum_ in enumerate(sums)
                )
                sums = tuple(sum_ + end.sums[(i + turn) % players] for i, sum_ in enumerate(sums))
            ends.append(GameEnd(sums, lowest))
        random.shuffle(ends)
        found[number] = ends
    return found
