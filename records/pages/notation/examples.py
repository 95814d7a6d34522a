"""An example of each ruleset: one month that was played to its end, as canonical Kafu."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kafu.notation.writer import write
from kafu.rules.rulesets import RULESETS
from kafu.simulation.simulate import simulate
from records.base import labels

#: The month that each ruleset's example has; chosen so that somebody makes a yaku in it.
_SEED: Final = 3


@dataclass(frozen=True, slots=True)
class Example:
    """A ruleset that has an example: its id and its name."""

    rules: str
    name: str


def examples() -> list[Example]:
    """All of them."""
    return [Example(rules, labels.ruleset(rules)) for rules in RULESETS]


@lru_cache
def example_text(rules: str) -> str:
    """The example of a ruleset that is known."""
    game = simulate(rules, seed=_SEED)
    game.months = game.months[:1]
    game.tags["Termination"] = "unfinished"
    game.result = game.final = None
    return write(game)
