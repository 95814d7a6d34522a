"""Descriptions of rulesets agree with their machines, and can be registered and removed."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from kafu import cards
from kafu.notation import vocabulary
from kafu.notation.json.schema import schema
from kafu.rules.names import YAKU, Name
from kafu.rules.payments import PaymentKind
from kafu.rules.rulesets import (
    RULESETS,
    Unsupported,
    complete_options,
    find_ruleset,
    machine_of,
    register,
    unregister,
)
from kafu.rules.teyaku import NONE, WITH_RAIN

every = pytest.mark.parametrize("rules", RULESETS)


@every
def test_description_agrees_with_the_machine(rules: str) -> None:
    described = find_ruleset(rules)
    for seats in described.seats:
        machine = machine_of(rules, {}, seats)
        assert (machine.id, machine.players, machine.round) == (rules, seats, described.round)
        assert {*machine.words} == {*described.decisions}
    machine = machine_of(rules, {}, described.seats[0])
    deal = machine.deal(machine.start(), Random(1))
    assert {len(hand) for hand in deal.hands.values()} == {described.hand}
    assert len(deal.field or "") == described.field
    assert described.captured_yaku() == machine.captured_yaku
    assert described.choice is None or {*described.choice} <= machine.words


@every
def test_houses_of_a_description_have_every_option(rules: str) -> None:
    described = find_ruleset(rules)
    assert described.profiles[0] == rules
    for house, defaults in described.houses.items():
        assert defaults.keys() == described.options.keys() - {"profile"}, house
    if "profile" in described.options:
        assert described.options["profile"].expected == described.profiles


def is_japanese(text: str) -> bool:
    """Return whether a text has kana or kanji."""
    return bool(re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text))


@every
def test_options_have_texts_in_both_languages(rules: str) -> None:
    for id, option in find_ruleset(rules).options.items():
        texts = [option.label, *option.names.values(), *([option.unit] if option.unit else [])]
        for text in texts:
            assert is_japanese(text.label("ja")), (id, text)
            assert text.label("en") and not is_japanese(text.label("en")), (id, text)
        if option.numbers is None:
            assert tuple(option.names) == option.expected
        else:
            assert {*option.names} <= {"0"} & option.known


def test_value_of_an_option_has_its_unit_or_its_own_words() -> None:
    options = find_ruleset("koikoi").options
    assert options["bai"].value("7", "ja") == "7文"
    assert options["bai"].value("7", "en") == "7 points"
    assert options["bai"].value("0", "ja") == "なし"
    assert options["dealer"].value("turns", "en") == "each player in turn"


@every
def test_presets_are_different_house_rules_with_texts(rules: str) -> None:
    described = find_ruleset(rules)
    presets = described.presets
    for preset in presets:
        machine_of(rules, preset.options, described.seats[0])
        for text in (preset.name, preset.differs):
            assert is_japanese(text.label("ja")) and not is_japanese(text.label("en"))
    games = [complete_options(rules, preset.options) for preset in presets]
    assert all(game not in games[:place] for place, game in enumerate(games))
    assert len({preset.id for preset in presets}) == len(presets)
    if described.options:
        assert 3 <= len(presets) <= 5
        assert not presets[0].options, "the first is the document"
        houses = {preset.options.get("profile", rules) for preset in presets}
        assert houses == {*described.profiles}


@every
def test_questions_are_at_most_six_options(rules: str) -> None:
    described = find_ruleset(rules)
    assert {*described.questions} <= described.options.keys() - {"profile"}
    assert len({*described.questions}) == len(described.questions) <= 6


@every
def test_dealt_yaku_of_a_description_have_names_and_places(rules: str) -> None:
    described = find_ruleset(rules)
    dealt = described.dealt
    assert dealt is not None
    assert dealt.ids <= YAKU.keys()
    chance = Random(rules)
    for _ in range(200):
        hand = cards.mask("".join(chance.sample(cards.LETTERS, described.hand)))
        row, column = dealt.judge(hand)
        assert row in {NONE, *dealt.rows}
        assert column in {NONE, *dealt.columns}


@every
def test_values_of_odds_are_those_of_the_payments(rules: str) -> None:
    described = find_ruleset(rules)
    dealt = described.dealt
    assert dealt is not None
    payments = described.machine({}, described.seats[0]).payments
    values = {**dealt.columns, **dealt.rows}
    paid = {id: row.each[0] for id, row in payments.items() if row.kind is PaymentKind.DEALT}
    assert paid == {id: values[id] for id in paid}
    unpaid = {id for id, value in values.items() if value} - {*paid, WITH_RAIN}
    assert unpaid <= described.options.keys(), "played by an option"


def test_unregistered_ruleset_is_unknown_everywhere() -> None:
    registered = dict(RULESETS)
    unregister("koikoi")
    try:
        assert "koikoi" not in {*RULESETS, *vocabulary.RULES, *vocabulary.DECISIONS}
        assert "futateshi" not in vocabulary.SHOWS
        assert "teshi" in vocabulary.SHOWS, "others have it too"
        assert "koikoi" not in schema()["$defs"]["rules"]["enum"]
        with pytest.raises(Unsupported, match="koikoi"):
            find_ruleset("koikoi")
        with pytest.raises(KeyError):
            unregister("koikoi")
    finally:
        for id in [*RULESETS]:
            unregister(id)
        for described in registered.values():
            register(described)
    assert list(RULESETS) == list(vocabulary.RULES) == list(registered)
    with pytest.raises(ValueError, match="koikoi"):
        register(registered["koikoi"])


def test_own_yaku_are_registered_and_removed_with_their_ruleset() -> None:
    name = Name("torishima", "鳥シマ", "torishima", "birds of a feather")
    described = replace(find_ruleset("koikoi"), id="another", own_yaku=(name,))
    with pytest.raises(ValueError, match="goko"):
        register(replace(described, own_yaku=(name, YAKU["goko"])))
    assert "another" not in RULESETS and name.id not in YAKU
    register(described)
    try:
        assert YAKU[name.id] is name
        with pytest.raises(ValueError, match="another"):
            register(described)
    finally:
        unregister("another")
    assert name.id not in YAKU
