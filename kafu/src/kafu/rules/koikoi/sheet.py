"""Score sheets of こいこい, for every house: one winner a month (S1–S5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import ClassVar, Final, NamedTuple

from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.ending import KoikoiState
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.machine import HAND
from kafu.rules.koikoi.sheet_cards import Demand, find_turns
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import captured_totals, kind_of, offer_of
from kafu.rules.sheets.form import GameSheet, Remark
from kafu.rules.sheets.lines import (
    MONTH,
    PaymentKind,
    PaymentLine,
    check_once,
    check_value,
    receiver,
)
from kafu.rules.sheets.offers import Chosen, Offer, Paid, Playing, gain
from kafu.rules.sheets.smallest import find_smallest
from kafu.rules.sheets.together import sums, ways
from kafu.rules.sheets.witness import Undecided
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import YakuTable

#: Prizes paid on top of the month's own sum (K12, K15).
_PRIZES: Final = ("kobiki", "obiki")
#: The lines that double a winner's total, and all additions in this order (K15, K17).
_DOUBLED: Final = ("bai", "koikoigaeshi")
_ADDED: Final = ("koikoi", *_DOUBLED)
#: The numbers of calls of こいこい: the winner's, and the opponent's.
Calls = tuple[int, int]


class KoikoiSheet(GameSheet):
    """The score sheet of a game.

    ``state`` holds the totals and the winners of the months; ``replayed`` is true while the month
    due is played over according to the sheet (K9).
    """

    pointed: ClassVar[bool] = False

    def __init__(self, house: Profile) -> None:
        """Create the sheet before January."""
        super().__init__(2)
        self.house = house
        self.sums_to_zero = house.zero_sum
        self.state = KoikoiState()
        self.totals = self.state.totals = (house.start,) * 2
        self.replayed = False
        #: Months, counted from 0, whose sum may be 親権 without a winner.
        self.unsure: set[int] = set()
        self.others = {
            MONTH: True,
            "kobiki": house.season > 0,
            "obiki": house.grand > 0,
            "oyaken": house.exhausted_gain > 0,
            "koikoi": bool(house.call_bonus or house.call_times or house.calls_multiply),
            "bai": house.double_from is not None,
            "koikoigaeshi": house.double_called,
        }

    @property
    def table(self) -> YakuTable:
        """Return the captured yaku of the month due (K16)."""
        return self.house.table(self.number)

    @property
    def floor(self) -> int:
        """Return the least winning total of the month due, 0 for any (K9).

        A house with ``exhausted_higher`` has no floor: months can be won without the right to
        declare (K19).
        """
        return self.house.floor if self.replayed and not self.house.exhausted_higher else 0

    @property
    def is_over(self) -> bool:
        """Return whether the game is over: after the last month, or decided by the totals (K13)."""
        return bool(self.deals) and not self.replayed and ending.is_over(self.house, self.state)

    def settle(self) -> tuple[int, ...]:
        """Return the totals with the winner's 吟味 (K14)."""
        return ending.settle(self.house, self.state)

    # Lines ----------------------------------------------------------------------------------------

    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """Return the kind of a label: a dealt hand, captured yaku, or an addition of the house.

        A captured yaku is never joined with a yaku replaced by it (K5).
        """
        if len(yaku) == 1 and self.others.get(yaku[0]):
            return PaymentKind.OTHER
        if len(yaku) == 1 and any(row.id == yaku[0] for row in self.house.teyaku):
            return PaymentKind.DEALT
        return kind_of({row.id: row for row in self.table}, yaku)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """Return the winner: the only seat that gets the payment (C4), 0 for the sum of a 流れ.

        Raises Illegal if there is none. Nobody pays, except in a zero-sum house. A negative amount
        is the hand that the loser showed, taken off the winner's sum (K3).
        """
        if payment.void:
            raise Illegal(codes.SHEET_VOID, where=where, label=payment.label)
        if _is_zero_sum(payment):
            return 0
        if self.house.zero_sum:
            return receiver(payment, where, kan=False, shared=())
        changed = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount]
        least = min(payment.amounts)
        if len(changed) != 1 or (least < 0 and kind is not PaymentKind.DEALT):
            code = codes.SHEET_WINNER_GETS
            raise Illegal(code, where=where, label=payment.label)
        return changed[0]

    def is_extra(self, line: PaymentLine) -> bool:
        """Return whether a line is 小引 or 大引, which may be written next to a month's sum."""
        return line.label in _PRIZES

    # Writing --------------------------------------------------------------------------------------

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """Return the possible payments of the month: shown hands, captured yaku, additions.

        ``chosen`` gives the total to which the house adds (K15).
        """
        paid = Paid.PLAYING if self.house.zero_sum else Paid.NOBODY
        dealt = (Offer(row.id, PaymentKind.DEALT, (row.value,), paid) for row in self.house.teyaku)
        captured = [
            offer_of(row, dict.fromkeys(self._list_values(row.id)), paid) for row in self.table
        ]
        by_label = {offer.label: offer for offer in captured}
        captured_choices = [choice for choice in chosen if choice.label in by_label]
        total = sum(gain(by_label[choice.label], choice, playing) for choice in captured_choices)
        return (*dealt, *captured, *self._offer_additions(total, paid, playing, chosen))

    def _offer_additions(
        self, total: int, paid: Paid, playing: Playing, chosen: Sequence[Chosen]
    ) -> Iterator[Offer]:
        """Yield the offers of 親権 and of the house's additions to a total of captured yaku."""
        house, kind = self.house, PaymentKind.OTHER
        if house.exhausted_gain:
            yield Offer("oyaken", kind, (house.exhausted_gain,), paid, seats=(playing.dealer,))
        ways = additions(house, total)
        bonus = 0
        if self.others["koikoi"]:
            sums_ = sorted({way.sums["koikoi"] for way in ways if "koikoi" in way.sums})
            offer = Offer("koikoi", kind, tuple(sums_) or (0,), paid)
            bonus = sum(
                gain(offer, choice, playing) for choice in chosen if choice.label == "koikoi"
            )
            yield offer
        fitting = [way.sums for way in ways if way.sums.get("koikoi", 0) == bonus]
        for label in _DOUBLED:
            if self.others[label]:
                highest = max((sums_.get(label, 0) for sums_ in fitting), default=0)
                yield Offer(label, kind, (highest,), paid)

    def bars(self, offer: Offer, seat: int, other: Offer, other_seat: int) -> bool:
        """Return whether two offers exclude each other.

        Only a single player wins, by a shown hand or by captured yaku. Two shown hands may be in a
        month (K3, S5).
        """
        dealt = PaymentKind.DEALT
        if offer.kind is other.kind is dealt:
            return seat == other_seat
        is_alone = "oyaken" in (offer.label, other.label) or dealt in (offer.kind, other.kind)
        return is_alone or seat != other_seat or super().bars(offer, seat, other, other_seat)

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[Offer],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """Return the lines of the month by the chosen payments.

        The lower of two shown hands is taken off the higher (K3); a due 倍 is added (K15).
        """
        by_label = {offer.label: offer for offer in offers}
        shown = [choice for choice in chosen if by_label[choice.label].kind is PaymentKind.DEALT]
        chosen = list(chosen)
        if {choice.seat for choice in shown} == {1, 2}:
            best = max(shown, key=lambda choice: gain(by_label[choice.label], choice, playing))
            for choice in shown:
                if choice.seat != best.seat:
                    deduction = -gain(by_label[choice.label], choice, playing)
                    chosen[chosen.index(choice)] = choice._replace(seat=best.seat, gain=deduction)
        lines = super().written(chosen, points, offers, playing)
        bai = by_label.get("bai")
        if bai and bai.each[0] and all(choice.label != "bai" for choice in chosen):
            seat = next(choice.seat for choice in chosen if choice.label in by_label)
            opponent_amount = -bai.each[0] if self.house.zero_sum else 0
            pair = (bai.each[0], opponent_amount) if seat == 1 else (opponent_amount, bai.each[0])
            last = max(i for i, (line, _) in enumerate(lines) if line.label != "koikoigaeshi")
            lines.insert(last + 1, (Payment("bai", pair), ()))
        return lines

    def prizes(self, payments: Sequence[Payment]) -> Iterator[Payment]:
        """Yield 小引 and 大引 if due after a month with these payments (K12, K15)."""
        if self.house.replay and all(map(_is_zero_sum, payments)):
            return
        sums_ = tuple(
            map(sum, zip((0, 0), *(payment.amounts for payment in payments), strict=True))
        )
        winner = sums_.index(max(sums_)) + 1 if any(sums_) else 0
        if not self.house.exhausted_wins and any(payment.label == "oyaken" for payment in payments):
            winner = 0
        for label, (seat, sum_) in self._find_prizes((*self.state.winners, winner)).items():
            if sum_:
                yield Payment(label, ending.line(self.house, label, seat, sum_).amounts)

    def is_replayed(self, month: Month) -> bool:
        """Return whether the month is a 流れ that the house plays over (K9)."""
        return self.house.replay and all(
            payment.label in _PRIZES or _is_zero_sum(payment) for payment in month.payments
        )

    # A month --------------------------------------------------------------------------------------

    def check_dealer(self, month: Month) -> None:
        """Check that the previous winner deals (K2), and note a remark if not.

        The other player may deal after a 流れ that was not written (S5). Raises Illegal in a house
        where no 流れ changes the dealer.
        """
        if not self.dealer or month.dealer == self.dealer:
            return
        if not (self.house.replay and self.house.exhausted_change):
            super().check_dealer(month)
        values = {"seat": month.dealer, "due": self.dealer}
        self.remarks.append(Remark(codes.SHEET_DEALER, "month", values, (str(self.dealer),)))

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines of a month: one winner, possible values, the prizes of a season."""
        check_once(lines, *self.others)
        main_lines = [line for line in lines if line.seat and line.label not in _PRIZES]
        if not lines and self.open_end:
            return None
        winner = self._find_winner(month, main_lines)
        over_again = self.is_replayed(month)
        house, state = self.house, self.state
        if not over_again:
            state.winners = (*state.winners, winner)
        self._check_prizes(month, [line for line in lines if line.label in _PRIZES], winner)
        due = ending.next_dealer(house, month.dealer, winner or None, flowed=not winner)
        if following and len(state.winners) - 1 in self.unsure:
            flowed = ending.next_dealer(house, month.dealer, None, flowed=True)
            due = flowed if following.dealer == flowed else due
        self.check_stone(month, due)
        result = self.result(month, due, winner=winner or None)
        state.totals = (
            state.totals[0] + result.score[0],
            state.totals[1] + result.score[1],
        )
        self.replayed = over_again
        self.number += not over_again
        return result

    def due_after(self, result: DealResult) -> int:
        """Return the dealer of the next month, 0 if still open.

        After a 流れ in January before the first card, a new split may decide (K2).
        """
        return 0 if self.replayed and self.number == 1 else super().due_after(result)

    def _find_winner(self, month: Month, lines: Sequence[PaymentLine]) -> int:
        """Return the winner of the month by the lines, 0 for nobody.

        Raises Illegal if the lines name several winners, or an impossible value.
        """
        if not lines:
            return 0
        first_line = lines[0]
        for line in lines[1:]:
            if _group(line) != _group(first_line):
                raise _mixed_fault(line, first_line.label)
        if first_line.kind is PaymentKind.DEALT:
            return self._check_dealt(lines)
        for line in lines[1:]:
            if line.seat != first_line.seat:
                raise _winner_fault(line, first_line.seat)
        if first_line.label == "oyaken":
            self._check_gain(first_line, {self.house.exhausted_gain})
            if first_line.seat != month.dealer:
                raise _winner_fault(first_line, month.dealer)
            return first_line.seat if self.house.exhausted_wins else 0
        if first_line.label == MONTH:
            self._check_month_sum(first_line, month.dealer)
            is_dealer = first_line.seat == month.dealer
            is_oyaken = (
                is_dealer and first_line.amounts[first_line.seat - 1] == self.house.exhausted_gain
            )
            if is_oyaken and not self.house.exhausted_wins:
                self.unsure.add(len(self.state.winners))
        else:
            self._check_captured(lines, month.dealer)
        return first_line.seat

    def _check_month_sum(self, line: PaymentLine, dealer: int) -> None:
        """Raise Illegal unless the sum is possible in some month of the house (S2)."""
        gain = line.amounts[line.seat - 1]
        possible_sums = set(month_sums(self.house, self.floor))
        if line.seat == dealer and self.house.exhausted_gain:
            possible_sums.add(self.house.exhausted_gain)
        if gain not in possible_sums:
            nearest = sorted(possible_sums, key=lambda sum_: (abs(sum_ - gain), sum_))[:2]
            raise Illegal(
                codes.SHEET_MONTH_SUM,
                where=line.where,
                expected=tuple(amounts.text(sum_, kan=False) for sum_ in sorted(nearest)),
                found=amounts.text(gain, kan=False),
            )

    def _check_gain(self, line: PaymentLine, sums: set[int]) -> None:
        """Raise Illegal unless the winner's gain is in ``sums``."""
        check_value(line, sums, line.amounts[line.seat - 1], kan=False)

    def _check_dealt(self, lines: Sequence[PaymentLine]) -> int:
        """Check the values of shown hands and return the winner (K3).

        The lower of two hands is taken off the higher.
        """
        values = {row.id: row.value for row in self.house.teyaku}
        check_once(lines, *values)
        best = max(lines, key=lambda line: values[line.label])
        self._check_gain(best, {values[best.label]})
        for line in lines:
            if line is not best:
                amount = line.amounts[best.seat - 1]
                if len(lines) > 2 or values[line.label] == values[best.label]:
                    raise _mixed_fault(line, best.label)
                check_value(line._replace(seat=best.seat), {-values[line.label]}, amount, kan=False)
        return best.seat

    def _check_captured(self, lines: Sequence[PaymentLine], dealer: int) -> None:
        """Check the captured yaku of a month's winner, and what the house adds to them.

        ``lines`` are the winner's payments. Raise Illegal if there are no turns of the winner, and
        no calls, for which the rules pay just these, or if the additions do not follow from the
        sum of the yaku.
        """
        yaku = [line for line in lines if line.kind is PaymentKind.CAPTURED]
        added = {line.label: line for line in lines if line.kind is PaymentKind.OTHER}
        if not yaku:
            first_line = next(iter(added.values()))
            raise _mixed_fault(first_line, MONTH)
        ids: set[str] = set()
        for line in yaku:
            if ids & set(line.yaku):
                raise Illegal(codes.SHEET_TWICE, where=line.where, label=line.label)
            ids |= set(line.yaku)
            self._check_gain(line, sums([self._list_values(id) for id in line.yaku]))
        if not self._has_turns(yaku, [(own, 0) for own in range(HAND + 1)]):
            where, seat = yaku[0].where, yaku[0].seat
            labels = "+".join(line.label for line in yaku)
            raise Illegal(codes.SHEET_TOGETHER, where=where, seat=seat, yaku=labels)
        total = sum(line.amounts[line.seat - 1] for line in yaku)
        if total < self.floor:
            raise Illegal(codes.SHEET_FLOOR, where=yaku[0].where, found=total, due=self.floor)
        ways = self._find_additions(added, total)
        fitting = self._check_doubled(added, ways, total, yaku[-1].where)
        is_dealer = lines[0].seat == dealer
        if not self._has_turns(yaku, fitting, is_dealer=is_dealer, floor=self._right_floor):
            raise self._explain_calls(lines, fitting, is_dealer=is_dealer)

    @property
    def _right_floor(self) -> int:
        """The least total with the right to declare in the month due, 0 for any (K9)."""
        return self.house.floor if self.replayed else 0

    def _has_turns(
        self,
        yaku: Sequence[PaymentLine],
        calls: Iterable[Calls],
        *,
        floor: int = 0,
        is_dealer: bool = False,
        is_whole: bool = True,
    ) -> bool:
        """Return whether a winner can have captured the yaku of the lines with some of the calls.

        ``is_whole``: the winner has no further yaku.
        """
        undecided = None
        for hand, (opponent, own) in product(self._list_hands(yaku), self._group_calls(calls)):
            for is_stopped in (True, False) if self.house.exhausted_higher else (True,):
                demand = Demand(
                    self.house,
                    self.table,
                    frozenset(hand),
                    own - {HAND} if is_stopped else own,
                    opponent,
                    HAND - (is_dealer and is_stopped),
                    floor,
                    is_stopped,
                    is_whole,
                )
                try:
                    if demand.calls and find_turns(demand) is not None:
                        return True
                except Undecided as failure:
                    undecided = failure
        if undecided is not None:
            raise undecided
        return False

    def _group_calls(self, calls: Iterable[Calls]) -> Iterator[tuple[int, frozenset[int]]]:
        """Yield the opponent's number of calls, and those of the winner with the same values."""
        is_revalued = any(row.called_value is not None for row in self.table)
        groups: dict[tuple[int, bool], set[int]] = {}
        for own, opponent in calls:
            groups.setdefault((opponent, is_revalued and own > 0), set()).add(own)
        for (opponent, _), numbers in groups.items():
            yield opponent, frozenset(numbers)

    def _explain_calls(
        self, lines: Sequence[PaymentLine], calls: Sequence[Calls], *, is_dealer: bool
    ) -> Illegal:
        """Return the fault for yaku that are not captured with the numbers of calls (K10)."""
        free = [way.calls for way in additions(self.house, 0) if not way.calls[1]]
        labels = {line.label for line in lines if line.kind is PaymentKind.OTHER}

        def can_stand(some: Sequence[PaymentLine]) -> bool:
            yaku = [line for line in some if line.kind is PaymentKind.CAPTURED]
            is_told = labels and labels <= {line.label for line in some}
            try:
                return not yaku or self._has_turns(
                    yaku,
                    calls if is_told else free,
                    floor=self._right_floor,
                    is_dealer=is_dealer,
                    is_whole=False,
                )
            except Undecided:
                return True

        smallest = find_smallest(lines, can_stand)
        last = (smallest or lines)[-1]
        if not smallest and self.others["koikoi"] and "koikoi" not in labels:
            return Illegal(codes.SHEET_DUE, where=last.where, label="koikoi", seat=last.seat)
        names = ", ".join(line.label for line in smallest or lines)
        return Illegal(codes.SHEET_NO_CARDS, where=last.where, lines=names)

    def _list_values(self, id: str) -> list[int]:
        """Return the possible values of a captured yaku, by growth and after こいこい."""
        row = self.table.find(id)
        worth = {row.value, row.value if row.called_value is None else row.called_value}
        growth = row.counted.bit_count() - row.base if row.step else 0
        return [value + row.step * i for value in worth for i in range(growth + 1)]

    def _list_hands(self, yaku: Sequence[PaymentLine]) -> Iterator[list[tuple[str, int]]]:
        """Yield the possible values of all yaku in the lines, as pairs of id and value."""
        choices = []
        for line in yaku:
            amount = line.amounts[line.seat - 1]
            values = ways([self._list_values(id) for id in line.yaku], amount)
            choices.append([tuple(zip(line.yaku, way, strict=True)) for way in values])
        for chosen in product(*choices):
            yield [pair for line in chosen for pair in line]

    def _find_additions(self, added: dict[str, PaymentLine], total: int) -> list[Added]:
        """Return the possible additions of the house that fit the こいこい line (K15, K17).

        Raises Illegal if no addition has the sum written for こいこい.
        """
        ways, bonus = additions(self.house, total), 0
        if line := added.get("koikoi"):
            self._check_gain(line, {way.sums.get("koikoi", 0) for way in ways} - {0})
            bonus = line.amounts[line.seat - 1]
        return [way for way in ways if way.sums.get("koikoi", 0) == bonus]

    def _check_doubled(
        self, added: dict[str, PaymentLine], ways: Sequence[Added], total: int, where: str
    ) -> list[Calls]:
        """Return the possible calls for 倍 and こいこい返し as written (K15).

        Raise Illegal unless they fit a possible addition.
        """
        fitting = [
            way
            for way in ways
            if all((label in added) == (label in way.sums) for label in _DOUBLED)
        ]
        if not fitting:
            wrong = next((added[label] for label in _DOUBLED if label in added), None)
            total += ways[0].sums.get("koikoi", 0)
            raise Illegal(codes.SHEET_DOUBLED, where=wrong.where if wrong else where, found=total)
        for label in _DOUBLED:
            if label in added:
                self._check_gain(added[label], {way.sums[label] for way in fitting})
                gain = added[label].amounts[added[label].seat - 1]
                fitting = [way for way in fitting if way.sums[label] == gain]
        return [way.calls for way in fitting]

    def _check_prizes(self, month: Month, prizes: Sequence[PaymentLine], winner: int) -> None:
        """Raise Illegal unless 小引 and 大引 are written exactly when due (K12, K15).

        小引 is due in the third month of a season won whole, 大引 at the end.
        """
        winners = self.state.winners
        is_nagare = len(winners) < self.number  # the month just judged is played over: no winner
        due = dict.fromkeys(_PRIZES, (winner, 0)) if is_nagare else self._find_prizes(winners)
        written = {line.label: line for line in prizes}
        for label, (seat, sum_) in due.items():
            line = written.get(label)
            first = len(winners) - 3 if label == "kobiki" else 0
            if line is None and self.unsure & {*range(first, len(winners))}:
                continue
            amount = line.amounts[line.seat - 1] if line else 0
            if amount != sum_ or (line and line.seat != seat):
                raise Illegal(
                    codes.SHEET_SEASON,
                    where=line.where if line else "month",
                    expected=(amounts.text(sum_, kan=False),),
                    label=label,
                    found=amount,
                    due=sum_,
                )

    def _find_prizes(self, winners: Sequence[int]) -> Mapping[str, tuple[int, int]]:
        """Return seat and amount of 小引 and of 大引 in the last of these months, 0 for none."""
        house, winner = self.house, winners[-1]
        is_season_won = winner and len(winners) % 3 == 0 and set(winners[-3:]) == {winner}
        grand_winner = ending.grand(house, winners)
        return {
            "kobiki": (winner, house.season if is_season_won else 0),
            "obiki": (grand_winner, house.grand if grand_winner else 0),
        }


