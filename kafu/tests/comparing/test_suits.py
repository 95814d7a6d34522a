"""Suits that a house does not distinguish, and the common form of sets of cards."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.comparing.suits import Suits, suits_of
from kafu.rules.rulesets import RULESETS
from naive_situations import describe

HOUSES = [
    (rules, {"profile": house} if len(ruleset.profiles) > 1 else {})
    for rules, ruleset in RULESETS.items()
    for house in ruleset.profiles
]
#: The months that are alike, derived from the documents by hand.
ALIKE = {
    "hachihachi": {(1, 3)},
    "koikoi": set(),
    "koikoi-ai": {(4, 5), (6, 10)},
    "koikoi-nintendo": {(4, 5), (6, 10)},
    "hachihachi-bga": {(1, 3), (4, 5, 7), (6, 9, 10)},
    "hanaawase": set(),
    "ten-five-one": {(2, 4, 5, 6, 7, 9, 10)},
}


def random_exchange(suits: Suits, random: Random) -> list[int]:
    """Return a random permutation of card indices that the rules do not notice."""
    exchange = list(range(48))
    for months in suits.classes:
        for pair in zip(months, random.sample(months, len(months)), strict=True):
            sources, targets = (
                sorted(range(4 * m - 4, 4 * m), key=lambda i: (suits.sorts[i], random.random()))
                for m in pair
            )
            for source, target in zip(sources, targets, strict=True):
                exchange[source] = target
    return exchange


def apply_exchange(group: int, exchange: list[int]) -> int:
    """Return a set of cards (a mask) after an exchange."""
    return sum(1 << exchange[i] for i in range(48) if group >> i & 1)


@pytest.mark.parametrize(("rules", "options"), HOUSES)
def test_months_that_are_alike_equal_those_of_the_documents(
    rules: str, options: dict[str, str]
) -> None:
    alike = {months for months in suits_of(rules, options).classes if len(months) > 1}
    assert alike == ALIKE[options.get("profile", rules)]


@given(st.sampled_from(HOUSES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_common_form_is_equal_just_where_the_rules_do_not_distinguish_cards(
    house: tuple[str, dict[str, str]], random: Random, count: int
) -> None:
    """Sets have the same form exactly if an exchange of alike suits and cards makes them equal.

    Exchanged cards have the same place in the form.
    """
    suits = suits_of(*house)
    pack = random.sample(range(48), random.randint(count, 20))
    sets = tuple(sum(1 << i for i in pack[start::count]) for start in range(count))
    exchange = random_exchange(suits, random)
    exchanged = tuple(apply_exchange(group, exchange) for group in sets)
    form, exchanged_form = suits.arrange(*sets), suits.arrange(*exchanged)
    assert form.text == exchanged_form.text
    for i in range(48):
        assert form.place(1 << i) == exchanged_form.place(1 << exchange[i])
        assert form.place(form.card(form.place(1 << i))) == form.place(1 << i)
    # Adding or replacing a card changes the situation, unless the cards are alike.
    card, replacement = (1 << i for i in random.sample(range(48), 2))
    for changed in (sets[0] ^ card, sets[0] & ~card | replacement):
        if any(changed & group for group in sets[1:]):
            continue
        near = (changed, *sets[1:])
        same = describe(suits, near) == describe(suits, sets)
        assert (suits.arrange(*near).text == form.text) == same


def test_months_with_cards_of_one_kind_but_other_yaku_are_distinguished() -> None:
    """Iris and clover have the same kinds of cards, but only the boar counts for a yaku."""
    suits = suits_of("koikoi", {"profile": "koikoi-ai"})
    iris, clover = cards.mask("Q"), cards.mask("Y")
    assert suits.arrange(iris).text != suits.arrange(clover).text
    assert suits.arrange(iris).text == suits.arrange(cards.mask("M")).text
