"""Exact odds of dealt hands and of field grades, from the functions that judge games.

Nothing is stored, and no two hands alike are judged (`kafu.odds.count`). Counts are whole,
means are fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final, TypeVar

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.odds.count import by_groups, by_months, matrix
from kafu.odds.judge import DEALT
from kafu.odds.judge import NONE as NONE
from kafu.odds.judge import WITH_RAIN as WITH_RAIN
from kafu.rules import grades, teyaku
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import machine as hachihachi
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hachihachi_bga import state as hachihachi_bga_state
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.koikoi import machine as koikoi
from kafu.rules.koikoi.profiles import TEYAKU
from kafu.rules.play import at_end
from kafu.rules.ten_five_one import machine as ten_five_one
from kafu.rules.yaku import made

#: Months of a year without 越年.
MONTHS: Final = 12
#: What 二代しばり can carry into a month.
BOUNDS: Final = (None, "large", "absolute")
_PACK: Final = len(cards.PACK)


@dataclass(frozen=True, slots=True)
class Hands:
    """Dealt-hand yaku of hands of ``size`` cards.

    ``matrix`` counts hands by row (yaku by count) and column (dregs family), `NONE` for none; each
    stands where its dearest declaration does. Without the dregs family there is one column, `NONE`.
    ``values`` are those of the yaku in the small unit, ``choices`` count hands by the dregs yaku
    that the choice of willow leaves open, ``slips`` those of 赤 by the most slips they can name.
    ``alone`` counts the hands of yaku whose rows leave out some that stand in another: all that a
    house has which plays no other of the rows. ``held`` counts hands in which captured-hand yaku
    lie complete (つかみ, B4).
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
    """The chain of grades over `MONTHS` months: ``grades`` counts fields by what is carried in and
    the grade that follows, ``mean`` is the months of each grade in a year, ``carried`` the
    probability of what December carries on. The early end by 四三 is left out, as in the document.
    ``extends``: what is left after December makes the year go on (越年, H1); else it lapses (B2).
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

    ``counted`` is what the document's values are in: ``kan``, ``mon`` or ``points``.
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
        """Fields whose commonest month has so many cards."""
        return sum(teyaku.hands(shape) for shape in teyaku.patterns(self.field) if shape[0] == most)


# Hands ------------------------------------------------------------------------------------------


def _hachihachi_key(hand: int) -> Hashable:
    """What yaku see of the months dealt so far. It is enough also for what further months make of
    the hand: a number of cards, a 立三本, a dregs yaku and its slips are what they are.
    """
    dregs = tuple((yaku, slips.bit_count()) for yaku, _, slips in hachihachi_hands.dregs_yaku(hand))
    return _count_key(hand), dregs


def _count_key(hand: int) -> Hashable:
    """What the yaku by count of a hand, and of any with further months, depend on."""
    standing = sorted(map(hachihachi_hands.stands, hachihachi_hands.threes(hand)))
    return teyaku.pattern(hand), tuple(standing)


def _kan(count: Mapping[str, int]) -> dict[str, int]:
    """Values in points of both families, those by count as given in kan."""
    kan = {NONE: 0, **count, **hachihachi_hands.DREGS}
    return {yaku: KAN * worth for yaku, worth in kan.items()}


def _hachihachi_hands() -> Hands:
    values, judge = _kan(hachihachi_hands.COUNT), DEALT["hachihachi"].judge
    choices: Counter[tuple[str, ...]] = Counter()
    slips: Counter[int] = Counter()
    hands = by_months(hachihachi.HAND, _hachihachi_key)
    for hand, count in hands:
        named = list(hachihachi_hands.dregs_yaku(hand))
        open_to = {yaku for yaku, _, _ in named}
        choices[tuple(yaku for yaku in hachihachi_hands.DREGS if yaku in open_to)] += count
        if judge(hand)[1] == "aka":
            slips[max(held.bit_count() for yaku, _, held in named if yaku == "aka")] += count
    rows, columns = (NONE, *hachihachi_hands.COUNT), (NONE, *hachihachi_hands.DREGS)
    cells = matrix(hands, rows, columns, judge)
    return Hands(hachihachi.HAND, values, cells, choices, slips)


def _koikoi_hands() -> Hands:
    found = teyaku.odds(TEYAKU)
    rest = comb(_PACK, koikoi.HAND) - sum(found.values())
    cells = {row: {NONE: count} for row, count in ({NONE: rest} | found).items()}
    return Hands(koikoi.HAND, {NONE: 0} | {row.id: row.value for row in TEYAKU}, cells)


def _bga_hands() -> Hands:
    """``held`` is 追い込み's つかみ (B4), with 五光 over 四光."""
    rest, families = ~hachihachi_bga_state.PLAIN, hachihachi_hands.DREGS

    def key(hand: int) -> Hashable:
        kinds = (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS)
        return _count_key(hand), *((hand & rest & kind).bit_count() for kind in kinds)

    size, count = hachihachi_bga_hands.HAND, hachihachi_bga_hands.COUNT
    hands = by_months(size, key)
    cells = matrix(hands, (NONE, *count), (NONE, *families), DEALT["hachihachi-bga"].judge)
    held = {row.id: 0 for row in hachihachi_bga_state.YAKU}
    red, blue, dry, rain = map(cards.mask, ("BFJ", "Vhl", "AIcs", "o"))
    other_slips = cards.SLIPS & rest & ~(red | blue)
    for hand, ways in by_groups(size, red, blue, other_slips, dry, rain):
        for one in made(hachihachi_bga_state.YAKU, hand, rained=False, called=False):
            held[one.id] += ways
    return Hands(size, _kan(count), cells, held=held)


