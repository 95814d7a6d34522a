"""Options that a record omits have the values of the table of defaults."""

from __future__ import annotations

import pytest

from kafu.judging.verify import verify
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import write
from kafu.rules.koikoi.profiles import PROFILES, find_profile
from kafu.rules.rulesets import complete_options, find_ruleset
from kafu.simulation.simulate import simulate
from lengths import part

OTHERS = tuple(rules for rules in RULES if rules != "koikoi")


@pytest.mark.parametrize("rules", RULES)
def test_default_of_every_option_can_be_written(rules: str) -> None:
    options = {name: values for name, values in RULES[rules].options.items() if name != "profile"}
    for house in PROFILES if rules == "koikoi" else ("",):
        defaults = find_ruleset(rules).defaults(house)
        assert set(defaults) == set(options)
        assert all(value in options[name].known for name, value in defaults.items())


@pytest.mark.parametrize("house", PROFILES)
def test_default_that_is_written_out_changes_no_house_of_koikoi(house: str) -> None:
    for name, value in find_ruleset("koikoi").defaults(house).items():
        assert find_profile({"profile": house, name: value}) == PROFILES[house]
    assert find_profile({"profile": house, "months": "5"}) != PROFILES[house]


@pytest.mark.parametrize(
    ("rules", "name", "value"),
    part([(rules, *item) for rules in OTHERS for item in find_ruleset(rules).defaults().items()]),
)
def test_default_that_is_written_out_changes_no_game(rules: str, name: str, value: str) -> None:
    for seed in (1, 2):
        plain = simulate(rules, seed=seed)
        explicit = simulate(rules, seed=seed, options={name: value})
        explicit.options = {}
        assert write(explicit) == write(plain)
        explicit.options = {name: value}
        verdict, same = (verify(read(write(record))).verdict for record in (explicit, plain))
        assert (verdict.status, verdict.deals) == (same.status, same.deals)


def test_option_of_a_record_replaces_the_default() -> None:
    assert complete_options("hachihachi", {"ba": "C"}) == {"ba": "C", "etsunen": "no"}
