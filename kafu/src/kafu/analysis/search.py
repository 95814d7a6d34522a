"""Values of the actions at a choice: sample hidden cards, play the deal out, average the results.

Each action is tried on the same sampled deals, all of them consistent with the knowledge of the
seat (`knowledge`). All seats then play by the same fair policy from their own knowledge. The value
of an action is its mean result under the policy: roll-outs as in Tesauro and Galperin ("On-line
policy improvement using Monte-Carlo search", NIPS 9, 1996), over determinizations as in Ginsberg's
GIB ("GIB: Imperfect information in a computationally challenging game", JAIR 14, 2001). Deals are
not solved with open cards, which limits strategy fusion (Long, Sturtevant, Buro and Furtak,
"Understanding the success of perfect information Monte Carlo sampling in game tree search", AAAI
2010) to the first action. No tree is grown as in Cowling, Powley and Whitehouse ("Information set
Monte Carlo tree search", IEEE TCIAIG 4(2), 2012): a value assumes the policy, not best play, but
its error is known, and small endings can be enumerated.

Sequential halving (Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits",
ICML 2013) finds the best alternative to the played action. Hand cards start with the results that
the policy predicts. Fresh deals then measure the advantage of the alternative, to remove the bias
of selection.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import Final, NamedTuple

from kafu.analysis.knowledge import Option, Silent, View
from kafu.analysis.policy import Policy
from kafu.analysis.winning import ENDS, WinChances
from kafu.rules.play.actions import Play
from kafu.rules.play.machine import Phase, State

#: Deals between two checks of the error, and deals before the first one.
_BLOCK: Final = 16
_LEAST: Final = 80
#: Deals whose results weigh as much as the prediction of the policy in the search.
_PREDICTIONS: Final = 32
#: Standard errors by which the rival is worse or better when its comparison ends early.
_WORSE: Final = 3
_BETTER: Final = 6
#: Standard errors by which the rival is worse if a comparison agrees with a search that preferred
#: the played action, and contradicts any other search.
_DOUBTFUL: Final = 1


class Effort(NamedTuple):
    """The effort spent on a choice.

    Halving starts with ``first`` deals per action. The comparison of the played action with the
    best alternative stops at a standard error of ``error`` (in the small unit), at ``most`` deals,
    or if the alternative is worse by more than three errors or better by more than six. It also
    stops if it contradicts the search and a loss is unlikely: if the alternative is worse by more
    than an error, although the search preferred it, or is not, although the search preferred the
    played action. Endings with at most ``exact`` arrangements of hidden cards are enumerated. The
    chance to win the game comes from ``games`` simulated games.
    """

    first: int = 24
    error: float = 0.3
    most: int = 2_000
    exact: int = 1_000
    games: int = 512

    def within(self, most: int) -> Effort:
        """Return a copy limited to ``most`` deals for a comparison, and to ``most`` games."""
        return self._replace(first=min(most, self.first), most=most, games=min(most, self.games))


class Measure(NamedTuple):
    """A measured mean and its standard ``error``."""

    mean: float
    error: float


class ActionValue(NamedTuple):
    """The value of an action to its seat, from a number of ``deals``.

    ``mean`` and its standard ``error`` are the result of the deal in the small unit; ``chance`` is
    the chance to win the game.
    """

    action: Option
    deals: int
    mean: float
    error: float
    chance: Measure


class ChoiceValue(NamedTuple):
    """The values of all ``options`` of a choice, and a comparison of the best two.

    ``played`` and ``rival`` are the indices of the played action and of the best alternative.
    ``better`` is the advantage of the rival (negative if it is worse), with its standard ``error``,
    measured on ``deals`` not used to find the rival; the error is 0 if all deals were enumerated
    (``exact``). ``sought`` is false if the rival had the lower value in the search; two actions are
    compared without a search.
    ``chance`` is the advantage in the chance to win the game, on the same deals.
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


