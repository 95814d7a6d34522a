"""Simulated records: whole games, and games that stop anywhere with a partly known draw pile."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from random import Random

from kafu.notation.game import Game
from rare.simulation import simulate_rare

#: Months of a record that is cut short.
_MONTHS = 2


def simulated(rules: str, players: int, seed: int) -> Game:
    """Return the record of a game: whole for an even ``seed``, otherwise cut within a month."""
    return deepcopy(_simulated(rules, players, seed))


@cache
def _simulated(rules: str, players: int, seed: int) -> Game:
    game = simulate_rare(rules, seed=seed // 2, players=players)
    if seed % 2:
        cut_short(game, Random(seed))
    return game


def cut_short(game: Game, random: Random) -> None:
    """End a game within one of its first months, with partly known draw piles."""
    del game.months[random.randint(1, _MONTHS) :]
    for month in game.months:
        if month.stock:
            month.stock, month.stock_cut = month.stock[: random.randint(0, 8)], True
    last = game.months[-1]
    last.turns = last.turns[: random.randint(0, len(last.turns))]
    last.put("redeal", [])
    last.put("void", [])
    last.score = game.final = game.result = None
    game.tags["Termination"] = "unfinished"
