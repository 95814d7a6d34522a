"""Fit the weights of the players of play-outs by roll-outs, and measure the players.

    PYTHONPATH=kafu/tests python -m bench.policies fit koikoi [--deals 4000] [--rounds 2]
    PYTHONPATH=kafu/tests python -m bench.policies measure koikoi [--deals 4000]

A round of ``fit`` plays deals of the document's house, or of presets. At decisions and at some
cards it tries each action on the same arrangements of the hidden cards, and plays on by the policy:
one-ply roll-outs as in `kafu.analysis.search`. The weights of a decision are a linear regression of
the difference between playing on and stopping, the weights of cards a nonlinear regression of the
differences between the cards of a turn. The next round plays by the new weights. Prints the
arguments of `kafu.rules.weights.PolicyWeights`.

``measure`` prints a row of a table in Markdown: the advantage over the policy with neutral weights
in points a deal, the decisions, how often the policy and the roll-outs play on, the percentage of
decisions in which they agree, of all and of those with a difference of more than two standard
errors, in which two roll-outs agree, and the time of a play-out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

import numpy as np

from analysis.matches import compare_policies
from analysis.rollouts import Decision, find_result, play_deals, rearrange, try_decision
from bench.corpus import table
from kafu.analysis.features import FEATURES
from kafu.analysis.policy import Policy
from kafu.rules.play.machine import AT_DECISION, AT_HAND, Machine, State
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.rules.weights import NEUTRAL, PolicyWeights

#: Weights of cards, with the change by which their effect is found.
STEPS: Final = {
    "near": 0.01,
    "chance": 0.01,
    "threat": 0.01,
    "bonus": 0.1,
    "points": 0.1,
    "brights": 0.1,
    "animals": 0.1,
    "ribbons": 0.1,
    "chaff": 0.1,
    "denied": 0.1,
    "contested": 0.1,
    "safe": 0.1,
    "spent": 0.1,
    "lost": 0.1,
    "given": 0.1,
    "preserved": 0.1,
    "pair": 0.1,
}
#: Arrangements of hidden cards a decision, and a card.
DECISION_SAMPLES, CARD_SAMPLES = 32, 5
#: Arrangements of hidden cards a decision when decisions are compared with the policy.
MEASURE_SAMPLES: Final = 128
#: Deals whose play-outs are timed, and the repetitions of each: another program may interrupt some.
TIMED_DEALS, REPETITIONS = 150, 7
#: Steps of the Gauss-Newton method, and the part of each step that is made.
GAUSS_NEWTON, DAMPED = 8, 0.6
#: Bounds of the chances to capture a further card.
CHANCES: Final = 0.0, 0.3
#: The ridge of regressions, of columns with a mean square of 1.
RIDGE, CARD_RIDGE = 0.001, 0.1


class Turn(NamedTuple):
    """A turn: its machine and state, and the mean results by card and capture."""

    machine: Machine[Any]
    state: State
    results: Mapping[tuple[int, int], float]


def list_machines(ruleset: str, presets: Sequence[str] = ()) -> list[Machine[Any]]:
    """Return the machines of presets for the smallest table, by default the document's house."""
    description = RULESETS[ruleset]
    options = [dict(preset.options) for preset in description.presets if preset.id in presets]
    return [machine_of(ruleset, each, description.seats[0]) for each in options or [{}]]


def try_cards(policy: Policy, state: State, random: Random) -> Mapping[tuple[int, int], float]:
    """Return the mean result of each card and capture."""
    sums = dict.fromkeys(state.table.plays(state.seat), 0.0)
    for _ in range(CARD_SAMPLES):
        arranged = rearrange(state, random)
        for play in sums:
            after = arranged.copy()
            policy.machine.hand_card(after, play.card, play.take)
            sums[play] += find_result(policy.play_out(after), state.seat) / CARD_SAMPLES
    return {(play.card, play.take): result for play, result in sums.items()}


# Fitting ------------------------------------------------------------------------------------------


def fit_decisions(
    weights: PolicyWeights, decisions: Sequence[tuple[Machine[Any], State, Decision]]
) -> PolicyWeights:
    """Return the weights with the regression of the advantages of playing on.

    The constant, which is the first feature, is set for the greatest advantage of the decisions.
    """
    policies = _list_policies(weights, decisions)
    columns = np.array([policies[machine].list_features(state) for machine, state, _ in decisions])
    advantages = np.array([decision.advantage for *_, decision in decisions])
    values = _regress(columns, advantages, RIDGE)
    values[0] -= _find_threshold(columns @ np.array(values), advantages) / columns[0, 0]
    values = [round(float(value), 3) for value in values]
    return weights._replace(
        play_on=dict(zip(FEATURES, values, strict=False)),
        situation_weights=tuple(values[len(FEATURES) :]),
    )


