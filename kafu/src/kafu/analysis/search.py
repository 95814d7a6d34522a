"""What each action of a choice is worth: hidden cards sampled, the deal played out, many times.

A sampled deal is one that fits what the seat knows (`knowledge`). Every action is tried on the same
deals, and all seats then play by the same fair policy, each by its own knowledge. The value of an
action is thus its mean result under that policy: roll-outs as Tesauro and Galperin have them
("On-line policy improvement using Monte-Carlo search", NIPS 9, 1996), over determinizations as in
Ginsberg's GIB ("GIB: Imperfect information in a computationally challenging game", JAIR 14, 2001).
Deals are not solved with open cards, so that what Long, Sturtevant, Buro and Furtak ("Understanding
the success of perfect information Monte Carlo sampling in game tree search", AAAI 2010) discuss as
strategy fusion does not arise beyond the first action; nor is a tree grown as in Cowling, Powley
and Whitehouse ("Information set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012): the value is
that against this policy, not of best play, but its error is known, and small endings can be
counted.

The best action is sought by sequential halving (Karnin, Koren and Somekh, "Almost optimal
exploration in multi-armed bandits", ICML 2013). How much better it is than what was played is then
measured on fresh deals, so that having been chosen for its luck does not count for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from kafu.analysis.knowledge import Option, Silent, View
from kafu.analysis.policy import Policy
from kafu.analysis.winning import ENDS, Winning
from kafu.rules.play.machine import Phase, State

#: Deals between two looks at the error.
_BLOCK: Final = 32


class Effort(NamedTuple):
    """How much is done for a choice.

    ``first`` deals for every action, then as many more for the better half, and so on; then deals
    for the last two until the standard error of their difference is no more than ``error`` (in the
    small unit), or ``most`` deals. Endings with no more than ``exact`` ways for the hidden cards
    to lie are counted. ``games`` are simulated for the chance to win the game.
    """

    first: int = 32
    error: float = 0.3
    most: int = 2_000
    exact: int = 1_000
    games: int = 512

    def within(self, most: int) -> Effort:
        """The same with no more than ``most`` deals for a comparison, and as many games."""
        return self._replace(first=min(most, self.first), most=most, games=min(most, self.games))


class Measure(NamedTuple):
    """A measured mean and its standard ``error``."""

    mean: float
    error: float


class ActionValue(NamedTuple):
    """What an action is worth to its seat over so many ``deals``: the ``mean`` of the result of the
    deal, in the small unit, with its standard ``error``; and the ``chance`` to win the game.
    """

    action: Option
    deals: int
    mean: float
    error: float
    chance: Measure


class Valued(NamedTuple):
    """A choice analysed: what each action is worth, the number of the one ``played``, and of the
    ``rival``, the best other one.

    ``better`` is how much more the rival is worth than what was played (negative: less), with its
    standard ``error``, over the same ``deals``, none of which was used to find the rival; 0 if all
    was counted (``exact``). ``sought`` says that the rival was worth more where it was found.
    ``chance`` is how much more likely the seat wins the game with the rival, on the same deals.
    """

    options: tuple[ActionValue, ...]
    played: int
    rival: int
    better: float
    error: float
    deals: int
    exact: bool
    sought: bool
    chance: Measure


def margin(score: Sequence[int], seat: int) -> int:
    """What a deal brought a seat. Where sums do not cancel out, as in koi-koi whose loser pays
    nothing, it is how much more than the others.

    >>> margin((7, 0), 1), margin((7, 0), 2), margin((-3, 6, -3), 2)
    (7, -7, 6)
    """
    own = score[seat - 1]
    every = sum(score)
    return own if not every else 2 * own - every


class _Sum:
    """A running mean with its error."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        n = self.count
        if n < 2:
            return 0.0
        mean = self.total / n
        variance = max(0.0, (self.squares - n * mean * mean) / (n - 1))
        return sqrt(variance / n)


