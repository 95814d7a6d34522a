"""Many different games of all five rulesets; and tables of figures in Markdown."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
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
    rules_and_seeds = [(ruleset, seed) for seed in range(seeds) for ruleset in RULES]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = list(pool.map(_play, rules_and_seeds, chunksize=8))
    for number, text in enumerate(islice(cycle(played), count)):
        yield _rename_players(text, number, number // len(played))


def _play(rules_and_seed: tuple[str, int]) -> str:
    ruleset, seed = rules_and_seed
    return write(simulate(ruleset, seed=seed, player=("sensible", "random")[seed % 4 == 3]))


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


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, its columns as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        name, *figures = cells
        padded = [
            name.ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(figures, widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    marks = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(head), line(marks), *map(line, rows)])


def number(value: float) -> str:
    """Return a figure with three digits, but without a fraction of what is counted in hundreds."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
