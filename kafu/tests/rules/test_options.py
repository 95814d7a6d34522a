"""Options of all rulesets: each valid value makes a machine, any other value a clear error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import kafu
from kafu.cli.main import main
from kafu.rules.rulesets import RULESETS, WrongOption, machine_of
from kafu.simulation.simulate import simulate

#: Values without a meaning for any option.
NONE = ("", "nonsense", "-1", "4.0", "٤", "04")
OPTIONS = [(rules, option) for rules, ruleset in RULESETS.items() for option in ruleset.options]
#: Functions that take unchecked options.
TAKERS: tuple[Callable[[str, dict[str, str]], Any], ...] = (
    lambda rules, options: machine_of(rules, options, RULESETS[rules].seats[0]),
    lambda rules, options: simulate(rules, seed=1, options=options),
    lambda rules, options: kafu.simulate(rules, options=options),
    lambda rules, options: kafu.Table(rules, options=options),
    lambda rules, options: kafu.verify(
        kafu.Game(rules, tuple("ABC"[: RULESETS[rules].seats[0]]), options)
    ),
)


@pytest.mark.parametrize("take", TAKERS)
def test_unknown_value_names_the_option_and_its_values(
    take: Callable[[str, dict[str, str]], Any],
) -> None:
    """The error has the option and its valid values."""
    for rules, option in OPTIONS:
        values = RULESETS[rules].options[option]
        for value in NONE:
            with pytest.raises((WrongOption, kafu.BadValue)) as caught:
                take(rules, {option: value})
            words = str(caught.value)
            assert f"option {option} of {rules} is {value!r}" in words
            assert values.expected[0] in words


@pytest.mark.parametrize("take", TAKERS)
def test_unknown_option_is_named(take: Callable[[str, dict[str, str]], Any]) -> None:
    for rules in RULESETS:
        with pytest.raises((WrongOption, kafu.BadValue), match=f"{rules} has no option 'nonsense'"):
            take(rules, {"nonsense": "yes"})


@pytest.mark.parametrize("rules", tuple(RULESETS))
def test_every_valid_value_makes_a_machine(rules: str) -> None:
    """The least and the greatest, and every word, at every table."""
    for option, values in RULESETS[rules].options.items():
        ordered = sorted(values.known, key=lambda value: (len(value), value))
        for value in {*ordered[:5], ordered[-1]}:
            for players in RULESETS[rules].seats:
                machine = machine_of(rules, {option: value}, players)
                assert machine.players == players and machine.start().totals


def test_wrong_number_of_months_is_an_error_of_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """八八 has games of six and of twelve months (B1); four months are refused."""
    assert main(["simulate", "hachihachi-bga", "--option", "months=4"]) == 2
    assert "months=4: expected one of 6, 12" in capsys.readouterr().err
    assert len(simulate("hachihachi-bga", seed=1, options={"months": "6"}).months) == 6
