"""Months of `hachihachi` (三人はちはち Ver. 1.06R03): which cards make them.

A month was shown dealt hands and ended by 四三, was ended by a captured yaku, or was played out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from kafu.notation.game import Month, Payment
from sheet_model.deal import Cards, Deal
from sheet_model.hands import CHAFF_YAKU, COUNT_YAKU, DIVING_HANDS, NUKE_HANDS, DealtHand
from sheet_model.liability import Dive, assists, read_dives, require_due_dives
from sheet_model.lines import (
    Impossible,
    Line,
    play_order,
    points_of,
    read_line,
    sort_payments,
    unique_yaku,
)
from sheet_model.pack import AKATAN, AOTAN, GOKO, RIBBONS, SHIKO, indices
from sheet_model.values import (
    KAN,
    PAR,
    SPECIAL,
    Unit,
    check_values,
    deviations,
    no_special_yaku,
    require_points,
    special_yaku,
)

DEALT: Final[Mapping[str, int]] = {
    **{"sanbon": 2, "tatesanbon": 3, "kuttsuki": 4, "teshi": 6, "haneken": 7, "ichinishi": 9},
    **{"shiso": 40, "futasanbon": 8, "sanbon-tatesanbon": 9, "futatatesanbon": 10},
    **{"aka": 2, "tanichi": 3, "toichi": 3, "pikaichi": 4, "karasu": 4},
}
CAPTURED: Final[Mapping[str, int]] = {
    **{"goko": 20, "shiko": 12, "goun": 12, "nanatan": 10},
    **{"akatan": 7, "aotan": 7, "inoshikacho": 6},
}
SETS: Final = {
    **{"shiko": SHIKO, "goun": indices("EQUYg"), "akatan": AKATAN, "aotan": AOTAN},
    "inoshikacho": indices("YkU"),
}
#: Yaku that 法度 is applied to, with their cards.
HATTO: Final = {
    **{"goko": GOKO, "shiko": SHIKO, "akatan": AKATAN, "aotan": AOTAN},
    "inoshikacho": SETS["inoshikacho"],
}
TABLES: Final = {"dealt": DEALT, "captured": CAPTURED, "special": SPECIAL}
DIVING: Final = (*DIVING_HANDS, "haneken")


class Field(NamedTuple):
    """A case of section (3) of the supplement: bonds carried in, brights on the field, results."""

    bonds: tuple[str, ...]
    absolute: tuple[int, int]
    large: tuple[int, int]
    grade: str
    carried: str


FIELDS: Final = (
    Field(("none", "large", "absolute"), (2, 2), (0, 3), "absolute", "absolute"),
    Field(("none", "large"), (1, 1), (0, 3), "absolute", "none"),
    Field(("absolute",), (0, 1), (0, 3), "absolute", "none"),
    Field(("none", "large"), (0, 0), (2, 3), "large", "large"),
    Field(("none",), (0, 0), (1, 1), "large", "none"),
    Field(("large",), (0, 0), (0, 1), "large", "none"),
    Field(("none",), (0, 0), (0, 0), "small", "none"),
)
START: Final = frozenset({"none"})


def find_cards(
    month: Month, options: Mapping[str, str], carried: Iterable[str]
) -> dict[str, Cards]:
    """Return cards that make the month, by the bond that they carry on."""
    found: dict[str, Cards] = {}
    for bond, field in product(sorted(carried), FIELDS):
        written = field.grade + "2" * (field.carried == field.grade)
        if bond not in field.bonds or month.ba not in (None, written) or field.carried in found:
            continue
        unit = Unit(options.get("ba", "A"), field.grade)
        cards = _find(month, unit, field)
        if cards is not None:
            found[field.carried] = cards
    return found


def _find(month: Month, unit: Unit, field: Field) -> Cards | None:
    try:
        lines = Lines(month, unit)
        for dives in lines.dives():
            cards = _Question(lines, field, dives).solve()
            if cards is not None:
                return cards
    except Impossible:
        pass
    return None


class Lines:
    """The lines of a month at one grade. Raises `Impossible` where their form rules it out."""

    def __init__(self, month: Month, unit: Unit) -> None:
        self.order = play_order(month.dealer, 3)
        self.unit = unit
        kinds = sort_payments(month, TABLES, ("tobikomi", "nuke", "points"))
        self.dealt = [self._read(payment, DEALT) for payment in kinds["dealt"]]
        self.captured = [self._read(payment, CAPTURED) for payment in kinds["captured"]]
        self.special = [read_line(payment, self.order) for payment in kinds["special"]]
        self.nuke = [read_line(payment, self.order) for payment in kinds.get("nuke", [])]
        self.tobikomi = kinds.get("tobikomi", [])
        self.points, self.amounts = points_of(month, self.order)
        self._check_voids()
        self._check_hands()

    def _read(self, payment: Payment, table: Mapping[str, int]) -> Line:
        line = read_line(payment, self.order)
        if any(name not in table for name in line.labels):
            raise Impossible(f"{line.label}: yaku of two kinds")
        return line

    def _check_voids(self) -> None:
        """Only a special yaku strikes lines out: dealt hands and 飛込み, and all of them (H16)."""
        struck = [line.void for line in self.dealt] + [line.void for line in self.tobikomi]
        if any(void != bool(self.special) for void in struck):
            raise Impossible("struck out without a special yaku, or not struck out beside one")
        others = [*self.captured, *self.special, *self.nuke]
        if any(line.void for line in others) or (self.points is not None and self.points.void):
            raise Impossible("a line that is never struck out")
        if self.special and (self.captured or self.nuke or self.points):
            raise Impossible("a special yaku beside a captured one, nuke or points")
        if self.captured and (self.nuke or self.points):
            raise Impossible("a captured yaku beside nuke or points")

    def _check_hands(self) -> None:
        self.hands = {
            player: [name for name, _ in yaku] for player, yaku in unique_yaku(self.dealt).items()
        }
        check_values(self.dealt, self.nuke, DEALT, self.unit)
        for names in self.hands.values():
            if len(set(names) & COUNT_YAKU.keys()) > 1 or len(set(names) & CHAFF_YAKU.keys()) > 1:
                raise Impossible("two yaku of one family")
            if {"shiso", "aka"} <= set(names):
                raise Impossible("四三 has no compound with 赤 in the document's table")

    @property
    def shiso(self) -> bool:
        """Whether 四三 ended the month."""
        return any("shiso" in names for names in self.hands.values())

    def dives(self) -> Iterable[list[Dive]]:
        """Yield the 飛込み of the month, in each way in which its lines can be read."""
        kan = KAN * self.unit.factor
        readings = [read_dives(payment, self.order, kan) for payment in self.tobikomi]
        for reading in product(*readings):
            yield [dive for dives in reading for dive in dives]


class Yaku(NamedTuple):
    """The captured yaku of a player: in full or by half, and the number of ribbons of 七短."""

    lines: Mapping[str, Line]
    half: bool
    ribbons: int | None


class _Question(Deal):
    """The model of a month's lines."""

    def __init__(self, lines: Lines, field: Field, dives: Sequence[Dive]) -> None:
        super().__init__()
        self.lines: Final = lines
        self._lay(field)
        self.dealt_hands = [DealtHand(self, hand) for hand in self.hands]
        for player, names in lines.hands.items():
            self._declare(self.dealt_hands[player], names)
        if lines.shiso:
            if lines.captured or lines.special or lines.nuke or dives or lines.points:
                raise Impossible("四三 ends the month before the first card")
            self.end_after([0])
        elif lines.captured:
            self._end_by_yaku(dives)
        else:
            self.play_out()
            for player in self.players:
                own_yaku(self, player, {}, None)
            self._dive(dives, liable=None)
            if lines.special:
                special_yaku(self, lines.special, lines.unit)
            else:
                self._count_points()

    def _lay(self, field: Field) -> None:
        for letters, (least, most) in (("os", field.absolute), ("AIc", field.large)):
            brights = sum(self.field[card] for card in indices(letters))
            self.add(brights >= least)
            self.add(brights <= most)

    def _declare(self, hand: DealtHand, names: Sequence[str]) -> None:
        """Require declared yaku: each the best of its family, but for the choice of willow."""
        for name in names:
            kinds = hand.count_yaku if name in COUNT_YAKU else hand.chaff_yaku(choice=True)
            self.add(kinds[name] == 1)

    def _dive(self, dives: Sequence[Dive], liable: int | None) -> None:
        struck = bool(self.lines.special)
        names = self.lines.hands
        require_due_dives(
            self, self.dealt_hands, names, DIVING, dives, struck=struck, liable=liable
        )

    def _count_points(self) -> None:
        no_special_yaku(self)
        points = [self.points(player) for player in self.players]
        allowed = [
            tuple(PAR + difference for difference in differences)
            for differences in deviations(self.lines.amounts, self.lines.unit)
        ]
        require_points(self, points, allowed)
        for player in self.players:
            names = set(self.lines.hands.get(player, []))
            nuke = any(line.receiver == player for line in self.lines.nuke)
            if nuke:
                if not names & set(NUKE_HANDS):
                    raise Impossible("抜け without its hand")
                self.add(points[player] > PAR)
            elif names & set(NUKE_HANDS):
                self.add(points[player] <= PAR)

    def _end_by_yaku(self, dives: Sequence[Dive]) -> None:
        yaku = {
            player: read_yaku(dict(named), CAPTURED, self.lines.unit)
            for player, named in unique_yaku(self.lines.captured).items()
        }
        full = [player for player, own in yaku.items() if not own.half]
        half = [player for player, own in yaku.items() if own.half]
        if len(full) > 1 or len(half) > 1:
            raise Impossible("two players in full, or two in sage")
        liable = half[0] if half else None
        for player in self.players:
            own = yaku.get(player)
            own_yaku(self, player, own.lines if own else {}, own.ribbons if own else None)
        if full:
            (winner,) = full
            self.end_after(range(2 * winner + 2, 43, 6))
        else:
            # 下げ, and at least one more turn before it is called off.
            self.end_after(range(4, 43, 2))
        for player, own in yaku.items():
            if not own.half and liable is not None:
                if any(line.payer != liable for line in own.lines.values()):
                    raise Impossible("who is in sage pays for both (H11)")
            else:
                require_hatto(self, player, own.lines)
        self._dive(dives, liable)


