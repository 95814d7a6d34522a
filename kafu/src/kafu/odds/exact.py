"""Exact odds of dealt hands and field grades, computed by the functions that judge games.

Equivalent hands are judged only once (`kafu.odds.exact`). Counts are integers, means are fractions.

Count hands and fields without enumerating all of them.

Hands that the rules do not distinguish are counted together, month by month or group by group. Only
one hand of each class needs to be judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Final, NamedTuple

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules import grades, teyaku
from kafu.rules.description import Ruleset
from kafu.rules.grades import BOUNDS as BOUNDS
from kafu.rules.grades import Grades
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.rulesets import find_ruleset
from kafu.rules.teyaku import NONE as NONE
from kafu.rules.teyaku import WITH_RAIN as WITH_RAIN
from kafu.rules.yaku import made

_PICTURES: Final = (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS)
#: The months of a year without 越年.
MONTHS: Final = 12
#: Places at a table where only 胴二 may show certain yaku, and `ALL` if all places are equal.
DONI: Final = "doni"
OTHER: Final = "other"
ALL: Final = "all"
_PACK: Final = len(cards.PACK)
_DEFAULT: Final[Mapping[str, str]] = {}


class HandClass(NamedTuple):
    """A class of equivalent hands or fields: an example (a mask) and the number of hands."""

    hand: int
    ways: int


def count_by_months(size: int, key: Callable[[int], Hashable]) -> list[HandClass]:
    """Return all hands of ``size`` cards, classified by ``key``.

    The key of an incomplete hand must determine the keys of all its completions by other months.
    """
    classes = [HandClass(0, 1)]
    for month in cards.MONTHS[1:]:
        parts = _count_parts(month)
        classes = _merge(
            (key(hand | part), HandClass(hand | part, ways * part_ways))
            for hand, ways in classes
            for part, part_ways in parts
            if hand.bit_count() + part.bit_count() <= size
        )
    return [full for full in classes if full.hand.bit_count() == size]


def count_by_groups(size: int, *groups: int) -> list[HandClass]:
    """Return all hands of ``size`` cards, classified by the number of cards from each group.

    Groups are disjoint masks; the remaining cards of the pack are an additional group.

    >>> [hands.ways for hands in count_by_groups(2, cards.mask("AB"))]
    [1035, 92, 1]
    """
    plain = cards.ALL & ~sum(groups)
    classes = []
    for numbers in product(*(range(min(size, group.bit_count()) + 1) for group in groups)):
        plain_number = size - sum(numbers)
        if not 0 <= plain_number <= plain.bit_count():
            continue
        hand, ways = 0, 1
        for number, group in zip((*numbers, plain_number), (*groups, plain), strict=True):
            hand |= sum(list(cards.bits(group))[:number])
            ways *= comb(group.bit_count(), number)
        classes.append(HandClass(hand, ways))
    return classes


def count_cells(
    hands: Sequence[HandClass],
    rows: Sequence[str],
    columns: Sequence[str],
    judge: Callable[[int], tuple[str, str]],
) -> dict[str, dict[str, int]]:
    """Return the number of hands by row and column; ``judge`` returns both for a hand (a mask)."""
    cells = {row: dict.fromkeys(columns, 0) for row in rows}
    for hand, ways in hands:
        row, column = judge(hand)
        cells[row][column] += ways
    return cells


def _merge(keyed: Iterator[tuple[Hashable, HandClass]]) -> list[HandClass]:
    """Merge classes with equal keys, adding up their ways."""
    classes: dict[Hashable, HandClass] = {}
    for key, (hand, ways) in keyed:
        merged = classes.get(key, HandClass(hand, 0))
        classes[key] = merged._replace(ways=merged.ways + ways)
    return list(classes.values())


def _count_parts(month: int) -> list[HandClass]:
    """Return the possible parts of a hand from one month, by size, kinds and 立三本."""

    def key(part: int) -> Hashable:
        stands = part.bit_count() == 3 and hachihachi_hands.stands(part)
        return part.bit_count(), stands, *((part & kind).bit_count() for kind in _PICTURES)

    parts = (sum(part) for n in range(5) for part in combinations(cards.bits(month), n))
    return _merge((key(part), HandClass(part, 1)) for part in parts)


@dataclass(frozen=True, slots=True)
class Hands:
    """The dealt-hand yaku of hands of ``size`` cards, in all houses or one (`house_hands`).

    - ``matrix`` counts hands by row (yaku of months) and column (the chaff family), with `NONE` for
      no yaku. A hand counts for its most valuable declaration. Rulesets without the chaff family
      have the single column `NONE`.
    - ``values`` has the value of each yaku in the small unit.
    - ``choices`` counts hands by the chaff yaku that the choice of willow permits.
    - ``ribbons`` counts hands of 赤 by the largest number of ribbons that they can name.
    - ``alone`` counts hands of a yaku in a house that plays no other yaku of the rows, for yaku
      with hands that count for another row.
    - ``held`` counts hands with complete captured-hand yaku (つかみ, B4).
    """

    size: int
    values: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    choices: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    ribbons: Mapping[int, int] = field(default_factory=dict)
    alone: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Return the number of all hands."""
        return comb(_PACK, self.size)

    @property
    def rows(self) -> dict[str, int]:
        """Return the number of hands by yaku of the rows."""
        return {row: sum(cells.values()) for row, cells in self.matrix.items()}

    @property
    def columns(self) -> dict[str, int]:
        """Return the number of hands by yaku of the columns."""
        names = self.matrix[NONE]
        return {name: sum(cells[name] for cells in self.matrix.values()) for name in names}

    @property
    def any(self) -> int:
        """Return the number of hands with a yaku."""
        return self.total - self.matrix[NONE][NONE]

    @property
    def compound(self) -> int:
        """Return the number of hands with yaku of both families."""
        nothing = self.matrix[NONE][NONE]
        return self.total - self.rows[NONE] - self.columns[NONE] + nothing

    @property
    def opening_ribbons(self) -> int:
        """Return the number of hands of 赤 with more ribbons than may be hidden (supplement, 6)."""
        return sum(
            n for ribbons, n in self.ribbons.items() if ribbons > hachihachi_hands.AKA_HIDDEN
        )

    @property
    def mean_value(self) -> Fraction:
        """Return the mean value of a hand on a small field, in the small unit."""
        by_yaku = Counter(self.rows)
        by_yaku.update(self.columns)
        return Fraction(sum(self.values[yaku] * by_yaku[yaku] for yaku in self.values), self.total)


