"""Many different games of all rulesets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice

from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.simulation.simulate import simulate

#: Number of games per simulated game: simulating is slower than reading.
SEEDS_SHARE = 20
PEOPLE = 400


def games(count: int, share: int = SEEDS_SHARE) -> Iterator[str]:
    """Yield games of the rulesets alternately, each game ``share`` times with different players."""
    seeds = -(-count // (len(RULES) * share))
    rules_and_seeds = [(rules, seed) for seed in range(seeds) for rules in RULES]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = list(pool.map(_play, rules_and_seeds, chunksize=8))
    for number, text in enumerate(islice(cycle(played), count)):
        yield _rename_players(text, number, number // len(played))


def _play(rules_and_seed: tuple[str, int]) -> str:
    rules, seed = rules_and_seed
    return write(simulate(rules, seed=seed, player=("sensible", "random")[seed % 4 == 3]))


def _rename_players(text: str, number: int, turn: int) -> str:
    """Return the game with other names, which contain the turn, so that all games differ."""
    lines = text.split("\n")
    seat = 0
    for place, line in enumerate(lines):
        if not line.startswith("[Player"):
            continue
        seat += 1
        who = turn if seat == 1 else 1000 + (number * 7 + seat * 131) % PEOPLE
        lines[place] = f'[Player{seat} "Player {who}"]'
    return "\n".join(lines)
