"""Exact odds of dealt hands and of field grades, from the functions that judge games.

Nothing is stored, and equivalent hands are judged once (`kafu.odds.count`). Counts are whole, means
are fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.odds.count import by_groups, by_months, matrix
from kafu.rules import grades, teyaku
from kafu.rules.description import Grades, Ruleset
from kafu.rules.grades import BOUNDS as BOUNDS
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.rulesets import ruleset
from kafu.rules.teyaku import NONE as NONE
from kafu.rules.teyaku import WITH_RAIN as WITH_RAIN
from kafu.rules.yaku import made

#: Months of a year without 越年.
MONTHS: Final = 12
#: Places at a table where only 胴二 may show some yaku; `ALL` where all are equal.
DONI: Final = "doni"
OTHER: Final = "other"
ALL: Final = "all"
_PACK: Final = len(cards.PACK)
_DEFAULT: Final[Mapping[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Hands:
    """Dealt-hand yaku of hands of ``size`` cards: of every house (`odds`) or one (`house_hands`).

    ``matrix`` counts hands by row (yaku by count) and column (dregs family), `NONE` for none; each
    counts for its most valuable declaration. Without the dregs family there is one column, `NONE`.
    ``values`` are those of the yaku in the small unit, ``choices`` count hands by the dregs yaku
    that the choice of willow leaves open, ``slips`` those of 赤 by the most slips they can name.
    ``alone`` counts the hands of yaku whose rows leave out some that count for another: their
    number in a house that plays no other of the rows. ``held`` counts hands in which captured-hand
    yaku are complete (つかみ, B4).
    """

    size: int
    values: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    choices: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    slips: Mapping[int, int] = field(default_factory=dict)
    alone: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many hands there are."""
        return comb(_PACK, self.size)

    @property
    def rows(self) -> dict[str, int]:
        """Hands by the yaku of the rows."""
        return {row: sum(cells.values()) for row, cells in self.matrix.items()}

    @property
    def columns(self) -> dict[str, int]:
        """Hands by the yaku of the columns."""
        names = self.matrix[NONE]
        return {name: sum(cells[name] for cells in self.matrix.values()) for name in names}

    @property
    def any(self) -> int:
        """Hands with a yaku."""
        return self.total - self.matrix[NONE][NONE]

    @property
    def compound(self) -> int:
        """Hands with a yaku of either family."""
        nothing = self.matrix[NONE][NONE]
        return self.total - self.rows[NONE] - self.columns[NONE] + nothing

    @property
    def opening_slips(self) -> int:
        """Hands of 赤 that name more slips than may stay hidden (supplement, section 6)."""
        return sum(n for held, n in self.slips.items() if held > hachihachi_hands.AKA_HIDDEN)

    @property
    def mean_value(self) -> Fraction:
        """What a hand is worth on average on a small field, in the small unit."""
        by_yaku = Counter(self.rows)
        by_yaku.update(self.columns)
        return Fraction(sum(self.values[yaku] * by_yaku[yaku] for yaku in self.values), self.total)