@dataclass(frozen=True, slots=True)
class Year:
    """The chain of field grades over a year of `MONTHS` months.

    ``grades`` counts fields by the grade carried in and the resulting grade. ``mean`` is the mean
    number of months of each grade, ``carried`` the probability of each grade that December carries
    on. With ``extends`` a carried grade extends the year (越年, H1), otherwise it lapses (B2). The
    early end by 四三 is ignored, as in the document.
    """

    grades: Mapping[str | None, Mapping[str, int]]
    mean: Mapping[str, Fraction]
    carried: Mapping[str | None, Fraction]
    extends: bool

    @property
    def left(self) -> Fraction:
        """Return the probability that December carries a grade on."""
        return 1 - self.carried[None]


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a ruleset: its dealt hands, and its ``year`` if fields have grades.

    ``field`` is the number of cards on the field, ``counted`` the unit of the document's values:
    ``kan``, ``mon`` or ``points``.
    """

    rules: str
    counted: str
    hands: Hands
    field: int
    year: Year | None = None

    @property
    def unit(self) -> int:
        """Return the size of the unit ``counted`` in the small unit."""
        return KAN if self.counted == "kan" else 1

    @property
    def fields(self) -> int:
        """Return the number of all fields."""
        return comb(_PACK, self.field)

    @property
    def fours(self) -> int:
        """Return the number of fields with all four cards of a month."""
        return self._count_fields(4)

    @property
    def threes(self) -> int:
        """Return the number of fields with at most three cards of any month, and three of some."""
        return self._count_fields(3)

    def _count_fields(self, most: int) -> int:
        """Return the number of fields whose most frequent month has ``most`` cards."""
        return sum(teyaku.hands(shape) for shape in teyaku.patterns(self.field) if shape[0] == most)


# Hands ------------------------------------------------------------------------------------------


def _count_hands(description: Ruleset) -> Hands:
    dealt, size = description.dealt, description.hand
    if dealt is None:
        return Hands(size, {NONE: 0}, {NONE: {NONE: comb(_PACK, size)}})
    hands = count_by_months(size, dealt.key)
    cells = count_cells(hands, (NONE, *dealt.rows), (NONE, *dealt.columns), dealt.judge)
    choices: Counter[tuple[str, ...]] = Counter()
    ribbons: Counter[int] = Counter()
    for hand, count in hands if dealt.named else ():
        namings = list(dealt.named(hand)) if dealt.named else []
        permitted = {yaku for yaku, _, _ in namings}
        choices[tuple(yaku for yaku in dealt.columns if yaku in permitted)] += count
        if dealt.judge(hand)[1] == "aka":
            ribbons[max(group.bit_count() for yaku, _, group in namings if yaku == "aka")] += count
    held = {row.id: 0 for row in dealt.held}
    for hand, ways in count_by_groups(size, *dealt.alike) if dealt.held else ():
        for yaku in made(dealt.held, hand, rained=False, called=False):
            held[yaku.id] += ways
    values = {NONE: 0, **dealt.rows, **dealt.columns}
    return Hands(size, values, cells, choices, ribbons, teyaku.odds(dealt.alone), held)


@dataclass(frozen=True, slots=True)
class HouseHands:
    """The dealt hands of a place at the table in one house.

    ``place`` is `DONI` or `OTHER`, or `ALL` if all places are equal. ``names`` maps the yaku of all
    houses to those of ``hands``; `NONE` stands for yaku not allowed at the place.
    """

    place: str
    hands: Hands
    names: Mapping[str, str]


def house_hands(ruleset: str, options: Mapping[str, str] = _DEFAULT) -> tuple[HouseHands, ...]:
    """Return the dealt hands of a house by place, 胴二 first; by default the document's house.

    ``options`` are the options of a game, including ``profile``. Raises `Unsupported` for an
    unsupported house.
    """
    description, hands = find_ruleset(ruleset), odds(ruleset).hands
    if description.dealt is None or (in_house := description.dealt.in_house) is None:
        return (HouseHands(ALL, hands, {id: id for id in (*hands.rows, *hands.columns)}),)
    machine = description.machine(options, description.seats[0])

    def merge_hands(place: str) -> HouseHands:
        ids = dict.fromkeys((*hands.rows, *hands.columns))
        names = {id: in_house(machine, id, place == DONI) for id in ids}
        cells: dict[str, Counter[str]] = {}
        for row, counts in hands.matrix.items():
            for column, count in counts.items():
                cells.setdefault(names[row], Counter())[names[column]] += count
        return HouseHands(place, Hands(hands.size, hands.values, cells), names)

    doni, opponents = merge_hands(DONI), merge_hands(OTHER)
    if doni.names == opponents.names:
        return (replace(doni, place=ALL),)
    return doni, opponents


def seat_odds(ruleset: str, options: Mapping[str, str] = _DEFAULT) -> dict[str, Fraction]:
    """Return the probability that a seat in play can show each dealt-hand yaku of a house.

    The probability is the mean over the places at the table, one of them 胴二.
    """
    playing = find_ruleset(ruleset).seats[0]
    chances: dict[str, Fraction] = {}
    for at_place in house_hands(ruleset, options):
        seats = {DONI: 1, OTHER: playing - 1}.get(at_place.place, playing)
        for family in (at_place.hands.rows, at_place.hands.columns):
            for yaku, count in family.items():
                if yaku != NONE and count:
                    share = Fraction(count * seats, at_place.hands.total * playing)
                    chances[yaku] = chances.get(yaku, Fraction()) + share
    return chances


# Field grades -----------------------------------------------------------------------------------


def _follow_year(field: int, chain: Grades) -> Year:
    """Follow the chain of grades from month to month; ``field`` is the number of field cards."""
    states, step = chain.of, chain.step
    fields = count_by_groups(field, grades.ABSOLUTE, grades.LARGE)
    scale = list(grades.SCALES["A"])
    count = {bound: dict.fromkeys(scale, 0) for bound in BOUNDS}
    for bound in BOUNDS:
        for laid, ways in fields:
            count[bound][step(laid, states[bound])[0]] += ways
    total = comb(_PACK, field)
    carried: dict[Hashable, int] = {states[None]: 1}
    mean = dict.fromkeys(scale, Fraction(0))
    for month in range(1, MONTHS + 1):
        # The integers are numerators; the denominator is ``total`` to the power of the month.
        after: Counter[Hashable] = Counter()
        grade_ways = dict.fromkeys(scale, 0)
        for carry, chance in carried.items():
            for laid, ways in fields:
                grade, next_carry = step(laid, carry)
                grade_ways[grade] += chance * ways
                after[next_carry] += chance * ways
        for grade, ways in grade_ways.items():
            mean[grade] += Fraction(ways, total**month)
        carried = dict(after)
    by_bound: dict[str | None, int] = dict.fromkeys(BOUNDS, 0)
    for carry, chance in carried.items():
        by_bound[chain.name(carry)] += chance
    share = {bound: Fraction(chance, total**MONTHS) for bound, chance in by_bound.items()}
    return Year(count, mean, share, chain.extends)


def odds(ruleset: str) -> Odds:
    """Return the odds of a ruleset, cached. Raises `Unsupported` for an unknown ruleset."""
    return _odds(find_ruleset(ruleset))


@cache
def _odds(description: Ruleset) -> Odds:
    year = _follow_year(description.field, description.grades) if description.grades else None
    return Odds(
        description.id, description.counted, _count_hands(description), description.field, year
    )
