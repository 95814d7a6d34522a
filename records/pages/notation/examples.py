"""Examples of each ruleset: a complete month in canonical Kafu."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.base import labels

#: Seed of the simulated month, chosen so that a player makes a yaku in every ruleset.
_SEED: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A ruleset with an example: its id and its name."""

    rules: str
    name: str


def examples() -> list[Example]:
    """Return all examples."""
    return [Example(rules, labels.ruleset(rules)) for rules in RULESETS]


@lru_cache
def example_text(rules: str) -> str:
    """Return the example of a ruleset as canonical Kafu."""
    game = simulate(rules, seed=_SEED)
    game.months = game.months[:1]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)
