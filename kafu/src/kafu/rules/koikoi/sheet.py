"""Score sheets of koi-koi, for each of its houses: one winner a month (S1–S5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import ClassVar, Final, NamedTuple

from kafu import cards
from kafu.notation.game import Month, Payment
from kafu.notation.reading import amounts
from kafu.rules import sheet_codes
from kafu.rules.koikoi import ending
from kafu.rules.koikoi.profiles import Profile
from kafu.rules.koikoi.state import State
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captured import captured_totals, check_apart, kind_of, offer_of
from kafu.rules.sheets.form import Remark, Sheet
from kafu.rules.sheets.lines import (
    MONTH,
    PaymentKind,
    PaymentLine,
    check_once,
    check_value,
    receiver,
)
from kafu.rules.sheets.offers import Chosen, Offer, Paid, Playing, gain
from kafu.rules.sheets.together import WAYS, Rain, possible, sums, ways
from kafu.rules.verdict import DealResult
from kafu.rules.yaku import YakuTable

#: Prizes that come in addition to what the month itself brought (K12, K15).
_PRIZES: Final = ("kobiki", "obiki")
#: What doubles a winner's total; what is added to their yaku, in this order (K15, K17).
_DOUBLED: Final = ("bai", "koikoigaeshi")
_ADDED: Final = ("koikoi", *_DOUBLED)
#: Calls of こいこい in a month, at the most: one with each hand card.
_CALLS: Final = 8


class KoikoiSheet(Sheet):
    """The sheet of a game of one house.

    ``state`` keeps totals and winners of the months; ``replayed`` says that the month is played
    over, as the sheet has it (K9).
    """

    pointed: ClassVar[bool] = False

    def __init__(self, house: Profile) -> None:
        super().__init__(2)
        self.house = house
        self.sums_to_zero = house.zero_sum
        self.state = State()
        self.totals = self.state.totals = (house.start,) * 2
        self.replayed = False
        #: Months, from 0, whose sum may be 親権 with which nobody won.
        self.unsure: set[int] = set()
        willow, crane = cards.WILLOW * house.rain, cards.CRANE * house.crane
        self.rain = Rain(willow, crane)
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
        """The captured yaku of the month that is due (K16)."""
        return self.house.table(self.number)

    @property
    def floor(self) -> int:
        """The least total of the month that is due (K9): none where no right to declare is needed
        to win (K19).
        """
        return self.house.floor if self.replayed and not self.house.exhausted_higher else 0

    @property
    def is_over(self) -> bool:
        """Over after the last month, a tie adding a season (K13), or when the sums decide it."""
        return bool(self.deals) and not self.replayed and ending.is_over(self.house, self.state)

    def settle(self) -> tuple[int, ...]:
        """The totals, and the prize of the winner (K14)."""
        return ending.settle(self.house, self.state)

    # Lines ----------------------------------------------------------------------------------------

    def kind(self, yaku: tuple[str, ...]) -> PaymentKind | None:
        """A dealt hand, captured yaku (of which none replaces another), or what the house adds."""
        if len(yaku) == 1 and self.others.get(yaku[0]):
            return PaymentKind.OTHER
        if len(yaku) == 1 and any(row.id == yaku[0] for row in self.house.teyaku):
            return PaymentKind.DEALT
        return kind_of({row.id: row for row in self.table}, yaku)

    def receiver(self, payment: Payment, kind: PaymentKind, where: str) -> int:
        """The winner alone gets, and nobody pays unless the house says so (C4). What the loser
        showed is taken off (K3): the winner is the one whose sum changes.
        """
        if payment.void:
            raise Illegal(sheet_codes.SHEET_VOID, where=where, label=payment.label)
        if self.house.zero_sum:
            return receiver(payment, where, kan=False, shared=())
        changed = [seat for seat, amount in enumerate(payment.amounts, start=1) if amount]
        least = min(payment.amounts)
        if len(changed) != 1 or (least < 0 and kind is not PaymentKind.DEALT):
            code = sheet_codes.SHEET_WINNER_GETS
            raise Illegal(code, where=where, label=payment.label)
        return changed[0]

    def is_extra(self, line: PaymentLine) -> bool:
        """小引 and 大引 stand apart from a month's sum."""
        return line.label in _PRIZES

    # Writing --------------------------------------------------------------------------------------

    def offers(
        self, ba: str | None, playing: Playing, chosen: Sequence[Chosen] = ()
    ) -> tuple[Offer, ...]:
        """Shown hands, captured yaku, and what the house adds that nobody can compute (K15)."""
        paid = Paid.PLAYING if self.house.zero_sum else Paid.NOBODY
        dealt = (Offer(row.id, PaymentKind.DEALT, (row.value,), paid) for row in self.house.teyaku)
        captured = [offer_of(row, dict.fromkeys(self._values(row.id)), paid) for row in self.table]
        by_label = {offer.label: offer for offer in captured}
        mine = [one for one in chosen if one.label in by_label]
        total = sum(gain(by_label[one.label], one, playing) for one in mine)
        return (*dealt, *captured, *self._more(total, paid, playing, chosen))

    def _more(
        self, total: int, paid: Paid, playing: Playing, chosen: Sequence[Chosen]
    ) -> Iterator[Offer]:
        """What the house adds to a total, or gives where there is none."""
        house, kind = self.house, PaymentKind.OTHER
        if house.exhausted_gain:
            yield Offer("oyaken", kind, (house.exhausted_gain,), paid, seats=(playing.dealer,))
        ways = additions(house, total)
        bonus = 0
        if self.others["koikoi"]:
            sums_ = sorted({way.sums["koikoi"] for way in ways if "koikoi" in way.sums})
            offer = Offer("koikoi", kind, tuple(sums_) or (0,), paid)
            bonus = sum(gain(offer, one, playing) for one in chosen if one.label == "koikoi")
            yield offer
        fitting = [way.sums for way in ways if way.sums.get("koikoi", 0) == bonus]
        for label in _DOUBLED:
            if self.others[label]:
                most = max((sums_.get(label, 0) for sums_ in fitting), default=0)
                yield Offer(label, kind, (most,), paid)

    def bars(self, offer: Offer, seat: int, other: Offer, other_seat: int) -> bool:
        """One player wins, with a shown hand or with captured yaku (S5)."""
        dealt = PaymentKind.DEALT
        if offer.kind is other.kind is dealt:
            return seat == other_seat
        one = "oyaken" in (offer.label, other.label) or dealt in (offer.kind, other.kind)
        return one or seat != other_seat or super().bars(offer, seat, other, other_seat)

    def written(
        self,
        chosen: Sequence[Chosen],
        points: tuple[int, ...] | None,
        offers: Sequence[Offer],
        playing: Playing,
    ) -> list[tuple[Payment, tuple[Chosen, ...]]]:
        """As in `Sheet`; the lower of two shown hands is taken off the higher (K3), and a total
        that doubles does so by itself (K15).
        """
        by_label = {offer.label: offer for offer in offers}
        shown = [one for one in chosen if by_label[one.label].kind is PaymentKind.DEALT]
        chosen = list(chosen)
        if {one.seat for one in shown} == {1, 2}:
            best = max(shown, key=lambda one: gain(by_label[one.label], one, playing))
            for one in shown:
                if one.seat != best.seat:
                    less = -gain(by_label[one.label], one, playing)
                    chosen[chosen.index(one)] = one._replace(seat=best.seat, gain=less)
        lines = super().written(chosen, points, offers, playing)
        bai = by_label.get("bai")
        if bai and bai.each[0] and all(one.label != "bai" for one in chosen):
            seat = next(one.seat for one in chosen if one.label in by_label)
            other = -bai.each[0] if self.house.zero_sum else 0
            both = (bai.each[0], other) if seat == 1 else (other, bai.each[0])
            last = max(i for i, (line, _) in enumerate(lines) if line.label != "koikoigaeshi")
            lines.insert(last + 1, (Payment("bai", both), ()))
        return lines

    def prizes(self, payments: Sequence[Payment]) -> Iterator[Payment]:
        """小引 and 大引, where they are due after a month with these lines (K12, K15)."""
        if not payments and self.house.replay:
            return
        sums_ = tuple(map(sum, zip((0, 0), *(one.amounts for one in payments), strict=True)))
        winner = sums_.index(max(sums_)) + 1 if any(sums_) else 0
        if not self.house.exhausted_wins and any(one.label == "oyaken" for one in payments):
            winner = 0
        for label, (seat, sum_) in self._prizes((*self.state.winners, winner)).items():
            if sum_:
                yield Payment(label, ending.line(self.house, label, seat, sum_).amounts)

    def is_replayed(self, month: Month) -> bool:
        """A 流れ, where the house plays it over (K9)."""
        return self.house.replay and all(one.label in _PRIZES for one in month.payments)

    # A month --------------------------------------------------------------------------------------

    def check_dealer(self, month: Month) -> None:
        """The winner deals next (K2); another may if a 流れ was not written (S5)."""
        if not self.dealer or month.dealer == self.dealer:
            return
        if not (self.house.replay and self.house.exhausted_change):
            super().check_dealer(month)
        values = {"seat": month.dealer, "due": self.dealer}
        self.remarks.append(Remark(sheet_codes.SHEET_DEALER, "month", values, (str(self.dealer),)))

    def judge(
        self, month: Month, lines: Sequence[PaymentLine], following: Month | None
    ) -> DealResult | None:
        """Check the lines: one winner, all yaku of one hand, the prizes of a season."""
        check_once(lines, *self.others)
        main = [line for line in lines if line.label not in _PRIZES]
        if not lines and self.open_end:
            return None
        winner = self._winner(month, main)
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
        """After a 流れ in January before the first card a new split may settle the dealer (K2)."""
        return 0 if self.replayed and self.number == 1 else super().due_after(result)

    def _winner(self, month: Month, main: Sequence[PaymentLine]) -> int:
        """Who won the month by its lines, 0 for nobody. Raises Illegal where they cannot be."""
        if not main:
            return 0
        first = main[0]
        for line in main[1:]:
            if _sort(line) != _sort(first):
                raise _mixed(line, first.label)
        if first.kind is PaymentKind.DEALT:
            return self._dealt(main)
        for line in main[1:]:
            if line.seat != first.seat:
                raise _lost(line, first.seat)
        if first.label == "oyaken":
            self._check(first, {self.house.exhausted_gain})
            if first.seat != month.dealer:
                raise _lost(first, month.dealer)
            return first.seat if self.house.exhausted_wins else 0
        if first.label == MONTH:
            self._check_month_sum(first, month.dealer)
            own = first.seat == month.dealer
            is_oyaken = own and first.amounts[first.seat - 1] == self.house.exhausted_gain
            if is_oyaken and not self.house.exhausted_wins:
                self.unsure.add(len(self.state.winners))
        else:
            self._captured(main)
        return first.seat

    def _check_month_sum(self, line: PaymentLine, dealer: int) -> None:
        """A month's sum is one that some month of this house can have (S2). Raises Illegal."""
        gain = line.amounts[line.seat - 1]
        sums_ = set(month_sums(self.house, self.floor))
        if line.seat == dealer and self.house.exhausted_gain:
            sums_.add(self.house.exhausted_gain)
        if gain not in sums_:
            nearest = sorted(sums_, key=lambda sum_: (abs(sum_ - gain), sum_))[:2]
            raise Illegal(
                sheet_codes.SHEET_MONTH_SUM,
                where=line.where,
                expected=tuple(amounts.text(sum_, kan=False) for sum_ in sorted(nearest)),
                found=amounts.text(gain, kan=False),
            )

    def _check(self, line: PaymentLine, sums: set[int]) -> None:
        check_value(line, sums, line.amounts[line.seat - 1], kan=False)

    def _dealt(self, main: Sequence[PaymentLine]) -> int:
        """The value of the hand shown, less that of the other's (K3)."""
        values = {row.id: row.value for row in self.house.teyaku}
        check_once(main, *values)
        best = max(main, key=lambda line: values[line.label])
        self._check(best, {values[best.label]})
        for line in main:
            if line is not best:
                off = line.amounts[best.seat - 1]
                if len(main) > 2 or values[line.label] == values[best.label]:
                    raise _mixed(line, best.label)
                check_value(line._replace(seat=best.seat), {-values[line.label]}, off, kan=False)
        return best.seat

    def _captured(self, main: Sequence[PaymentLine]) -> None:
        """All yaku of the winner, each with a value that it can have, and what the house adds."""
        yaku = [line for line in main if line.kind is PaymentKind.CAPTURED]
        added = {line.label: line for line in main if line.kind is PaymentKind.OTHER}
        if not yaku:
            first = next(iter(added.values()))
            raise _mixed(first, MONTH)
        named = [one for line in yaku for one in line.yaku]
        check_apart(yaku, self.table)
        for line in yaku:
            self._check(line, sums([self._values(one) for one in line.yaku]))
        total = sum(line.amounts[line.seat - 1] for line in yaku)
        ways = self._ways_added(added, total)
        if not any(
            possible(self.table, frozenset(hand), called=called, rain=self.rain)
            for hand in self._hands(yaku)
            for called in {way.called for way in ways}
        ):
            raise Illegal(
                sheet_codes.SHEET_TOGETHER,
                where=yaku[0].where,
                seat=yaku[0].seat,
                yaku="+".join(named),
            )
        if total < self.floor:
            raise Illegal(sheet_codes.SHEET_FLOOR, where=yaku[0].where, found=total, due=self.floor)
        self._check_doubled(added, ways, total, yaku[-1].where)

    def _values(self, id: str) -> list[int]:
        """The possible values of a captured yaku: one may grow, or differ after こいこい."""
        row = self.table.find(id)
        worth = {row.value, row.value if row.called_value is None else row.called_value}
        more = row.counted.bit_count() - row.base if row.step else 0
        return [value + row.step * i for value in worth for i in range(more + 1)]

    def _hands(self, yaku: Sequence[PaymentLine]) -> Iterator[list[tuple[str, int]]]:
        """The values of single yaku that the sums of the lines allow."""
        each = []
        for line in yaku:
            gain = line.amounts[line.seat - 1]
            values = ways([self._values(one) for one in line.yaku], gain)
            each.append([tuple(zip(line.yaku, one, strict=True)) for one in values])
        for chosen in islice(product(*each), WAYS):
            yield [pair for line in chosen for pair in line]

    def _ways_added(self, added: dict[str, PaymentLine], total: int) -> list[Added]:
        """What the house may have added to a total, as far as こいこい goes (K15, K17). Raises
        Illegal if the sum written for こいこい is none of them.
        """
        ways, bonus = additions(self.house, total), 0
        if line := added.get("koikoi"):
            self._check(line, {way.sums.get("koikoi", 0) for way in ways} - {0})
            bonus = line.amounts[line.seat - 1]
        return [way for way in ways if way.sums.get("koikoi", 0) == bonus]

    def _check_doubled(
        self, added: dict[str, PaymentLine], ways: Sequence[Added], total: int, where: str
    ) -> None:
        """What doubles a total (K15), in one of the ways that the other lines leave."""
        fitting = [
            way.sums
            for way in ways
            if all((label in added) == (label in way.sums) for label in _DOUBLED)
        ]
        if not fitting:
            wrong = next((added[label] for label in _DOUBLED if label in added), None)
            total += ways[0].sums.get("koikoi", 0)
            raise Illegal(
                sheet_codes.SHEET_DOUBLED, where=wrong.where if wrong else where, found=total
            )
        for label in _DOUBLED:
            if label in added:
                self._check(added[label], {sums_[label] for sums_ in fitting})

    def _check_prizes(self, month: Month, prizes: Sequence[PaymentLine], winner: int) -> None:
        """小引 in the third month of a season that one won whole, 大引 at the end (K12, K15)."""
        winners = self.state.winners
        flows = len(winners) < self.number  # the month just judged is played over: no winner
        due = dict.fromkeys(_PRIZES, (winner, 0)) if flows else self._prizes(winners)
        written = {line.label: line for line in prizes}
        for label, (seat, sum_) in due.items():
            line = written.get(label)
            first = len(winners) - 3 if label == "kobiki" else 0
            if line is None and self.unsure & {*range(first, len(winners))}:
                continue
            found = line.amounts[line.seat - 1] if line else 0
            if found != sum_ or (line and line.seat != seat):
                raise Illegal(
                    sheet_codes.SHEET_SEASON,
                    where=line.where if line else "month",
                    expected=(amounts.text(sum_, kan=False),),
                    label=label,
                    found=sum_,
                    due=found,
                )

    def _prizes(self, winners: Sequence[int]) -> Mapping[str, tuple[int, int]]:
        """Who gets 小引 and 大引, and how much, in the last of the months with these winners; 0
        for none.
        """
        house, winner = self.house, winners[-1]
        whole = winner and len(winners) % 3 == 0 and set(winners[-3:]) == {winner}
        best = ending.grand(house, winners)
        return {
            "kobiki": (winner, house.season if whole else 0),
            "obiki": (best, house.grand if best else 0),
        }


