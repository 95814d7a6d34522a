"""Simulated records of every kind: whole games and such that end anywhere, with open draw piles."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from random import Random

from kafu.notation.game import Game
from kafu.simulation.simulate import simulate

#: Months of a record that is cut short.
_MONTHS = 2


def simulated(rules: str, players: int, seed: int) -> Game:
    """A record of a game: whole where ``seed`` is even, else one that ends within a month."""
    return deepcopy(_simulated(rules, players, seed))


@cache
def _simulated(rules: str, players: int, seed: int) -> Game:
    game = simulate(rules, seed=seed // 2, players=players, rare=True)
    if seed % 2:
        cut_short(game, Random(seed))
    return game


def cut_short(game: Game, random: Random) -> None:
    """End a game within one of its first months, whose draw piles are known only in part."""
    del game.months[random.randint(1, _MONTHS) :]
    for month in game.months:
        if month.stock:
            month.stock, month.stock_cut = month.stock[: random.randint(0, 8)], True
    last = game.months[-1]
    del last.turns[random.randint(0, len(last.turns)) :]
    last.redeal = last.void = last.score = game.final = game.result = None
    game.tags["Termination"] = "unfinished"
