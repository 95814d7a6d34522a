"""The lines of a month on a score sheet as a question: whether cards exist for which they are paid.

A ruleset describes the demands of the lines on the cards, and the payments that its rules make for
cards. The search (`sheets.question`), the check of the cards that it finds, and the choice of the
lines to blame are the same in all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, PaymentKind, PaymentTable
from kafu.rules.play.actions import Illegal
from kafu.rules.sentences import RuleCode
from kafu.rules.sheets.demand import Demand
from kafu.rules.sheets.lines import PaymentLine, find_needed
from kafu.rules.sheets.question import find_witness
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.witness import Undecided, Witness
from kafu.rules.yaku import Made, YakuTable, made


def find_paid(
    questions: Iterable[tuple[Demand, ...]], is_paid: Callable[[Demand, Witness], bool] | None
) -> Witness | None:
    """Return cards for the first question that has any, None if there are none.

    The demands of a question are searched alternately. Raise `Undecided` unless the cards make the
    demanded yaku and ``is_paid``: the rules of the machine pay just the lines of the month.
    """
    for demands in questions:
        witness = find_witness(*demands)
        if witness is not None:
            if is_paid and not (_makes_yaku(demands[0], witness) and is_paid(demands[0], witness)):
                raise Undecided(demands)
            return witness
    return None


def _makes_yaku(demand: Demand, witness: Witness) -> bool:
    """Return whether cards make the captured yaku of a demand with their values, and no others."""
    for player, captured in zip(demand.players, witness.captured, strict=True):
        yaku = frozenset(
            (item.id, item.value)
            for item in made(demand.table, captured, rained=False, called=False)
            if item.id not in player.unpaid
        )
        is_right = yaku == player.yaku if demand.is_whole else player.yaku <= yaku
        if not (is_right or player.has_more_yaku):
            return False
    return True


def check_any(months: Sequence[SheetMonth]) -> Witness:
    """Return cards that make one of the months. Raise the fault of the first if there are none."""
    for month in months:
        if not month.find_fault() and (witness := month.find_cards()):
            return witness
    return months[0].check()


@dataclass(frozen=True, eq=False)
class SheetMonth(ABC):
    """The lines of a month with their context.

    ``payments`` are those of the month's grade, ``order`` are the seats of the three players in
    play order. ``is_over``: no line is missing.
    """

    kan: ClassVar[bool] = False
    table: ClassVar[YakuTable]

    lines: Sequence[PaymentLine]
    payments: PaymentTable
    order: tuple[int, ...]
    is_over: bool

    @abstractmethod
    def find_cards(self) -> Witness | None:
        """Return cards that make the month, None if there are none."""

    def select(self, lines: Sequence[PaymentLine], *, is_over: bool = False) -> Self:
        """Return the month with other lines."""
        return replace(self, lines=lines, is_over=is_over)

    def find_line(self, label: str) -> PaymentLine | None:
        """Return the first line with a label."""
        return next((line for line in self.lines if line.label == label), None)

    def list_lines(self, seat: int, kind: PaymentKind) -> list[PaymentLine]:
        """Return the lines of a kind that are paid to a player."""
        return [line for line in self.lines if (line.seat, line.kind) == (seat, kind)]

    def list_yaku(self, seat: int, kind: PaymentKind) -> tuple[str, ...]:
        """Return the yaku of a kind that are paid to a player."""
        return tuple(id for line in self.list_lines(seat, kind) for id in line.yaku)

    def has_impossible_hand(self) -> bool:
        """Return whether a player is paid for dealt hands of which no hand is both."""
        hands = (self.list_yaku(seat, PaymentKind.DEALT) for seat in self.order)
        return any(hand and self.payments.find_kind(hand) is None for hand in hands)

    def find_fault(self) -> Illegal | None:
        """Return the first fault of the payments without regard to cards, if any."""
        return None

    def check(self) -> Witness:
        """Return cards that make the month.

        Raise Illegal at the first line that makes the month impossible.
        """
        before, fault = self.lines, self.find_fault()
        if fault is not None:
            before = before[: 1 + [line.where for line in before].index(fault.where)]
        elif witness := self.find_cards():
            return witness
        smallest = find_smallest(before, lambda lines: bool(self.select(lines).find_cards()))
        if smallest and (fault is None or smallest[-1].where != fault.where):
            raise self.explain(smallest)
        raise fault or self.explain_missing()

    def list_made(self, seat: int, captured: int) -> tuple[Made, ...]:
        """Return the captured yaku that are paid to a player for cards."""
        return made(self.table, captured, rained=False, called=False)

    # The words for a fault ------------------------------------------------------------------------

    def explain(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for lines that cannot stand together."""
        last = smallest[-1]
        if [line.label for line in smallest] == [POINTS]:
            worst = amounts.text(max(last.amounts, key=abs), kan=self.kan)
            return Illegal(codes.SHEET_POINTS, where=last.where, found=worst)
        kinds = {line.kind for line in smallest}
        if kinds == {PaymentKind.DEALT} and len(smallest) > 1:
            return self.explain_hands(smallest)
        if kinds == {PaymentKind.CAPTURED}:
            return self.explain_captured(smallest)
        return self.name_lines(smallest)

    def explain_hands(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for dealt hands that cannot be of one month."""
        last = smallest[-1]
        if len({line.seat for line in smallest}) == 1:
            return self.name_yaku(codes.SHEET_HAND, smallest, last)
        return Illegal(codes.SHEET_TOO_MANY, where=last.where, label=last.label)

    def explain_captured(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for captured yaku that cannot be of one month."""
        last = smallest[-1]
        other = next((line for line in smallest if line.seat != last.seat), None)
        if other is None:
            return self.name_yaku(codes.SHEET_TOGETHER, smallest, last)
        if not self.need_same_card(other, last):
            return self.name_lines(smallest)
        return Illegal(
            codes.SHEET_CARDS,
            where=last.where,
            label=last.label,
            seat=last.seat,
            other=other.label,
            due=other.seat,
        )

    def need_same_card(self, line: PaymentLine, other: PaymentLine) -> bool:
        """Return whether the yaku of two lines need the same card."""
        return bool(find_needed(self.payments, line) & find_needed(self.payments, other))

    @staticmethod
    def name_yaku(code: RuleCode, lines: Sequence[PaymentLine], at: PaymentLine) -> Illegal:
        """Return a fault at one of the lines of a player, which names their yaku."""
        yaku = "+".join(id for line in lines for id in line.yaku)
        return Illegal(code, where=at.where, seat=at.seat, yaku=yaku)

    @staticmethod
    def name_lines(lines: Sequence[PaymentLine]) -> Illegal:
        """Return the fault that names all lines."""
        labels = ", ".join(line.label for line in lines)
        return Illegal(codes.SHEET_NO_CARDS, where=lines[-1].where, lines=labels)

    def explain_missing(self) -> Illegal:
        """Return the fault for a month that only further lines make possible."""
        witness = self.select(self.lines).find_cards()
        assert witness is not None
        return self.find_due(witness) or self.name_lines(self.lines)

    def find_due(self, witness: Witness) -> Illegal | None:
        """Return the fault for the first captured yaku of cards that no line pays, if any."""
        for seat, captured in zip(self.order, witness.captured, strict=True):
            written = self.list_yaku(seat, PaymentKind.CAPTURED)
            for yaku in self.list_made(seat, captured):
                if yaku.id not in written:
                    where = (self.find_line(POINTS) or self.lines[-1]).where
                    return Illegal(codes.SHEET_DUE, where=where, label=yaku.id, seat=seat)
        return None
