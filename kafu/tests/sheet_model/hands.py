"""The dealt-hand yaku of hachi-hachi: which hand has which, as constraints on its cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from sheet_model.deal import Bool, Deal, Sum
from sheet_model.pack import ANIMALS, BRIGHTS, MONTHS, PAULOWNIA, RIBBONS, cards_of, indices

O, P, Q, S = indices("opqs")  # noqa: E741


class Groups(NamedTuple):
    """How many fours, threes, standing threes and pairs of a month a hand has."""

    fours: int
    threes: int
    standing: int | None
    pairs: tuple[int, ...]


#: The yaku by count (枚数系), No. 1 to 10 of the document's table.
COUNT_YAKU: Final[Mapping[str, Groups]] = {
    "sanbon": Groups(0, 1, 0, (0, 1)),
    "tatesanbon": Groups(0, 1, 1, (0, 1)),
    "kuttsuki": Groups(0, 0, None, (3,)),
    "teshi": Groups(1, 0, None, (0,)),
    "haneken": Groups(0, 1, None, (2,)),
    "ichinishi": Groups(1, 0, None, (1,)),
    "shiso": Groups(1, 1, None, (0,)),
    "futasanbon": Groups(0, 2, 0, (0,)),
    "sanbon-tatesanbon": Groups(0, 2, 1, (0,)),
    "futatatesanbon": Groups(0, 2, 2, (0,)),
}
#: The yaku by chaff (空素系), No. 11 to 15: brights, animals, and the least and most ribbons.
CHAFF_YAKU: Final[Mapping[str, tuple[int, int, int, int]]] = {
    "aka": (0, 0, 2, 7),
    "tanichi": (0, 0, 1, 1),
    "toichi": (0, 1, 0, 0),
    "pikaichi": (1, 0, 0, 0),
    "karasu": (0, 0, 0, 0),
}
#: Hands by chaff that 抜け goes with.
NUKE_HANDS: Final = ("aka", "tanichi", "toichi", "karasu")
#: Hands with threes that 飛込み goes with, はねけん apart.
DIVING_HANDS: Final = (
    "sanbon",
    "tatesanbon",
    "futasanbon",
    "sanbon-tatesanbon",
    "futatatesanbon",
)
#: The name of a hand without a yaku of the family.
NONE: Final = "none"


class DealtHand:
    """A dealt hand, with the groups of its cards."""

    def __init__(self, deal: Deal, cards: Sequence[Bool]) -> None:
        self.deal: Final = deal
        self.cards: Final = cards

    def held(self, cards: Sequence[int]) -> Sum:
        """Return how many of the cards are in the hand."""
        return sum(self.cards[card] for card in cards)

    @cached_property
    def _sizes(self) -> list[list[Bool]]:
        """Whether the hand has 0, 1, 2, 3 or 4 cards of each month."""
        sizes = []
        for month in MONTHS:
            size = [self.deal.new_bool_var("") for _ in range(5)]
            self.deal.add_exactly_one(size)
            total = sum(number * has for number, has in enumerate(size))
            self.deal.add(self.held(cards_of(month)) == total)
            sizes.append(size)
        return sizes

    @cached_property
    def pairs(self) -> list[Bool]:
        """Whether the hand has just two cards of each month."""
        return [size[2] for size in self._sizes]

    @cached_property
    def threes(self) -> list[Bool]:
        """Whether the hand has just three cards of each month."""
        return [size[3] for size in self._sizes]

    @cached_property
    def fours(self) -> list[Bool]:
        """Whether the hand has the four cards of each month."""
        return [size[4] for size in self._sizes]

    @cached_property
    def standing(self) -> Sum:
        """The number of 立三本: threes of months 4, 5 and 7, and t u v."""
        chaff = self.deal.new_bool_var("")
        three, phoenix = self.threes[PAULOWNIA], self.cards[S]
        self.deal.add_bool_and(three, ~phoenix).only_enforce_if(chaff)
        self.deal.add_bool_or(~three, phoenix).only_enforce_if(~chaff)
        return self.threes[3] + self.threes[4] + self.threes[6] + chaff

    @cached_property
    def count_yaku(self) -> dict[str, Bool]:
        """Whether the hand has each yaku by count, or `NONE`; just one is true."""
        deal = self.deal
        kinds = {name: deal.new_bool_var("") for name in (*COUNT_YAKU, NONE)}
        deal.add_exactly_one(kinds.values())
        fours, threes, pairs = sum(self.fours), sum(self.threes), sum(self.pairs)
        for name, groups in COUNT_YAKU.items():
            deal.add(fours == groups.fours).only_enforce_if(kinds[name])
            deal.add(threes == groups.threes).only_enforce_if(kinds[name])
            deal.add(pairs >= min(groups.pairs)).only_enforce_if(kinds[name])
            deal.add(pairs <= max(groups.pairs)).only_enforce_if(kinds[name])
            if groups.standing is not None:
                deal.add(self.standing == groups.standing).only_enforce_if(kinds[name])
        deal.add(fours + threes == 0).only_enforce_if(kinds[NONE])
        deal.add(pairs <= 2).only_enforce_if(kinds[NONE])
        return kinds

    def chaff_yaku(self, *, choice: bool) -> dict[str, Bool]:
        """Return whether the hand has each yaku by chaff, or `NONE`; just one is true.

        With ``choice`` each of o, p and q counts as chaff or as itself; otherwise it is chaff.
        """
        deal = self.deal
        own = {}
        for card in (O, P, Q):
            own[card] = deal.new_bool_var("")
            deal.add_implication(own[card], self.cards[card])
            if not choice:
                deal.add(own[card] == 0)

        def counted(kind: Sequence[int]) -> Sum:
            return sum(own.get(card, self.cards[card]) for card in kind)

        brights, animals, ribbons = counted(BRIGHTS), counted(ANIMALS), counted(RIBBONS)
        kinds = {name: deal.new_bool_var("") for name in (*CHAFF_YAKU, NONE)}
        deal.add_exactly_one(kinds.values())
        for name, (bright, animal, least, most) in CHAFF_YAKU.items():
            deal.add(brights == bright).only_enforce_if(kinds[name])
            deal.add(animals == animal).only_enforce_if(kinds[name])
            deal.add(ribbons >= least).only_enforce_if(kinds[name])
            deal.add(ribbons <= most).only_enforce_if(kinds[name])
        several = deal.reaches(brights + animals, 2)
        deal.add(brights + animals >= 1).only_enforce_if(kinds[NONE])
        deal.add(ribbons >= 1).only_enforce_if(kinds[NONE], ~several)
        return kinds
