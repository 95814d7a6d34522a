"""The months that a sum on a score sheet can stand for (S2).

The lists of payments with the sum are enumerated from the table of payments, those with few
payments first, until cards make one of them. The amounts of the players in
play are encoded as one number, so that a set of them is one big integer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import gcd
from typing import Final, NamedTuple

from kafu.notation.reading import amounts
from kafu.rules import codes
from kafu.rules.payments import POINTS, Payers, PaymentKind, PaymentRow, Receivers
from kafu.rules.play.actions import Illegal
from kafu.rules.sheets.captures import has_bit
from kafu.rules.sheets.lines import PaymentLine, Reading, read_amounts
from kafu.rules.sheets.month import SheetMonth
from kafu.rules.sheets.offers import Playing
from kafu.rules.sheets.smallest import find_smallest

#: The receivers of payments that are not of the three in play alone.
_AT_LARGER_TABLE: Final = (Receivers.IDLE, Receivers.BLIND, Receivers.AT_LARGE_TABLE)
#: The order of payments in a list, in which a bonus follows the hand that it belongs to.
_ORDER: Final = {
    PaymentKind.CAPTURED: 0,
    PaymentKind.SPECIAL: 0,
    PaymentKind.DEALT: 1,
    PaymentKind.OTHER: 2,
}
#: The lists without cards after which their dealt hands are compared too.
_MOST_REFUSALS: Final = 20


class SumQuestion(NamedTuple):
    """The question whether a month of three players, with some end, has a sum.

    - ``month``: the players in play, without lines. ``amounts``: the sum by seat, without the
      ``fees`` of players who are not in play.
    - ``rows``: the payments that the month may have. ``points``: the possible amounts of card
      points, by place in play order.
    - ``makers``: the player whose captured yaku are paid in full, and the player in 下げ whose yaku
      are paid by half, and who pays those in full alone; 0 for nobody. None for any players.
    """

    month: SheetMonth
    amounts: tuple[int, ...]
    rows: tuple[PaymentRow, ...]
    points: Sequence[range]
    makers: tuple[int, int] | None = None
    fees: tuple[PaymentLine, ...] = ()


def check_sum(line: PaymentLine, questions: Iterable[SumQuestion], *, kan: bool) -> SheetMonth:
    """Return a month with the sum of a line that cards make, by one of the questions.

    Raise Illegal if there is none.
    """
    searches = [_Search(question) for question in questions]
    for count in range(1 + max((search.most for search in searches), default=-1)):
        for search in searches:
            if count <= search.most and (month := search.find_month(count)):
                return month
    raise explain_sum(line, kan=kan)


def can_add_up(
    amounts: tuple[int, ...],
    order: tuple[int, ...],
    rows: tuple[PaymentRow, ...],
    points: Sequence[range],
) -> bool:
    """Return whether payments add up to a sum, whatever the cards."""
    payments = _find_payments(rows, Playing(order[0], order, len(amounts)), None)
    return payments.can_reach(payments.find_goal(amounts, points))


def explain_sum(line: PaymentLine, *, kan: bool) -> Illegal:
    """Return the fault of a sum that no month has."""
    worst = amounts.text(max(line.amounts, key=abs), kan=kan)
    return Illegal(codes.SHEET_MONTH_SUM, where=line.where, found=worst)


class _Option(NamedTuple):
    """A payment that a month may have. ``shift`` is the change of the encoded sum."""

    line: PaymentLine
    row: PaymentRow
    shift: int


class _Payments:
    """The payments that a month may have, as ``slots`` of which it has one at the most.

    Sums of payments are in a ``unit``, and are encoded as one number from the ``start`` on.
    """

    def __init__(
        self, rows: Sequence[PaymentRow], playing: Playing, makers: tuple[int, int] | None
    ) -> None:
        self.order = playing.order
        slots = list(_list_slots(rows, playing, makers))
        self.unit = gcd(*(sum_ for slot in slots for line, _ in slot for sum_ in line.amounts)) or 1
        #: The limits of all payments to and of each player, in units.
        self.limits = [
            tuple(
                sum(pick(0, *(line.amounts[seat - 1] for line, _ in slot)) for slot in slots)
                // self.unit
                for pick in (min, max)
            )
            for seat in self.order
        ]
        strides = [1]
        for lowest, highest in self.limits[:-1]:
            strides.append(strides[-1] * (highest - lowest + 1))
        self._strides = strides[:-1]
        self._all = (1 << strides[-1]) - 1
        self.start = self._encode([-lowest for lowest, _ in self.limits])
        self.slots = [
            [
                _Option(
                    line,
                    row,
                    self._encode([line.amounts[seat - 1] // self.unit for seat in self.order]),
                )
                for line, row in slot
            ]
            for slot in slots
        ]
        self._shifts = [{option.shift for option in slot} for slot in self.slots]
        #: The payments by all other players, by yaku, receiver and gain.
        self._shared = {
            _find_gain(line): line
            for slot in slots
            for line, _ in sorted(slot, key=lambda payment: sum(map(bool, payment[0].amounts)))
        }

    def share(self, line: PaymentLine) -> PaymentLine:
        """Return a payment as all other players make it, which needs no more cards."""
        return self._shared.get(_find_gain(line), line)

    def _encode(self, sums: Sequence[int]) -> int:
        """Return sums in units as one number; the last follows from the others."""
        return sum(sum_ * stride for sum_, stride in zip(sums, self._strides, strict=False))

    def find_goal(self, amounts: Sequence[int], points: Sequence[range]) -> int:
        """Return the codes of the sums of payments that leave possible points to each player."""
        choices = []
        for seat, possible, limits in zip(self.order, points, self.limits, strict=True):
            due = amounts[seat - 1]
            lowest = max(limits[0], -((possible[-1] - due) // self.unit))
            highest = min(limits[1], (due - possible[0]) // self.unit)
            paid = range(lowest, highest + 1)
            choices.append({sum_ for sum_ in paid if due - sum_ * self.unit in possible})
        goal = 0
        for sums in product(*choices[:-1]):
            if -sum(sums) in choices[-1]:
                goal |= 1 << self.start + self._encode(sums)
        return goal

    def can_reach(self, goal: int) -> bool:
        """Return whether payments, one of each slot at the most, lead to one of the codes."""
        codes = goal
        for number in range(len(self.slots)):
            codes |= self.step_back(number, codes)
        return bool(codes >> self.start & 1)

    def step_back(self, number: int, codes: int) -> int:
        """Return the codes that a payment of a slot brings to some codes."""
        before = 0
        for shift in self._shifts[number]:
            before |= codes >> shift if shift > 0 else codes << -shift
        return before & self._all


def _find_gain(line: PaymentLine) -> tuple[tuple[str, ...], int, int]:
    """Return the yaku of a payment, the receiver, and the gain."""
    return line.yaku, line.seat, line.amounts[line.seat - 1]


_find_payments = lru_cache(maxsize=256)(_Payments)


class _Search:
    """The search for the months of a question, by the number of payments."""

    def __init__(self, question: SumQuestion) -> None:
        self.question = question
        order = question.month.order
        playing = Playing(order[0], order, len(question.amounts))
        self.payments = _find_payments(question.rows, playing, question.makers)
        self.slots = self.payments.slots
        goal = self.payments.find_goal(question.amounts, question.points)
        #: The most payments of a month, -1 if none have the sum or no cards bring the fees.
        self.most = len(self.slots) if self.payments.can_reach(goal) else -1
        #: The codes that some number of payments of the last slots bring to the goal.
        self._codes = [goal] * (len(self.slots) + 1)
        self._reach: list[list[bytes]] = []
        #: Sets of lines that no month has together.
        self._apart: list[frozenset[PaymentLine]] = []
        self._learned: set[frozenset[PaymentLine]] = set()
        self._refusals = 0

    def find_month(self, count: int) -> SheetMonth | None:
        """Return a month with this number of payments that cards make, if any."""
        if count:
            codes = [0]
            for number in reversed(range(len(self.slots))):
                codes.append(codes[-1] | self.payments.step_back(number, self._codes[number + 1]))
            self._codes = codes[::-1]
        self._reach.append(
            [codes.to_bytes(codes.bit_length() // 8 + 1, "little") for codes in self._codes]
        )
        if has_bit(self._reach[count][0], self.payments.start):
            for chosen in self._list_choices(count, 0, (), self.payments.start):
                points = self._find_points(chosen)
                lines = [option.line for option in chosen]
                lines += [points] if any(points.amounts) else []
                if month := self._complete(lines):
                    return month
                if self.most < 0:
                    return None
        return None

    def _complete(self, lines: Sequence[PaymentLine]) -> SheetMonth | None:
        """Return the month of some payments and the fees if cards make it, else None."""
        month = self.question.month.select([*self.question.fees, *lines], is_over=True)
        if not self._may_be_together(lines) or month.find_fault():
            return None
        if month.find_cards():
            return month
        self._learn(lines)
        return None

    def _list_choices(
        self, count: int, first: int, chosen: tuple[_Option, ...], code: int
    ) -> Iterator[tuple[_Option, ...]]:
        """Yield the choices of this number of further payments from the ``first`` slot on."""
        if not count:
            yield chosen
            return
        for number in range(first, len(self.slots)):
            if not has_bit(self._reach[count][number], code):
                return
            for option in self.slots[number]:
                after = code + option.shift
                if has_bit(self._reach[count - 1][number + 1], after) and self._may_join(
                    chosen, option
                ):
                    yield from self._list_choices(count - 1, number + 1, (*chosen, option), after)

    def _may_join(self, chosen: Sequence[_Option], option: _Option) -> bool:
        """Return whether a payment can be beside others, as far as the table tells."""
        line, row = option.line, option.row
        if row.kind is PaymentKind.OTHER and not any(
            (other.line.seat, other.row.kind) == (line.seat, PaymentKind.DEALT) for other in chosen
        ):
            return False  # a bonus belongs to a hand
        for other in chosen:
            if other.line.seat == line.seat:
                if row.id in other.row.excludes or other.row.id in row.excludes:
                    return False
            elif other.row.cards & row.cards:
                return False
        return self._may_be_together([line, *(other.line for other in chosen)])

    def _may_be_together(self, lines: Sequence[PaymentLine]) -> bool:
        """Return whether no lines among these were found to exclude each other."""
        if not self._apart:
            return True
        joined = {*lines, *map(self.payments.share, lines)}
        return not any(apart <= joined for apart in self._apart)

    def _learn(self, lines: Sequence[PaymentLine]) -> None:
        """Note lines that exclude each other beside the fees, whoever pays if possible.

        Captured yaku and card points are tried first, and hands, which many lists have in common.
        """
        if not self._refusals and self.question.fees and not self._can_stand(()):
            self.most = -1
            return
        self._refusals += 1
        shared = [self.payments.share(line) for line in lines]
        dealt = [line for line in shared if line.kind is PaymentKind.DEALT]
        captured = [line for line in lines if line.kind is PaymentKind.CAPTURED or not line.seat]
        tried = [[self.payments.share(line) for line in captured], captured, dealt]
        if self._refusals > _MOST_REFUSALS:
            tried.append([line for line in shared if line.seat])
        for part in tried:
            if frozenset(part) not in self._learned:
                self._learned.add(frozenset(part))
                if apart := find_smallest(part, self._can_stand):
                    self._apart.append(frozenset(apart))
                    return

    def _can_stand(self, lines: Sequence[PaymentLine]) -> bool:
        """Return whether some month has the fees and the lines, and perhaps others."""
        lines = [*self.question.fees, *lines]
        return self.question.month.select(lines, is_over=False).find_cards() is not None

    def _find_points(self, chosen: Iterable[_Option]) -> PaymentLine:
        """Return the line of the card points that the payments leave."""
        lines = [option.line.amounts for option in chosen]
        left = tuple(
            sum_ - sum(column) for sum_, *column in zip(self.question.amounts, *lines, strict=True)
        )
        return PaymentLine(*(PaymentKind.OTHER, (POINTS,), 0, left, False, "month"))


def _list_slots(
    rows: Sequence[PaymentRow], playing: Playing, makers: tuple[int, int] | None
) -> list[list[tuple[PaymentLine, PaymentRow]]]:
    """Return the payments that a month may have; those that exclude each other are together.

    Captured yaku, of which few are possible together, come before hands.
    """
    groups: list[list[tuple[int, PaymentRow]]] = []
    for row in sorted(rows, key=lambda row: (_ORDER[row.kind], max(row.each, default=0))):
        if row.payers is Payers.BALANCE or row.marks or row.receivers in _AT_LARGER_TABLE:
            continue
        for seat in playing.list_receivers(row):
            for group in groups:
                if all(_exclude((seat, row), member) for member in group):
                    group.append((seat, row))
                    break
            else:
                groups.append([(seat, row)])
    slots = (
        [(line, row) for seat, row in group for line in _list_lines(row, seat, playing, makers)]
        for group in groups
    )
    return [slot for slot in slots if slot]


def _exclude(payment: tuple[int, PaymentRow], other: tuple[int, PaymentRow]) -> bool:
    """Return whether a month never has two payments to these seats.

    Cards are enough for a special yaku of one player.
    """
    (seat, row), (other_seat, other_row) = payment, other
    if seat != other_seat:
        return row is other_row and row.kind is PaymentKind.SPECIAL
    return row.id in other_row.excludes or other_row.id in row.excludes


def _list_lines(
    row: PaymentRow, seat: int, playing: Playing, makers: tuple[int, int] | None
) -> Iterator[PaymentLine]:
    """Yield the lines of a payment to a player that differ in their amounts."""
    for paid, readings in read_amounts((row,), playing, seat).items():
        if any(makers is None or _can_make(makers, row, reading) for reading in readings):
            yield PaymentLine(row.kind, (row.id,), seat, paid, False, "month")


def _can_make(makers: tuple[int, int], row: PaymentRow, reading: Reading) -> bool:
    """Return whether a payment is one of those of `SumQuestion.makers`."""
    if row.kind is not PaymentKind.CAPTURED:
        return True
    in_full, in_sage = makers
    if reading.is_half:
        return reading.seat == in_sage
    is_due = not in_sage or all(part.payer == in_sage for part in reading.parts)
    return reading.seat == in_full and is_due
