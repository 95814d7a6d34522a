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

from kafu.analysis.knowledge import View
from kafu.analysis.policy import Policy
from kafu.rules.play.actions import Action
from kafu.rules.play.machine import State

#: Deals between two looks at the error.
_BLOCK: Final = 32


class Effort(NamedTuple):
    """How much is done for a choice.

    ``first`` deals for every action, then as many more for the better half, and so on; then deals
    for the last two until the standard error of their difference is no more than ``error`` (in the
    small unit), or ``most`` deals. Endings with no more than ``exact`` ways for the hidden cards
    to lie are counted.
    """

    first: int = 32
    error: float = 0.3
    most: int = 2_000
    exact: int = 1_000


class ActionValue(NamedTuple):
    """What an action is worth to its seat: ``mean`` and standard ``error`` of the result of the
    deal over so many ``deals``, in the small unit.
    """

    action: Action
    deals: int
    mean: float
    error: float


class Valued(NamedTuple):
    """A choice analysed: what each action is worth, the number of the one ``played``, and of the
    ``rival``, the best other one.

    ``better`` is how much more the rival is worth than what was played (negative: less), with its
    standard ``error``, over the same ``deals``, none of which was used to find the rival; 0 if all
    was counted (``exact``). ``sought`` says that the rival was worth more where it was found.
    """

    options: tuple[ActionValue, ...]
    played: int
    rival: int
    better: float
    error: float
    deals: int
    exact: bool
    sought: bool


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

    def __init__(self, policy: Policy, view: View, actions: Sequence[Action], played: int) -> None:
        """Nothing is sampled yet. ``played`` is the number of the action that was chosen."""
        self.policy, self.view, self.actions, self.played = policy, view, actions, played
        self.sums = [_Sum() for _ in actions]
        self.piles = Random(0)

    def result(self, state: State, action: Action) -> int:
        """What an action brings in a deal whose cards are all known, played out."""
        rules = self.policy.rules
        after = rules.step(state.copy(), action)
        if after.result is None:
            after = self.policy.begin(after, self.piles)  # what follows a bid
            self.policy.play_out(after)
        assert after.result is not None, "the deal was played out"
        return margin(after.result.score, self.view.seat)

    def sample(self, alive: Sequence[int], deals: int, random: Random) -> None:
        """Try the actions of these numbers on so many more deals. Raises Unknowable."""
        for _ in range(deals):
            state = self.view.sample(random)
            for number in alive:
                self.sums[number].add(self.result(state, self.actions[number]))

    def count(self) -> None:
        """Try all actions on every deal."""
        for state in self.view.every():
            for action, sum_ in zip(self.actions, self.sums, strict=True):
                sum_.add(self.result(state, action))

    def run(self, effort: Effort, random: Random) -> Valued:
        """The choice analysed. Raises Unknowable."""
        if self.view.count <= effort.exact:
            self.count()
            rival = self._rival(range(len(self.actions)))
            better = self.sums[rival].mean - self.sums[self.played].mean
            return self._valued(rival, better, 0.0, self.sums[rival].count, exact=True)
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
        difference = self._difference(rival, effort, random)
        return self._valued(
            rival, difference.mean, difference.error, difference.count, exact=False, sought=sought
        )

    def _rival(self, alive: Sequence[int]) -> int:
        others = [number for number in alive if number != self.played]
        return max(others, key=lambda number: self.sums[number].mean)

    def _difference(self, rival: int, effort: Effort, random: Random) -> _Sum:
        """How much better the rival is, on fresh deals."""
        found = _Sum()
        mine, other = self.sums[self.played], self.sums[rival]
        while True:
            for _ in range(_BLOCK):
                state = self.view.sample(random)
                one = self.result(state, self.actions[self.played])
                two = self.result(state, self.actions[rival])
                mine.add(one)
                other.add(two)
                found.add(two - one)
            if found.count >= effort.most:
                return found
            if found.count >= 3 * _BLOCK and found.error <= effort.error:
                return found

    def _valued(
        self,
        rival: int,
        better: float,
        error: float,
        deals: int,
        *,
        exact: bool,
        sought: bool | None = None,
    ) -> Valued:
        options = tuple(
            ActionValue(action, one.count, one.mean, 0.0 if exact else one.error)
            for action, one in zip(self.actions, self.sums, strict=True)
        )
        found = better > 0 if sought is None else sought
        return Valued(options, self.played, rival, better, error, deals, exact, found)