class Search:
    """The search of one choice of ``view`` among ``actions``; `run` does all of it."""

    def __init__(
        self,
        policy: Policy,
        winning: Winning,
        view: View,
        actions: Sequence[Option],
        played: int,
    ) -> None:
        """Nothing is sampled yet. ``played`` is the number of the action that was chosen."""
        self.policy, self.winning, self.view = policy, winning, view
        self.actions, self.played = actions, played
        self.sums = [_Sum() for _ in actions]
        self.chances = [_Sum() for _ in actions]
        self.piles = Random(0)
        #: Where the ends of the game begin that follow the deal tried now, and whether some deal
        #: was not the last.
        self.at = 0
        self.goes_on = False

    def after(self, state: State, action: Option) -> State:
        """The end of a deal whose cards are all known, played out after an action."""
        silent = 0
        after = state.copy()
        if isinstance(action, Silent):
            silent = action.seat
        else:
            after = self.policy.rules.step(after, action)
        if after.result is None:
            after = self.policy.begin(after, self.piles, silent)  # what follows a bid
            self.policy.play_out(after)
        return after

    def result(self, state: State, action: Option) -> int:
        """What an action brings in a deal whose cards are all known, played out."""
        return self._result(self.after(state, action))

    def _result(self, after: State) -> int:
        assert after.result is not None, "the deal was played out"
        return margin(after.result.score, self.view.seat)

    def _chance(self, after: State) -> float:
        self.goes_on |= after.phase is not Phase.OVER
        return self.winning.chance(after, self.view.seat, self.at)

    def sample(self, alive: Sequence[int], deals: int, random: Random) -> None:
        """Try the actions of these numbers on so many more deals. Raises Unknowable."""
        for _ in range(deals):
            state = self.view.sample(random)
            for number in alive:
                after = self.after(state, self.actions[number])
                self.sums[number].add(self._result(after))
                self.chances[number].add(self._chance(after))
            self.at += ENDS

    def count(self) -> list[list[float]]:
        """Try all actions on every deal. The chances of each action, deal by deal, a few times each
        where there are few deals.
        """
        rounds = 1 + _BLOCK // self.view.count
        found: list[list[float]] = [[] for _ in self.actions]
        for state in self.view.every():
            ends = [self.after(state, action) for action in self.actions]
            for after, sum_ in zip(ends, self.sums, strict=True):
                sum_.add(self._result(after))
            for _ in range(rounds):
                for after, chances in zip(ends, found, strict=True):
                    chances.append(self._chance(after))
                self.at += ENDS
        return found

    def run(self, effort: Effort, random: Random) -> Valued:
        """The choice analysed. Raises Unknowable."""
        if self.view.count <= effort.exact:
            return self._counted()
        alive = list(range(len(self.actions)))
        deals = effort.first
        while True:
            self.sample(alive, deals, random)
            if len(alive) <= 2:
                break
            alive.sort(key=lambda number: -self.sums[number].mean)
            alive = alive[: max(2, len(alive) // 2)]
            deals = self.sums[alive[0]].count
        rival = self._rival(alive)
        sought = self.sums[rival].mean > self.sums[self.played].mean
        better, chance = self._difference(rival, effort, random)
        return Valued(
            self._options(exact=False),
            *(self.played, rival, better.mean, better.error, better.count),
            exact=False,
            sought=sought,
            chance=Measure(chance.mean, chance.error),
        )

    def _counted(self) -> Valued:
        """The choice with every deal counted: chances alone have an error, unless the game is over
        with all of them.
        """
        found = self.count()
        rival = self._rival(range(len(self.actions)))
        better = self.sums[rival].mean - self.sums[self.played].mean
        chance = _Sum()
        for one, two in zip(found[self.played], found[rival], strict=True):
            chance.add(two - one)
        for chances, sum_ in zip(found, self.chances, strict=True):
            for value in chances:
                sum_.add(value)
        return Valued(
            self._options(exact=True),
            *(self.played, rival, better, 0.0, self.sums[rival].count),
            exact=True,
            sought=better > 0,
            chance=Measure(chance.mean, chance.error if self.goes_on else 0.0),
        )

    def _rival(self, alive: Sequence[int]) -> int:
        others = [number for number in alive if number != self.played]
        return max(others, key=lambda number: self.sums[number].mean)

    def _difference(self, rival: int, effort: Effort, random: Random) -> tuple[_Sum, _Sum]:
        """How much better the rival is, and by how much the chance with it, on fresh deals."""
        better, chance = _Sum(), _Sum()
        played = self.played
        while True:
            for _ in range(_BLOCK):
                state = self.view.sample(random)
                ends = [self.after(state, self.actions[number]) for number in (played, rival)]
                values = [self._result(after) for after in ends]
                chances = [self._chance(after) for after in ends]
                self.at += ENDS
                for i, number in enumerate((played, rival)):
                    self.sums[number].add(values[i])
                    self.chances[number].add(chances[i])
                better.add(values[1] - values[0])
                chance.add(chances[1] - chances[0])
            if better.count >= effort.most:
                return better, chance
            if better.count >= 3 * _BLOCK and better.error <= effort.error:
                return better, chance

    def _options(self, *, exact: bool) -> tuple[ActionValue, ...]:
        return tuple(
            ActionValue(
                action,
                sum_.count,
                sum_.mean,
                0.0 if exact else sum_.error,
                Measure(chance.mean, 0.0 if exact and not self.goes_on else chance.error),
            )
            for action, sum_, chance in zip(self.actions, self.sums, self.chances, strict=True)
        )
