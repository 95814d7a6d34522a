"""Environments pass the tests of PettingZoo, and their rewards are the results of the games."""

from __future__ import annotations

import importlib
import itertools
import sys
from random import Random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

import kafu
import kafu.rl
from lengths import LONG, part

#: PettingZoo knows only its own environments with dictionaries as observations.
pytestmark = [
    pytest.mark.filterwarnings("error::UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
]
NAMES = [kafu.rl.name_of(ruleset.id) for ruleset in kafu.rulesets()]
TABLES = [(ruleset.id, players) for ruleset in kafu.rulesets() for players in ruleset.seats]


def make(name: str, **arguments: Any) -> Any:
    return pettingzoo.make("aec", f"kafu/{name}", **arguments)


@pytest.mark.parametrize("name", NAMES)
def test_environment_passes_the_tests_of_pettingzoo(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    api_test(make(name), num_cycles=1000 if LONG else 100)
    seed_test(lambda: make(name), num_cycles=500 if LONG else 50)
    if not LONG:  # the benchmark plays for five seconds
        monkeypatch.setattr("time.time", map(float, itertools.count()).__next__)
    performance_benchmark(make(name))


@pytest.mark.parametrize(("rules", "players"), part(TABLES, one_of=2))
def test_rewards_add_up_to_the_result(rules: str, players: int) -> None:
    env, random = kafu.rl.KafuEnv(rules, players=players), Random(2)
    env.reset(seed=1)
    start = env.table.path()[0].totals
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, cut, _info = env.last(observe=False)
        sums[agent] += reward
        mask = env.observe(agent)["action_mask"]
        assert over or cut or mask.sum() > 1
        env.step(None if over or cut else random.choice(np.flatnonzero(mask).tolist()))
    final = env.table.final
    assert final is not None
    assert tuple(sums.values()) == tuple(
        end - begin for end, begin in zip(final, start, strict=True)
    )
    assert kafu.verify(env.table.game()).status == "verified"


@pytest.mark.parametrize("action", [0, -1, 10**6, None, "AxC"])
def test_illegal_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = make("koikoi_v0")
    env.reset(seed=3)
    agent, table, rewards = env.agent_selection, env.table, dict(env.rewards)
    with pytest.raises(kafu.IllegalAction) as error:
        env.step(action)
    assert error.value.legal == table.legal_actions
    assert (env.agent_selection, env.table, env.rewards) == (agent, table, rewards)


def test_agent_out_of_turn_is_asked_for_its_declaration_and_may_pass() -> None:
    env = kafu.rl.KafuEnv("hachihachi")
    env.reset(seed=0)
    hands = ["JNRVZdh", "ABCEFGI", "QUYckOS"]
    env.table = kafu.Table("hachihachi").lay_out(hands, "DHLPTX", dealer=1)
    env.agent_selection = "player_1"
    env.step(0)
    assert (env.table.phase, env.agent_selection) == ("hand", "player_0")


def test_missing_extra_is_told_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "kafu.rl")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(ImportError, match=r"pip install 'kafu\[rl\]'"):
        importlib.import_module("kafu.rl")


def test_options_of_the_house_are_those_of_the_table() -> None:
    env = make("koikoi_v0", options={"months": 1})
    assert env.metadata["name"] == "koikoi_v0"
    env.reset(seed=1)
    assert "koikoi: month 1" in env.render()
    with pytest.raises(kafu.BadValue):
        make("koikoi_v0", options={"months": 0})
