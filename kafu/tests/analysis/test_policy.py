"""The policy of play-outs beats the random and the greedy player of simulations."""

from __future__ import annotations

from operator import mul
from random import Random

import pytest

from analysis.matches import compare_policies, play_match
from analysis.rollouts import play_deals, rearrange, try_decision
from kafu.analysis.features import FEATURES
from kafu.analysis.policy import Policy
from kafu.rules.play.machine import AT_DECISION, Phase
from kafu.rules.rulesets import RULESETS, machine_of
from kafu.rules.weights import NEUTRAL
from lengths import LONG

pytestmark = pytest.mark.long

#: A few games show the advantage over the random player. The greedy player takes hundreds.
GAMES = 2_000 if LONG else 16
#: Deals of a comparison of weights.
DEALS = 12_000 if LONG else 600


@pytest.mark.parametrize("other", ("random", "sensible") if LONG else ("random",))
@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_policy_wins_more_than_other_players(rules: str, other: str) -> None:
    """The advantage exceeds two standard errors, with alternating seats."""
    margin = play_match(rules, other, GAMES)
    print(f"{rules}: {margin.mean:.2f} ± {margin.error:.2f} a game over {GAMES} against {other}")
    assert margin.mean > 2 * margin.error


@pytest.mark.parametrize("rules", tuple(RULESETS) if LONG else ("koikoi",))
def test_fitted_weights_win_more_than_neutral_ones(rules: str) -> None:
    """The advantage exceeds three standard errors, on the same deals in every seat."""
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    margin = compare_policies(Policy(machine), Policy(machine, NEUTRAL), DEALS)
    print(f"{rules}: {margin.mean:.2f} ± {margin.error:.2f} a deal over {DEALS} against neutral")
    assert margin.mean > 3 * margin.error


@pytest.mark.long_only  # some hundred decisions show the share
@pytest.mark.parametrize("rules", [id for id, ruleset in RULESETS.items() if ruleset.choice])
def test_policy_plays_on_where_roll_outs_do(rules: str) -> None:
    """Both say so about equally often, and mostly agree where roll-outs are clear."""
    policy, random = Policy(machine_of(rules, {}, RULESETS[rules].seats[0])), Random(3)
    pairs = []
    for state in play_deals(policy, 1_500, random):
        if state.phase is AT_DECISION and (decision := try_decision(policy, state, 64, random)):
            pairs.append((policy.plays_on(state), decision))
    said = sum(on for on, _ in pairs)
    better = sum(decision.advantage > 0 for _, decision in pairs)
    print(f"{rules}: {said} of {len(pairs)} decisions are to play on, {better} by roll-outs")
    assert said > 0 and abs(said - better) <= 0.1 * len(pairs)
    clear = [pair for pair in pairs if abs(pair[1].advantage) > 2 * pair[1].error]
    assert sum(on != (decision.advantage > 0) for on, decision in clear) <= 0.1 * len(clear)


def test_policy_plays_on_if_the_features_weigh_more_than_nothing() -> None:
    """It may skip the yaku of opponents if these can only speak for stopping."""
    machine, random, decided = machine_of("koikoi", {}, 2), Random(4), set()
    fitted = Policy(machine).weights
    for _ in range(40):
        play_on = {name: random.gauss(0, 2) for name in FEATURES}
        policies = [Policy(machine), Policy(machine, fitted._replace(play_on=play_on))]
        for state in play_deals(policies[0], 3, random):
            for policy in policies if state.phase is AT_DECISION else ():
                worth = sum(map(mul, policy.play_on, policy.list_features(state)))
                assert policy.plays_on(state) == (worth > 0)
                decided.add((policy.is_deterred, worth > 0))
    assert len(decided) == 4


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_policy_decides_the_same_wherever_hidden_cards_are(rules: str) -> None:
    machine = machine_of(rules, {}, RULESETS[rules].seats[0])
    policy, random = Policy(machine), Random(5)
    for _ in range(4):
        state = machine.step(machine.start(), machine.deal(machine.start(), random))
        state = policy.begin(state, random)
        while state.phase not in (Phase.DEAL, Phase.OVER):
            if state.phase is Phase.HAND:
                assert policy.choose_card(rearrange(state, random)) == policy.choose_card(state)
            elif state.phase is Phase.DECIDE:
                assert policy.list_features(rearrange(state, random)) == policy.list_features(state)
            policy.step(state)
