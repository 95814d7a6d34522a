"""Games of rare events, played to their end."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from kafu.notation.game import Game
from kafu.notation.vocabulary import MAX_DEALS, RULES
from kafu.rules.play.machine import Machine, Phase
from kafu.rules.rulesets import machine_of
from kafu.simulation.simulate import NAMES, make_month, write_down
from rare.plan import Plan, Planner


def simulate_rare(
    rules: str,
    *,
    seed: int,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    claims: bool = True,
) -> Game:
    """Play one game as `kafu.simulation.simulate.simulate` does, with a plan for each deal."""
    options = dict(options or {})
    players = players or RULES[rules].seats[0]
    machine = machine_of(rules, options, players)
    random = Random(f"{rules} {seed}")
    while True:
        planner = Planner(machine, random)
        game = Game(rules, NAMES[:players], options)
        state = machine.start()
        while state.phase is not Phase.OVER and len(game.months) < MAX_DEALS:
            state = _play_deal(machine, state, game, planner.plan(state), claims=claims)
        if state.final is not None:
            if claims:
                game.result = game.final = state.final
            return game


def _play_deal(machine: Machine[Any], state: Any, game: Game, plan: Plan, *, claims: bool) -> Any:
    """Play the planned deal, add it to ``game``, and return the state after it."""
    month = make_month(plan.deal)
    game.months.append(month)
    state = machine.step(state, plan.deal)
    if claims:
        month.ba = state.grade
    while state.phase not in (Phase.DEAL, Phase.OVER):
        action, is_written = plan.action(state, machine.legal_actions(state))
        if is_written:
            write_down(month, action)
        state = machine.step(state, action)
    if claims:
        month.score = state.result.score
    return state
