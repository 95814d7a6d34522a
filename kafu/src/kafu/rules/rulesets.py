"""Which rulesets this version plays, by the id of the Rules tag."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kafu.rules.hachihachi.machine import Hachihachi
from kafu.rules.hachihachi_bga.machine import HachihachiBga
from kafu.rules.hanaawase.machine import Hanaawase
from kafu.rules.koikoi.machine import Koikoi
from kafu.rules.koikoi.overrides import profile
from kafu.rules.play.machine import Ruleset
from kafu.rules.ten_five_one.machine import TenFiveOne


class Unsupported(ValueError):
    """A ruleset (or house profile) that Kafu has but this version does not play."""


def _koikoi(options: Mapping[str, str], players: int) -> Ruleset[Any]:
    house = profile(options)
    if house is None:
        raise Unsupported(f"koikoi profile={options['profile']}")
    return Koikoi(house)


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, str], int], Ruleset[Any]]]] = {
    "hachihachi": lambda options, players: Hachihachi(options),
    "hachihachi-bga": HachihachiBga,
    "hanaawase": lambda options, players: Hanaawase(),
    "koikoi": _koikoi,
    "ten-five-one": TenFiveOne,
}
#: The ids of rulesets that this version plays.
PLAYED: Final = frozenset(_MAKERS)


def ruleset(rules: str, options: Mapping[str, str], players: int) -> Ruleset[Any]:
    """The machine of a ruleset with a game's options. Raises `Unsupported`."""
    if rules not in _MAKERS:
        raise Unsupported(rules)
    return _MAKERS[rules](options, players)
