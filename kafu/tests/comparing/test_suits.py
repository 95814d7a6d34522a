"""Suits that a house does not distinguish, and sets of cards in their common form."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kafu import cards
from kafu.comparing.suits import Suits, suits_of
from kafu.rules.rulesets import RULESETS
from naive_situations import described

HOUSES = [
    (rules, {"profile": house} if len(one.profiles) > 1 else {})
    for rules, one in RULESETS.items()
    for house in one.profiles
]
#: The months that are alike, as one reads them off the documents.
ALIKE = {
    "hachihachi": {(1, 3)},
    "koikoi": set(),
    "koikoi-ai": {(4, 5), (6, 10)},
    "koikoi-nintendo": {(4, 5), (6, 10)},
    "hachihachi-bga": {(1, 3), (4, 5, 7), (6, 9, 10)},
    "hanaawase": set(),
    "ten-five-one": {(2, 4, 5, 6, 7, 9, 10)},
}


def exchanged(suits: Suits, random: Random) -> list[int]:
    """Cards by index, exchanged for others in a way that the rules do not notice."""
    found = list(range(48))
    for months in suits.classes:
        for month, other in zip(months, random.sample(months, len(months)), strict=True):
            ours, theirs = (
                sorted(range(4 * m - 4, 4 * m), key=lambda i: (suits.sorts[i], random.random()))
                for m in (month, other)
            )
            for one, another in zip(ours, theirs, strict=True):
                found[one] = another
    return found


def moved(group: int, by: list[int]) -> int:
    """A set of cards after an exchange."""
    return sum(1 << by[i] for i in range(48) if group >> i & 1)


@pytest.mark.parametrize(("rules", "options"), HOUSES)
def test_months_that_are_alike_equal_those_of_the_documents(
    rules: str, options: dict[str, str]
) -> None:
    """Read from the tables of the rules, they are those of the documents."""
    alike = {one for one in suits_of(rules, options).classes if len(one) > 1}
    assert alike == ALIKE[options.get("profile", rules)]


@given(st.sampled_from(HOUSES), st.randoms(use_true_random=False), st.integers(1, 3))
def test_common_form_is_equal_just_where_the_rules_do_not_distinguish_cards(
    house: tuple[str, dict[str, str]], random: Random, count: int
) -> None:
    """Sets have the same text if, and only if, an exchange of suits and cards that are alike leads
    from one to the other; and each card has then the same place.
    """
    suits = suits_of(*house)
    pack = random.sample(range(48), random.randint(count, 20))
    sets = tuple(sum(1 << i for i in pack[at::count]) for at in range(count))
    by = exchanged(suits, random)
    others = tuple(moved(one, by) for one in sets)
    form, other = suits.arrange(*sets), suits.arrange(*others)
    assert form.text == other.text
    for i in range(48):
        assert form.place(1 << i) == other.place(1 << by[i])
        assert form.place(form.card(form.place(1 << i))) == form.place(1 << i)
    # One card more, or another in its place, is another situation but where cards are alike.
    card, another = (1 << i for i in random.sample(range(48), 2))
    for changed in (sets[0] ^ card, sets[0] & ~card | another):
        if any(changed & one for one in sets[1:]):
            continue
        near = (changed, *sets[1:])
        same = described(suits, near) == described(suits, sets)
        assert (suits.arrange(*near).text == form.text) == same


def test_months_with_cards_of_one_kind_but_other_yaku_are_distinguished() -> None:
    """Iris and clover have the same kinds of cards; the boar is of a yaku, the bridge of none."""
    suits = suits_of("koikoi", {"profile": "koikoi-ai"})
    iris, clover = cards.mask("Q"), cards.mask("Y")
    assert suits.arrange(iris).text != suits.arrange(clover).text
    assert suits.arrange(iris).text == suits.arrange(cards.mask("M")).text
