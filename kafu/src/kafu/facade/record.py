"""Game records of the actions at a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kafu.notation.game import Game
from kafu.rules.play.actions import Action, Deal
from kafu.rules.play.machine import Phase
from kafu.simulation.simulate import NAMES, make_month, write_down

#: Default names of players.
PLAYERS: Final = NAMES


def add_months(game: Game, steps: Iterable[tuple[Action, Any]], *, claims: bool) -> Game:
    """Return ``game`` with the played months, from each action and the state after it.

    ``claims`` adds the score of each ended deal and the settlement. The notation has no half turns,
    so a last turn without its stock card is left out.
    """
    phase = Phase.DEAL
    for action, state in steps:
        if isinstance(action, Deal):
            game.months.append(make_month(action))
        else:
            write_down(game.months[-1], action)
        phase = state.phase
        if phase in (Phase.DEAL, Phase.OVER) and claims:
            game.months[-1].score = state.result.score
        if phase is Phase.OVER and claims:
            game.result = game.final = state.final
    statements = game.months[-1].statements
    if phase in (Phase.STOCK, Phase.DECIDE) and statements[-1].is_half:
        statements.pop()
    if phase is not Phase.OVER:
        game.tags["Termination"] = "unfinished"
    return game
