"""`kafu simulate`: games played by strategies."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from kafu.cli.terminal import Progress
from kafu.cli.words import ndjson
from kafu.facade.errors import BadValue
from kafu.facade.playing import simulate
from kafu.facade.reading import to_json, write
from kafu.notation.game import Game
from kafu.simulation import simulate as simulation


def collect_options(ruleset: str, profile: str, options: Sequence[str]) -> dict[str, str]:
    """Return the options of a house, with further options as ``name=value``. Raises BadValue."""
    try:
        return simulation.collect_options(ruleset, profile, options)
    except ValueError as error:
        raise BadValue(str(error), code="bad-option") from None


def simulate_games(
    ruleset: str,
    *,
    count: int,
    seed: int,
    seats: int | None,
    options: dict[str, str],
    players: Sequence[str],
) -> Iterator[Game]:
    """Yield simulated games from ``seed`` on.

    A single strategy is used for every seat. Raises BadValue, UnknownRuleset.
    """
    strategies = players[0] if len(players) == 1 else players
    for number in range(count):
        yield simulate(
            ruleset, seed=seed + number, players=seats, options=options, strategies=strategies
        )


def print_games(games: Iterator[Game], progress: Progress, *, objects: bool) -> None:
    """Write games to standard output: Kafu, or one JSON object per line."""
    for number, game in enumerate(games):
        if objects:
            sys.stdout.write(f"{ndjson(to_json(game))}\n")
        else:
            sys.stdout.write(("\n" if number else "") + write(game))
        progress.step()
