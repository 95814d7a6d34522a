"""Dealt hands for simulated deals: what names their yaku, and hands that are likely to make one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import RULESETS
from kafu.rules.ten_five_one import machine as ten_five_one
from kafu.rules.teyaku import Pattern, find, patterns

Judge = Callable[[int], set[str]]


def _koikoi(rules: Any) -> tuple[Judge, list[str]]:
    table = rules.profile.teyaku

    def judge(hand: int) -> set[str]:
        row = find(table, hand)
        return {row.id} if row else set()

    return judge, [row.id for row in table]


def _hachihachi(rules: Any) -> tuple[Judge, list[str]]:
    ids = [*hachihachi_hands.COUNT, *hachihachi_hands.DREGS]
    return _names(hachihachi_hands.declarations), ids


def _bga(rules: Any) -> tuple[Judge, list[str]]:
    def judge(hand: int) -> set[str]:
        found = hachihachi_bga_hands.declaration(hand)
        return set(found.yaku) if found else set()

    return judge, [*hachihachi_bga_hands.COUNT, *hachihachi_hands.DREGS]


def _hanaawase(rules: Any) -> tuple[Judge, list[str]]:
    ids = [*hanaawase.VALUES, *(row.id for row in hanaawase.AGAIN)]
    return _names(hanaawase.declarations), ids


def _ten_five_one(rules: Any) -> tuple[Judge, list[str]]:
    house: ten_five_one.House = rules.house
    ids = [row.id for row in house.table] + ["nasake"] * (house.nasake != "no")
    if house.teshi == "no":
        ids = [id for id in ids if id != "teshi"]
    return _names(lambda hand: house.declarations(hand, doni=True, chosen=True)), ids


def _names(declarations: Callable[[int], Any]) -> Judge:
    return lambda hand: {name for one in declarations(hand) for name in one.yaku}


#: Rulesets of which a hand may have other yaku by the options, or several at once.
_HANDS: Final[Mapping[str, Callable[[Any], tuple[Judge, list[str]]]]] = {
    "koikoi": _koikoi,
    "hachihachi": _hachihachi,
    "hachihachi-bga": _bga,
    "hanaawase": _hanaawase,
    "ten-five-one": _ten_five_one,
}
#: Groups of which hands of the dregs family, and slips for なさけ, are made.
_DREGS: Final = cards.letters(cards.DREGS) + "opq"
_ANY: Final = (cards.SLIPS, cards.ANIMALS, cards.BRIGHTS, cards.DREGS)


def dealt_hands(rules: Machine[Any]) -> tuple[Judge, list[str]]:
    """What names the yaku of a dealt hand (a mask) by a game's options, and all that there are."""
    if rules.id in _HANDS:
        return _HANDS[rules.id](rules)
    dealt = RULESETS[rules.id].dealt
    if dealt is None:
        return lambda hand: set(), []
    return lambda hand: {*dealt.judge(hand)} & dealt.ids, sorted(dealt.ids)


@cache
def _shapes(size: int) -> tuple[Pattern, ...]:
    return tuple(patterns(size))


def hand_of(random: Random, size: int) -> str:
    """A hand that is likelier than others to make a dealt-hand yaku."""
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
