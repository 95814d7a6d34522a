"""Random games by the rules, at tables and in PettingZoo environments (kafu/docs/bots.md).

The ways of playing alternate. Times are CPU times of an action, in microseconds, the least of five
rounds of the same games. The machine keeps its states in a list, as a table keeps the tables before
it.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from time import process_time
from typing import Any

import kafu
from kafu.facade.rulesets import make_machine
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rl import KafuEnv
from kafu.rules.play.actions import Action, PlayEvent
from kafu.rules.play.machine import Phase

GAMES = 4
SEEDS = 8
ROUNDS = 5


def play_by_machine(rules: str, random: Random) -> int:
    """Play a game by the state machine alone. Return the number of actions."""
    machine, _ = make_machine(rules, None, None)
    state = machine.start()
    states: list[tuple[Any, Sequence[PlayEvent]]] = [(state, ())]
    while state.phase is not Phase.OVER and (
        state.phase is not Phase.DEAL or state.deals < MAX_DEALS
    ):
        action: Action
        if state.phase is Phase.DEAL:
            action = machine.deal(state, random)
        elif state.phase is Phase.PILE:
            action = machine.pile(state, random)
        else:
            action = random.choice(machine.legal_actions(state))
        state, events = machine.apply(state, action)
        states.append((state, events))
    return len(states) - 1


def play_at_table(rules: str, random: Random) -> int:
    """Play a game at a `kafu.Table`. Return the number of actions."""
    table = kafu.Table(rules)
    count = 0
    while not table.finished:
        actions = table.legal_actions
        table = table.apply(random.choice(actions)) if actions else table.deal(random)
        count += 1
    return count


make_environment = cache(KafuEnv)


def play_in_environment(rules: str, random: Random) -> int:
    """Play a game in an environment, with mask and observation. Return the number of actions."""
    env = make_environment(rules)
    env.reset(seed=random.getrandbits(32))
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        observation = env.observe(env.agent_selection)
        env.step(random.choice(observation["action_mask"].nonzero()[0]))
    return len(env.table.path()) - 1


def measure(rules: str) -> list[float]:
    """Return the microseconds of an action in each way of playing."""
    ways: list[Callable[[str, Random], int]] = [play_by_machine, play_at_table, play_in_environment]
    least = [[math.inf] * SEEDS for _ in ways]
    counts = [0] * len(ways)
    for seed in [*range(SEEDS)] * ROUNDS:
        for number, way in enumerate(ways):
            gc.collect()
            gc.freeze()  # objects of the libraries, which each collection would visit
            random = Random(seed)
            begin = process_time()
            count = sum(way(rules, random) for _ in range(GAMES))
            least[number][seed] = min(least[number][seed], process_time() - begin)
            counts[number] += count
    return [1e6 * ROUNDS * sum(times) / count for times, count in zip(least, counts, strict=True)]


def main() -> None:
    """Print a row for each ruleset."""
    print("| ruleset | machine | table | | environment | |")
    print("|---|---|---|---|---|---|")
    for ruleset in kafu.rulesets():
        machine, table, env = measure(ruleset.id)
        row = f"{machine:.1f} | {table:.1f} | ×{table / machine:.2f} | {env:.1f}"
        print(f"| {ruleset.id} | {row} | ×{env / machine:.2f} |")


if __name__ == "__main__":
    main()
