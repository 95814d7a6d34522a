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


def house_rules(rules: str, house: str, options: Sequence[str]) -> dict[str, str]:
    """The options of a game: those of a house, and others as ``name=value``. Raises BadValue."""
    try:
        return simulation.house_rules(rules, house, options)
    except ValueError as error:
        raise BadValue(str(error), code="bad-option") from None


def played(
    rules: str,
    *,
    count: int,
    seed: int,
    seats: int | None,
    options: dict[str, str],
    players: Sequence[str],
    rare: bool = False,
) -> Iterator[Game]:
    """Games from ``seed`` on; a single strategy is for every seat. ``rare`` favours rare events.
    Raises BadValue, UnknownRuleset.
    """
    strategies = players[0] if len(players) == 1 else players
    for number in range(count):
        yield simulate(
            rules,
            seed=seed + number,
            players=seats,
            options=options,
            strategies=strategies,
            rare=rare,
        )


def print_games(games: Iterator[Game], progress: Progress, *, objects: bool) -> None:
    """Write games to standard output: Kafu, an empty line between them, or a JSON object a line."""
    for number, game in enumerate(games):
        if objects:
            sys.stdout.write(f"{ndjson(to_json(game))}\n")
        else:
            sys.stdout.write(("\n" if number else "") + write(game))
        progress.step()