@dataclass(frozen=True, slots=True)
class Year:
    """The chain of grades over `MONTHS` months: ``grades`` counts fields by the grade carried in
    and the one that follows, ``mean`` is the months of each grade in a year, ``carried`` the
    probability of what December carries on. The early end by 四三 is left out, as in the document.
    ``extends``: what is left after December extends the year (越年, H1); else it lapses (B2).
    """

    grades: Mapping[str | None, Mapping[str, int]]
    mean: Mapping[str, Fraction]
    carried: Mapping[str | None, Fraction]
    extends: bool

    @property
    def left(self) -> Fraction:
        """The probability that anything is left after December."""
        return 1 - self.carried[None]


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a ruleset: its dealt hands, its ``field`` of so many cards, its grades if any.

    ``counted`` is the unit of the document's values: ``kan``, ``mon`` or ``points``.
    """

    rules: str
    counted: str
    hands: Hands
    field: int
    year: Year | None = None

    @property
    def unit(self) -> int:
        """How many of the small unit ``counted`` is."""
        return KAN if self.counted == "kan" else 1

    @property
    def fields(self) -> int:
        """How many fields can be dealt."""
        return comb(_PACK, self.field)

    @property
    def fours(self) -> int:
        """Fields with all four cards of a month."""
        return self._fields_of(4)

    @property
    def threes(self) -> int:
        """Fields with three cards of a month, and of none all four."""
        return self._fields_of(3)

    def _fields_of(self, most: int) -> int:
        """Fields whose most frequent month has so many cards."""
        return sum(teyaku.hands(shape) for shape in teyaku.patterns(self.field) if shape[0] == most)


# Hands ------------------------------------------------------------------------------------------


def _hands(of: Ruleset) -> Hands:
    """The dealt hands of a ruleset; one without dealt-hand yaku has hands of none alone."""
    dealt, size = of.dealt, of.hand
    if dealt is None:
        return Hands(size, {NONE: 0}, {NONE: {NONE: comb(_PACK, size)}})
    hands = by_months(size, dealt.key)
    cells = matrix(hands, (NONE, *dealt.rows), (NONE, *dealt.columns), dealt.judge)
    choices: Counter[tuple[str, ...]] = Counter()
    slips: Counter[int] = Counter()
    for hand, count in hands if dealt.named else ():
        named = list(dealt.named(hand)) if dealt.named else []
        open_to = {yaku for yaku, _, _ in named}
        choices[tuple(yaku for yaku in dealt.columns if yaku in open_to)] += count
        if dealt.judge(hand)[1] == "aka":
            slips[max(held.bit_count() for yaku, _, held in named if yaku == "aka")] += count
    held = {row.id: 0 for row in dealt.held}
    for hand, ways in by_groups(size, *dealt.alike) if dealt.held else ():
        for one in made(dealt.held, hand, rained=False, called=False):
            held[one.id] += ways
    values = {NONE: 0, **dealt.rows, **dealt.columns}
    return Hands(size, values, cells, choices, slips, teyaku.odds(dealt.alone), held)


@dataclass(frozen=True, slots=True)
class HouseHands:
    """The hands of one place at the table by what a house plays there.

    ``place`` is `DONI` or `OTHER`, or `ALL` in a house where all places are equal. ``names`` are
    the yaku of ``hands`` by those of every house, `NONE` for those that the place cannot have.
    """

    place: str
    hands: Hands
    names: Mapping[str, str]


def house_hands(rules: str, options: Mapping[str, str] = _DEFAULT) -> tuple[HouseHands, ...]:
    """Return the dealt hands of a house by place, 胴二's first; by default the document's house.

    ``options`` are those of a game, ``profile`` among them. Raises `Unsupported` for a house that
    this version does not play.
    """
    described, every = ruleset(rules), odds(rules).hands
    if described.dealt is None or (in_house := described.dealt.in_house) is None:
        return (HouseHands(ALL, every, {id: id for id in (*every.rows, *every.columns)}),)
    machine = described.machine(options, described.seats[0])

    def of_place(place: str) -> HouseHands:
        ids = dict.fromkeys((*every.rows, *every.columns))
        names = {id: in_house(machine, id, place == DONI) for id in ids}
        cells: dict[str, Counter[str]] = {}
        for row, counts in every.matrix.items():
            for column, count in counts.items():
                cells.setdefault(names[row], Counter())[names[column]] += count
        return HouseHands(place, Hands(every.size, every.values, cells), names)

    doni, other = of_place(DONI), of_place(OTHER)
    if doni.names == other.names:
        return (replace(doni, place=ALL),)
    return doni, other


def seat_odds(rules: str, options: Mapping[str, str] = _DEFAULT) -> dict[str, Fraction]:
    """Return the probability that a seat in play can show each dealt-hand yaku of a house.

    It is the mean over the places at the table, one of which is 胴二's.
    """
    places = house_hands(rules, options)
    playing = ruleset(rules).seats[0]
    found: dict[str, Fraction] = {}
    for of_place in places:
        seats = {DONI: 1, OTHER: playing - 1}.get(of_place.place, playing)
        for family in (of_place.hands.rows, of_place.hands.columns):
            for yaku, count in family.items():
                if yaku != NONE and count:
                    share = Fraction(count * seats, of_place.hands.total * playing)
                    found[yaku] = found.get(yaku, Fraction()) + share
    return found


# Field grades -----------------------------------------------------------------------------------


def _year(field: int, chain: Grades) -> Year:
    """The chain of grades of fields of so many cards, month by month from nothing carried."""
    of, step = chain.of, chain.step
    fields = by_groups(field, grades.ABSOLUTE, grades.LARGE)
    scale = list(grades.SCALES["A"])
    count = {bound: dict.fromkeys(scale, 0) for bound in BOUNDS}
    for bound in BOUNDS:
        for laid, ways in fields:
            count[bound][step(laid, of[bound])[0]] += ways
    total = comb(_PACK, field)
    carried: dict[Hashable, int] = {of[None]: 1}
    mean = dict.fromkeys(scale, Fraction(0))
    for month in range(1, MONTHS + 1):
        # Whole numbers: of ``total`` to the power of the month.
        after: Counter[Hashable] = Counter()
        grade_ways = dict.fromkeys(scale, 0)
        for carry, chance in carried.items():
            for laid, ways in fields:
                grade, on = step(laid, carry)
                grade_ways[grade] += chance * ways
                after[on] += chance * ways
        for grade, ways in grade_ways.items():
            mean[grade] += Fraction(ways, total**month)
        carried = dict(after)
    left: dict[str | None, int] = dict.fromkeys(BOUNDS, 0)
    for carry, chance in carried.items():
        left[chain.name(carry)] += chance
    share = {bound: Fraction(chance, total**MONTHS) for bound, chance in left.items()}
    return Year(count, mean, share, chain.extends)


def odds(rules: str) -> Odds:
    """The odds of a ruleset, computed once a process. Raises `Unsupported` if there is none."""
    return _odds(ruleset(rules))


@cache
def _odds(of: Ruleset) -> Odds:
    year = _year(of.field, of.grades) if of.grades else None
    return Odds(of.id, of.counted, _hands(of), of.field, year)