def own_yaku(deal: Deal, player: int, names: Iterable[str], ribbons: int | None) -> None:
    """Require that a player's captured cards make just these yaku."""
    names = set(names)
    if {"goko", "shiko"} <= names:
        raise Impossible("五光 replaces 四光")
    for name, cards in SETS.items():
        total = deal.count(player, cards)
        complete = name in names or (name == "shiko" and "goko" in names)
        deal.add(total == len(cards) if complete else total <= len(cards) - 1)
    if "shiko" in names:
        deal.add(deal.count(player, GOKO) == 4)
    if "goko" in names:
        deal.add(deal.count(player, GOKO) == 5)
    total = deal.count(player, RIBBONS)
    deal.add(total == ribbons if ribbons else total <= 6)


def read_yaku(lines: Mapping[str, Line], table: Mapping[str, int], unit: Unit) -> Yaku:
    """Return a player's captured yaku: all of their lines in full, or all by half."""
    readings = []
    for half, ribbons in product((False, True), range(7, 11)):
        if "nanatan" not in lines and ribbons > 7:
            continue
        values = {**table, "nanatan": table["nanatan"] + ribbons - 7}
        fits = all(
            line.each * (2 if half else 1)
            == unit.value(sum(values[name] for name in line.labels), len(line.labels))
            for line in lines.values()
        )
        if fits:
            readings.append(Yaku(lines, half, ribbons if "nanatan" in lines else None))
    if len(readings) != 1:
        raise Impossible("captured yaku: not their values")
    return readings[0]


def require_hatto(deal: Deal, player: int, lines: Mapping[str, Line]) -> None:
    """Require a hatto card of whoever pays alone, in one yaku at least (H12, H13)."""
    for payer in {line.payer for line in lines.values()} - {None}:
        assert payer is not None
        ways = [
            way
            for name, line in lines.items()
            if line.payer == payer and name in HATTO
            for way in assists(deal, payer, player, HATTO[name])
        ]
        if not ways:
            raise Impossible("paid by one, without hatto and sage")
        deal.add_bool_or(ways)