def _find_threshold(worths: Any, advantages: Any) -> float:
    """Return the worth from which playing on has the greatest total advantage."""
    order = np.argsort(-worths)
    count = int(np.argmax(np.cumsum(advantages[order]))) + 1
    return float(worths[order[count - 1 : count + 1]].mean())


def _list_policies(
    weights: PolicyWeights, rows: Sequence[tuple[Machine[Any], *tuple[Any, ...]]]
) -> dict[Machine[Any], Policy]:
    """Return a policy with these weights for each machine of the rows."""
    return {machine: Policy(machine, weights) for machine in {machine for machine, *_ in rows}}


def fit_cards(weights: PolicyWeights, turns: Sequence[Turn]) -> PolicyWeights:
    """Return the weights whose worths of cards explain the results in the turns best.

    These are least squares by the Gauss-Newton method, with differences between cards of a turn.
    """
    results = _center([list(turn.results.values()) for turn in turns])
    for _ in range(GAUSS_NEWTON):
        worths = _list_worths(weights, turns)
        slopes = [worths]
        for name, step in STEPS.items():
            changed = weights._replace(**{name: getattr(weights, name) + step})
            slopes.append((_list_worths(changed, turns) - worths) / step)
        scale, *changes = _regress(np.array(slopes).T, results, CARD_RIDGE, free=1)
        values = {
            name: getattr(weights, name) + DAMPED * change / scale
            for name, change in zip(STEPS, changes, strict=True)
        }
        for name in ("near", "chance", "threat"):
            values[name] = min(max(values[name], CHANCES[0]), CHANCES[1])
        weights = weights._replace(**{name: round(value, 3) for name, value in values.items()})
        result = _find_chosen(weights, turns)
        print(f"{result:.4f} a turn: {_format(weights)}", file=sys.stderr)
    return weights


def _center(values: Sequence[Sequence[float]]) -> Any:
    """Return the values of all cards of all turns less the mean of their turn."""
    return np.concatenate([np.array(row) - fmean(row) for row in values])


def _list_worths(weights: PolicyWeights, turns: Sequence[Turn]) -> Any:
    policies = _list_policies(weights, turns)
    rows = [policies[turn.machine].list_worths(turn.state) for turn in turns]
    return _center([[worth for worth, *_ in row] for row in rows])


def _find_chosen(weights: PolicyWeights, turns: Sequence[Turn]) -> float:
    """Return the mean result of the cards that a policy with these weights chooses."""
    policies = _list_policies(weights, turns)
    return fmean(turn.results[policies[turn.machine].choose_card(turn.state)] for turn in turns)


def _regress(columns: Any, results: Any, ridge: float, free: int = 0) -> list[float]:
    """Return the coefficients of a ridge regression, the first ``free`` of which have no ridge."""
    scale = np.sqrt((columns**2).mean(axis=0))
    scale[scale == 0] = np.inf
    columns = columns / scale
    ridges = np.full(columns.shape[1], ridge)
    ridges[:free] = 0
    normal = columns.T @ columns / len(columns) + np.diag(ridges)
    solved = np.linalg.solve(normal, columns.T @ results / len(columns)) / scale
    return [float(value) for value in solved]


def fit(
    machines: Sequence[Machine[Any]],
    weights: PolicyWeights,
    deals: int,
    tried: float,
    rounds: int,
    seed: int,
) -> PolicyWeights:
    """Return fitted weights of the houses of a ruleset, beginning with ``weights``.

    ``deals`` are played in each house; ``tried`` is the share of turns at which cards are tried.
    With 0 the weights of cards stay.
    """
    id = machines[0].id
    random = Random(f"{id} {seed}")
    for number in range(rounds):
        decisions: list[tuple[Machine[Any], State, Decision]] = []
        turns: list[Turn] = []
        for machine in machines:
            situation = RULESETS[id].policy(machine).situation
            policy = Policy(machine, weights._replace(situation=situation))
            for state in play_deals(policy, deals, random):
                if state.phase is AT_DECISION:
                    if decision := try_decision(policy, state, DECISION_SAMPLES, random):
                        decisions.append((machine, state.copy(), decision))
                elif state.phase is AT_HAND and random.random() < tried:
                    turns.append(Turn(machine, state.copy(), try_cards(policy, state, random)))
        print(f"{number + 1}: {len(decisions)} decisions, {len(turns)} turns", file=sys.stderr)
        weights = weights._replace(situation=situation)
        if turns:
            weights = fit_cards(weights, turns)
        if decisions:
            weights = fit_decisions(weights, decisions)
        print(_format(weights), file=sys.stderr)
    return weights