class Added(NamedTuple):
    """What a house adds to a total of yaku, by label, and whether the winner has said こいこい."""

    called: bool
    sums: Mapping[str, int]


def additions(house: Profile, total: int) -> list[Added]:
    """Return what the house may add to a winner's total, for every number of calls of both (K15,
    K17).
    """
    most = _CALLS if house.most_calls is None else house.most_calls
    others = range(most + 1) if house.calls_multiply else range(2)
    return [
        Added(own > 0, dict(house.added(total, own=own, others=count)))
        for own in range(most + 1)
        for count in others
    ]


@lru_cache(maxsize=64)
def month_sums(house: Profile, floor: int) -> frozenset[int]:
    """Return the sums that a month won with a shown hand or captured yaku can have (S2).

    ``floor`` is the least total of captured yaku (K9). The sums are those of all yaku that do not
    replace one another, so that some of them may need more cards than there are.
    """
    shown = [row.value for row in house.teyaku]
    sums_ = {higher - lower for higher, lower in product(shown, [0, *shown]) if higher > lower}
    # 月札 is worth the same in every month (K16).
    for total in captured_totals(house.table(1)):
        if total >= max(floor, 1):
            sums_.update(total + sum(way.sums.values()) for way in additions(house, total))
    return frozenset(sums_)


def _sort(line: PaymentLine) -> str:
    """Lines of one sort stand together: a shown hand, 親権, a sum, captured yaku with all that is
    added to them.
    """
    if line.kind is PaymentKind.CAPTURED or line.label in _ADDED:
        return "captured"
    return line.kind.value if line.kind is PaymentKind.DEALT else line.label


def _mixed(line: PaymentLine, other: str) -> Illegal:
    code = sheet_codes.SHEET_MIXED
    return Illegal(code, where=line.where, label=line.label, other=other)


def _lost(line: PaymentLine, winner: int) -> Illegal:
    code = sheet_codes.SHEET_WINNERS
    return Illegal(code, where=line.where, label=line.label, seat=line.seat, due=winner)