def _hanaawase_hands() -> Hands:
    values = {NONE: 0} | hanaawase.VALUES | {row.id: row.value for row in hanaawase.AGAIN}

    def key(hand: int) -> Hashable:
        return teyaku.pattern(hand), (hand & cards.DREGS).bit_count()

    rows = (NONE, *(row.id for row in hanaawase.AGAIN))
    hands = by_months(at_end.HAND, key)
    cells = matrix(hands, rows, (NONE, *hanaawase.VALUES), DEALT["hanaawase"].judge)
    return Hands(at_end.HAND, values, cells, alone=teyaku.odds(hanaawase.AGAIN))


def _ten_five_one_hands() -> Hands:
    table = ten_five_one.TEYAKU
    values = {NONE: 0, "nasake": ten_five_one.NASAKE, WITH_RAIN: ten_five_one.NASAKE}
    values |= {row.id: row.value for row in table}

    def key(hand: int) -> Hashable:
        willow = hand & cards.MONTHS[11] & ~cards.SLIPS
        return teyaku.pattern(hand), (hand & cards.SLIPS).bit_count(), willow.bit_count()

    rows, columns = (NONE, *(row.id for row in table)), (NONE, "nasake", WITH_RAIN)
    cells = matrix(by_months(at_end.HAND, key), rows, columns, DEALT["ten-five-one"].judge)
    return Hands(at_end.HAND, values, cells, alone=teyaku.odds(table))


# Field grades -----------------------------------------------------------------------------------

Carry = TypeVar("Carry", bound=Hashable)


def _year(
    field: int,
    of: Mapping[str | None, Carry],
    step: Callable[[int, Carry], tuple[str, Carry]],
    name: Callable[[Carry], str | None],
    *,
    extends: bool,
) -> Year:
    """The chain of grades, month by month from nothing carried.

    ``step`` gives the grade of a field (mask) with what is carried in, and what is carried on;
    ``name`` calls what is carried by one of `BOUNDS`, and ``of`` has one of each name.
    """
    fields = by_groups(field, grades.ABSOLUTE, grades.LARGE)
    scale = list(grades.SCALES["A"])
    count = {bound: dict.fromkeys(scale, 0) for bound in BOUNDS}
    for bound in BOUNDS:
        for laid, ways in fields:
            count[bound][step(laid, of[bound])[0]] += ways
    total = comb(_PACK, field)
    carried = {of[None]: 1}
    mean = dict.fromkeys(scale, Fraction(0))
    for month in range(1, MONTHS + 1):
        # Whole numbers: of ``total`` to the power of the month.
        after: Counter[Carry] = Counter()
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
        left[name(carry)] += chance
    share = {bound: Fraction(chance, total**MONTHS) for bound, chance in left.items()}
    return Year(count, mean, share, extends)


# Rulesets ---------------------------------------------------------------------------------------


def _hachihachi() -> Odds:
    size = hachihachi.FIELD
    year = _year(size, {one: one for one in BOUNDS}, grades.grade, lambda one: one, extends=True)
    return Odds("hachihachi", "kan", _hachihachi_hands(), size, year)


def _koikoi() -> Odds:
    return Odds("koikoi", "mon", _koikoi_hands(), koikoi.FIELD)


def _bga() -> Odds:
    none = grades.Carried()
    of = {None: none, "large": grades.Carried(0, 1), "absolute": grades.Carried(1, 0)}
    year = _year(
        hachihachi.FIELD,
        of,
        lambda laid, carried: carried.join(laid),
        lambda carried: carried.strongest,
        extends=False,
    )
    return Odds("hachihachi-bga", "kan", _bga_hands(), hachihachi.FIELD, year)


def _hanaawase() -> Odds:
    return Odds("hanaawase", "points", _hanaawase_hands(), at_end.FIELD)


def _ten_five_one() -> Odds:
    return Odds("ten-five-one", "points", _ten_five_one_hands(), at_end.FIELD)


_MAKERS: Final[Mapping[str, Callable[[], Odds]]] = {
    "hachihachi": _hachihachi,
    "koikoi": _koikoi,
    "hachihachi-bga": _bga,
    "hanaawase": _hanaawase,
    "ten-five-one": _ten_five_one,
}
#: The rulesets whose odds are known.
KNOWN: Final = tuple(_MAKERS)


@cache
def odds(rules: str) -> Odds:
    """The odds of a ruleset, computed once a process. Raises KeyError if not in `KNOWN`."""
    return _MAKERS[rules]()
