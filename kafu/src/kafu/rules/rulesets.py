"""The registry of rulesets, by the id of the Rules tag.

`kafu` registers the library's five (`kafu.rules.builtin`). Other packages may register further
rulesets, which are then read, replayed, simulated and counted like these five.
"""

from __future__ import annotations

import copyreg
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
    """A ruleset, or a house profile, that this version cannot play."""


class WrongOption(ValueError):
    """An unknown option of a ruleset, or an unknown value of a known option (``is_known``).

    ``expected`` are the valid options, or the valid values; ``message`` is the text without these.
    """

    def __init__(
        self, ruleset: str, option: str, value: object, expected: Iterable[str], *, is_known: bool
    ) -> None:
        self.option, self.value, self.is_known = option, value, is_known
        self.expected = tuple(expected)
        self.message = (
            f"option {option} of {ruleset} is {value!r}"
            if is_known
            else f"{ruleset} has no option {option!r}"
        )
        super().__init__(f"{self.message} (expected: {', '.join(self.expected) or 'none'})")


def register(description: Ruleset) -> None:
    """Register a ruleset.

    Raise ValueError if the id is taken, or if one of the ruleset's own yaku already has a name.
    """
    if description.id in _RULESETS:
        raise ValueError(f"{description.id} is registered")
    names.add(description.own_yaku)
    _RULESETS[description.id] = description  # a machine's names of yaku may depend on defaults
    vocabulary.register(description.notation)


def unregister(id: str) -> None:
    """Remove a ruleset. Raise KeyError for an unknown id."""
    vocabulary.unregister(id)
    names.remove(_RULESETS.pop(id).own_yaku)


def find_ruleset(id: str) -> Ruleset:
    """Return the description of a ruleset. Raise `Unsupported` for an unknown id."""
    if id not in _RULESETS:
        raise Unsupported(id)
    return _RULESETS[id]


# A ruleset has functions, which cannot be pickled: the receiver finds its own by the id.
copyreg.pickle(Ruleset, lambda ruleset: (find_ruleset, (ruleset.id,)))


def machine_of(ruleset: str, options: Mapping[str, str], players: int) -> Machine[Any]:
    """Return the machine of a ruleset with a game's options.

    Games with equal options share one machine, because a machine has no state. Raise `Unsupported`,
    and `WrongOption` like `check`.
    """
    return _machine(find_ruleset(ruleset), frozenset(options.items()), players)


@lru_cache(maxsize=256)
def _machine(
    description: Ruleset, options: frozenset[tuple[str, str]], players: int
) -> Machine[Any]:
    check(description.id, description.options, dict(options))
    return description.machine(dict(options), players)


def check(ruleset: str, valid: Mapping[str, Values], options: Mapping[str, Any]) -> None:
    """Raise WrongOption for the first unknown option, or the first option with an unknown value.

    ``valid`` are the options of the ruleset with the possible values.
    """
    for name, value in options.items():
        if name not in valid:
            raise WrongOption(ruleset, name, value, valid, is_known=False)
        if not isinstance(value, str) or value not in valid[name].known:
            raise WrongOption(ruleset, name, value, valid[name].expected, is_known=True)


def complete_options(ruleset: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a game, with the defaults of its house for omitted options (K15).

    >>> complete_options("koikoi", {"profile": "koikoi-ai", "goko": "20"})["months"]
    '8'
    """
    return {**RULESETS[ruleset].defaults(options.get("profile", "")), **options}
