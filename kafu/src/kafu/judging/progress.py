"""Progress of captured cards towards a yaku, and card points, as letters."""

from __future__ import annotations

from typing import NamedTuple

from kafu import cards
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import YakuTable


class Goal(NamedTuple):
    """A captured yaku to be made from ``need`` of ``cards``, including all of ``must`` (letters).

    ``value`` is its value when just made, in the unit of the house's table (mon, kan or points).
    ``over`` are the yaku that it replaces.
    """

    id: str
    cards: str
    need: int
    value: int
    must: str
    over: tuple[str, ...]


def goals(table: YakuTable) -> list[Goal]:
    """Return the captured yaku of a house's table, in its order."""
    return [
        Goal(
            row.id,
            cards.letters(row.cards),
            row.need,
            row.value,
            cards.letters(row.must),
            row.over,
        )
        for row in table
    ]


def card_points(ruleset: str) -> dict[str, int] | None:
    """Return the points of each card of a ruleset by letter (T1 for 10/5/1, else 20, 10, 5, 1).

    Return None for a ruleset without card points. ``ruleset`` is an id of
    `kafu.rules.rulesets.RULESETS`.

    >>> card_points("ten-five-one")["A"], card_points("hachihachi")["A"], card_points("koikoi")
    (5, 20, None)
    """
    count = RULESETS[ruleset].card_points
    return count and {card.letter: count(card.bit) for card in cards.PACK}
