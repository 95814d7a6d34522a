"""Every ruleset as an environment of PettingZoo; needs the extra ``kafu[rl]``.

    >>> from pettingzoo import make
    >>> import kafu.rl
    >>> env = make("aec", "kafu/koikoi_v0", options={"months": 1})

Agents take turns (AEC). An action is an id of `Ruleset.actions`. An observation is a dictionary
with the ``observation`` of `Table.observation` and the ``action_mask`` of `Table.mask`. The
environment deals cards and plays forced actions itself. An agent out of turn is asked for a
declaration only if it has one. A reward is what a deal brings, at the end of a game also its
settlement: the rewards add up to the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final, cast

from kafu.facade.rulesets import rulesets
from kafu.facade.table import Table

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, register
except ImportError as error:
    raise ImportError("kafu.rl needs PettingZoo: pip install 'kafu[rl]'") from error

#: The version of actions and observations in the names of environments.
VERSION: Final = 0
_LIMIT: Final = 1 << 15


class KafuEnv(AECEnv[str, dict[str, Any], int | None]):
    """A game of a ruleset; the arguments are those of `kafu.Table`.

    ``table`` is the whole table. Steps with an illegal id raise `kafu.IllegalAction` and change
    nothing.
    """

    def __init__(
        self,
        rules: str,
        *,
        players: int | None = None,
        options: Mapping[str, str | int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = self._start = Table(rules, players=players, options=options)
        self.metadata = {"name": name_of(rules), "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{i}" for i in range(self._start.players)]
        self.agents: list[str] = []
        length = max(part.stop for part in self._start.layout.values())
        count = len(self._start.mask(1))
        self._spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-_LIMIT, _LIMIT - 1, (length,), np.int16),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self._random = Random()

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Return the space of ids."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed deals the same cards. ``options`` have no meaning."""
        if seed is not None:
            self._random = Random(seed)
        self.table = self._start
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._silent: set[int] = set()
        self._go_on()

    def step(self, action: int | None) -> None:
        """Play the action of the selected agent; None removes an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        before = self.table
        self._act(self._seat(agent), action)
        self._go_on()
        self._cumulative_rewards[agent] = 0
        gains = zip(_sums(self.table), _sums(before), strict=True)
        self.rewards = {
            player: after - earlier
            for player, (after, earlier) in zip(self.agents, gains, strict=True)
        }
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees, and its legal actions."""
        seat = self._seat(agent)
        return {
            "observation": np.frombuffer(self.table.observation(seat), np.int16),
            "action_mask": np.frombuffer(self.table.mask(seat), np.int8),
        }

    def render(self) -> str:
        """Return the table as text."""
        return str(self.table)

    def close(self) -> None:
        """Do nothing: an environment holds no resources."""

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent) + 1

    def _act(self, seat: int, id: int | None) -> None:
        """Play an action by its id. Raises IllegalAction before anything has changed."""
        before = self.table
        self.table = before.act(cast(int, id), seat)
        if self.table is before:
            self._silent.add(seat)
        elif seat == before.choosers[-1]:
            self._silent.clear()

    def _go_on(self) -> None:
        """Deal cards and play forced actions until an agent has a choice, or the game is over."""
        while not self.table.finished:
            waiting = [seat for seat in self.table.choosers if seat not in self._silent]
            if not waiting:
                self.table = self.table.deal(self._random)
                continue
            legal = self.table.legal_ids(waiting[0])
            if len(legal) > 1:
                self.agent_selection = self.possible_agents[waiting[0] - 1]
                return
            self._act(waiting[0], legal[0])
        is_settled = self.table.final is not None
        self.terminations = dict.fromkeys(self.agents, is_settled)
        self.truncations = dict.fromkeys(self.agents, not is_settled)


def _sums(table: Table) -> tuple[int, ...]:
    """Return the result of a game, or the sums so far."""
    return table.totals if table.final is None else table.final


def name_of(rules: str) -> str:
    """Return the name of the environment of a ruleset.

    >>> name_of("ten-five-one")
    'ten_five_one_v0'
    """
    return f"{rules.replace('-', '_')}_v{VERSION}"


for _ruleset in rulesets():
    register("aec", f"kafu/{name_of(_ruleset.id)}", KafuEnv, kwargs={"rules": _ruleset.id})