class Added(NamedTuple):
    """The additions of a house to a total of yaku, by ledger label.

    ``calls`` are the winner's and the opponent's calls of こいこい.
    """

    calls: Calls
    sums: Mapping[str, int]


def additions(house: Profile, total: int) -> list[Added]:
    """Return the possible additions to a winner's total, one per number of calls (K15, K17).

    There is a call with each hand card at the most. The opponent's are left out where they add
    nothing.
    """
    limit = HAND - (not house.last_card_koikoi)
    limit = limit if house.most_calls is None else min(limit, house.most_calls)
    opponent_limit = limit if house.calls_multiply else min(limit, house.double_called)
    return [
        Added((own, opponent), dict(house.added(total, own_calls=own, opponent_calls=opponent)))
        for own in range(limit + 1)
        for opponent in range(opponent_limit + 1)
    ]


@lru_cache(maxsize=64)
def month_sums(house: Profile, floor: int) -> frozenset[int]:
    """Return the possible sums of a month won with a shown hand or captured yaku (S2).

    ``floor`` is the least total of captured yaku (K9). All yaku that do not replace each other are
    combined, even if they need more cards than the pack has.
    """
    shown = [row.value for row in house.teyaku]
    sums_ = {higher - lower for higher, lower in product(shown, [0, *shown]) if higher > lower}
    # 月札 is worth the same in every month (K16).
    for total in captured_totals(house.table(1)):
        if total >= max(floor, 1):
            sums_.update(
                total + sum(addition.sums.values()) for addition in additions(house, total)
            )
    return frozenset(sums_)


def _is_zero_sum(payment: Payment) -> bool:
    """Return whether a payment is the sum of a month that gave nobody anything, a 流れ (S5)."""
    return payment.label == MONTH and not any(payment.amounts)


def _group(line: PaymentLine) -> str:
    """Return the group of a line: shown hand, 親権, month's sum, or captured yaku.

    Additions of the house belong to captured yaku. A month has lines of a single group.
    """
    if line.kind is PaymentKind.CAPTURED or line.label in _ADDED:
        return "captured"
    return line.kind.value if line.kind is PaymentKind.DEALT else line.label


def _mixed_fault(line: PaymentLine, other: str) -> Illegal:
    """Return the fault of a line that cannot be in one month with another."""
    code = codes.SHEET_MIXED
    return Illegal(code, where=line.where, label=line.label, other=other)


def _winner_fault(line: PaymentLine, winner: int) -> Illegal:
    """Return the fault of a line that pays a seat other than the winner."""
    code = codes.SHEET_WINNERS
    return Illegal(code, where=line.where, label=line.label, seat=line.seat, due=winner)
