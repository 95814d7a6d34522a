"""The layout of the sums for statistics: each figure's place, its keys and its vector.

The only place that defines it. All sums are whole numbers in the ruleset's small unit, settlements
too (the kan of hachihachi × 12). A deal is *won* by the seat that the rules name as its winner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kafu.rules.rulesets import RULESETS
from records.base.sums import TABLE, Tally

#: The key of a figure that has one key only, and the key for any value.
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Sums:
    """One figure: whether it is the table's or a seat's, what its keys are, its vector's names."""

    place: Literal["table", "seat"]
    key: str
    names: tuple[str, ...]

    def at(self, name: str) -> int:
        """The index of a number in the vector. Raises ValueError for an unknown name."""
        return self.names.index(name)


_SCORED: Final = ("deals", "won", "score", "score_sq")
# gain_sq: squares of what it got more than it would have by stopping.
_DECIDED: Final = ("n", "won", "score", "score_sq", "stop", "gain_sq")

LAYOUT: Final[Mapping[str, Sums]] = {
    "games": Sums("table", '"all"', ("games", "deals", "turns")),
    "ends": Sums("table", "how a deal ended, as in verdict.md", ("deals", "turns")),
    "grades": Sums(
        "table", 'the bound carried in and the grade of the field, "-" for none', ("deals",)
    ),
    "lay": Sums(
        "table",
        "a card that lay on the field when the first card was played",
        ("deals", "taken"),  # captured by the first card from a hand
    ),
    "seat": Sums("seat", '"all"', ("games", "ended", "first", "shared_first", "final", "final_sq")),
    "place": Sums("seat", "place in the final, from 1; equals share the better", ("games",)),
    "deals": Sums(
        "seat", 'place in the order of play, the dealer\'s is 1; "out" for who sat out', _SCORED
    ),
    "score": Sums("seat", "lower bound of the bin of a deal's score", ("deals",)),
    "final": Sums("seat", "lower bound of the bin of the final sum", ("games",)),
    "yaku": Sums(
        "seat",
        "yaku id",
        # Of the seat that made it. times: lines not struck out; zero: of those the ones that gave
        # it nothing (a yaku of koi-koi's loser); alone, amount: of the others the lines of this
        # yaku only, and what they gave, and its squares; void: lines struck out.
        ("times", "alone", "amount", "void", "amount_sq", "zero"),
    ),
    "payments": Sums(
        "table",
        "id of a payment that is no yaku",
        # times: lines that changed a sum; zero: lines that did not; void: lines struck out.
        ("times", "zero", "void"),
    ),
    "paid": Sums(
        "seat",
        "id of a payment that is no yaku",
        # Lines that gave the seat something, how much, and its squares; lines that took something.
        ("received", "amount", "amount_sq", "paid"),
    ),
    "hands": Sums(
        "seat",
        '"hands", then "row ID" and "col ID" as `kafu.odds.exact.Hands.matrix` has them',
        ("deals",),
    ),
    # Words are koikoi, shobu, sage, agari; a yaku held, by itself or with others, or "all" for any
    # (of those held together there are ever more). Only where more than one word could be said.
    "choices": Sums("seat", "WORD YAKU", _DECIDED),
    # The same with own cards left in hand, and cards captured by the opponent who has most, in
    # fours, rounded down: some thousand keys, which few questions need.
    "decisions": Sums("seat", "WORD YAKU LEFT OPPONENT", _DECIDED),
    "hatto": Sums("seat", "a card that was thrown against the rule", ("n", "cost", "paid")),
    "cards": Sums(
        "seat", 'a card that the seat had captured when the deal ended; "all" for any', _SCORED
    ),
    "openings": Sums("seat", 'first card from the hand and what it took, "A B" or "A -"', _SCORED),
}


def number_of(
    sums: Mapping[str, Mapping[str, Sequence[int]]], figure: str, key: str, name: str
) -> int:
    """A number of a figure's vector; 0 if there is none."""
    vector = sums.get(figure, {}).get(key)
    return vector[LAYOUT[figure].at(name)] if vector else 0


def games_and_deals(sums: Tally) -> tuple[int, int]:
    """How many games a tally is of, and how many deals."""
    table = sums.get(TABLE, {})
    return number_of(table, "games", ALL, "games"), number_of(table, "games", ALL, "deals")


@dataclass(frozen=True, slots=True)
class Bin:
    """Widths of the bins of deals' scores and of final sums, in the small unit."""

    score: int
    final: int


def bins(ruleset: str) -> Bin:
    """The bins of a ruleset."""
    return Bin(*RULESETS[ruleset].bins)


#: Bins on either side of 0; the last holds all that is beyond, as a sheet may have any sum.
MOST_BINS: Final = 200


def bin_of(value: int, width: int) -> str:
    """The key of the bin of a sum: its lower bound.

    >>> bin_of(-1, 12), bin_of(12, 12), bin_of(10**9, 12)
    ('-12', '12', '2400')
    """
    return str(min(max(value // width, -MOST_BINS), MOST_BINS) * width)
