"""Wishes for rare events: captured and dealt-hand yaku of a ruleset, and events of any ruleset.

Each ruleset adds wishes of its own (`rare.rulesets`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.notation.vocabulary import VOIDS
from kafu.rules.play.machine import Machine
from kafu.rules.rulesets import RULESETS
from kafu.rules.teyaku import Pattern, patterns
from kafu.rules.yaku import CapturedYaku, YakuTable
from rare.arrangement import Sizes, month_of
from rare.rulesets import ruleset_wishes
from rare.spec import Spec, Wish, by_chance

#: A function that returns the yaku of a dealt hand (a mask).
Judge = Callable[[int], set[str]]

#: Cards for hands of the chaff family, with ribbons for なさけ.
_CHAFF: Final = cards.letters(cards.CHAFF) + "opq"
_KINDS: Final = (cards.RIBBONS, cards.ANIMALS, cards.BRIGHTS, cards.CHAFF)


def deal_sizes(rules: Machine[Any]) -> Sizes:
    """Return the sizes of a deal: players, hand and field."""
    ruleset = RULESETS[rules.id]
    return Sizes(ruleset.round, ruleset.hand, ruleset.field)


def list_wishes(rules: Machine[Any], table: YakuTable) -> list[Wish]:
    """Return all wishes for a deal in which ``table`` has the captured yaku."""
    places, additions = deal_sizes(rules).places, ruleset_wishes(rules)
    captures = [
        Wish(f"captured {row.id}", partial(_captured, row, additions.captures, places), goal=row.id)
        for row in table
    ]
    judge, ids = make_judge(rules)
    hand = RULESETS[rules.id].hand
    shows = [
        Wish(f"dealt {id}", partial(_dealt, hand, judge, id, place), goal=id, shows=(place,))
        for id in ids
        for place in (range(places) if additions.shows is None else additions.shows)
    ]
    return [
        *captures,
        *shows,
        Wish("dealt anew", by_chance, redeal=True),
        *(Wish(f"void {reason}", by_chance, void=reason) for reason in VOIDS),
        Wish("four on the field", _four_on_field),
        Wish("played out", by_chance, words=("koikoi", "sage") * 8),
        *additions.deals,
    ]


def pair_up(random: Random, letters: str) -> str:
    """Return pairs of a month that contain all ``letters`` and as few further cards as possible.

    >>> pair_up(Random(1), "BA")
    'AB'
    """
    pairs = []
    for month in sorted({month_of(card) for card in letters}):
        group = [card for card in letters if month_of(card) == month]
        free = [card for card in cards.LETTERS if month_of(card) == month and card not in group]
        if len(group) % 2:
            group.append(random.choice(free))
        group.sort()
        pairs += ["".join(group[i : i + 2]) for i in range(0, len(group), 2)]
    return " ".join(pairs)


def _captured(row: CapturedYaku, place: int | None, places: int, random: Random) -> Spec:
    """Return a deal in which a place (None for any) captures the cards of a yaku."""
    must = list(cards.letters(row.must))
    optional = [card for card in cards.letters(row.cards) if card not in must]
    letters = "".join(must + random.sample(optional, row.need - len(must)))
    taker = random.randrange(places) if place is None else place
    return Spec({taker: pair_up(random, letters)})


def _dealt(size: int, judge: Judge, id: str, place: int, random: Random) -> Spec:
    """Return a deal in which the hand of a place makes a yaku."""
    while True:
        hand = _likely_hand(random, size)
        if id in judge(cards.mask(hand)):
            return Spec(held={place: hand})


def _four_on_field(random: Random) -> Spec:
    month = random.randrange(12)
    return Spec(field=cards.LETTERS[4 * month : 4 * month + 4])


# Dealt hands --------------------------------------------------------------------------------------


def make_judge(rules: Machine[Any]) -> tuple[Judge, list[str]]:
    """Return a judge of dealt hands by the options of a machine, and the ids of all their yaku."""
    dealt = RULESETS[rules.id].dealt
    if dealt is None:
        return lambda hand: set(), []
    played = set(dealt.ids)
    if in_house := dealt.in_house:
        played = {id for id in played if in_house(rules, id, True) == id}
    ids = [id for id in (*dealt.rows, *dealt.columns) if id in played]
    return lambda hand: {id for id in dealt.judge(hand) if id in played}, ids


@cache
def _patterns(size: int) -> tuple[Pattern, ...]:
    return tuple(patterns(size))


def _likely_hand(random: Random, size: int) -> str:
    """Return a random hand that makes a dealt-hand yaku more often than a fair deal."""
    if random.random() < 0.6:
        months = random.sample(range(12), 12)
        return "".join(
            letter
            for count, number in zip(random.choice(_patterns(size)), months, strict=False)
            for letter in random.sample(cards.LETTERS[4 * number : 4 * number + 4], count)
        )
    count = random.choice((0, 1, 1, 2, 3, 5))
    hand = random.sample(cards.letters(random.choice(_KINDS)), count)
    return "".join(hand + random.sample([c for c in _CHAFF if c not in hand], size - count))
