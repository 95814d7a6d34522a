"""Exact odds of dealt hands and of field grades, from the functions that judge games.

Nothing is stored, and no two hands alike are judged: hands that no yaku tells apart are counted
together, month by month, and one of each kind is judged. Counts are whole, means are fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

from records import cards
from records.engine import grades, hachihachi, hachihachi_hands, koikoi, teyaku
from records.engine.profiles import TEYAKU
from records.kafu.vocabulary import KAN

#: No yaku (なし), as a row or a column.
NONE: Final = "nashi"
#: Months of a year without 越年.
MONTHS: Final = 12
#: What 二代しばり can carry into a month.
BOUNDS: Final = (None, "large", "absolute")
_PACK: Final = len(cards.PACK)
_PICTURES: Final = (cards.BRIGHTS, cards.ANIMALS, cards.SLIPS)


@dataclass(frozen=True, slots=True)
class Hands:
    """Dealt-hand yaku of hands of ``size`` cards.

    ``matrix`` counts hands by row (yaku by count) and column (dregs family), `NONE` for none; each
    stands where its dearest declaration does. Without the dregs family there is one column, `NONE`.
    ``values`` are those of the yaku in the small unit, ``choices`` count hands by the dregs yaku
    that the choice of willow leaves open, ``slips`` those of 赤 by the most slips they can name.
    """

    size: int
    values: Mapping[str, int]
    matrix: Mapping[str, Mapping[str, int]]
    choices: Mapping[tuple[str, ...], int]
    slips: Mapping[int, int]

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
    """

    grades: Mapping[str | None, Mapping[str, int]]
    mean: Mapping[str, Fraction]
    carried: Mapping[str | None, Fraction]

    @property
    def etsunen(self) -> Fraction:
        """The probability of 越年: a 二代しばり is left after December (H1)."""
        return 1 - self.carried[None]


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a ruleset: its dealt hands, its field of ``field`` cards, and its grades if any.

    ``unit`` is what a document's values are in: so many of the small unit.
    """

    rules: str
    unit: int
    hands: Hands
    field: int
    year: Year | None = None

    @property
    def fields(self) -> int:
        """How many fields can be dealt."""
        return comb(_PACK, self.field)

    @property
    def fours(self) -> int:
        """Fields with all four cards of a month."""
        return sum(teyaku.hands(shape) for shape in teyaku.patterns(self.field) if shape[0] == 4)


# Hands ------------------------------------------------------------------------------------------


class _Alike(NamedTuple):
    """A hand or field as a mask, and in how many ways one like it to the rules can be dealt."""

    hand: int
    ways: int


def _together(alike: Iterator[tuple[Hashable, _Alike]]) -> list[_Alike]:
    """One hand of each key, with the counts of all."""
    found: dict[Hashable, _Alike] = {}
    for key, (hand, ways) in alike:
        known = found.get(key, _Alike(hand, 0))
        found[key] = known._replace(ways=known.ways + ways)
    return list(found.values())


def _of_month(month: int) -> list[_Alike]:
    """What a hand can hold of a month, alike where number, kinds and 立三本 are."""

    def key(part: int) -> Hashable:
        stands = part.bit_count() == 3 and hachihachi_hands.stands(part)
        return part.bit_count(), stands, *((part & kind).bit_count() for kind in _PICTURES)

    parts = (sum(part) for n in range(5) for part in combinations(cards.bits(month), n))
    return _together((key(part), _Alike(part, 1)) for part in parts)


def _key(hand: int) -> Hashable:
    """What yaku see of the months dealt so far. It is enough also for what further months make of
    the hand: a number of cards, a 立三本, a dregs yaku and its slips are what they are.
    """
    standing = sorted(map(hachihachi_hands.stands, hachihachi_hands.threes(hand)))
    dregs = tuple((yaku, slips.bit_count()) for yaku, _, slips in hachihachi_hands.dregs_yaku(hand))
    return teyaku.pattern(hand), tuple(standing), dregs


def _all_hands(size: int) -> list[_Alike]:
    """Every hand of ``size`` cards, those alike for hachihachi together."""
    dealt = [_Alike(0, 1)]
    for month in cards.MONTHS[1:]:
        parts = _of_month(month)
        dealt = _together(
            (_key(hand | part), _Alike(hand | part, ways * more))
            for hand, ways in dealt
            for part, more in parts
            if hand.bit_count() + part.bit_count() <= size
        )
    return [alike for alike in dealt if alike.hand.bit_count() == size]


def _hachihachi_hands() -> Hands:
    kan = {NONE: 0, **hachihachi_hands.COUNT, **hachihachi_hands.DREGS}
    values = {yaku: KAN * worth for yaku, worth in kan.items()}
    matrix = {
        row: dict.fromkeys((NONE, *hachihachi_hands.DREGS), 0)
        for row in (NONE, *hachihachi_hands.COUNT)
    }
    choices: Counter[tuple[str, ...]] = Counter()
    slips: Counter[int] = Counter()
    for hand, count in _all_hands(hachihachi.HAND):
        named = list(hachihachi_hands.dregs_yaku(hand))
        open_to = {yaku for yaku, _, _ in named}
        # Of equals the first, all willow as dregs: 空素 before 光一, as the supplement (5) advises.
        dearest = max((yaku for yaku, _, _ in named), key=values.__getitem__, default=NONE)
        matrix[hachihachi_hands.count_yaku(hand) or NONE][dearest] += count
        choices[tuple(yaku for yaku in hachihachi_hands.DREGS if yaku in open_to)] += count
        if dearest == "aka":
            slips[max(held.bit_count() for yaku, _, held in named if yaku == "aka")] += count
    return Hands(hachihachi.HAND, values, matrix, choices, slips)


def _koikoi_hands() -> Hands:
    found = teyaku.odds(TEYAKU)
    rest = comb(_PACK, koikoi.HAND) - sum(found.values())
    matrix = {row: {NONE: count} for row, count in ({NONE: rest} | found).items()}
    values = {NONE: 0} | {row.id: row.value for row in TEYAKU}
    return Hands(koikoi.HAND, values, matrix, {}, {})


# Field grades -----------------------------------------------------------------------------------


def _all_fields(size: int) -> list[_Alike]:
    """Every field of ``size`` cards, alike where they hold as many brights of each grade."""
    graded = (grades.ABSOLUTE, grades.LARGE)
    plain = cards.ALL & ~(grades.ABSOLUTE | grades.LARGE)
    found = []
    for absolute in range(min(size, graded[0].bit_count()) + 1):
        for large in range(min(size - absolute, graded[1].bit_count()) + 1):
            numbers = (absolute, large, size - absolute - large)
            hand, count = 0, 1
            for number, group in zip(numbers, (*graded, plain), strict=True):
                hand |= sum(list(cards.bits(group))[:number])
                count *= comb(group.bit_count(), number)
            found.append(_Alike(hand, count))
    return found


def _year(field: int) -> Year:
    """The chain of `grades.grade`, month by month from none carried."""
    fields = _all_fields(field)
    names = list(grades.SCALES["A"])
    count = {bound: dict.fromkeys(names, 0) for bound in BOUNDS}
    step: dict[str | None, Counter[str | None]] = {bound: Counter() for bound in BOUNDS}
    for bound in BOUNDS:
        for laid, ways in fields:
            grade, carries = grades.grade(laid, bound)
            count[bound][grade] += ways
            step[bound][carries] += ways
    total = comb(_PACK, field)
    carried = {bound: Fraction(bound is None) for bound in BOUNDS}
    mean = dict.fromkeys(names, Fraction(0))
    for _month in range(MONTHS):
        for name in names:
            for bound in BOUNDS:
                mean[name] += carried[bound] * Fraction(count[bound][name], total)
        carried = {
            after: sum((carried[b] * step[b][after] for b in BOUNDS), Fraction(0)) / total
            for after in BOUNDS
        }
    return Year(count, mean, carried)


# Rulesets ---------------------------------------------------------------------------------------


def _hachihachi() -> Odds:
    size = hachihachi.FIELD
    return Odds("hachihachi", KAN, _hachihachi_hands(), size, _year(size))


def _koikoi() -> Odds:
    return Odds("koikoi", 1, _koikoi_hands(), koikoi.FIELD)


_MAKERS: Final[Mapping[str, Callable[[], Odds]]] = {"hachihachi": _hachihachi, "koikoi": _koikoi}
#: The rulesets whose odds are known.
KNOWN: Final = tuple(_MAKERS)


@cache
def odds(rules: str) -> Odds:
    """The odds of a ruleset, computed once a process. Raises KeyError if not in `KNOWN`."""
    return _MAKERS[rules]()
