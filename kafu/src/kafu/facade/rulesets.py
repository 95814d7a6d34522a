"""The rulesets with their options, and the machine of a ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from kafu.facade.errors import BadValue, NotPlayable, UnknownRuleset, wrong_type
from kafu.notation.vocabulary import RULES
from kafu.rules import rulesets as engine
from kafu.rules.description import Ruleset
from kafu.rules.play.machine import Machine


def rulesets() -> tuple[Ruleset, ...]:
    """Return all playable rulesets, each with its id, names, seats and options.

    >>> import kafu
    >>> [ruleset.id for ruleset in kafu.rulesets()]
    ['hachihachi', 'koikoi', 'hachihachi-bga', 'hanaawase', 'ten-five-one']
    """
    return tuple(engine.RULESETS.values())


def make_machine(
    rules: str, players: int | None, options: Mapping[str, str | int] | None
) -> tuple[Machine[Any], dict[str, str]]:
    """Return the machine of a ruleset with options, and the options as `resolve` returns them.

    It is for the smallest number of players by default. Raises WrongType, UnknownRuleset, BadValue,
    NotPlayable.
    """
    seats, resolved = resolve(rules, players, options)
    try:
        return engine.machine_of(rules, resolved, seats), resolved
    except engine.Unsupported as error:
        raise NotPlayable(f"this version does not play {error}", code="unsupported") from None


def check_ruleset(rules: str) -> str:
    """Return ``rules`` if it is the id of a ruleset. Raises WrongType, UnknownRuleset."""
    if not isinstance(rules, str):
        raise wrong_type("rules", rules, "str")
    if rules not in RULES:
        shown = rules if len(rules) <= 40 else f"{rules[:40]}…"
        raise UnknownRuleset(f"no such ruleset: {shown!r}", code="unknown-ruleset", expected=RULES)
    return rules


def resolve(
    rules: str, players: int | None, options: Mapping[str, str | int] | None
) -> tuple[int, dict[str, str]]:
    """Return the number of players and the options, both checked; a number becomes its text.

    Raises WrongType, UnknownRuleset, BadValue.
    """
    limits = RULES[check_ruleset(rules)]
    if players is None:
        players = limits.seats[0]
    if not isinstance(players, int) or isinstance(players, bool):
        raise wrong_type("players", players, "int")
    if players not in limits.seats:
        message = f"{rules} is for {limits.seats[0]} to {limits.seats[-1]} players, not {players}"
        if len(limits.seats) == 1:
            message = f"{rules} is for {limits.seats[0]} players, not {players}"
        raise BadValue(
            message,
            code="wrong-players",
            expected=map(str, limits.seats),
            values={"ruleset": rules, "found": players},
        )
    if not isinstance(options, Mapping | None):
        raise wrong_type("options", options, "a mapping of str to str or int")
    # A truth value is also an `int`, and no option has the value "True".
    resolved = {
        name: str(value) if type(value) is int else value for name, value in (options or {}).items()
    }
    try:
        engine.check(rules, limits.options, resolved)
    except engine.WrongOption as wrong:
        values = {"ruleset": rules, "option": wrong.option}
        raise BadValue(
            wrong.message,
            code="bad-option" if wrong.is_known else "unknown-option",
            expected=wrong.expected,
            values=values | {"found": wrong.value} if wrong.is_known else values,
        ) from None
    return players, cast(dict[str, str], resolved)


def options_of(rules: str, text: str) -> dict[str, str]:
    """Return the options of a text in the form of the tag ``Options``.

    Raises UnknownRuleset, BadValue.
    """
    words = [word.partition("=") for word in text.split()]
    return resolve(rules, None, {name: value for name, _equals, value in words})[1]