def margin(scores: Sequence[int], seat: int) -> int:
    """Return the result of a deal for a seat.

    If the scores do not sum to zero, as in koi-koi, whose loser pays nothing, the result is the
    difference from all other seats.

    >>> margin((7, 0), 1), margin((7, 0), 2), margin((-3, 6, -3), 2)
    (7, -7, 6)
    """
    score = scores[seat - 1]
    total = sum(scores)
    return score if not total else 2 * score - total


class RunningMean:
    """A running mean and its standard error."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, value: float) -> None:
        """Add a value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """Return the mean, or 0 without values."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """Return the standard error of the mean, or 0 for fewer than two values."""
        n = self.count
        if n < 2:
            return 0.0
        mean = self.total / n
        variance = max(0.0, (self.squares - n * mean * mean) / (n - 1))
        return sqrt(variance / n)

    @property
    def measure(self) -> Measure:
        """Return mean and error."""
        return Measure(self.mean, self.error)


class Search:
    """The analysis of one choice among ``actions``, of which the record has number ``played``."""

    def __init__(
        self,
        policy: Policy,
        winning: WinChances,
        view: View,
        actions: Sequence[Option],
        played: int,
    ) -> None:
        self.policy, self.winning, self.view = policy, winning, view
        self.actions, self.played = actions, played
        self.sums = [RunningMean() for _ in actions]
        self.chances = [RunningMean() for _ in actions]
        #: Predicted results, relative to their mean.
        self.predicted = [0.0] * len(actions)
        self.piles = Random(0)
        #: Number of the first simulated end of the game for the current deal.
        self.first_end = 0
        #: Whether the game went on after some deal.
        self.goes_on = False

    def play_out(self, state: State, actions: Sequence[Option]) -> list[State]:
        """Return the ends of a deal with known cards, played by the policy after each action.

        ``state`` must not be used any more.
        """
        last = len(actions) - 1
        return [
            self._play_out(state.copy() if i < last else state, action)
            for i, action in enumerate(actions)
        ]

    def _play_out(self, after: State, action: Option) -> State:
        """Play a deal to its end in place after an action, and return its state."""
        if isinstance(action, Play):
            return self.policy.play_out(after, action.card, action.take)
        silent = 0
        if isinstance(action, Silent):
            silent = action.seat
        else:
            after = self.policy.machine.step(after, action)
        return self.policy.play_out(self.policy.begin(after, self.piles, silent))

    def _result(self, after: State) -> int:
        assert after.result is not None, "the deal was played out"
        return margin(after.result.score, self.view.seat)

    def _chance(self, after: State) -> float:
        self.goes_on |= after.phase is not Phase.OVER
        return self.winning.chance(after, self.view.seat, self.first_end)

    def sample(self, alive: Sequence[int], deals: int, random: Random) -> None:
        """Try the actions with indices ``alive`` on more deals. Raises Unknowable."""
        for _ in range(deals):
            self._sample(alive, random)

    def _sample(self, alive: Sequence[int], random: Random) -> tuple[list[int], list[float]]:
        """Try actions on one more deal, and return the results and the chances to win."""
        state = self.view.sample(random)
        ends = self.play_out(state, [self.actions[index] for index in alive])
        results = [self._result(after) for after in ends]
        chances = [self._chance(after) for after in ends]
        for index, result, chance in zip(alive, results, chances, strict=True):
            self.sums[index].add(result)
            self.chances[index].add(chance)
        self.first_end += ENDS
        return results, chances

    def run(self, effort: Effort, random: Random) -> ChoiceValue:
        """Analyse the choice. Raises Unknowable."""
        if self.view.count <= effort.exact:
            return self._enumerate()
        alive = list(range(len(self.actions)))
        if len(alive) > 2 and isinstance(self.actions[0], Play):
            self._predict(random)
        deals = effort.first
        while len(set(alive) - {self.played}) > 1:
            self.sample(alive, deals, random)
            alive.sort(key=self._rank)
            alive = alive[: max(len(alive) // 2, min(2, len(alive) - 1))]
            deals = self.sums[alive[0]].count
        rival = self._best_alternative(alive)
        sought = self.sums[rival].mean >= self.sums[self.played].mean
        better, chance = self._compare(rival, effort, random, is_preferred=sought)
        return ChoiceValue(
            self._options(exact=False),
            *(self.played, rival, better.mean, better.error, better.count),
            exact=False,
            sought=sought,
            chance=chance.measure,
        )

    def _predict(self, random: Random) -> None:
        """Predict the results of hand cards by the worths of the policy, relative to their mean.

        The policy does not know the hidden cards, so all arrangements lead to the same prediction.
        """
        state = self.view.sample(random)
        factor = self.policy.machine.find_payments(state).scale.halves / 2
        worths = {Play(*play): worth for worth, *play in self.policy.list_worths(state)}
        mean = sum(worths.values()) / len(worths)
        self.predicted = [
            factor * (worths[action] - mean) if isinstance(action, Play) else 0.0
            for action in self.actions
        ]

    def _rank(self, index: int) -> float:
        """Return a number that is lower for better actions, of those tried on as many deals."""
        return -self.sums[index].total - _PREDICTIONS * self.predicted[index]

    def _enumerate(self) -> ChoiceValue:
        """Analyse the choice on all consistent deals.

        Only the chances to win have an error, and not even these in the last deal of a game.
        """
        chances_by_action = self._count()
        rival = self._best_alternative(range(len(self.actions)))
        better = self.sums[rival].mean - self.sums[self.played].mean
        advantage = RunningMean()
        pairs = zip(chances_by_action[self.played], chances_by_action[rival], strict=True)
        for played, alternative in pairs:
            advantage.add(alternative - played)
        for chances, mean in zip(chances_by_action, self.chances, strict=True):
            for chance in chances:
                mean.add(chance)
        return ChoiceValue(
            self._options(exact=True),
            *(self.played, rival, better, 0.0, self.sums[rival].count),
            exact=True,
            sought=better > 0,
            chance=Measure(advantage.mean, advantage.error if self.goes_on else 0.0),
        )

    def _count(self) -> list[list[float]]:
        """Try all actions on all deals, and return the chances to win per action and deal.

        If there are few deals, each is repeated with different ends of the game.
        """
        rounds = 1 + _LEAST // self.view.count
        chances_by_action: list[list[float]] = [[] for _ in self.actions]
        for state in self.view.enumerate_states():
            ends = self.play_out(state, self.actions)
            for after, mean in zip(ends, self.sums, strict=True):
                mean.add(self._result(after))
            for _ in range(rounds):
                for after, chances in zip(ends, chances_by_action, strict=True):
                    chances.append(self._chance(after))
                self.first_end += ENDS
        return chances_by_action

    def _best_alternative(self, alive: Sequence[int]) -> int:
        alternatives = [index for index in alive if index != self.played]
        return min(alternatives, key=self._rank)

    def _compare(
        self, rival: int, effort: Effort, random: Random, *, is_preferred: bool
    ) -> tuple[RunningMean, RunningMean]:
        """Return the advantages of the rival in result and in chance to win, on fresh deals.

        ``is_preferred`` says whether the search preferred the rival to the played action, or made
        no difference.
        """
        better, chance = RunningMean(), RunningMean()
        pair = self.played, rival
        while True:
            for _ in range(_BLOCK):
                results, chances = self._sample(pair, random)
                better.add(results[1] - results[0])
                chance.add(chances[1] - chances[0])
            if better.count >= effort.most:
                return better, chance
            if better.count >= _LEAST:
                mean, error = better.mean, better.error
                is_clear = mean < -_WORSE * error or mean > _BETTER * error
                contradicts = (mean < -_DOUBTFUL * error) == is_preferred
                if is_clear or contradicts or error <= effort.error:
                    return better, chance

    def _options(self, *, exact: bool) -> tuple[ActionValue, ...]:
        return tuple(
            ActionValue(
                action,
                mean.count,
                mean.mean,
                0.0 if exact else mean.error,
                Measure(chance.mean, 0.0 if exact and not self.goes_on else chance.error),
            )
            for action, mean, chance in zip(self.actions, self.sums, self.chances, strict=True)
        )
