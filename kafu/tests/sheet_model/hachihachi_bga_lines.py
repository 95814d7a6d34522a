"""The lines of a month of `hachihachi-bga`: who plays, what was paid, how the month ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Final

from kafu.notation.game import Month, Payment
from sheet_model import hachihachi
from sheet_model.liability import Dive, read_dives
from sheet_model.lines import (
    Impossible,
    Line,
    play_order,
    points_of,
    read_line,
    sort_payments,
    unique_yaku,
)
from sheet_model.values import KAN, SPECIAL, Unit, check_values

DEALT: Final[Mapping[str, int]] = {
    **hachihachi.DEALT,
    **{"ichinishi": 8, "shiso": 20},
    **{"futasanbon": 6, "sanbon-tatesanbon": 7, "futatatesanbon": 8},
}
CAPTURED: Final[Mapping[str, int]] = {
    **{"goko": 12, "shiko": 10, "nanatan": 10, "akatan": 7, "aotan": 7}
}
TABLES: Final = {"dealt": DEALT, "captured": CAPTURED, "special": SPECIAL}
LABELS: Final = ("tobikomi", "nuke", "points", "ori", "oikomi", "mizuten")
#: What goes to the table, in mon, by order of going out.
FEES: Final = (12, 18, 24)


class Lines:
    """The lines of a month at one grade. Raises `Impossible` where their form rules it out."""

    def __init__(self, month: Month, options: Mapping[str, str], seats: int, unit: Unit) -> None:
        self.options = options
        self.unit = unit
        self.table = play_order(month.dealer, seats)
        kinds = sort_payments(month, TABLES, LABELS)
        self._seat(kinds.get("ori", []))
        self._read_shut_out(kinds.get("oikomi", []))
        self.blind = self._read_blind(kinds.get("mizuten", []), month.dealer)
        self.ended_by_shiso = options.get("shiso") == "ends" and any(
            "shiso" in payment.label.split("+") for payment in kinds["dealt"]
        )
        self.dealt = [self._read_dealt(payment) for payment in kinds["dealt"]]
        self.captured = [self._read(payment, CAPTURED) for payment in kinds["captured"]]
        self.special = [read_line(payment, self.order) for payment in kinds["special"]]
        self.nuke = [read_line(payment, self.order) for payment in kinds.get("nuke", [])]
        self.tobikomi = kinds.get("tobikomi", [])
        self.points, self.amounts = points_of(month, self.order)
        if self.points and sum(map(abs, self.points.amounts)) != sum(map(abs, self.amounts)):
            raise Impossible("points of somebody who does not play")
        self._check_voids(kinds)
        self._check_hands()
        self._check_captured()
        self._check_fees()

    def _seat(self, fees: Sequence[Payment]) -> None:
        """Find who plays: the first three from the dealer on who did not go out (B3)."""
        paid = [sum(line.amounts[seat - 1] for line in fees) for seat in self.table]
        out = [seat for seat, amount in zip(self.table, paid, strict=True) if amount < 0]
        staying = [seat for seat in self.table if seat not in out]
        if len(staying) < 3:
            raise Impossible("fewer than three play")
        self.order, self.shut_out = staying[:3], staying[3:]
        last = self.table.index(self.order[-1])
        if any(self.table.index(seat) > last for seat in out) and self.shut_out:
            raise Impossible("out behind the third who went in")
        due = [int(fee * self.unit.factor) for fee in FEES[: len(out)]]
        if [-amount for amount in paid if amount < 0] != due or sum(paid) != 0:
            raise Impossible("ori: 1, 1.5 and 2 kan by order of going out")
        self.takers = [seat for seat, amount in zip(self.table, paid, strict=True) if amount > 0]

    def _read_shut_out(self, lines: Sequence[Payment]) -> None:
        """Read what each of the three pays to the shut out, at the small grade."""
        self.worth = dict.fromkeys(self.shut_out, 0)
        for line in lines:
            receivers = [seat for seat, amount in enumerate(line.amounts, 1) if amount > 0]
            if len(receivers) != 1 or self.worth.get(receivers[0], 1):
                raise Impossible("oikomi: not to one who is shut out, or twice")
            each = line.amounts[receivers[0] - 1] // 3
            for seat in self.table:
                due = -each if seat in self.order else 3 * each if seat == receivers[0] else 0
                if line.amounts[seat - 1] != due:
                    raise Impossible("oikomi: not paid by the three alike")
            worth = Fraction(each) / self.unit.factor
            if worth.denominator != 1:
                raise Impossible("oikomi: not its value")
            self.worth[receivers[0]] = int(worth)

    def _read_blind(self, lines: Sequence[Payment], dealer: int) -> bool:
        if not lines:
            return False
        kan = int(KAN * self.unit.factor)
        due = [-kan] * len(self.table)
        due[dealer - 1] = kan * (len(self.table) - 1)
        if len(lines) > 1 or list(lines[0].amounts) != due or len(self.table) == 3:
            raise Impossible("mizuten: not by all to the dealer")
        if dealer not in self.order:
            raise Impossible("mizuten: the dealer went out")
        return True

    def _read(self, payment: Payment, table: Mapping[str, int]) -> Line:
        line = read_line(payment, self.order)
        if any(name not in table for name in line.labels):
            raise Impossible(f"{line.label}: yaku of two kinds")
        return line

    def _read_dealt(self, payment: Payment) -> Line:
        """Read a dealt hand; who does not play pays for 四三 where it ends the game (B15)."""
        if not (self.ended_by_shiso and "shiso" in payment.label.split("+")):
            return self._read(payment, DEALT)
        kan = int(DEALT["shiso"] * KAN * self.unit.factor)
        amounts = list(payment.amounts)
        receivers = [seat for seat in self.order if amounts[seat - 1] > 0]
        for seat in self.table:
            if seat not in self.order and receivers:
                amounts[seat - 1] += kan
                amounts[receivers[0] - 1] -= kan
        return self._read(Payment(payment.label, tuple(amounts), payment.void), DEALT)

    def _check_voids(self, kinds: Mapping[str, Sequence[Payment]]) -> None:
        struck = [line.void for line in (*self.dealt, *self.nuke)]
        struck += [line.void for line in self.tobikomi]
        if any(void != bool(self.special) for void in struck):
            raise Impossible("struck out without a special yaku, or not struck out beside one")
        never = ("captured", "special", "points", "ori", "oikomi", "mizuten")
        if any(line.void for kind in never for line in kinds.get(kind, [])):
            raise Impossible("a line that is never struck out")
        if self.special and (self.captured or self.points):
            raise Impossible("a special yaku beside a captured one or points")
        if self.captured and self.points:
            raise Impossible("a captured yaku beside points")
        played = self.captured or self.special or self.points or self.nuke or self.tobikomi
        if self.ended_by_shiso and (played or self.blind):
            raise Impossible("四三 ends the month before the first card")

    def _check_hands(self) -> None:
        self.hands = {
            player: [name for name, _ in yaku] for player, yaku in unique_yaku(self.dealt).items()
        }
        check_values(self.dealt, self.nuke, DEALT, self.unit)

    def _check_captured(self) -> None:
        """Check that captured yaku are one player's, all in full or all by half."""
        yaku = unique_yaku(self.captured)
        self.yaku: dict[str, Line] = {}
        self.half = False
        if not yaku:
            return
        if len(yaku) > 1:
            raise Impossible("captured yaku of two players")
        ((self.maker, named),) = yaku.items()
        self.yaku = dict(named)
        kinds = set()
        for line in self.captured:
            value = self.unit.value(sum(CAPTURED[name] for name in line.labels), len(line.labels))
            if line.each not in (value, value / 2):
                raise Impossible(f"{line.label}: not its value")
            kinds.add(line.each == value / 2)
        if len(kinds) > 1:
            raise Impossible("partly in full, partly by half")
        (self.half,) = kinds
        if self.half and len(self.yaku) == 4:
            raise Impossible("by half with no other yaku left to play on for")
        if (self.nuke or self.blind) and not self.half:
            raise Impossible("a bonus of hands played out beside a captured yaku")

    def _check_fees(self) -> None:
        """Check that the winner of the month takes the fees (B13, B14)."""
        paid = [0, 0, 0]
        for line in self.captured or self.special:
            paid[line.receiver] += line.each
        if self.ended_by_shiso:
            winner = min(player for player, names in self.hands.items() if "shiso" in names)
        elif any(paid):
            winner = paid.index(max(paid))
        else:
            winner = self.amounts.index(max(self.amounts))
        if self.takers and self.takers != [self.order[winner]]:
            raise Impossible("ori: not to the winner of the month")

    def dives(self) -> Iterable[list[Dive]]:
        """Yield the 飛込み of the month, in each way in which its lines can be read."""
        kan = KAN * self.unit.factor
        readings = [read_dives(payment, self.order, kan) for payment in self.tobikomi]
        for reading in product(*readings):
            dives = [dive for dives in reading for dive in dives]
            hatto = self.options.get("tobikomi-hatto") == "yes"
            if hatto or all(dive.payer is None for dive in dives):
                yield dives

    def ends(self) -> Iterable[Sequence[int]]:
        """Yield the numbers of played and turned cards after which the month can have ended."""
        if self.ended_by_shiso:
            yield [0]
        elif self.yaku and not self.half:
            hand = [6 * turn + 2 * self.maker + 1 for turn in range(7)]
            yield [*hand, *(plays + 1 for plays in hand)]
        else:
            yield [42]
            if self.half and self.options.get("torikeshi") == "yes":
                yield [6 * turn + 2 * self.maker for turn in range(1, 6)]
