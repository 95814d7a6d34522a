"""Rare events to simulate: wishes for captured and dealt-hand yaku from the tables of a ruleset,
those for all rulesets, and its own (`kafu.rules.play.wishes`).
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.notation.vocabulary import VOIDS
from kafu.rules.play.machine import Machine
from kafu.rules.play.wishes import Programme, Spec, Wish, Wishes, by_chance
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import Yaku, YakuTable
from kafu.simulation.arranging import Sizes, month
from kafu.simulation.dealt import Judge, dealt_hands, hand_of

_NONE: Final = Wishes()


def sizes(rules: Machine[Any]) -> Sizes:
    """How the cards of a ruleset are dealt to the players."""
    of = RULESETS[rules.id]
    return Sizes(of.round, of.hand, of.field)


def _own(rules: Machine[Any]) -> Wishes:
    """The wishes that only this ruleset has."""
    of = RULESETS[rules.id].wishes
    return of(rules) if of else _NONE


def programmes(rules: Machine[Any]) -> tuple[Programme, ...]:
    """All programmes of a whole game, by a ruleset's options."""
    return _own(rules).games


def wishes(rules: Machine[Any], table: YakuTable) -> list[Wish]:
    """All wishes for a deal of a ruleset with its options, where a ``table`` of captured yaku
    counts.
    """
    places, own = sizes(rules).places, _own(rules)
    found = [
        Wish(f"captured {row.id}", partial(_captured, row, own.captures, places), goal=row.id)
        for row in table
    ]
    judge, ids = dealt_hands(rules)
    for id in ids:
        for place in range(places) if own.shows is None else own.shows:
            spec = partial(_dealt, RULESETS[rules.id].hand, judge, id, place)
            found.append(Wish(f"dealt {id}", spec, goal=id, shows=(place,)))
    found += [
        Wish("dealt anew", by_chance, redeal=True),
        *(Wish(f"void {reason}", by_chance, void=reason) for reason in VOIDS),
        Wish("four on the field", _four_on_field),
        Wish("played out", by_chance, words=("koikoi", "sage") * 8),
    ]
    return [*found, *own.deals]


def paired(random: Random, wanted: str) -> str:
    """Pairs of a month that contain the ``wanted`` cards, and as few others as can be.

    >>> paired(Random(1), "BA")
    'AB'
    """
    pairs = []
    for number in sorted({month(card) for card in wanted}):
        own = [card for card in wanted if month(card) == number]
        others = [card for card in cards.LETTERS if month(card) == number and card not in own]
        if len(own) % 2:
            own.append(random.choice(others))
        own.sort()
        pairs += ["".join(own[i : i + 2]) for i in range(0, len(own), 2)]
    return " ".join(pairs)


def _captured(row: Yaku, place: int | None, places: int, random: Random) -> Spec:
    """A deal in which a place captures what a yaku needs."""
    must = list(cards.letters(row.must))
    rest = [card for card in cards.letters(row.cards) if card not in must]
    wanted = "".join(must + random.sample(rest, row.need - len(must)))
    at = random.randrange(places) if place is None else place
    return Spec({at: paired(random, wanted)})


def _dealt(size: int, judge: Judge, id: str, place: int, random: Random) -> Spec:
    """A deal in which the hand of a place makes a yaku."""
    while True:
        hand = hand_of(random, size)
        if id in judge(cards.mask(hand)):
            return Spec(held={place: hand})


def _four_on_field(random: Random) -> Spec:
    number = random.randrange(12)
    return Spec(field=cards.LETTERS[4 * number : 4 * number + 4])
