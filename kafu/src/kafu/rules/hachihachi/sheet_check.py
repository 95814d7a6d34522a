"""The check of a whole month on a sheet of a hachi-hachi game (H24, S7), and words for a fault.

The sheet checks single lines. Here lines are compared as payments: which are there twice, struck
out, or without their hand. The module `sheet_month` asks whether cards exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.hachihachi import hands
from kafu.rules.hachihachi.payments import CAPTURED, HALF, SPECIAL
from kafu.rules.hachihachi.sheet_month import MOST_POINTS, NUKE, TOBIKOMI, HachiCards
from kafu.rules.hachihachi.year import EVEN, SPECIALS, specials
from kafu.rules.payments import POINTS, PaymentKind
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.lines import PaymentLine, check_twice
from kafu.rules.sheets.sums import SumQuestion

#: The possible differences from 88 points in a month without special yaku.
_DEVIATIONS: Final = range(-EVEN, MOST_POINTS - EVEN + 1)


class HachiMonth(HachiCards):
    """The lines of a month of a hachi-hachi game, checked as payments and as a whole."""

    def find_fault(self) -> Illegal | None:
        """Return the first fault of the payments without regard to cards, if any."""
        faults = []
        for check_part in self.list_checks():
            try:
                check_part()
            except Illegal as fault:
                faults.append(fault)
        places = [line.where for line in self.lines]
        return min(faults, key=lambda fault: places.index(fault.where), default=None)

    def list_checks(self) -> tuple[Callable[[], None], ...]:
        """Return the checks of the payments without regard to cards."""
        return self._check_twice, self._check_struck_out, self._check_grounds

    def _check_twice(self) -> None:
        """Raise Illegal at the second line with the same payment to a player, hands apart."""
        lines = (line for line in self.lines if line.kind is not PaymentKind.DEALT)
        check_twice(lines, self.payments)

    def _check_struck_out(self) -> None:
        """Raise Illegal unless only a special yaku strikes out lines (H16, B12)."""
        for line in self.lines:
            if line.void and not (self.special_lines and self.is_struck(line)):
                raise Illegal(codes.SHEET_VOID, where=line.where, label=line.label)

    def _check_grounds(self) -> None:
        """Raise Illegal unless each 飛込み has a three of a shown hand, and each 抜け a hand."""
        jumps: Counter[int] = Counter()
        for line in self.lines:
            if line.label not in (TOBIKOMI, NUKE) or line.void:
                continue  # the struck-out line of the hand may be missing (S7)
            yaku = self.dealt.get(line.seat, ())
            if line.label == TOBIKOMI:
                jumps[line.seat] += len(self.read(line)[0].parts)
                threes = [id for id in yaku if id in self.threes]
                is_grounded = jumps[line.seat] <= sum(map(hands.count_threes, threes))
            else:
                is_grounded = not hands.NUKE.isdisjoint(yaku)
            if not is_grounded:
                code = codes.SHEET_GROUNDLESS
                raise Illegal(code, where=line.where, label=line.label, seat=line.seat)

    def list_sums(
        self, amounts: tuple[int, ...], fees: tuple[PaymentLine, ...] = ()
    ) -> Iterator[SumQuestion]:
        """Yield the questions for a sum, by the end of the month; 四三 never ends such a month."""
        for end in (POINTS, CAPTURED, HALF, SPECIAL):
            rows = tuple(row for row in self.payments.values() if end in row.ends)
            points = self.payments.scale.list_amounts(_DEVIATIONS) if end == POINTS else range(1)
            for makers in self.list_makers(end) if rows else ():
                yield SumQuestion(self, amounts, rows, (points,) * 3, makers, fees)

    def list_makers(self, end: str) -> list[tuple[int, int]]:
        """Return who may have captured yaku in a month with an end: in full, and by half."""
        if end == HALF:
            return [(0, seat) for seat in self.order]
        return [(seat, 0) for seat in (self.order if end == CAPTURED else (0,))]

    def list_next_dealers(self) -> list[int]:
        """Return the possible next dealers by the payments, none if still open (H19, B13).

        The next dealer is the maker of the best paid special yaku, else the player whose captured
        yaku ended the month, else the player with most card points. Of equals the nearest to the
        dealer is chosen.
        """
        if self.special_lines:
            gains = Counter[int]()
            for line in self.special_lines:
                gains[line.seat] += line.amounts[line.seat - 1]
            return [max(self.order, key=gains.__getitem__)]
        if self.captured:
            # Who is paid by half was in 下げ.
            return [min(self.captured, key=self.is_half).seat]
        points = self.find_line(POINTS)
        if points is None or points.void:
            return []
        triples = self.payments.scale.list_deviations(points.amounts)
        return sorted({max(self.order, key=lambda seat: triple[seat - 1]) for triple in triples})

    # The words for a fault of the cards -----------------------------------------------------------

    def explain(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for lines that cannot stand together."""
        last, first = smallest[-1], smallest[0]
        kinds = {line.kind for line in smallest}
        labels = {line.label for line in smallest}
        is_mixed = kinds == {PaymentKind.SPECIAL} and len(smallest) > 1
        if not self.list_ends(*smallest):
            struck = [line for line in smallest if SPECIAL not in self.list_ends(line)]
            is_bonus = self.is_struck(struck[0]) or struck[0].label == NUKE
            if len(struck) < len(smallest) and is_bonus:
                code = codes.SHEET_NOT_STRUCK
                return Illegal(code, where=last.where, label=struck[0].label, seat=struck[0].seat)
            is_mixed = True
        if is_mixed:
            code = codes.SHEET_MIXED
            return Illegal(code, where=last.where, label=last.label, other=first.label)
        if labels == {POINTS, NUKE}:
            nuke = next(line for line in smallest if line.label == NUKE)
            code = codes.SHEET_BONUS_POINTS
            return Illegal(code, where=last.where, label=NUKE, seat=nuke.seat)
        if labels == {POINTS}:
            triples = self.payments.scale.list_deviations(last.amounts)
            least = SPECIALS["futahachi"].least - EVEN
            if all(not any(triple) or max(triple) >= least for triple in triples):
                return Illegal(codes.SHEET_SPECIAL_DUE, where=last.where)
        return super().explain(smallest)

    def explain_captured(self, smallest: Sequence[PaymentLine]) -> Illegal:
        """Return the fault for captured yaku that cannot be of one month."""
        is_alone = any(not line.amounts[seat - 1] for line in smallest for seat in self.order)
        if is_alone and len({line.seat for line in smallest}) == 1:
            return self.name_lines(smallest)  # who pays alone had cards too
        return super().explain_captured(smallest)

    def need_same_card(self, line: PaymentLine, other: PaymentLine) -> bool:
        """Return whether the yaku of two lines need the same card; 七短 is one player's."""
        return super().need_same_card(line, other) or "nanatan" in {*line.yaku} & {*other.yaku}

    def explain_missing(self) -> Illegal:
        """Return the fault for a month that only further lines make possible."""
        points = self.find_line(POINTS)
        captured = self.captured
        if not (points or captured or self.special_lines or self.has_shiso):
            return Illegal(codes.SHEET_NO_END, where="month")
        for seat in dict.fromkeys(line.seat for line in captured):
            lines_of_seat = self.list_lines(seat, PaymentKind.CAPTURED)
            if not self.select(lines_of_seat, is_over=True).find_cards():
                return self.name_yaku(codes.SHEET_TOGETHER, lines_of_seat, lines_of_seat[-1])
        for line in self.lines:
            if not self.threes.isdisjoint(line.yaku) and self._has_cards_with_tobikomi(line.seat):
                code = codes.SHEET_DUE
                return Illegal(code, where=line.where, label=TOBIKOMI, seat=line.seat)
        if captured:
            return self.name_yaku(codes.SHEET_TOGETHER, captured, captured[-1])
        witness = self.select(self.lines).find_cards()
        assert witness is not None
        for seat, taken in zip(self.order, witness.captured, strict=True):
            has_nuke = not hands.NUKE.isdisjoint(self.dealt[seat]) and cards.points(taken) > EVEN
            if points and has_nuke and seat not in self.list_seats(NUKE):
                return Illegal(codes.SHEET_NUKE_DUE, where=points.where, seat=seat)
        for label, place, _ in specials(witness.captured, 1):
            seat = self.order[place - 1]
            if self.special_lines and label not in self.list_yaku(seat, PaymentKind.SPECIAL):
                where = self.special_lines[0].where
                return Illegal(codes.SHEET_DUE, where=where, label=label, seat=seat)
        return super().explain_missing()

    def _has_cards_with_tobikomi(self, seat: int) -> bool:
        """Return whether one more 飛込み of a player makes the month possible."""
        each = self.payments.find_each(TOBIKOMI)
        amounts = [0] * len(self.lines[0].amounts)
        for player in self.order:
            amounts[player - 1] = 2 * each if player == seat else -each
        paid = PaymentLine(PaymentKind.OTHER, (TOBIKOMI,), seat, tuple(amounts), False, "")
        return self.select([*self.lines, paid], is_over=True).find_cards() is not None
