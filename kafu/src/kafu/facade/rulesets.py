"""What rulesets there are, with their options; a ruleset's machine for a call that names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from kafu.facade.errors import BadValue, NotPlayable, UnknownRuleset, wrong_type
from kafu.notation.vocabulary import RULES
from kafu.rules import rulesets as engine
from kafu.rules.defaults import defaults
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import RULESETS


class OptionInfo(NamedTuple):
    """What an option may be set to (words, or a span like ``0…999``), and what it is if it is not
    named; "" where the house decides that.

    >>> import kafu
    >>> hachihachi = next(one for one in kafu.rulesets() if one.id == "hachihachi")
    >>> hachihachi.options["etsunen"]
    OptionInfo(values=('yes', 'no'), default='no')
    """

    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True)
class RulesetInfo:
    """A ruleset: its id, names, the numbers of players, and its options by name.

    >>> import kafu
    >>> koikoi = next(one for one in kafu.rulesets() if one.id == "koikoi")
    >>> koikoi.ja, koikoi.en, list(koikoi.seats), koikoi.options["months"]
    ('こいこい', 'koi-koi', [2], OptionInfo(values=('1…48',), default='12'))
    """

    id: str
    ja: str
    romaji: str
    en: str
    seats: range
    options: Mapping[str, OptionInfo]


def rulesets() -> tuple[RulesetInfo, ...]:
    """All rulesets that can be played.

    >>> import kafu
    >>> [one.id for one in kafu.rulesets()]
    ['hachihachi', 'koikoi', 'hachihachi-bga', 'hanaawase', 'ten-five-one']
    """
    return tuple(_described(rules) for rules in RULES)


def _described(rules: str) -> RulesetInfo:
    known = RULES[rules].options
    profiles = known["profile"].expected if "profile" in known else ("",)
    settled = {**defaults(rules, profiles[0]), "profile": profiles[0]}
    options = {
        name: OptionInfo(values.expected, settled.get(name, "")) for name, values in known.items()
    }
    name = RULESETS[rules].name
    return RulesetInfo(rules, name.ja, name.romaji, name.en, RULES[rules].seats, options)


def machine(rules: str, players: int | None, options: Mapping[str, str] | None) -> Machine[Any]:
    """The rules with options, for as few players as it takes if no number is named.

    Raises WrongType, UnknownRuleset, BadValue, NotPlayable.
    """
    seats, settled = settle(rules, players, options)
    try:
        return engine.machine_of(rules, settled, seats)
    except engine.Unsupported as what:
        raise unsupported(what) from None


def unsupported(what: engine.Unsupported) -> NotPlayable:
    """The error for what this version does not play."""
    return NotPlayable(f"this version does not play {what}", code="unsupported")


def known(rules: str) -> str:
    """``rules``, which is the id of a ruleset. Raises WrongType, UnknownRuleset."""
    if not isinstance(rules, str):
        raise wrong_type("rules", rules, "str")
    if rules not in RULES:
        shown = rules if len(rules) <= 40 else f"{rules[:40]}…"
        raise UnknownRuleset(f"no such ruleset: {shown!r}", code="unknown-ruleset", expected=RULES)
    return rules


def settle(
    rules: str, players: int | None, options: Mapping[str, str] | None
) -> tuple[int, dict[str, str]]:
    """How many play, and the options, both checked. Raises WrongType, UnknownRuleset, BadValue."""
    have = RULES[known(rules)]
    if players is None:
        players = have.seats[0]
    if not isinstance(players, int) or isinstance(players, bool):
        raise wrong_type("players", players, "int")
    if players not in have.seats:
        said = f"{rules} is for {have.seats[0]} to {have.seats[-1]} players, not {players}"
        if len(have.seats) == 1:
            said = f"{rules} is for {have.seats[0]} players, not {players}"
        raise BadValue(said, code="wrong-players", expected=map(str, have.seats))
    if not isinstance(options, Mapping | None):
        raise wrong_type("options", options, "a mapping of str to str")
    for name, value in (options or {}).items():
        if name not in have.options:
            raise BadValue(
                f"{rules} has no option {name!r}", code="unknown-option", expected=have.options
            )
        if value not in have.options[name].known:
            raise BadValue(
                f"option {name} of {rules} is {value!r}",
                code="bad-option",
                expected=have.options[name].expected,
            )
    return players, dict(options or {})
