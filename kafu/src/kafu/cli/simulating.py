"""`kafu simulate`: games played by strategies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from kafu.cli.judging import BATCH_GAMES, map_groups
from kafu.cli.words import ndjson
from kafu.facade.errors import BadValue
from kafu.facade.playing import simulate
from kafu.facade.reading import to_json, write
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
    seeds: Sequence[int],
    seats: int | None,
    options: dict[str, str],
    players: Sequence[str],
    objects: bool,
    jobs: int,
) -> Iterator[str]:
    """Yield the texts of simulated games, one for each seed: Kafu, or JSON with ``objects``.

    A single strategy is used for every seat. Raises BadValue, UnknownRuleset.
    """
    work = partial(
        _simulate_all,
        ruleset,
        players=seats,
        options=options,
        strategies=players[0] if len(players) == 1 else players,
        objects=objects,
    )
    for texts in map_groups(work, _group(seeds), jobs=jobs):
        yield from texts


def _group(seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(seeds), BATCH_GAMES):
        yield seeds[start : start + BATCH_GAMES]


def _simulate_all(
    ruleset: str, seeds: Sequence[int], *, objects: bool, **arguments: Any
) -> Iterable[str]:
    games = (simulate(ruleset, seed=seed, **arguments) for seed in seeds)
    return [f"{ndjson(to_json(game))}\n" if objects else write(game) for game in games]
