"""The registered rulesets, by the id of the Rules tag.

`kafu` registers its own (`kafu.rules.known`); others may register theirs, which are then read,
replayed, simulated and counted like these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from kafu.notation import vocabulary
from kafu.notation.vocabulary import Values
from kafu.rules import names
from kafu.rules.description import Ruleset
from kafu.rules.play.machine import Machine

_RULESETS: Final[dict[str, Ruleset]] = {}
#: The registered rulesets, in the order of registration.
RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(_RULESETS)


class Unsupported(ValueError):
    """A ruleset (or house profile) that Kafu has but this version does not play."""


class WrongOption(ValueError):
    """An option that a ruleset does not have, or a ``value`` that its option has not (`is_known`).
    ``expected`` are the options, or the values, that there are; ``message`` is without them.
    """

    def __init__(
        self, rules: str, option: str, value: object, expected: Iterable[str], *, is_known: bool
    ) -> None:
        self.option, self.value, self.is_known = option, value, is_known
        self.expected = tuple(expected)
        self.message = (
            f"option {option} of {rules} is {value!r}"
            if is_known
            else f"{rules} has no option {option!r}"
        )
        super().__init__(f"{self.message} (expected: {', '.join(self.expected) or 'none'})")


def register(described: Ruleset) -> None:
    """Register a ruleset. Raises ValueError if its id is taken, or if one of its own yaku has a
    name already.
    """
    if described.id in _RULESETS:
        raise ValueError(f"{described.id} is registered")
    names.add(described.own_yaku)
    vocabulary.register(described.form)
    _RULESETS[described.id] = described


def unregister(id: str) -> None:
    """Remove a ruleset. Raises KeyError for an unknown id."""
    vocabulary.unregister(id)
    names.remove(_RULESETS.pop(id).own_yaku)


def ruleset(id: str) -> Ruleset:
    """The description of a ruleset. Raises `Unsupported` for an unknown id."""
    if id not in _RULESETS:
        raise Unsupported(id)
    return _RULESETS[id]


def machine_of(rules: str, options: Mapping[str, str], players: int) -> Machine[Any]:
    """The machine of a ruleset with a game's options: the same for all its games, for a machine has
    no state. Raises `Unsupported`, and `WrongOption` as `check` does.
    """
    return _machine(ruleset(rules), frozenset(options.items()), players)


@lru_cache(maxsize=256)
def _machine(rules: Ruleset, options: frozenset[tuple[str, str]], players: int) -> Machine[Any]:
    check(rules.id, rules.options, dict(options))
    return rules.machine(dict(options), players)


def check(rules: str, known: Mapping[str, Values], options: Mapping[str, Any]) -> None:
    """Raise WrongOption for the first option that is not ``known``, or whose value is not."""
    for name, value in options.items():
        if name not in known:
            raise WrongOption(rules, name, value, known, is_known=False)
        if not isinstance(value, str) or value not in known[name].known:
            raise WrongOption(rules, name, value, known[name].expected, is_known=True)
