"""Values of the two games of hachi-hachi: grades, card points, special yaku."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

from sheet_model.deal import Deal, Sum
from sheet_model.lines import Impossible, Line, unique_yaku
from sheet_model.pack import CHAFF_AND_WILLOW

KAN: Final = 12
PAR: Final = 88
SPECIAL: Final = ("sohachi", "futahachi", "sujuroku")
#: What each option of `ba` multiplies by in small, large and absolute fields; F adds instead.
FACTORS: Final[Mapping[str, Mapping[str, Fraction]]] = {
    option: {"small": Fraction(1), "large": Fraction(large), "absolute": Fraction(absolute)}
    for option, large, absolute in (
        *(("A", "2", "4"), ("B", "2", "3"), ("C", "3/2", "2")),
        *(("D", "2", "2"), ("E", "1", "1"), ("F", "1", "1")),
    )
}
ADDED: Final = {"small": 0, "large": 1, "absolute": 2}


class Unit:
    """The values of a month, by the option `ba` and the grade of the field."""

    def __init__(self, option: str, grade: str) -> None:
        self.factor: Final = FACTORS[option][grade]
        self.added: Final = ADDED[grade] if option == "F" else 0
        #: Whether points are paid at 1.5, so that odd differences are made even.
        self.even: Final = self.factor.denominator == 2

    def value(self, kan: int, yaku: int) -> Fraction:
        """Return the points that each player pays for yaku."""
        return (kan + self.added * yaku) * KAN * self.factor


def deviations(amounts: Sequence[int], unit: Unit) -> list[tuple[int, ...]]:
    """Return every triple of differences from 88 that is paid as these amounts (H18)."""
    found = []
    paid = tuple(amount / unit.factor for amount in amounts)
    nearby = (range(-1, 2) if unit.even else (0,),) * 3
    for steps in product(*nearby):
        differences = [value + step for value, step in zip(paid, steps, strict=True)]
        if all(difference.denominator == 1 for difference in differences):
            candidate = tuple(int(difference) for difference in differences)
            if sum(candidate) == 0 and (not unit.even or make_even(candidate) == paid):
                found.append(candidate)
    # Two odd differences of one sign move the third by two.
    if unit.even:
        for third in range(3):
            for step in (-2, 2):
                candidate_ = [int(value) for value in paid]
                for player in range(3):
                    candidate_[player] += step if player == third else -step // 2
                if sum(candidate_) == 0 and make_even(candidate_) == paid:
                    found.append(tuple(candidate_))
    return found


def make_even(differences: Sequence[int]) -> tuple[int, ...]:
    """Return differences with odd ones one nearer to zero, the third taking up what that leaves."""
    odd = [player for player in range(3) if differences[player] % 2]
    moved = list(differences)
    for player in odd:
        moved[player] -= 1 if moved[player] > 0 else -1
    if odd:
        (third,) = {0, 1, 2} - set(odd)
        moved[third] = -sum(moved[player] for player in odd)
    return tuple(moved)


def require_points(deal: Deal, points: Sequence[Sum], allowed: Sequence[tuple[int, ...]]) -> None:
    """Require one of the triples of card points."""
    if not allowed:
        raise Impossible("points: no differences from 88")
    chosen = [deal.new_bool_var("") for _ in allowed]
    deal.add_exactly_one(chosen)
    for choice, triple in zip(chosen, allowed, strict=True):
        for total, value in zip(points, triple, strict=True):
            deal.add(total == value).only_enforce_if(choice)


def check_values(
    dealt: Sequence[Line], nuke: Sequence[Line], table: Mapping[str, int], unit: Unit
) -> None:
    """Check dealt hands and 抜け: their values, shared. Raises `Impossible`."""
    for line in dealt:
        kan = sum(table[name] for name in line.labels)
        if line.payer is not None or line.each != unit.value(kan, len(line.labels)):
            raise Impossible(f"{line.label}: not its value")
    if any(line.payer is not None or line.each != KAN * unit.factor for line in nuke):
        raise Impossible("nuke: not its value")
    if len({line.receiver for line in nuke}) < len(nuke):
        raise Impossible("nuke twice")


def special_yaku(deal: Deal, lines: Sequence[Line], unit: Unit) -> None:
    """Require just the special yaku of the lines, with their values."""
    unique_yaku(lines)
    if any(line.payer is not None for line in lines):
        raise Impossible("a special yaku: paid by one")
    values = {(line.receiver, line.labels): line.each for line in lines}
    names = {(player, name) for player, labels in values for name in labels}
    if any(name not in SPECIAL for _, name in names):
        raise Impossible("a special yaku joined with another kind")
    if any(name == "sohachi" and player != 0 for player, name in names):
        raise Impossible("総八 is paid to the dealer")
    points = [deal.points(player) for player in deal.players]
    chaff = [deal.count(player, CHAFF_AND_WILLOW) for player in deal.players]
    if any(name == "sohachi" for _, name in names):
        for total in points:
            deal.add(total == PAR)
    else:
        require_difference(deal, points)
    for player in deal.players:
        for name, total, least in (
            ("futahachi", points[player], 168),
            ("sujuroku", chaff[player], 16),
        ):
            deal.add(total >= least if (player, name) in names else total <= least - 1)
    for (player, labels), each in values.items():
        kan: Sum = 0
        for name in labels:
            kan += {
                "sohachi": 10,
                "futahachi": 10 + points[player] - 168,
                "sujuroku": 12 + 2 * (chaff[player] - 16),
            }[name]
        total = Fraction(each) / (KAN * unit.factor) - unit.added * len(labels)
        if total.denominator != 1:
            raise Impossible("a special yaku: not its value")
        deal.add(kan == int(total))


def require_difference(deal: Deal, points: Sequence[Sum]) -> None:
    """Require that not all three have 88 points."""
    deal.add_bool_or([deal.reaches(total, PAR + 1) for total in points])


def no_special_yaku(deal: Deal) -> None:
    """Require that the hands are played out without a special yaku."""
    points = [deal.points(player) for player in deal.players]
    require_difference(deal, points)
    for player in deal.players:
        deal.add(points[player] <= 167)
        deal.add(deal.count(player, CHAFF_AND_WILLOW) <= 15)