def _format(weights: PolicyWeights) -> str:
    """Return the arguments of the weights that differ from the defaults."""
    return ", ".join(
        f"{name}={value!r}"
        for name, value, default in zip(weights._fields, weights, NEUTRAL, strict=True)
        if value != default and name != "situation"
    )


# Measuring ----------------------------------------------------------------------------------------


def measure(ruleset: str, presets: Sequence[str], deals: int, seed: int) -> list[str]:
    """Return the row of a ruleset: its strength, its decisions and its speed."""
    machine, random = list_machines(ruleset, presets)[0], Random(f"measure {ruleset} {seed}")
    policy = Policy(machine)
    advantage = compare_policies(policy, Policy(machine, NEUTRAL), deals, seed)
    decisions = []
    for state in play_deals(policy, deals, random):
        if state.phase is AT_DECISION:
            pair = [try_decision(policy, state, MEASURE_SAMPLES, random) for _ in range(2)]
            if pair[0] and pair[1]:
                decisions.append((policy.plays_on(state), pair[0], pair[1]))
    deals_begun = [
        policy.begin(machine.step(machine.start(), machine.deal(machine.start(), random)), random)
        for _ in range(TIMED_DEALS)
    ]
    micro = 1e6 * fmean(_time_play_out(policy, state) for state in deals_begun)
    return [
        ruleset,
        f"{advantage.mean:.2f} ± {advantage.error:.2f}",
        *(_summarize_decisions(decisions) if decisions else [""] * 4),
        f"{micro:.0f}",
    ]


def _time_play_out(policy: Policy, state: State) -> float:
    """Return the time of the play-out of a deal in seconds, the least of some repetitions."""
    times = []
    for _ in range(REPETITIONS):
        copy, begun = state.copy(), time.perf_counter()
        policy.play_out(copy)
        times.append(time.perf_counter() - begun)
    return min(times)


def _summarize_decisions(decisions: Sequence[tuple[bool, Decision, Decision]]) -> list[str]:
    """Return the cells of decisions: what the policy decides, and two roll-outs."""
    agreed = [(on == (first.advantage > 0), first) for on, first, _ in decisions]
    clear = [agrees for agrees, first in agreed if abs(first.advantage) > 2 * first.error]
    twice = fmean((first.advantage > 0) == (again.advantage > 0) for _, first, again in decisions)
    shares = fmean(agrees for agrees, _ in agreed), fmean(clear or [0]), twice
    return [
        str(len(decisions)),
        str(sum(on for on, *_ in decisions)),
        str(sum(first.advantage > 0 for _, first, _ in decisions)),
        ", ".join(f"{100 * share:.0f}" for share in shares),
    ]


def main() -> None:
    """Fit or measure the policies of rulesets."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("task", choices=("fit", "measure"))
    parser.add_argument("rulesets", nargs="+", choices=tuple(RULESETS))
    parser.add_argument("--presets", nargs="*", default=())
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--tried", type=float, default=0.25)
    parser.add_argument("--go-on", action="store_true", help="begin with the present weights")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.task == "fit":
        for ruleset in arguments.rulesets:
            machines = list_machines(ruleset, arguments.presets)
            begin = RULESETS[ruleset].policy(machines[0]) if arguments.go_on else NEUTRAL
            numbers = arguments.deals, arguments.tried, arguments.rounds, arguments.seed
            weights = fit(machines, begin, *numbers)
            print(f"{ruleset}: {_format(weights)}")
        return
    head = [
        "ruleset",
        "points a deal",
        "decisions",
        "on",
        "roll-outs",
        "agree, clear, twice %",
        "µs",
    ]
    rows = [
        measure(ruleset, arguments.presets, arguments.deals, arguments.seed)
        for ruleset in arguments.rulesets
    ]
    print(table(head, rows))


if __name__ == "__main__":
    main()
