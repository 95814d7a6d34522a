"""Dealt hands for simulated deals: their yaku, and hands that are likely to have one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import RULESETS
from kafu.rules.teyaku import Pattern, patterns

Judge = Callable[[int], set[str]]

#: Groups of cards that make hands of the dregs family, and slips for なさけ.
_DREGS: Final = cards.letters(cards.DREGS) + "opq"
_ANY: Final = (cards.SLIPS, cards.ANIMALS, cards.BRIGHTS, cards.DREGS)


def dealt_hands(rules: Machine[Any]) -> tuple[Judge, list[str]]:
    """A function that names the yaku of a dealt hand (a mask) by a game's options, and the list of
    all.
    """
    dealt = RULESETS[rules.id].dealt
    if dealt is None:
        return lambda hand: set(), []
    played = set(dealt.ids)
    if in_house := dealt.in_house:
        played = {id for id in played if in_house(rules, id, True) == id}
    ids = [id for id in (*dealt.rows, *dealt.columns) if id in played]
    return lambda hand: {id for id in dealt.judge(hand) if id in played}, ids


@cache
def _shapes(size: int) -> tuple[Pattern, ...]:
    return tuple(patterns(size))


def hand_of(random: Random, size: int) -> str:
    """A hand that is more likely than others to make a dealt-hand yaku."""
    if random.random() < 0.6:
        months = random.sample(range(12), 12)
        return "".join(
            letter
            for count, number in zip(random.choice(_shapes(size)), months, strict=False)
            for letter in random.sample(cards.LETTERS[4 * number : 4 * number + 4], count)
        )
    count = random.choice((0, 1, 1, 2, 3, 5))
    others = cards.letters(random.choice(_ANY))
    hand = random.sample(others, count)
    return "".join(hand + random.sample([c for c in _DREGS if c not in hand], size - count))
